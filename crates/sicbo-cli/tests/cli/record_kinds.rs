//! `docs/record-kinds.md`: every kind of record with its fields, made from the rows that make the
//! bytes. `make docs` writes it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use sicbo_table::codec::{Forms, KindLayout};

use crate::cli::binary::root;
use crate::cli::docs::fresh;

const HEAD: &str = "\
# Kinds of records

Made from the code by `make docs`; a test holds it to the code. Where a record's bytes are is in \
[journal-format.md](journal-format.md).

A payload is one CBOR list (RFC 8949). Positions 0 to 3 are the same in every kind: 0 the time \
(signed number, milliseconds of UTC since 1970), 1 who, 2 the second person or null, 3 the number of \
the command. The fields of a kind follow by their numbers. A number (of a kind, a field, a word) \
never changes its meaning. Fields are those of the newest version; what earlier versions lack is in \
[journal-format.md](journal-format.md#a-tables-records).

A type in `code` is described at the end of its stream's part. \"or null\" means that there may be \
nothing; a list of several things in brackets is a CBOR list of exactly those. Fields whose name ends \
in `_ms` are milliseconds: moments of UTC since 1970, or spans.
";

const BETS: &str = "\
Kind 54, nearly every record, has a list of its own: `[time, command, station, bet, how, section, \
stake, section, stake …]`. `how` is the means (0 credit, 1 cash chips, 2 colour chips), plus 4 for a \
spoken bet, plus 8 when it was not the station itself that acted: then who and the second person \
stand before the first section.
";

/// What a field of this name means, where its row says nothing of its own.
const MEANINGS: &[(&str, &str)] = &[
    ("all", "everything of the station was taken back"),
    ("amount", "how much"),
    ("attempt", "which try at drawing a number that nobody has"),
    (
        "awaiting",
        "how many terminals have yet to show that bets are closed",
    ),
    ("basis", "the cause that the book lists, or a ruling"),
    ("bet", "the bet, as the station numbered it"),
    ("book", "the rule book"),
    ("bookmark", "where to look in the recording"),
    ("by_hand", "a person counts"),
    ("called", "the bet was spoken"),
    ("case", "the case, by its number in the house's stream"),
    ("colour", "the colour's name"),
    ("commitment", "the SHA-256 of the seed"),
    ("config", "the whole set-up"),
    ("consequence", "what the rule makes of it"),
    ("copy", "which copy: 1 is the original"),
    ("count", "how many tumbles so far"),
    ("currency", "the currency"),
    ("dice", "the three dice"),
    ("counted", "what was in the boxes, by denomination"),
    ("dice_set", "the number of the set"),
    ("dice_visible", "the dice could be seen by then"),
    (
        "digest",
        "a SHA-256: of all payments, or keyed, of a voucher's number",
    ),
    (
        "digests",
        "what the round is played with: program, rule book and set-up",
    ),
    ("duties", "what people are held to"),
    ("effects", "what changes at each station"),
    ("end", "how it ended"),
    ("enrolment", "the enrolment, by its number"),
    (
        "entry",
        "the entry of money that staff moved, by its number",
    ),
    ("evidence", "what the correction rests on"),
    ("expires_ms", "when it expires"),
    ("from", "what it was before"),
    ("grant", "what is left to play for"),
    ("hours", "for how many hours they are good"),
    ("how", "in which way"),
    (
        "identity",
        "what the house plays for, and check values of its secrets",
    ),
    ("inform", "who has to be informed"),
    ("is_ms", "the house's clock after it was set"),
    ("kind", "which kind"),
    ("known_size", "blocks that the witness or the mark knew"),
    ("late", "what was done too late"),
    ("life", "which life of the house begins"),
    ("limits", "the limits"),
    ("line", "one bet; of the tumbler: it reports over a line"),
    (
        "lines",
        "bets, each a section and a stake; or stations with what was played",
    ),
    ("lit", "the lights show it"),
    ("machine_ms", "the machine's clock"),
    ("means", "credit, cash chips or colour chips"),
    ("name", "the name that was typed"),
    ("names", "the names, lowest first"),
    ("new", "everything that it was made with"),
    ("note", "words of the person who reported it"),
    ("notes", "what was seen, with how often"),
    ("notice", "the notice"),
    ("offset_min", "minutes that local time is ahead of UTC"),
    ("open", "the cover is open"),
    ("origin", "the table and station it came from"),
    ("part", "which part of the table"),
    ("pending", "the decision, by its number"),
    ("person", "the person, by their number"),
    ("pin", "the Argon2 hash of the PIN, bound to the person"),
    ("place", "where: a table and station, or an enrolment"),
    ("places", "what is enrolled"),
    ("position", "the position"),
    ("posts", "the tables and windows they work at"),
    ("proposal", "the proposal, by its number"),
    (
        "reached",
        "the table's last record then, and its header's hash",
    ),
    ("reason", "why, in words"),
    ("recoverable", "the overpayment"),
    ("refused", "reasons, each with how often"),
    ("request", "the number of the request, for one answer only"),
    ("returned", "what went back to players, stakes included"),
    ("revision", "how often the round was amended, with this"),
    ("round", "the round"),
    ("rule", "the rule of the document"),
    ("rules", "the revision of the reading of the rules"),
    ("ruling", "what was decided"),
    ("seed", "the seed"),
    ("sealed", "the secret of the second factor, encrypted"),
    ("sequence", "the voucher's own count at its station"),
    (
        "session",
        "the visit at a station, or the log-in of a person",
    ),
    ("set", "the number of the set"),
    ("shift", "the shift, by its number"),
    ("shortest_ms", "the shortest tumble that counts"),
    ("sitting", "the visit with its meters and clock"),
    ("slip", "the number of the slip"),
    ("source", "where the credit came from"),
    ("staff", "people"),
    ("staked", "the sum of stakes"),
    ("station", "the station"),
    ("station_name", "the station's name, as printed"),
    ("stations", "the stations"),
    ("step", "what was done"),
    ("table", "the table"),
    (
        "terms",
        "site, days that vouchers hold, amounts that are paid by hand",
    ),
    ("text", "words of those who did it"),
    ("to", "whom or what it goes to"),
    ("tree_size", "blocks of the tree then"),
    ("unclaimed", "the credit that is kept"),
    ("until_ms", "until when"),
    ("valid", "the tumble counts"),
    ("value", "what one chip is worth"),
    ("voucher", "the voucher, by its number"),
    ("wait_until_ms", "when the next try from there is heard"),
    ("was_ms", "the house's clock before"),
    ("what", "what it was, in words"),
    ("why", "why"),
];

/// One line of what a comment says over several.
fn line(comment: &str) -> String {
    let words: Vec<&str> = comment.split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}

/// A stream's kinds, and the types they are made of.
fn part(title: &str, who: &str, layouts: &[KindLayout], forms: &Forms) -> String {
    let mut text = format!("\n## {title}\n\nWho (1) is {who}.\n");
    for KindLayout {
        info,
        about,
        fields,
    } in layouts
    {
        let (kind, name, version) = (info.kind, info.name, info.version);
        let versions = match version {
            1 => "version 1".to_owned(),
            newest => format!("versions 1 to {newest}"),
        };
        assert!(
            !about.trim().is_empty(),
            "{name} does not say what it means"
        );
        let _ = write!(
            text,
            "\n### {kind} {name}\n\n{} ({versions})\n",
            line(about)
        );
        if fields.is_empty() {
            continue;
        }
        text += "\n| Field | Name | Type | |\n|---|---|---|---|\n";
        for field in fields {
            assert!(!field.form.is_empty(), "{name}.{} has no form", field.name);
            let (number, name) = (field.number, field.name);
            let form = typed(&field.form, forms);
            let said = MEANINGS.iter().find(|(known, _)| *known == name);
            let about = match (field.about, said) {
                ("", Some((_, meaning))) => (*meaning).to_owned(),
                ("", None) => panic!("{name} has no meaning"),
                (about, _) => line(about),
            };
            let _ = writeln!(text, "| {number} | {name} | {form} | {about} |");
        }
    }
    let _ = write!(text, "\n### Types\n\n| Type | |\n|---|---|\n");
    for (name, lines) in forms.all() {
        assert!(lines.iter().all(|line| !line.is_empty()), "{name}");
        // A part without a form would show as an empty place.
        let lines = lines.join("<br>");
        assert!(
            !lines.contains(": ;") && !lines.ends_with(": "),
            "{name}: {lines}"
        );
        let _ = writeln!(text, "| `{name}` | {} |", typed(&lines, forms));
    }
    text
}

/// The words of a form, with the names of types as code.
fn typed(form: &str, forms: &Forms) -> String {
    let known = |word: &str| forms.all().any(|(name, _)| name == word);
    let mut text = String::new();
    let mut word = String::new();
    for letter in form.chars().chain([' ']) {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        // After a colon or a bracket stands a type; a variant of the same name stands elsewhere.
        let is_type = known(&word) && !text.ends_with("] ") && !text.ends_with(char::is_numeric);
        match is_type {
            true => text += &format!("`{word}`"),
            false => text += &word,
        }
        word.clear();
        text.push(letter);
    }
    text.trim_end().to_owned()
}

#[test]
fn the_kinds_of_records_are_fresh_and_each_says_what_it_means() {
    let (mut of_table, mut of_house) = (Forms::default(), Forms::default());
    let tables = sicbo_table::Fact::layouts(&mut of_table);
    let houses = sicbo_register::Fact::layouts(&mut of_house);
    assert_eq!(tables.len(), sicbo_table::codec::KINDS.len());
    assert_eq!(houses.len(), sicbo_register::codec::KINDS.len());
    let actor = <sicbo_table::actor::Actor as sicbo_table::codec::Wire>::form(&mut of_table);
    let party = <sicbo_register::Party as sicbo_table::codec::Wire>::form(&mut of_house);
    let all = tables.iter().chain(&houses).flat_map(|kind| &kind.fields);
    let said: Vec<&str> = all
        .filter(|field| field.about.is_empty())
        .map(|field| field.name)
        .collect();
    for (name, _) in MEANINGS {
        assert!(said.contains(name), "no field is called {name}");
    }
    let mut text = HEAD.to_owned();
    let who = format!("an `{actor}`, the second person (2) a `Staff`");
    text += &part("Streams of tables", &who, &tables, &of_table);
    text += "\n";
    text += BETS;
    let who = format!("a `{party}`, the second person (2) a `PersonId`");
    text += &part("The house's own stream", &who, &houses, &of_house);
    fresh(&root().join("docs/record-kinds.md"), &text);
}

/// What the table of versions says: kind, name and version, and of which stream.
fn told_versions(text: &str) -> BTreeSet<(u16, String, u16, bool)> {
    let (_, table) = text
        .split_once("| Kind | Version | What was added |\n")
        .unwrap();
    let rows = table
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with('|'));
    let mut told = BTreeSet::new();
    for row in rows {
        let cells: Vec<&str> = row.split(" | ").collect();
        let (kinds, version) = (cells[0].trim_start_matches("| "), cells[1]);
        let of_house = kinds.ends_with("of the house's own stream");
        for kind in kinds
            .trim_end_matches(", of the house's own stream")
            .split(", ")
        {
            let (number, name) = kind.split_once(' ').unwrap();
            let number = number.parse().unwrap();
            told.insert((number, name.to_owned(), version.parse().unwrap(), of_house));
        }
    }
    told
}

#[test]
fn the_journal_s_description_has_every_version_and_format_of_today() {
    let text = std::fs::read_to_string(root().join("docs/journal-format.md")).unwrap();
    let mut versions = BTreeSet::new();
    let kinds = [
        (sicbo_table::codec::KINDS, false),
        (sicbo_register::codec::KINDS, true),
    ];
    for (kinds, of_house) in kinds {
        for kind in kinds {
            let later =
                (2..=kind.version).map(|at| (kind.kind, kind.name.to_owned(), at, of_house));
            versions.extend(later);
        }
    }
    assert_eq!(told_versions(&text), versions);
    let (of_table, of_house) = (
        sicbo_table::snapshot::FORMAT,
        sicbo_register::SNAPSHOT_FORMAT,
    );
    let (block, file) = (sicbo_journal::BLOCK_FORMAT, sicbo_journal::FILE_FORMAT);
    let (folder, tree) = (
        sicbo_journal::FOLDER_FORMAT,
        sicbo_witness::house_tree::TREE_FORMAT,
    );
    for words in [
        format!(
            "Snapshots of a table have format {of_table}, those of the house's own stream format \
             {of_house}."
        ),
        format!("Formats: block {block}, journal file {file}, snapshot 2, data folder {folder},"),
        format!(" tree {tree}, mark 1."),
    ] {
        assert!(text.contains(&words), "{words}");
    }
}
