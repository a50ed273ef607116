#!/usr/bin/env bash
# The library that goes into programs needs libc alone, and shows nothing but names that libc, libaio, liburing, MPI,
# HDF5 and PnetCDF have and a program may call, and the hook of a benchmark that others have too.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
library=${iolite%/*}/../lib/libiolite.so
[ -e "$library" ] || exit 77
command -v readelf >/dev/null && command -v nm >/dev/null || exit 77

needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tr '\n' ' ')
[ "$needed" = "libc.so.6 " ] || fail "needs $needed"
readelf -d "$library" | grep -q TEXTREL && fail "has relocations in its code"

# What every process and every forked child touches fits on a few pages (runtime/layout.ld).
small=$(readelf -SW "$library" | sed 's/^ *\[ *[0-9]*\]//' | awk '$1 == ".bss" { print $5 } $1 == ".apart" { apart = 1 }
    END { if (!apart) print "none" }' | tr '\n' ' ')
case $small in
*none*) ;; # a linker that cannot be told
*) [ $((16#${small% })) -le 16384 ] || fail "variables of all processes take 0x$small bytes: which are to be apart?" ;;
esac

# So does the code of its start and end: the kernel brings in 64 KiB at a time.
if readelf -SW "$library" | grep -q ' \.often '; then
    span=$(nm "$library" | awk '$3 ~ /^(iol__carry_hide|iol__real_find|iol__symbol_in|iol__lazy_hide|iol__real_bind|iol__trust_more_rights|iol__is_starter|iol__resolve|iol__process_born|iol__process_announce|iol__finish_begin)$/ { print $1 }' |
        sort | sed -n '1p;$p' | tr '\n' ' ')
    [ $((16#$(echo "$span" | cut -d ' ' -f 2) - 16#${span%% *})) -lt 65536 ] || fail "what every process does is apart: $span"
fi

# Names of C libraries that are newer or older than this one are the exception.
libc=$(ldd "${iolite%/bin/iolite}/libexec/iolite/iolite" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
nm -D --defined-only "$libc" | sed 's/.* //; s/@.*//' | sort -u >"$work/libc"
nm -D --defined-only "$library" | sed 's/.* //; s/@.*//' | sort -u >"$work/ours"
foreign=$(comm -13 "$work/libc" "$work/ours" | grep -v -e '^__isoc23_' -e '^_IO_[gp]etc$' -e '^iolite_' \
    -e '^io_\(submit\|p\?getevents\|cancel\)$' -e '^\(__\)\?io_uring_' \
    -e '^P\?MPI_' -e '^H5[FDOI]' -e '^ncmpi_' -e '^darshan_shutdown_bench$' | tr '\n' ' ')
[ -z "$foreign" ] || fail "shows names that libc does not have: $foreign"
[ "$(wc -l <"$work/ours")" -gt 200 ] || fail "shows only $(wc -l <"$work/ours") names"
finish
