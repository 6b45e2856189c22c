//! The camera over a table: the stream that guests watch it by, as plans name it. Opens nothing.

use sicbo_rules::document::{Node, short};

use super::{HousePlan, Tls};

/// The longest address of a stream.
const LONGEST: usize = 500;

/// What guests see of a table besides what the house tells them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CameraPlan {
    /// A test picture that the house itself sends: `test`.
    Test,
    /// An HLS stream.
    Stream {
        /// The address of its playlist.
        address: String,
        /// Scheme, host and port of that address: the one place that pages may fetch it from.
        origin: String,
    },
}

impl CameraPlan {
    /// Reads `test`, or the address of a playlist.
    ///
    /// # Errors
    /// Why it is none.
    pub fn parse(text: &str) -> Result<CameraPlan, &'static str> {
        if text == "test" {
            return Ok(CameraPlan::Test);
        }
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme @ ("http" | "https"), rest)) => (scheme, rest),
            _ => return Err("it is neither test nor an address with http:// or https://"),
        };
        let (host, path) = rest
            .split_once('/')
            .ok_or("it names a machine and no playlist")?;
        // The origin becomes part of what pages are allowed: nothing but a host can stand there.
        let (name, port) = host.split_once(':').unwrap_or((host, "0"));
        let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let label = |part: &str| !part.is_empty() && part.len() <= 63 && part.chars().all(letters);
        if name.len() > 253 || !name.split('.').all(label) || port.parse::<u16>().is_err() {
            return Err("its host is no name in small letters, with or without a port");
        }
        let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\'' | '<' | '>' | '#');
        if text.len() > LONGEST || !path.chars().all(plain) {
            return Err("it has letters that an address cannot have, or is longer than 500");
        }
        let file = path.split_once('?').map_or(path, |(file, _)| file);
        if !file.ends_with(".m3u8") {
            return Err("it names no playlist of HLS, which ends with .m3u8");
        }
        Ok(CameraPlan::Stream {
            address: text.to_owned(),
            origin: format!("{scheme}://{host}"),
        })
    }
}

/// Reads the camera of a table, where it has one.
pub(super) fn read(node: &Node<'_, '_>, real_money: bool) -> Option<CameraPlan> {
    let key = "camera";
    let expected =
        "give the address of an HLS playlist, e.g. \"https://video.example/table-1.m3u8\"";
    let text = node.optional_text(key)?;
    let camera = match CameraPlan::parse(&text) {
        Ok(camera) => camera,
        Err(why) => {
            node.fault(key, &format!("{:?}: {why}", short(&text)), expected);
            return None;
        }
    };
    if real_money && camera == CameraPlan::Test {
        let problem = "not with real money: a test picture shows nobody's table";
        node.fault(key, problem, &format!("{expected}, or leave it out"));
    }
    Some(camera)
}

/// Pages that came encrypted fetch nothing in the clear.
pub(super) fn check(entry: &Node<'_, '_>, plan: &HousePlan, camera: Option<&CameraPlan>) {
    let open = camera.is_some_and(|camera| {
        matches!(camera, CameraPlan::Stream { origin, .. } if origin.starts_with("http://"))
    });
    if open && plan.tls != Tls::None {
        entry.fault(
            "camera",
            "not encrypted, and the house is: browsers would not show it",
            "give an https:// address",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_a_playlist_has_one_origin_and_nothing_else_gets_into_it() {
        for (address, origin) in [
            ("https://video.example/t/1.m3u8", "https://video.example"),
            (
                "https://video.example:8443/1.m3u8?key=a%20b",
                "https://video.example:8443",
            ),
            ("http://10.0.8.4:8080/live.m3u8", "http://10.0.8.4:8080"),
        ] {
            let stream = CameraPlan::Stream {
                address: address.to_owned(),
                origin: origin.to_owned(),
            };
            assert_eq!(CameraPlan::parse(address), Ok(stream));
        }
        assert_eq!(CameraPlan::parse("test"), Ok(CameraPlan::Test));
        for bad in [
            "",
            "Test",
            "rtsp://video.example/1.m3u8",
            "https://video.example",
            "https:///1.m3u8",
            "https://Video.example/1.m3u8",
            "https://video.example; script-src */1.m3u8",
            "https://*/1.m3u8",
            "https://video.example:port/1.m3u8",
            "https://user:pw@video.example/1.m3u8",
            "https://video.example/1.mp4",
            "https://video.example/1.mp4?x=.m3u8",
            "https://video.example/a b.m3u8",
            "https://video.example/1.m3u8#x",
            "https://video.example/'.m3u8",
        ] {
            assert!(CameraPlan::parse(bad).is_err(), "{bad}");
        }
        let long = format!("https://video.example/{}.m3u8", "a".repeat(LONGEST));
        assert!(CameraPlan::parse(&long).is_err());
    }
}
