#!/usr/bin/env bash
# iolite dump: all counters in four forms, and the filters.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
everything=$seeds/every-module-none-be-3.41.darshan

# The four forms hold the same records.
status 0 "$iolite" dump "$demo"
records=$(grep -c '^[A-Z]' "$work/out")
status 0 "$iolite" dump --ndjson "$demo"
lines "$records"
status 0 "$iolite" dump --json "$demo"
valid_json "demo"
[ "$(grep -c '^ *{"id":' "$work/out")" = "$records" ] || fail "records in JSON"
status 0 "$iolite" dump --csv -m POSIX "$demo"
[ "$(head -n 1 "$work/out")" = "module,rank,record_id,counter,value,file_name,mount_point,fs_type" ] || fail "CSV header"
[ "$(awk -F, 'NF != 8' "$work/out" | wc -l)" = 0 ] || fail "CSV fields"
opens=$(grep -c ',POSIX_OPENS,' "$work/out")
lines $((opens * 86 + 1))

# Every log that can be made gives valid JSON in both forms.
for log in "$seeds"/*.darshan; do
    for form in "--json" "--json --counter *"; do
        set -f
        # shellcheck disable=SC2086
        "$iolite" dump $form "$log" >"$work/out" 2>/dev/null
        case $? in 0 | 3) ;; *) fail "dump $form $log" ;; esac
        set +f
        valid_json "dump $form $log"
    done
done

# What modules have besides counters
status 0 "$iolite" dump --json "$everything"
for key in components pool osts bin_width written read host writes reads servers processor sync_times group pool_uuid \
    container_uuid oid_high file_id; do
    has "\"$key\":"
done
status 0 "$iolite" dump --csv "$everything"
for name in LUSTRE_COMP1_OST_ID_0 HEATMAP_WRITE_BIN_0 DXT_HOST MDHIM_SERVER_0 MPI_PROCESSOR_NAME APXC_GROUP DFS_POOL_UUID \
    DAOS_OID H5D_FILE_REC_ID; do
    has ",$name,"
done

# Filters: alternatives within one option, all options together
count() { "$iolite" dump --ndjson "$@" "$demo" | wc -l; }
[ "$(count -m POSIX -m STDIO)" = $(($(count -m POSIX) + $(count -m STDIO))) ] || fail "two modules"
[ "$(count -m mpiio)" = "$(count --module MPI-IO)" ] || fail "modules go by key, too"
[ "$(count -r 3)" -gt 0 ] || fail "rank 3"
[ "$(count -r 0:3)" = $(($(count -r 0 -r 1) + $(count -r 2:3))) ] || fail "ranges"
[ "$(count --rank -1)" = $(($(count) - $(count -r 0:1000000))) ] || fail "shared records"
[ "$(count -f '*result*' -m POSIX -r 0)" = 1 ] || fail "three filters"
[ "$(count -f '*no such file*')" = 0 ] || fail "a file that is not there"
id=$("$iolite" dump --csv -m POSIX -f '*result.3' -c POSIX_OPENS "$demo" | tail -n 1 | cut -d, -f3)
status 0 "$iolite" dump --ndjson --record "$id" -m POSIX "$demo"
lines 1
has "result.3"
status 0 "$iolite" dump --csv -c 'POSIX_OPENS' -c 'STDIO_F_*' "$demo"
[ "$(cut -d, -f4 "$work/out" | sed 's/STDIO_F_.*/STDIO_F_/' | sort -u | tr '\n' ' ')" = "POSIX_OPENS STDIO_F_ counter " ] ||
    fail "counters"
status 0 "$iolite" dump --ndjson -c 'LUSTRE_*_OST_ID_*' "$demo"
has '"LUSTRE_COMP1_OST_ID_0":'
lacks "POSIX_OPENS"

# Wrong use
status 2 "$iolite" dump
status 2 "$iolite" dump --json --csv "$demo"
status 2 "$iolite" dump -m NOTHING "$demo"
status 2 "$iolite" dump -r few "$demo"
status 2 "$iolite" dump -r 3:1 "$demo"
status 2 "$iolite" dump --record -1 "$demo"
status 3 "$iolite" dump --json "$work/nothing"
valid_json "no log"
has '"unreadable": true'
status 3 "$iolite" dump --csv "$work/nothing"
lines 1

# Several logs
status 0 "$iolite" dump --json "$demo" "$everything"
valid_json "two logs"
status 0 "$iolite" dump --csv "$demo" "$everything"
[ "$(head -n 1 "$work/out" | cut -d, -f1)" = path ] || fail "whose row is it"
status 0 "$iolite" dump --ndjson "$demo" "$everything"
has '"path":'

# Damage: what comes before it is delivered.
head -c 40000 "$demo" >"$work/cut"
status 3 "$iolite" dump --json "$work/cut"
valid_json "cut"
has "POSIX_OPENS"
"$iolite" dump "$demo" | head -n 1 >/dev/null || fail "a closed pipe is no error"

# Real logs: integer counters are those of darshan-parser.
if [ -d "$corpus/expected" ]; then
    modules='^(POSIX|MPI-IO|STDIO|H5F|H5D|PNETCDF_FILE|PNETCDF_VAR|BG/Q|HEATMAP)[,\t]'
    for log in "$corpus"/logs/*.darshan; do
        "$iolite" dump --csv "$log" | grep -E "$modules" | cut -d, -f1-5 | grep -v _F_ >"$work/got"
        zcat "$corpus/expected/$(basename "$log" .darshan).parser.txt.gz" | grep -P "$modules" | cut -f1-5 |
            grep -v _F_ | tr '\t' , >"$work/expected"
        cmp -s "$work/got" "$work/expected" || fail "records of $log"
    done
fi
finish
