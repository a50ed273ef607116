#!/usr/bin/env bash
# pairs.sh [--keep DIRECTORY] PROGRAMS [NAME...] -- LAUNCHER...: runs each pair of tests/pairs before and after, with one
# MPI, on storage that is equally slow everywhere (storage.c). The fault is the first finding above INFO before, it is
# gone after, and `iolite compare` says so. What has to come out stands in the first comment of each program:
#
#   RANKS N           how many
#   FINDS ID          the first finding above INFO before, and none at any level after
#   SAYS TEXT         words of that finding
#   BEFORE CODE...    what --mode compat has to say before, code by code, and no other of the codes in either line
#   AFTER CODE...     and after
#   SLOW RANK         whose storage is slow before
#   PREPARE NAME N    a file of N bytes that is there before the program starts
#   TRACE             with a trace
#   ROMIO             with ROMIO in Open MPI too: for hints that only it knows, and where its collective buffering counts
#                     (a program that finds that its MPI does not take them says so: "passed over: ...")
#   LIBRARY NAME      for the build: hdf5 or pnetcdf of that MPI; a program that was not built is passed over
#
# Status 77: there is no pair to run.
# shellcheck source=tests/pairs/ranks.bash
. "$(dirname "$0")/ranks.bash"
keep=
if [ "$1" = --keep ]; then
    keep=$2
    shift 2
fi
programs=$1
shift
chosen "$@"
choose_romio
sources=$(dirname "$(realpath "$0")")
need_storage "$programs/../storage.so"

# words DIRECTIVE: what follows it in the first comment. asks DIRECTIVE: whether it is there, alone.
words() { sed -n -E '1,20s/^   ('"$1"') +//p' "$source" | sed 's/ *\*\/$//'; }
asks() { sed -n 1,20p "$source" | grep -q -E "^   $1( \*/)?\$"; }

# record VERSION: runs the program; its log is $work/$name.VERSION.darshan.
record() {
    local version=$1 extra=() settings=() prepared
    rm -rf "$work/files" "$work/logs"
    mkdir "$work/files"
    read -r -a prepared <<<"$(words PREPARE)"
    [ -z "${prepared[0]:-}" ] || head -c "${prepared[1]}" /dev/zero >"$work/files/${prepared[0]}"
    ! asks ROMIO || extra=(${romio+"${romio[@]}"})
    ! asks TRACE || settings+=(IOLITE_TRACE=1)
    [ "$version" = after ] || [ -z "$(words SLOW)" ] || settings+=("STORAGE_SLOW=$(words SLOW)")
    timeout 240 "${launcher[@]}" ${extra+"${extra[@]}"} -n "$(words RANKS)" env LD_PRELOAD="$library:$storage" \
        STORAGE="$work/files" IOLITE_LOG_DIR="$work/logs" IOLITE_MMAP_DIR="$work" ${settings+"${settings[@]}"} \
        "$programs/$name" "$version" "$work/files" >"$work/out" 2>"$work/err" || {
        fail "$name $version: $(head -n 3 "$work/err")"
        return 1
    }
    mv -f "$work"/logs/*.darshan "$work/$name.$version.darshan" || fail "$name $version: not one log: $(ls "$work/logs")"
}

# findings VERSION: lines of level, id and title, the worst first, into $work/$name.VERSION.
findings() {
    "$iolite" diagnose --json "$work/$name.$1.darshan" >"$work/$name.$1.json" || fail "$name $1: no diagnosis"
    sed -n -E 's/^ *\{"schema":"iolite.finding[^"]*","id":"([^"]*)".*"level":"([^"]*)".*"title":"([^"]*)".*/\2 \1 \3/p' \
        "$work/$name.$1.json" >"$work/$name.$1"
}

judge() {
    local expected first text
    expected=$(words FINDS)
    findings before
    findings after
    first=$(grep -E '^(high|warn) ' "$work/$name.before" | head -n 1)
    [ "$(cut -d ' ' -f 2 <<<"$first")" = "$expected" ] || fail "$name: $expected is not first before: $(cat "$work/$name.before")"
    ! grep -q -E "^(high|warn|info) $expected " "$work/$name.after" ||
        fail "$name: $expected is not gone: $(cat "$work/$name.after")"
    ! grep -E '^(high|warn) ' "$work/$name.after" >"$work/rest" || fail "$name: after: $(cat "$work/rest")"
    text=$(words SAYS)
    [ -z "$text" ] || grep -qF "$text" "$work/$name.before.json" || fail "$name: '$text' is not reported: $first"
    status 0 "$iolite" compare --json "$work/$name.before.darshan" "$work/$name.after.darshan"
    grep -qF "\"id\":\"$expected\",\"state\":\"fixed\"" "$work/out" ||
        fail "$name: compare does not say so: $(grep '"state":' "$work/out")"
}

# codes VERSION CODE...: compat mode says these, and none of the others that the source names.
codes() {
    local version=$1 said code
    shift
    said=" $("$iolite" diagnose --mode compat --json "$work/$name.$version.darshan" |
        grep -o -E '"[SPM][0-9]{2}"' | tr -d '"' | sort -u | tr '\n' ' ') "
    for code in $(words 'BEFORE|AFTER'); do
        case " $* " in
        *" $code "*) [[ $said == *" $code "* ]] || fail "$name $version: $code is not reported:$said" ;;
        *) [[ $said != *" $code "* ]] || fail "$name $version: $code is reported" ;;
        esac
    done
}

for source in "$sources"/*.c; do
    name=$(basename "$source" .c)
    [ -x "$programs/$name" ] || continue
    [ ${#names[@]} = 0 ] || [[ " ${names[*]} " == *" $name "* ]] || continue
    tested=$((${tested:-0} + 1))
    record before || continue
    if grep '^passed over: ' "$work/out" >"$work/rest"; then
        echo "$name: $(cat "$work/rest")"
        continue
    fi
    record after && judge
    # shellcheck disable=SC2046  # several words
    [ -z "$(words BEFORE)" ] || { codes before $(words BEFORE) && codes after $(words AFTER); }
done
[ "${tested:-0}" -gt 0 ] || skip "no pair was built"
[ -z "$keep" ] || { mkdir -p "$keep" && cp -f "$work"/*.darshan "$work"/*.before "$work"/*.after "$keep/"; }
finish
