#!/usr/bin/env bash
# iolite convert and darshan-convert: the same records in every form, pseudonyms that give nothing away, and selections.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/writing.bash
. "$(dirname "$0")/writing.bash"
convert=$IOLITE_BIN/darshan-convert
everything=$seeds/every-module-none-be-3.41.darshan
out=$work/out.darshan

# Forms ---------------------------------------------------------------------------------------------------------------

forms=("" --bzip2 --zstd --none --one-stream)
"$iolite" help convert | grep -q -e --archive && forms+=(--archive)

# can FORM: this build knows the compression.
can() {
    rm -f "$work/probe"
    # shellcheck disable=SC2086
    "$iolite" convert $1 "$demo" "$work/probe" 2>/dev/null
}
possible=()
for form in "${forms[@]}"; do can "$form" && possible+=("$form"); done
[ "${#possible[@]}" -ge 3 ] || fail "hardly any form can be written"

# rewrite FORM IN OUT: damaged inputs (status 3) give what they have.
rewrite() {
    rm -f "$3"
    # shellcheck disable=SC2086
    "$iolite" convert $1 "$2" "$3" 2>"$work/err"
    case $? in 0 | 3) ;; *) fail "convert $1 $2: $(head -n 1 "$work/err")" ;; esac
    # Records that are not known are no part of what the checklist knows.
    "$iolite" check "$3" >"$work/out"
    ! grep -q -e 'not assigned' -e 'version .* is not known' "$work/out" || return
    case $1 in
    "") ;; # what was copied is as its own writer left it
    "$anew") listed "$3" ;;
    *) listed "$3" --one-stream ;;
    esac
}

# Without a level, what stays as it is is copied, whoever wrote it.
anew="--level 6"
# From form to form and back to the first: nothing changes on the way. A log without mounts gets one. Every third log goes
# through all forms, the others through two of them.
trips=0
round_trip() {
    local log=$1 form at=$work/first columns=1- number=0 way=("${possible[@]:1}")
    trips=$((trips + 1))
    [ $((trips % 3)) = 0 ] || way=("${way[@]:trips % ${#way[@]}:1}" "${way[@]:(trips + 2) % ${#way[@]}:1}")
    "$parser" "$log" 2>/dev/null | grep -q '^# mount entry' || columns=1-6
    rewrite "$anew" "$log" "$at"
    content "$log" | cut -f $columns >"$work/expected"
    content "$at" | cut -f $columns | cmp -s "$work/expected" - || fail "$log is another log after converting"
    for form in "${way[@]}" "$anew"; do
        number=$((number + 1))
        rewrite "$form" "$at" "$work/step.$number"
        at=$work/step.$number
    done
    cmp -s "$work/first" "$at" || fail "$log: the bytes after all forms are not those after one"
    rewrite "" "$log" "$work/copied"
    content "$work/copied" | cut -f $columns | cmp -s "$work/expected" - || fail "$log is another log after copying"
}

for log in "$seeds"/*.darshan; do round_trip "$log"; done
for log in "$corpus"/logs/*.darshan; do
    [ -r "$log" ] && [ "$(wc -c <"$log")" -lt 100000 ] && round_trip "$log"
done

# Traces of both kinds, one way and the other; only the thread identities are lost.
for form in new old; do
    rm -f "$out"
    status 0 "$iolite" convert --dxt $form "$seeds/dxt-posix-v1-3.10.darshan" "$out"
    content "$out" >"$work/$form"
    listed "$out"
done
content "$seeds/dxt-posix-v1-3.10.darshan" | cmp -s "$work/old" - || fail "old traces"
grep -q '^ X_POSIX' "$work/new" || fail "new traces"

# Anonymised ----------------------------------------------------------------------------------------------------------

# The records with ids numbered in order of appearance; values that are ids or numbers of the job do not count.
shape() {
    "$parser" --show-incomplete "$1" 2>/dev/null | awk -F '\t' '
        /^#/ || NF < 5 { next }
        !($3 in number) { number[$3] = ++n }
        $4 ~ /RENAMED_FROM|REC_ID|CSJOBID|_OID|UUID|POOL_NAME|PROCESSOR_NAME|APPLICATION_ID|APXC_(GROUP|CHASSIS|BLADE|NODE)$/ { next }
        { print $1, $2, number[$3], $4, $5 }'
    "$dxt_parser" --show-incomplete "$1" 2>/dev/null | grep '^ X_'
    return 0
}

anonymised() {
    rm -f "$out"
    "$iolite" convert --anonymise all --key secret "$1" "$out" 2>/dev/null
    case $? in 0 | 3) ;; *) fail "anonymise $1" ;; esac
    "$tools/leaks" "$1" "$out" 2>"$work/err" || fail "$1: $(sort "$work/err" | uniq -c | head -n 3)"
    listed "$out"
    shape "$1" >"$work/shape"
    shape "$out" | cmp -s "$work/shape" - || fail "$1: other records after anonymising"
}
anonymised "$demo"
anonymised "$everything"
for name in trailer metadata-lines many-mounts lustre-v2-be-3.41 dxt-posix-v2-be-3.41; do
    anonymised "$seeds/$name.darshan"
done
for log in "$corpus"/logs/*.darshan; do
    [ -r "$log" ] && [ "$(wc -c <"$log")" -lt 50000 ] && anonymised "$log"
done

# The same key, the same pseudonyms; another, or none, others.
for key in "--key a" "--key a" "--key b" "" ""; do
    rm -f "$out"
    # shellcheck disable=SC2086
    "$iolite" convert -a all $key "$demo" "$out"
    content "$out" | cksum
done >"$work/sums"
[ "$(sed -n 1p "$work/sums")" = "$(sed -n 2p "$work/sums")" ] || fail "the same key gives other pseudonyms"
[ "$(sort -u "$work/sums" | wc -l)" = 4 ] || fail "other keys give the same pseudonyms"

# A key from a file or a descriptor is the same key, and never an argument.
printf 'a\n' >"$work/key"
chmod 600 "$work/key"
anonymised_by() {
    rm -f "$out"
    "$iolite" convert -a all "$@" "$demo" "$out" 2>"$work/err" || fail "convert $*: $(head -n 1 "$work/err")"
    content "$out" | cksum
}
expected=$(anonymised_by --key a)
[ "$(anonymised_by --key-file "$work/key")" = "$expected" ] || fail "--key-file is another key than --key"
[ "$(anonymised_by --key-fd 7 7<"$work/key")" = "$expected" ] || fail "--key-fd is another key than --key"
[ "$(printf a | anonymised_by --key-fd 0)" = "$expected" ] || fail "--key-fd from a pipe"
[ "$(anonymised_by --key-file <(printf b))" != "$expected" ] || fail "another file, the same key"
chmod 644 "$work/key"
anonymised_by --key-file "$work/key" >/dev/null
grep -q 'users other than its owner can read this key' "$work/err" || fail "no word of a key that everybody can read"
head -c 5000 /dev/zero | tr '\0' x >"$work/long"
for key in "--key-file $work/nowhere" "--key-file /dev/null" "--key-fd 99" "--key-file $work/long"; do
    # shellcheck disable=SC2086
    status 4 "$iolite" convert -a all $key "$demo" "$work/none"
done
for key in "--key a --key-file $work/key" "--key-fd x" "--key-fd -1"; do
    # shellcheck disable=SC2086
    status 2 "$iolite" convert -a all $key "$demo" "$work/none"
done
status 2 "$iolite" convert --key-file "$work/key" "$demo" "$work/none"
[ ! -e "$work/none" ] || fail "a log without its key"

# Only what was asked for.
changed() { # WHAT: which of the four are others
    local answer="" part
    rm -f "$out"
    "$iolite" convert -a "$1" --key k "$demo" "$out"
    for part in uid jobid exe; do [ "$(field "$demo" $part)" = "$(field "$out" $part)" ] || answer+=" $part"; done
    content "$out" | cmp -s "$work/demo" - || answer+=" names"
    echo "$answer"
}
content "$demo" >"$work/demo"
[ "$(changed uid)" = " uid" ] || fail "anonymise uid: $(changed uid)"
[ "$(changed job)" = " jobid" ] || fail "anonymise job: $(changed job)"
[ "$(changed exe)" = " exe" ] || fail "anonymise exe: $(changed exe)"
[ "$(changed names)" = " names" ] || fail "anonymise names: $(changed names)"
[ "$(changed uid,exe)" = " uid exe" ] || fail "anonymise uid,exe: $(changed uid,exe)"
status 2 "$iolite" convert -a nobody "$demo" "$work/none"
status 2 "$iolite" convert --key k "$demo" "$work/none"

# As darshan-convert does it ------------------------------------------------------------------------------------------

plain=$seeds/posix-v4-3.41.darshan
status 0 "$convert" --obfuscate "$plain" "$work/obfuscated"
listed "$work/obfuscated" --one-stream
[ "$(field "$work/obfuscated" uid)" = 2613050389 ] || fail "hash of the user"
status 0 "$convert" --obfuscate --key 7 "$plain" "$work/obfuscated-7"
[ "$(field "$work/obfuscated-7" uid)" = 853124968 ] || fail "hash of the user with a key"
"$parser" "$work/obfuscated" |
    awk -F '\t' '!/^#/ && NF >= 8 && $6 !~ "^(/scratch|/)/[0-9]+$" { exit 1 }' || fail "names"
"$parser" "$plain" | awk -F '\t' '!/^#/ && NF >= 8 { print $1, $2, $3, $4, $5 }' >"$work/before"
"$parser" "$work/obfuscated" | awk -F '\t' '!/^#/ && NF >= 8 { print $1, $2, $3, $4, $5 }' | cmp -s "$work/before" - ||
    fail "obfuscating changes more than names"
status 0 "$convert" --obfuscate_uid "$plain" "$work/only-uid"
content "$plain" >"$work/expected"
content "$work/only-uid" | cmp -s "$work/expected" - || fail "obfuscate_uid changes names"
[ "$(field "$work/only-uid" exe)" = "$(field "$plain" exe)" ] || fail "obfuscate_uid changes the command line"

status 0 "$convert" --annotate "$(printf 'one=1\ttwo=2')" "$plain" "$work/annotated"
"$parser" "$work/annotated" | grep -q '^# metadata: one = 1$' || fail "annotation"
"$parser" "$work/annotated" | grep -q '^# metadata: two = 2$' || fail "second annotation"
"$parser" "$work/annotated" | grep -q '^# metadata: lib_ver' || fail "annotating loses metadata"
status 0 "$convert" --reset-md --annotate x=y "$plain" "$work/reset"
listed "$work/reset" --one-stream # nothing behind the end of the field
[ "$("$parser" "$work/reset" | grep -c '^# metadata:')" = 1 ] || fail "metadata after a reset"

id=$("$parser" "$plain" | awk -F '\t' '!/^#/ && NF >= 8 { print $3; exit }')
status 0 "$convert" --file "$id" "$plain" "$work/one-file"
[ "$("$parser" "$work/one-file" | awk -F '\t' '!/^#/ && NF >= 8 { print $3 }' | sort -u)" = "$id" ] || fail "--file"
[ "$("$iolite" dump --json "$work/one-file" | grep -c '"name":')" -ge 1 ] || fail "--file keeps the name"
status 255 "$convert" "$work/no-such-log" "$work/x"
[ ! -e "$work/x" ] || fail "a log out of nothing"

# Selections ----------------------------------------------------------------------------------------------------------

names() { "$parser" --show-incomplete "$1" | awk -F '\t' '!/^#/ && NF >= 8 { print $6 }' | sort -u; }
first=$(names "$demo" | grep '^/' | head -n 1)
rm -f "$out"
status 0 "$iolite" convert --drop "$first" "$demo" "$out"
names "$out" | grep -qxF "$first" && fail "--drop"
[ "$(names "$out" | wc -l)" = $(($(names "$demo" | wc -l) - 1)) ] || fail "--drop takes more than one file"
listed "$out" --names
rm -f "$out"
status 0 "$iolite" convert --keep "$first" "$demo" "$out"
[ "$(names "$out" | grep -c '^/')" = 1 ] || fail "--keep"
names "$out" | grep -q '^heatmap:' || fail "--keep drops what is about the whole job"
listed "$out" --names
id=$("$parser" "$demo" | awk -F '\t' -v name="$first" '!/^#/ && $6 == name { print $3; exit }')
rm -f "$work/by-id"
status 0 "$iolite" convert --keep "$id" "$demo" "$work/by-id"
cmp -s "$out" "$work/by-id" || fail "--keep by number is not --keep by name"
rm -f "$out"
status 0 "$iolite" convert --keep '/*' --drop "$first" "$demo" "$out"
names "$out" | grep -qxF "$first" && fail "--drop after --keep"

# Metadata
rm -f "$out"
status 0 "$iolite" convert --annotate a=b --annotate c=d=e "$demo" "$out"
"$parser" "$out" | grep -q '^# metadata: c = d=e$' || fail "annotations"
status 2 "$iolite" convert --annotate nothing "$demo" "$work/none"
[ ! -e "$work/none" ] || fail "usage errors write nothing"
# What stands in a mount table or a name by accident is nobody's business either.
rm -f "$out"
"$iolite" convert --none --anonymise all "$seeds/newline-in-command.darshan" "$out" 2>/dev/null
! grep -aqw two "$out" || fail "an argument behind a newline survives anonymising"

# Levels are those of the method.
for level in 0 13 5abc ''; do status 2 "$iolite" convert --level "$level" "$demo" "$work/level"; done
status 2 "$iolite" convert --one-stream --level 10 "$demo" "$work/level"
status 0 "$iolite" convert --level 12 "$demo" "$work/level"
status 1 "$IOLITE_BIN/darshan-convert" --key abc "$demo" "$work/key"

# Records that are not known: copied bit by bit, or the command fails; left out only when that is asked for.
for log in unassigned-slots invalid-module-versions; do
    for form in "${possible[@]}"; do
        rm -f "$out" "$work/plain"
        # shellcheck disable=SC2086
        status 0 "$iolite" convert $form "$seeds/$log.darshan" "$out"
        "$iolite" convert --none "$out" "$work/plain"
        "$iolite" check "$work/plain" | grep -e 'slot' -e version | grep -o -e 'slot.*' -e '[A-Z]*: .*version.*' >"$work/slots.$form"
        cmp -s "$work/slots." "$work/slots.$form" || fail "convert $form $log: other unknown records"
        [ -s "$work/slots.$form" ] || fail "convert $form $log: unknown records are gone"
    done
    for asked in "--anonymise all" "--keep *.dat" "--drop *.dat"; do
        rm -f "$out"
        # shellcheck disable=SC2086
        set -f; status 3 "$iolite" convert $asked "$seeds/$log.darshan" "$out"; set +f
        grep -q 'does not know' "$work/err" || fail "convert $asked $log: no reason"
        [ ! -e "$out" ] || fail "convert $asked $log: a log without its unknown records"
        # shellcheck disable=SC2086
        set -f; status 0 "$iolite" convert --drop-unknown $asked "$seeds/$log.darshan" "$out"; set +f
        grep -q 'left out' "$work/err" || fail "convert --drop-unknown $log says nothing"
        "$iolite" check "$out" >"$work/out"
        lacks slot
    done
    status 255 "$convert" --obfuscate "$seeds/$log.darshan" "$work/obfuscated-unknown"
    status 0 "$convert" "$seeds/$log.darshan" "$work/converted-unknown-$log"
done

# Never larger than the log, whatever its form and size; nothing is lost.
if can --archive; then
    while IFS= read -r log; do
        rm -f "$out"
        "$iolite" convert --archive "$log" "$out" 2>"$work/err"
        case $? in 0 | 3) ;; *) fail "archive $log: $(head -n 1 "$work/err")" ;; esac
        [ "$(wc -c <"$out")" -le "$(wc -c <"$log")" ] || fail "$log: the archive is larger ($(wc -c <"$out"))"
        [ "$(wc -c <"$log")" -lt 300000 ] || continue
        content "$log" | cut -f 1-6 | cksum >"$work/expected"
        content "$out" | cut -f 1-6 | cksum | cmp -s "$work/expected" - || fail "$log: its archive is another log"
    done < <(find "$seeds" "$corpus/logs" -name '*.darshan' -size +0 2>/dev/null | sort)
fi

# What is incomplete because of damage is not taken for what had no memory, however often it is rewritten.
head -c $(($(wc -c <"$demo") * 9 / 10)) "$demo" >"$work/torn"
rm -f "$work/torn1" "$work/torn2" "$work/torn3"
status 3 "$iolite" convert "$work/torn" "$work/torn1"
status 0 "$iolite" convert --anonymise all "$work/torn1" "$work/torn2"
status 3 "$iolite" merge -o "$work/torn3" "$work/torn"
for log in "$work"/torn[123]; do
    status 1 "$iolite" check "$log"
    has "was damaged before this log was converted or merged"
    lacks "memory ran out"
    status 0 "$iolite" show "$log"
    has "Incomplete, damaged before"
    lacks "ran out of memory"
done
status 1 "$iolite" check "$seeds/incomplete.darshan"
has "memory ran out"

# A damaged slot without a module is named by its number only.
head -c 1400 "$seeds/unassigned-slots.darshan" >"$work/cut"
"$iolite" check --json "$work/cut" >"$work/json" && fail "a cut log is sound"
! grep -q '"module":"[A-Z]*_[A-Z]*_' "$work/json" || fail "a slot without a module has a name"
finish
