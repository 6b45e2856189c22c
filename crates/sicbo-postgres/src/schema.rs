//! The tables of a house in PostgreSQL. Owns their script and its format; who
//! may write what into them is decided in the statements of the store.

/// The format of the tables this program makes and uses.
pub const SCHEMA_FORMAT: i32 = 1;

/// Makes everything, in one transaction. `$house` is put in by [`script`].
const SCHEMA: &str = r"
BEGIN;
CREATE SCHEMA sicbo;
COMMENT ON SCHEMA sicbo IS 'A house of Sic Bo tables: docs/cluster.md explains every table';

-- Whose data this is.
CREATE TABLE sicbo.house (
    only_row boolean PRIMARY KEY DEFAULT true CONSTRAINT one_house_for_a_database CHECK (only_row),
    format integer NOT NULL,
    house bytea NOT NULL CONSTRAINT a_house_is_named_by_a_sha256 CHECK (length(house) = 32)
);

-- Where each stream ends and who may append to it: the row every writer must win.
CREATE TABLE sicbo.streams (
    name text PRIMARY KEY,
    claimed bigint NOT NULL CONSTRAINT an_epoch_is_claimed_before_it_writes CHECK (claimed > 0),
    holder text NOT NULL,
    sequence bigint NOT NULL DEFAULT 0,
    header_sha256 bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
    epoch bigint NOT NULL DEFAULT 0 CONSTRAINT nobody_writes_beyond_the_claim CHECK (epoch <= claimed),
    touched bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE sicbo.blocks (
    stream text NOT NULL REFERENCES sicbo.streams,
    first_sequence bigint NOT NULL,
    last_sequence bigint NOT NULL,
    epoch bigint NOT NULL,
    time_ms bigint NOT NULL,
    header_sha256 bytea NOT NULL,
    header bytea NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (stream, first_sequence),
    CONSTRAINT a_block_has_records CHECK (first_sequence >= 1 AND last_sequence >= first_sequence),
    CONSTRAINT the_hash_is_of_the_header CHECK (sha256(header) = header_sha256)
);
-- Bets do not compress, and are read whole.
ALTER TABLE sicbo.blocks ALTER COLUMN body SET STORAGE EXTERNAL;

CREATE TABLE sicbo.rounds (
    stream text NOT NULL REFERENCES sicbo.streams,
    round bigint NOT NULL,
    first_sequence bigint NOT NULL,
    last_sequence bigint NOT NULL,
    started_ms bigint NOT NULL,
    ended_ms bigint,
    state text NOT NULL,
    dice text,
    -- The last record of the block that put the row as it stands.
    changed bigint NOT NULL,
    PRIMARY KEY (stream, round)
) WITH (fillfactor = 70);
CREATE INDEX rounds_by_change ON sicbo.rounds (stream, changed);

CREATE TABLE sicbo.checkpoints (
    stream text NOT NULL REFERENCES sicbo.streams,
    number bigint NOT NULL,
    sequence bigint NOT NULL,
    message text NOT NULL,
    signature bytea NOT NULL,
    PRIMARY KEY (stream, number)
);
CREATE INDEX checkpoints_by_sequence ON sicbo.checkpoints (stream, sequence);

CREATE TABLE sicbo.snapshots (
    stream text NOT NULL REFERENCES sicbo.streams,
    sequence bigint NOT NULL,
    header_sha256 bytea NOT NULL,
    sha256 bytea NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (stream, sequence)
);
ALTER TABLE sicbo.snapshots ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Which node leads the house, and that it is alive: its beat goes on.
CREATE TABLE sicbo.leader (
    only_row boolean PRIMARY KEY DEFAULT true CONSTRAINT one_leader CHECK (only_row),
    term bigint NOT NULL,
    node text NOT NULL,
    beat bigint NOT NULL,
    handed_over boolean NOT NULL
) WITH (fillfactor = 50);
INSERT INTO sicbo.leader (term, node, beat, handed_over) VALUES (0, '', 0, true);

-- The nodes that follow, and how far each has come.
CREATE TABLE sicbo.nodes (
    name text PRIMARY KEY,
    beat bigint NOT NULL,
    blocks bigint NOT NULL,
    seen timestamptz NOT NULL
) WITH (fillfactor = 50);
INSERT INTO sicbo.house (format, house) VALUES ($format, decode('$house', 'hex'));
COMMIT;
";

/// The script that makes the tables of a house.
pub(crate) fn script(house: &str) -> String {
    SCHEMA
        .replace("$format", &SCHEMA_FORMAT.to_string())
        .replace("$house", house)
}
