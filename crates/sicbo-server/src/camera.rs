//! The test picture of a trial: a short clip, sent as a live HLS stream that never ends.
//!
//! The clip's fragments follow each other for ever; each is given its place in time as it is
//! sent. Nothing is encoded here. `web/tools/test-picture.mjs` made the file.

use std::sync::LazyLock;

/// How long a fragment lasts.
const FRAGMENT_MS: i64 = 2_000;
/// Fragments in the playlist.
const LISTED: i64 = 6;

static CLIP: LazyLock<Option<Clip>> =
    LazyLock::new(|| Clip::read(include_bytes!("camera/test-picture.mp4")));

/// What a stream is made of.
struct Clip {
    /// What a player needs before the first fragment.
    head: &'static [u8],
    fragments: Vec<Fragment>,
}

struct Fragment {
    bytes: &'static [u8],
    /// Where its place in time is written, eight bytes of milliseconds.
    time_at: usize,
}

impl Clip {
    /// `ftyp` and `moov`, then pairs of `moof` and `mdat` (ISO 14496-12).
    fn read(file: &'static [u8]) -> Option<Clip> {
        let mut boxes = Vec::new();
        let mut at = 0;
        while at < file.len() {
            let length = u32::from_be_bytes(file.get(at..at + 4)?.try_into().ok()?);
            let end = at.checked_add(usize::try_from(length).ok()?)?;
            let kind = file.get(at + 4..at + 8)?;
            boxes.push((kind, at, file.get(at..end)?.len()));
            at = end;
        }
        let first = boxes.iter().position(|(kind, ..)| *kind == b"moof")?;
        let fragments = boxes[first..].chunks(2).map(|pair| match pair {
            [(b"moof", start, _), (b"mdat", media, length)] => {
                let bytes = &file[*start..media + length];
                let tag = bytes.windows(4).position(|tag| tag == b"tfdt")?;
                // The tag, its version and flags, then the time.
                Some(Fragment {
                    bytes,
                    time_at: tag + 8,
                })
            }
            _ => None,
        });
        Some(Clip {
            head: &file[..boxes[first].1],
            fragments: fragments.collect::<Option<Vec<_>>>()?,
        })
    }

    fn fragment(&self, number: u64) -> Option<Vec<u8>> {
        let count = u64::try_from(self.fragments.len()).ok()?;
        let at = usize::try_from(number.checked_rem(count)?).ok()?;
        let fragment = &self.fragments[at];
        let mut bytes = fragment.bytes.to_vec();
        let time = number.checked_mul(FRAGMENT_MS.unsigned_abs())?;
        let place = bytes.get_mut(fragment.time_at..fragment.time_at + 8)?;
        place.copy_from_slice(&time.to_be_bytes());
        Some(bytes)
    }
}

/// A file of the stream with its kind: `live.m3u8`, `head.mp4`, `17.m4s`. `running_ms` is how long
/// the house has run.
#[must_use]
pub fn file(name: &str, running_ms: i64) -> Option<(&'static str, Vec<u8>)> {
    let clip = CLIP.as_ref()?;
    // As if it had begun before the house: the first playlist is whole.
    let newest = running_ms.max(0) / FRAGMENT_MS + LISTED;
    match name.rsplit_once('.')? {
        ("live", "m3u8") => Some(("application/vnd.apple.mpegurl", playlist(newest))),
        ("head", "mp4") => Some(("video/mp4", clip.head.to_vec())),
        (number, "m4s") => {
            let number: u64 = number.parse().ok()?;
            // What has not happened yet cannot be seen.
            let known = i64::try_from(number).is_ok_and(|number| number < newest);
            let bytes = known.then(|| clip.fragment(number)).flatten()?;
            Some(("video/iso.segment", bytes))
        }
        _ => None,
    }
}

fn playlist(newest: i64) -> Vec<u8> {
    let first = newest - LISTED;
    let seconds = FRAGMENT_MS / 1_000;
    let mut list = format!(
        "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:{seconds}\n#EXT-X-MEDIA-SEQUENCE:{first}\n\
         #EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-MAP:URI=\"head.mp4\"\n"
    );
    for number in first..newest {
        list.push_str(&format!("#EXTINF:{seconds}.000,\n{number}.m4s\n"));
    }
    list.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(running_ms: i64) -> String {
        let (kind, bytes) = file("live.m3u8", running_ms).unwrap();
        assert_eq!(kind, "application/vnd.apple.mpegurl");
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_playlist_moves_on_by_one_fragment_every_two_seconds() {
        assert!(text(0).contains("#EXT-X-MEDIA-SEQUENCE:0\n"));
        assert!(text(0).ends_with("5.m4s\n"));
        assert_eq!(text(1_999), text(0));
        assert!(text(2_000).contains("#EXT-X-MEDIA-SEQUENCE:1\n"));
        assert!(text(2_000).ends_with("6.m4s\n"));
    }

    #[test]
    fn fragments_follow_each_other_in_time_for_ever_and_none_comes_early() {
        let time = |name: &str, running_ms: i64| {
            let (_, bytes) = file(name, running_ms)?;
            let tag = bytes.windows(4).position(|tag| tag == b"tfdt")?;
            let time = bytes[tag + 8..tag + 16].try_into().ok()?;
            Some(u64::from_be_bytes(time))
        };
        let year_ms = 365 * 86_400_000;
        for number in [0_u64, 1, 3, 4, 5] {
            assert_eq!(time(&format!("{number}.m4s"), 0), Some(number * 2_000));
        }
        assert_eq!(time("6.m4s", 0), None);
        assert_eq!(time("6.m4s", 2_000), Some(12_000));
        let late = year_ms / 2_000;
        let last = format!("{late}.m4s");
        assert_eq!(time(&last, year_ms), Some(year_ms.unsigned_abs()));
        let (_, head) = file("head.mp4", 0).unwrap();
        assert_eq!(&head[4..8], b"ftyp");
        for none in ["", "live", "other.m3u8", "-1.m4s", "x.m4s", "0.mp4"] {
            assert!(file(none, 0).is_none(), "{none}");
        }
        assert!(file("18446744073709551615.m4s", i64::MAX).is_none());
    }
}
