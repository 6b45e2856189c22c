//! Every statement that the truth is asked, as plain SQL. Each is one
//! transaction; what its answer means stands where it is used.

/// Claims a stream for a writer: the next epoch is its own, and with the answer
/// comes where the stream ends. Nobody with an earlier epoch can append from
/// then on. Parameters: stream, holder, names of the standbys.
pub(crate) const CLAIM: &str = "
INSERT INTO sicbo.streams AS s (name, claimed, holder)
SELECT $1::text, 1, $2::text WHERE current_setting('synchronous_standby_names') = $3::text
ON CONFLICT (name) DO UPDATE
    SET claimed = greatest(s.claimed, s.epoch) + 1, holder = excluded.holder
RETURNING claimed, sequence, header_sha256, epoch";

/// A higher epoch for the same holder. Parameters: stream, claim, epoch,
/// names of the standbys.
pub(crate) const RAISE: &str = "
UPDATE sicbo.streams SET claimed = $3::int8
WHERE name = $1::text AND claimed = $2::int8
      AND current_setting('synchronous_standby_names') = $4::text
RETURNING claimed";

/// Appends a block with its rounds and its checkpoint, if the stream ends where
/// the block begins, its last header is the one the block names, and its epoch
/// is the one that was claimed. Answers whether it does. A row that something in
/// the database swallows is a division by zero, and nothing is kept.
pub(crate) const APPEND: &str = "
WITH moved AS (
    UPDATE sicbo.streams SET sequence = $6::int8, header_sha256 = $7::bytea, epoch = $4::int8
    WHERE name = $1::text AND sequence = $2::int8 AND header_sha256 = $3::bytea
      AND claimed = $4::int8 AND current_setting('synchronous_standby_names') = $5::text
    RETURNING name
), block AS (
    INSERT INTO sicbo.blocks
    SELECT name, $2::int8 + 1, $6::int8, $4::int8, $8::int8, $7::bytea, $9::bytea, $10::bytea
    FROM moved
    RETURNING 1
), round AS (
    INSERT INTO sicbo.rounds
    SELECT moved.name, r.*, $6::int8 FROM moved, unnest($11::int8[], $12::int8[], $13::int8[],
        $14::int8[], $15::int8[], $16::text[], $17::text[]) AS r
    ON CONFLICT (stream, round) DO UPDATE SET first_sequence = excluded.first_sequence,
        last_sequence = excluded.last_sequence, started_ms = excluded.started_ms,
        ended_ms = excluded.ended_ms, state = excluded.state, dice = excluded.dice,
        changed = excluded.changed
    RETURNING 1
), signed AS (
    INSERT INTO sicbo.checkpoints
    SELECT name, (SELECT coalesce(max(number), 0) + 1 FROM sicbo.checkpoints WHERE stream = $1),
        $6::int8, $18::text, $19::bytea FROM moved WHERE $18::text IS NOT NULL
    RETURNING 1
)
SELECT count(*), 1 / CASE WHEN count(*) = 0 OR (
        (SELECT count(*) FROM block) = 1
        AND (SELECT count(*) FROM round) = cardinality($11::int8[])
        AND (SELECT count(*) FROM signed) = ($18::text IS NOT NULL)::int4
    ) THEN 1 ELSE 0 END FROM moved";

/// Commits under the quorum after everything before it, and so makes what it
/// answers certain: where the stream ends, while the claim holds. Parameters:
/// stream, epoch claimed, names of the standbys.
pub(crate) const SETTLE: &str = "
UPDATE sicbo.streams SET touched = touched + 1
WHERE name = $1::text AND claimed = $2::int8
      AND current_setting('synchronous_standby_names') = $3::text
RETURNING sequence, header_sha256, epoch";

/// Who holds a stream.
pub(crate) const HOLDER: &str = "
SELECT claimed, holder, sequence, header_sha256, epoch FROM sicbo.streams WHERE name = $1";

/// Keeps a checkpoint made apart from an append, once. Answers whether it is
/// there. Parameters: stream, claim, sequence, message, signature, standbys.
pub(crate) const CHECKPOINT: &str = "
WITH held AS (
    UPDATE sicbo.streams SET touched = touched + 1
    WHERE name = $1::text AND claimed = $2::int8
      AND current_setting('synchronous_standby_names') = $6::text
    RETURNING name
), there AS (
    SELECT 1 FROM sicbo.checkpoints
    WHERE stream = $1 AND sequence = $3::int8 AND message = $4::text AND signature = $5::bytea
), signed AS (
    INSERT INTO sicbo.checkpoints
    SELECT name, (SELECT coalesce(max(number), 0) + 1 FROM sicbo.checkpoints WHERE stream = $1),
        $3::int8, $4::text, $5::bytea FROM held WHERE NOT EXISTS (SELECT 1 FROM there)
    RETURNING 1
)
SELECT count(*), 1 / CASE WHEN count(*) = 0 OR
        (SELECT count(*) FROM there) + (SELECT count(*) FROM signed) > 0
    THEN 1 ELSE 0 END FROM held";

/// Keeps a snapshot and lets go of those before the one before it. Parameters:
/// stream, claim, sequence, header hash, digest, bytes, standbys.
pub(crate) const SNAPSHOT: &str = "
WITH held AS (
    UPDATE sicbo.streams SET touched = touched + 1
    WHERE name = $1::text AND claimed = $2::int8
      AND current_setting('synchronous_standby_names') = $7::text
    RETURNING name
), kept AS (
    INSERT INTO sicbo.snapshots SELECT name, $3::int8, $4::bytea, $5::bytea, $6::bytea FROM held
    ON CONFLICT (stream, sequence) DO UPDATE SET header_sha256 = excluded.header_sha256,
        sha256 = excluded.sha256, bytes = excluded.bytes
    RETURNING 1
), old AS (
    DELETE FROM sicbo.snapshots WHERE stream = $1 AND sequence <> $3::int8 AND sequence NOT IN (
        SELECT sequence FROM sicbo.snapshots WHERE stream = $1 AND sequence <> $3::int8
        ORDER BY sequence DESC LIMIT 1)
)
SELECT count(*), 1 / CASE WHEN count(*) = 0 OR (SELECT count(*) FROM kept) = 1
    THEN 1 ELSE 0 END FROM held";

/// The hash of the header of the block that ends at a sequence.
pub(crate) const HASH_AT: &str = "
SELECT header_sha256, last_sequence FROM sicbo.blocks
WHERE stream = $1 AND first_sequence <= $2 ORDER BY first_sequence DESC LIMIT 1";

/// The first sequence of the block that holds a record.
pub(crate) const HOLDS: &str = "
SELECT first_sequence, last_sequence FROM sicbo.blocks
WHERE stream = $1 AND first_sequence <= $2 ORDER BY first_sequence DESC LIMIT 1";

/// Blocks from a sequence on, a page of them.
pub(crate) const BLOCKS: &str = "
SELECT first_sequence, header, body FROM sicbo.blocks
WHERE stream = $1 AND first_sequence >= $2 ORDER BY first_sequence LIMIT $3";

/// Their headers.
pub(crate) const HEADERS: &str = "
SELECT first_sequence, header FROM sicbo.blocks
WHERE stream = $1 AND first_sequence >= $2 ORDER BY first_sequence LIMIT $3";

/// Snapshots before a sequence, newest first.
pub(crate) const SNAPSHOTS: &str = "
SELECT sequence, header_sha256, sha256, bytes FROM sicbo.snapshots
WHERE stream = $1 AND sequence < $2 ORDER BY sequence DESC LIMIT 1";

/// After which record the newest snapshot was taken.
pub(crate) const NEWEST_SNAPSHOT: &str = "
SELECT coalesce(max(sequence), 0) FROM sicbo.snapshots WHERE stream = $1";

/// Checkpoints after a number, in the order kept.
pub(crate) const CHECKPOINTS: &str = "
SELECT number, message, signature FROM sicbo.checkpoints
WHERE stream = $1 AND number > $2 ORDER BY number";

/// Rows of the round index.
pub(crate) const ROUNDS: &str = "
SELECT round, first_sequence, last_sequence, started_ms, ended_ms, state, dice
FROM sicbo.rounds WHERE stream = $1 AND round >= $2 ORDER BY round LIMIT $3";

/// Rows of the round index that a block put there as they stand, up to a block.
pub(crate) const MOVED_ROUNDS: &str = "
SELECT round, first_sequence, last_sequence, started_ms, ended_ms, state, dice, changed
FROM sicbo.rounds WHERE stream = $1 AND changed > $2 AND changed <= $3 ORDER BY round";

/// Whose data this is.
pub(crate) const HOUSE: &str = "SELECT format, house FROM sicbo.house";

/// Every stream with where it ends.
pub(crate) const STREAMS: &str = "
SELECT name, claimed, holder, sequence, header_sha256, epoch FROM sicbo.streams ORDER BY name";

/// Which node leads.
pub(crate) const LEADER: &str = "SELECT term, node, beat, handed_over FROM sicbo.leader";

/// Takes the lead, if it stands as it was seen. Parameters: node, term, beat,
/// names of the standbys.
pub(crate) const TAKE: &str = "
UPDATE sicbo.leader SET term = term + 1, node = $1::text, beat = 1, handed_over = false
WHERE term = $2::int8 AND beat = $3::int8
      AND current_setting('synchronous_standby_names') = $4::text
RETURNING term";

/// The leader is alive. Parameters: node, term, names of the standbys.
pub(crate) const BEAT: &str = "
UPDATE sicbo.leader SET beat = beat + 1
WHERE node = $1::text AND term = $2::int8 AND NOT handed_over
      AND current_setting('synchronous_standby_names') = $3::text
RETURNING beat";

/// The leader has stopped in good order. Parameters: node, term.
pub(crate) const HAND_OVER: &str = "
UPDATE sicbo.leader SET handed_over = true, beat = beat + 1
WHERE node = $1::text AND term = $2::int8 RETURNING term";

/// A node that follows says how many blocks it has copied: a commit under the
/// quorum, after everything it has read. Parameters: node, blocks, standbys.
pub(crate) const SEEN: &str = "
INSERT INTO sicbo.nodes AS n (name, beat, blocks, seen)
SELECT $1::text, 1, $2::int8, clock_timestamp()
WHERE current_setting('synchronous_standby_names') = $3::text
ON CONFLICT (name) DO UPDATE
    SET beat = n.beat + 1, blocks = excluded.blocks, seen = excluded.seen
RETURNING beat";

/// The nodes that have followed, with how long ago each was heard of.
pub(crate) const NODES: &str = "
SELECT name, blocks, (extract(epoch FROM clock_timestamp() - seen) * 1000)::int8
FROM sicbo.nodes ORDER BY name";

/// A commit that changes nothing, after whatever was in doubt.
pub(crate) const TOUCH: &str = "UPDATE sicbo.leader SET beat = beat + 1 RETURNING beat";
