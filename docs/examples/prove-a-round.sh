#!/usr/bin/env bash
# Proves one round of a house, and that its data is no older copy, without any program of the house:
# bash, coreutils, sqlite3 and openssl (1.1.1 or later). docs/journal-format.md explains each step.
set -euo pipefail
export LC_ALL=C

usage="usage: prove-a-round.sh DATA TABLE ROUND HOUSE-ID COSIGNED WITNESS-KEY
  DATA         the data folder, or a copy of it; it is only read
  TABLE ROUND  the table's stream, e.g. mbs-etg, and the number of the round
  HOUSE-ID     the published id of the house's first key, 64 hexadecimal digits
  COSIGNED     file: the last checkpoint that the witness cosigned (sicbo witness latest)
  WITNESS-KEY  the witness's key (sicbo witness key)"
[ $# = 6 ] || { echo "$usage" >&2; exit 2; }
data=$1 table=$2 round=$3 house=${4,,} cosigned=$5 witness=$6
for input in "$data/journal/$table.sqlite" "$data/journal/house.sqlite" "$data/tree/tree.sqlite" "$cosigned"; do
    [ -r "$input" ] || { echo "cannot read $input" >&2; exit 2; }
done
[[ $round =~ ^[0-9]{1,18}$ ]] || { echo "$usage" >&2; exit 2; }
[[ $house =~ ^[0-9a-f]{64}$ ]] || { echo "$usage" >&2; exit 2; }

# Everything is done on a copy, so that the evidence is not touched.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/journal" "$work/tree"
cp "$data"/journal/*.sqlite* "$work/journal/"
cp "$data"/tree/tree.sqlite* "$work/tree/"

exec 3>&1
titles=("" "the house's keys" "the round" "headers" "leaves and roots" "writers' certificates" "writers' signatures"
    "checkpoint" "head of the tree" "witness" "inclusion" "consistency" "nothing is missing")
step() { step=$1 title=${titles[$1]}; }
ok() { printf 'step %2d  %-22s ok: %s\n' "$step" "$title" "$*"; }
fail() { printf 'step %2d  %-22s FAILED: %s\n' "$step" "$title" "$*" >&3; exit 1; }
same() { [ "$1" = "$2" ] || fail "$3"; }

hex() { od -An -v -tx1 | tr -d ' \n'; }
bytes() { tr -d '\n' | tr a-f A-F | basenc --base16 -d; }
sha256() { sha256sum | cut -c1-64; }
sha256_of_hex() { printf %s "$1" | bytes | sha256; }
sql() { sqlite3 -batch -noheader "$work/$1.sqlite" "$2" || fail "$1.sqlite cannot be read"; }
journal() { sql "journal/$table" "$1"; }
tree() { sql tree/tree "$1"; }

# A public key of 32 bytes, in hexadecimal, as openssl reads it.
public_key() { printf %s "302a300506032b6570032100$1" | bytes >"$work/key.der"; }
# Whether a signature, in hexadecimal, by a key file is of what is on standard input.
signed() { # key file, signature
    cat >"$work/text"
    printf %s "$2" | bytes >"$work/sig"
    local form=PEM
    [ "${1##*.}" = pem ] || form=DER
    openssl pkeyutl -verify -pubin -keyform $form -inkey "$1" -rawin -in "$work/text" \
        -sigfile "$work/sig" >/dev/null 2>&1
}
key_id() { openssl pkey -pubin -in "$1" -outform DER 2>/dev/null | sha256; }

step 1
same "$(key_id "$data/keys/1/public.pem")" "$house" "keys/1 is not the key whose id was published"
ids=("" "$house")
while folder="$data/keys/$((number = ${#ids[@]}))"; [ -d "$folder" ]; do
    before="$data/keys/$((number - 1))/public.pem" text="$folder/hand-over.txt"
    ids+=("$(key_id "$folder/public.pem")")
    for line in "house: $house" "number: $number" "from-key: ${ids[number - 1]}" "to-key: ${ids[number]}"; do
        grep -qxF "$line" "$text" || fail "the hand-over to key $number does not say \"$line\""
    done
    signed "$before" "$(hex <"$folder/hand-over.old.sig")" <"$text" &&
        signed "$folder/public.pem" "$(hex <"$folder/hand-over.new.sig")" <"$text" ||
        fail "the hand-over to key $number is not signed by both keys"
done
ok "$((${#ids[@]} - 1)) keys, the first is the published one"

step 2
found=$(journal "SELECT first_sequence || ' ' || last_sequence || ' ' || state FROM rounds WHERE round = $round")
[ -n "$found" ] || fail "the index of $table has no round $round"
read -r first last state <<<"$found"
ok "round $round of $table is records $first to $last, $state by the index, which proves nothing"

# Each block of the round is taken apart: $head is its header, $body its body, in hexadecimal.
digits() { printf %s "${head:2 * $1:2 * $2}"; }         # from byte, so many bytes
number_at() { printf %d "$((16#$(digits "$1" 8)))"; }   # 8 bytes as a number
varint() { # of $body from digit $at on, to $value
    value=0
    local shift=0 byte=128
    while ((byte & 128)); do
        byte=$((16#${body:at:2})) at=$((at + 2))
        value=$((value | (byte & 127) << shift)) shift=$((shift + 7))
    done
}
# The root of RFC 6962 over hashes in hexadecimal, a line each: neighbours are hashed together,
# level by level; the last of an odd number goes up as it is.
hashed() { # so many bytes a piece, in hexadecimal on standard input: their hashes, a line each
    rm -rf "$work/pieces" && mkdir "$work/pieces"
    bytes | (cd "$work/pieces" && split -a 7 -d -b "$1" - p && ls | xargs -r sha256sum | cut -c1-64)
}
root_of() { # file of hashes
    cp "$1" "$work/level"
    local count
    while count=$(wc -l <"$work/level"); [ "$count" -gt 1 ]; do
        head -n $((count / 2 * 2)) "$work/level" | paste -d '' - - | sed 's/^/01/' | hashed 65 >"$work/next"
        [ $((count % 2)) = 0 ] || tail -n 1 "$work/level" >>"$work/next"
        mv "$work/next" "$work/level"
    done
    cat "$work/level"
}
# The next item of $cbor from digit $at on, in the diagnostic notation of RFC 8949.
item() {
    local head=$((16#${cbor:at:2})) value more
    at=$((at + 2)) value=$((head & 31))
    if ((value > 23)); then
        more=$((2 << (value - 24)))
        value=$((16#${cbor:at:more})) at=$((at + more))
    fi
    case $((head >> 5)) in
    0) printf %u $value ;;
    1) printf %d $((-1 - value)) ;;
    2) printf "h'%s'" "${cbor:at:2 * value}" && at=$((at + 2 * value)) ;;
    3) printf '"%s"' "$(printf %s "${cbor:at:2 * value}" | bytes | tr -c '[:print:]\200-\377' ' ')" && at=$((at + 2 * value)) ;;
    4 | 5)
        local count=$((head >> 5 == 4 ? value : 2 * value)) i
        printf '['
        for ((i = 0; i < count; i++)); do ((i == 0)) || printf ', '; item; done
        printf ']' ;;
    *) case $head in 244) printf false ;; 245) printf true ;; *) printf null ;; esac ;;
    esac
}
# A field of a record by its number; 0 to 3 are the time, who, the second person and the command.
field() {
    at=2
    local i
    for ((i = 0; i < $1; i++)); do item >/dev/null; done
    item
}

step 3
: >"$work/records"
next=$first headers=()
while IFS='|' read -r column_hash head body; do
    step 3
    head=${head,,} body=${body,,}
    name=$((16#$(digits 6 1)))
    from=$(number_at $((7 + name))) to=$(number_at $((15 + name))) epoch=$(number_at $((23 + name)))
    here="block of records $from to $to"
    same "$(digits 0 4)" 53424a42 "the $here has no header of a block"
    same "$(digits 4 2)" 0002 "the $here is of format 1: its writer signed nothing"
    same "$(digits 7 "$name" | bytes)" "$table" "the $here is of another stream"
    ((from <= next && to >= next)) || fail "a block that holds record $next is missing"
    hash=$(sha256_of_hex "$head")
    same "$hash" "${column_hash,,}" "the header of the $here does not have the hash that stands beside it"
    step 4
    # Leaves: SHA-256(0x00, salt, record), an entry after the other.
    at=0 place=0
    : >"$work/leaves"
    while ((at < ${#body})); do
        varint && length=$value && at=$((at + 8))
        entry=${body:at:32 + 2 * length} end=$((at + 32 + 2 * length)) at=$((at + 32))
        leaf=$(sha256_of_hex "00$entry")
        echo "$leaf" >>"$work/leaves"
        varint && varint && kind=$value && varint && version=$value
        sequence=$((from + place))
        if ((sequence >= first && sequence <= last)); then
            cbor=${body:at:end - at} && at=0
            echo "$sequence $kind $version $cbor $leaf $(item)" >>"$work/records"
        fi
        at=$end place=$((place + 1))
    done
    same "$place" $((to - from + 1)) "the $here holds $place records"
    same "$(root_of "$work/leaves")" "$(digits $((71 + name)) 32)" \
        "the root of the $here is not that of its records: one of them was changed"
    step 5
    key=$((16#$(digits $((107 + name)) 4))) writer=$(digits $((111 + name)) 32)
    [ -n "${ids[key]:-}" ] && ((key > 0)) || fail "the $here names key $key of the house, which there is not"
    printf 'sicbo writer 1\nhouse: %s\nstream: %s\nepoch: %d\nwriter-key: %s\nkey: %s\n' \
        "$house" "$table" "$epoch" "$writer" "${ids[key]}" |
        signed "$data/keys/$key/public.pem" "$(digits $((143 + name)) 64)" ||
        fail "the house did not certify the writer of the $here"
    step 6
    public_key "$writer"
    digits 0 $((207 + name)) | bytes | signed "$work/key.der" "$(digits $((207 + name)) 64)" ||
        fail "the writer did not sign the header of the $here"
    headers+=("$hash") next=$((to + 1))
done < <(journal "SELECT hex(header_sha256), hex(header), hex(body) FROM blocks
    WHERE last_sequence >= $first AND first_sequence <= $last ORDER BY first_sequence")
step 3
((next > last)) || fail "the block with record $next is missing"
step 4
read -r _ kind _ cbor _ <"$work/records"
[ "$kind" = 50 ] && [ "$(field 4)" = "$round" ] || fail "record $first is not the RoundBegan of round $round"
# The index is not signed: a range that reaches into another round would end with that one's result.
ends=0
while read -r sequence kind _; do
    case $kind in
    50) ((sequence == first)) || fail "record $sequence begins another round: the index gives round $round more than its own" ;;
    72 | 73) ((++ends == 1)) || fail "record $sequence ends a round again: the index gives round $round more than its own" ;;
    esac
done <"$work/records"
ended=$(while read -r sequence kind _ cbor _ words; do
    case $kind in 72 | 73) echo "$sequence $kind $cbor $words" ;; esac
done <"$work/records" | head -n 1)
[ -n "$ended" ] || fail "no record settles round $round or makes it void"
read -r sequence kind cbor words <<<"$ended"
code=$(printf '%s%02x%s%016x%s' "$(printf 'sicbo round code 1\0' | hex)" ${#table} \
    "$(printf %s "$table" | hex)" "$round" "$cbor")
code=$(sha256_of_hex "$code")
step 3 && ok "${#headers[@]} blocks of $table hold records $first to $last"
step 4
while read -r sequence kind version _ leaf words; do
    printf '         record %d kind %d version %d leaf %.16s… %s\n' "$sequence" "$kind" "$version" "$leaf" "$words"
done <"$work/records"
ok "$((last - first + 1)) records; verification code of the round ${code:0:4}-${code:4:4}-${code:8:4}"
step 5 && ok "the house certified whoever wrote them"
step 6 && ok "and they signed every header"

step 7
read -r number signed_at < <(journal "SELECT number, sequence FROM checkpoints WHERE sequence >= $last
    ORDER BY sequence, number LIMIT 1" | tr '|' ' ') || fail "the house has signed no checkpoint after the round"
journal "SELECT message FROM checkpoints WHERE number = $number" | head -n 8 >"$work/message"
signature=$(journal "SELECT hex(signature) FROM checkpoints WHERE number = $number")
by=$(sed -n 's/^key: //p' "$work/message")
for ((number = 1; number < ${#ids[@]}; number++)); do [ "${ids[number]}" != "$by" ] || break; done
((number < ${#ids[@]})) || fail "the checkpoint is signed by no key of the house"
signed "$data/keys/$number/public.pem" "$signature" <"$work/message" || fail "the house did not sign the checkpoint"
for line in "house: $house" "stream: $table" "sequence: $signed_at"; do
    grep -qxF "$line" "$work/message" || fail "the checkpoint does not say \"$line\""
done
# Each header names the one before by its hash, from the round's last block to the signed one.
previous=${headers[-1]}
while read -r head; do
    head=${head,,}
    name=$((16#$(digits 6 1)))
    same "$(digits $((39 + name)) 32)" "$previous" \
        "the header of record $(number_at $((7 + name))) does not follow the one before"
    previous=$(sha256_of_hex "$head")
done < <(journal "SELECT hex(header) FROM blocks WHERE first_sequence > $last AND last_sequence <= $signed_at
    ORDER BY first_sequence")
grep -qxF "header-sha256: $previous" "$work/message" || fail "the checkpoint names another header"
ok "the house signed record $signed_at and everything before it"

# A note is three lines of text, an empty one, and lines of signatures.
note() { # file: text, size, root and origin of the head it holds
    head -n 3 "$1" >"$work/head"
    { read -r origin && read -r size && read -r root; } <"$work/head" || fail "there is no head in $1"
    [[ $size =~ ^[0-9]{1,18}$ ]] || fail "the head has no size"
    root=$(printf %s "$root" | base64 -d | hex)
    same "${origin%/*}" "sicbo.house/${house:0:32}" "the head is that of another house"
}
signature_of() { # file, name: id of the key and signature, in hexadecimal
    sed -n "5,\$s|^— $2 ||p" "$1" | head -n 1 | base64 -d | hex
}
house_signed() { # file
    local given number=0
    given=$(signature_of "$1" "$origin")
    while ((++number < ${#ids[@]})); do
        signed "$data/keys/$number/public.pem" "${given:8}" <"$work/head" && return
    done
    fail "the house did not sign the head of $size blocks"
}

step 8
tree "SELECT note FROM heads ORDER BY size DESC LIMIT 1" >"$work/note"
note "$work/note"
house_signed "$work/note"
newest=$size newest_root=$root newest_origin=$origin
ok "$newest blocks of all streams, signed by the house"

step 9
note "$cosigned"
house_signed "$cosigned"
same "$origin" "$newest_origin" "the witness speaks of another life of the house than its tree"
# NAME+ID+BASE64, the last being a byte for the kind of key (4: a witness) and the key.
name=${witness%%+*} encoded=${witness#*+}
encoded=$(printf %s "${encoded#*+}" | base64 -d | hex)
same "${encoded:0:2}" 04 "this is no key of a witness"
id=$(printf '%s0a%s' "$(printf %s "$name" | hex)" "$encoded")
id=$(sha256_of_hex "$id")
given=$(signature_of "$cosigned" "$name")
same "${given:0:8}" "${id:0:8}" "$name did not cosign it"
time=$((16#${given:8:16}))
public_key "${encoded:2}"
{ printf 'cosignature/v1\ntime %d\n' "$time" && cat "$work/head"; } | signed "$work/key.der" "${given:24}" ||
    fail "the cosignature is not that of $name"
witnessed=$size witnessed_root=$root
ok "$name cosigned $witnessed blocks at $(date -u -d "@$time" +%Y-%m-%dT%H:%M:%SZ)"

# Hashes of the tree are looked up in nodes and believed only as far as they lead to a signed root.
pair() { sha256_of_hex "01$1$2"; }
half() { k=1; while ((k * 2 < $1)); do k=$((k * 2)); done; }
mth() { # from, to: the hash over the leaves from $1 up to and without $2
    local level=0 span=$(($2 - $1)) k left right found
    while ((1 << level < span)); do level=$((level + 1)); done
    if ((1 << level == span)); then
        found=$(tree "SELECT lower(hex(hash)) FROM nodes WHERE level = $level AND place = $(($1 >> level))")
        [ -n "$found" ] || fail "the tree lacks a node over the leaves from $1"
        echo "$found" && return
    fi
    half $span
    left=$(mth "$1" $(($1 + k))) && right=$(mth $(($1 + k)) "$2") || return
    pair "$left" "$right"
}
# The root over the leaves from $2 up to and without $3, from a leaf's hash and its audit path.
with_leaf() { # place, from, to, hash of the leaf
    local k left right
    (($3 - $2 > 1)) || { echo "$4" && return; }
    half $(($3 - $2))
    local middle=$(($2 + k))
    if (($1 < middle)); then
        left=$(with_leaf "$1" "$2" $middle "$4") && right=$(mth $middle "$3") || return
    else
        left=$(mth "$2" $middle) && right=$(with_leaf "$1" $middle "$3" "$4") || return
    fi
    pair "$left" "$right"
}
# Both roots, of the first $1 leaves and of all, over the leaves from $2 up to $3, from the same hashes.
both() {
    local k middle left right old
    (($1 < $3)) || { left=$(mth "$2" "$3") && echo "$left $left"; return; }
    half $(($3 - $2))
    middle=$(($2 + k))
    if (($1 <= middle)); then
        read -r old left < <(both "$1" "$2" $middle) && right=$(mth $middle "$3") || return
        echo "$old $(pair "$left" "$right")"
    else
        left=$(mth "$2" $middle) && read -r old right < <(both "$1" $middle "$3") || return
        echo "$(pair "$left" "$old") $(pair "$left" "$right")"
    fi
}

step 10
for hash in "${headers[@]}"; do
    place=$(tree "SELECT place FROM leaves WHERE stream = '$table' AND header_sha256 = x'$hash'")
    [ -n "$place" ] || fail "the tree has no leaf with the header ${hash:0:16}…"
    ((place < newest)) || fail "leaf $place is not under the signed head"
    ((place < witnessed)) || fail "leaf $place is newer than the $witnessed blocks that the witness cosigned"
    made=$(with_leaf "$place" 0 "$newest" "$(sha256_of_hex "00$hash")") || exit 1
    same "$made" "$newest_root" "the path from leaf $place does not lead to the signed root"
done
ok "all ${#headers[@]} blocks lead to the signed root, under what the witness cosigned"

step 11
((newest >= witnessed)) ||
    fail "the witness cosigned $witnessed blocks and this folder's tree has $newest: it is an older copy"
roots=$(both "$witnessed" 0 "$newest") || exit 1
same "${roots#* }" "$newest_root" "the tree's nodes do not lead to its own signed root"
same "${roots% *}" "$witnessed_root" "the first $witnessed blocks are not those that the witness cosigned"
ok "the $newest blocks begin with the $witnessed that the witness cosigned"

step 12
# The signed root once more, from the leaves alone; then each leaf's block in its stream.
same "$(tree "SELECT count(*) || ' ' || max(place) FROM leaves WHERE place < $newest")" \
    "$newest $((newest - 1))" "leaves of the tree are missing"
tree "SELECT '00' || hex(header_sha256) FROM leaves WHERE place < $newest ORDER BY place" | hashed 33 >"$work/all"
same "$(root_of "$work/all")" "$newest_root" "the leaves are not those of the signed root"
for stream in $(tree "SELECT DISTINCT stream FROM leaves WHERE place < $newest"); do
    [ -r "$work/journal/$stream.sqlite" ] || fail "the journal of $stream is missing"
    rm -rf "$work/pieces" && mkdir "$work/pieces"
    sql "journal/$stream" "SELECT writefile(printf('$work/pieces/%015d', first_sequence), header) FROM blocks" >/dev/null
    (cd "$work/pieces" && ls | xargs -r sha256sum | cut -c1-64) >"$work/have"
    tree "SELECT lower(hex(header_sha256)) FROM leaves WHERE stream = '$stream' AND place < $newest
        ORDER BY first_sequence" >"$work/want"
    wanted=$(wc -l <"$work/want")
    head -n "$wanted" "$work/have" | cmp -s - "$work/want" ||
        fail "the journal of $stream lacks blocks of the tree, or has others: it is an older copy or was changed"
done
ok "every block under the signed head is in its journal"
echo "PROVED: round $round of $table, ${code:0:4}-${code:4:4}-${code:8:4}; nothing that the witness cosigned is missing"
