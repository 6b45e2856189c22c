-- A sicbo journal: one stream of records, written in blocks that are never changed.
-- How to read and verify it with ordinary tools: docs/journal-format.md.

-- What this file is.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The truth. One row for each group commit; everything else can be derived.
-- The columns before the header repeat what the header says, for queries.
CREATE TABLE blocks (
    first_sequence INTEGER PRIMARY KEY
        CONSTRAINT the_first_record_has_sequence_1 CHECK (first_sequence >= 1),
    last_sequence  INTEGER NOT NULL
        CONSTRAINT a_block_has_1_to_65536_records
        CHECK (last_sequence BETWEEN first_sequence AND first_sequence + 65535),
    epoch          INTEGER NOT NULL
        CONSTRAINT writer_epochs_start_at_1 CHECK (epoch >= 1),
    time_ms        INTEGER NOT NULL,  -- when it was sealed, milliseconds of UTC since 1970
    header_sha256  BLOB NOT NULL
        CONSTRAINT sha256_has_32_bytes CHECK (length(header_sha256) = 32),
    header         BLOB NOT NULL
        CONSTRAINT a_header_has_108_to_319_bytes CHECK (length(header) BETWEEN 108 AND 319),
    body           BLOB NOT NULL
        CONSTRAINT a_body_has_at_most_16_mib CHECK (length(body) BETWEEN 1 AND 16777216)
) STRICT;

CREATE TRIGGER a_block_is_never_changed BEFORE UPDATE ON blocks
BEGIN SELECT RAISE(ABORT, 'a block is never changed: a correction is a new record'); END;

CREATE TRIGGER a_block_is_never_deleted BEFORE DELETE ON blocks
BEGIN SELECT RAISE(ABORT, 'a block is never deleted'); END;

-- For finding a round. Derived from the blocks; a row is replaced as its round goes on.
CREATE TABLE rounds (
    round          INTEGER PRIMARY KEY
        CONSTRAINT round_numbers_are_not_negative CHECK (round >= 0),
    first_sequence INTEGER NOT NULL
        CONSTRAINT a_round_begins_with_a_record CHECK (first_sequence >= 1),
    last_sequence  INTEGER NOT NULL
        CONSTRAINT a_round_ends_after_it_began CHECK (last_sequence >= first_sequence),
    started_ms     INTEGER NOT NULL,
    ended_ms       INTEGER,           -- null while the round is open
    state          TEXT NOT NULL,
    dice           TEXT               -- null without a result
) STRICT;

-- What the house has signed. message and signature are what openssl verifies;
-- the columns before them repeat the message, for queries.
CREATE TABLE checkpoints (
    number    INTEGER PRIMARY KEY,
    sequence  INTEGER NOT NULL
        CONSTRAINT a_checkpoint_covers_a_record CHECK (sequence >= 1),
    time_ms   INTEGER NOT NULL,
    reason    TEXT NOT NULL,
    key       TEXT NOT NULL,
    message   TEXT NOT NULL,
    signature BLOB NOT NULL
        CONSTRAINT an_ed25519_signature_has_64_bytes CHECK (length(signature) = 64)
) STRICT;

CREATE TRIGGER a_checkpoint_is_never_changed BEFORE UPDATE ON checkpoints
BEGIN SELECT RAISE(ABORT, 'a checkpoint is never changed'); END;

CREATE TRIGGER a_checkpoint_is_never_deleted BEFORE DELETE ON checkpoints
BEGIN SELECT RAISE(ABORT, 'a checkpoint is never deleted'); END;

-- State after a sequence, to start quickly from, signed by the writer of its block. One that
-- does not verify is passed over.
CREATE TABLE snapshots (
    sequence      INTEGER PRIMARY KEY
        CONSTRAINT a_snapshot_follows_a_record CHECK (sequence >= 1),
    header_sha256 BLOB NOT NULL
        CONSTRAINT sha256_has_32_bytes CHECK (length(header_sha256) = 32),
    sha256        BLOB NOT NULL
        CONSTRAINT digest_has_32_bytes CHECK (length(sha256) = 32),
    bytes         BLOB NOT NULL
) STRICT;
