//! Time zones and languages that a book may name.
//!
//! The zone dates the effective instant, so a misspelt one must not pass.

/// Names of the IANA time zone database, with their links.
const ZONES: &str = include_str!("zones.txt");

/// The languages of ISO 639-1.
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co \
    cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi \
    ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw \
    ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc \
    oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv \
    sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// Whether there is such a time zone.
pub(super) fn is_zone(name: &str) -> bool {
    ZONES.lines().any(|zone| zone == name)
}

/// The zone a misspelt name is closest to: `; did you mean Asia/Macau?`.
pub(super) fn closest_zone(name: &str) -> String {
    let folded = name.to_lowercase();
    let exact = ZONES.lines().find(|zone| zone.to_lowercase() == folded);
    if let Some(zone) = exact {
        return format!("; did you mean {zone}?");
    }
    ZONES
        .lines()
        .map(|zone| {
            (
                strsim::damerau_levenshtein(&folded, &zone.to_lowercase()),
                zone,
            )
        })
        .filter(|(distance, _)| *distance <= 2)
        .min_by_key(|(distance, _)| *distance)
        .map_or_else(String::new, |(_, zone)| format!("; did you mean {zone}?"))
}

/// Whether a text is a language: `en`, `vi`, `zh-Hant`, `en-SG`.
pub(super) fn is_language(text: &str) -> bool {
    let mut parts = text.split('-');
    let language = parts.next().unwrap_or_default();
    let known = LANGUAGES.split_whitespace().any(|known| known == language);
    let titled = |part: &str| {
        let mut letters = part.chars();
        letters
            .next()
            .is_some_and(|first| first.is_ascii_uppercase())
            && letters.all(|letter| letter.is_ascii_lowercase())
    };
    known
        && parts.all(|part| match part.len() {
            2 => part.chars().all(|letter| letter.is_ascii_uppercase()),
            4 => titled(part),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_and_languages_are_those_there_are() {
        for zone in [
            "Asia/Singapore",
            "Asia/Ho_Chi_Minh",
            "Asia/Macau",
            "America/Argentina/Ushuaia",
            "UTC",
        ] {
            assert!(is_zone(zone), "{zone}");
        }
        for zone in ["Asia/Makau", "asia/macau", "Asia", "", "SGT"] {
            assert!(!is_zone(zone), "{zone}");
        }
        assert_eq!(closest_zone("Asia/Makau"), "; did you mean Asia/Macau?");
        assert_eq!(closest_zone("asia/macau"), "; did you mean Asia/Macau?");
        assert_eq!(closest_zone("Mars"), "");
        for language in ["en", "vi", "zh-Hant", "en-SG", "zh-Hans-MO"] {
            assert!(is_language(language), "{language}");
        }
        for language in ["xx", "english", "EN", "zh_Hant", "", "en-sg"] {
            assert!(!is_language(language), "{language}");
        }
    }
}
