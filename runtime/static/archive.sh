#!/bin/sh
# Makes libiolite.a, for programs that a preloaded library cannot reach, and the lists of options that link it in.
#
#   archive.sh LIBRARY OPTIONS SCRATCH COMPRESSION OBJECT...
#
# OPTIONS is the directory for the lists: wrap.opts, and one for each kind of library that a program may have beside
# the C library; COMPRESSION the archive with it, which goes inside, or "-". CC, LD, OBJCOPY, READELF, NM and AR in the
# environment name the tools.
#
# The objects are those of the runtime. All of them become one, in which nothing is visible but what has a name of ours;
# its wrapped functions, open and so on, are called iol__wrap_open there. For each of them there is a small member with
# `__wrap_open`, to which the linker's --wrap leads, that goes on to ours and brings the real one's address: see real.c.
set -eu
export LC_ALL=C
library=$1 options=$2 scratch=$3 compression=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$scratch"
cd "$scratch"
rm -f ./*.o ./*.s

symbols() { "$READELF" -sW "$1"; }

"$LD" -r -o runtime.o "$@"
symbols runtime.o | awk '$4 ~ /FUNC|NOTYPE/ && $5 ~ /GLOBAL|WEAK/ && $6 == "DEFAULT" && $7 != "UND" { print $8 }' |
    grep -v '^iol_' | sort -u >exported
grep -v '^iolite_' exported >wrapped

# libc's own objects call these, which must not be taken for the program's, or call another that is wrapped.
printf '%s\n' __clone __readlinkat_chk >left
sort left | comm -23 wrapped - >names

# Which other real functions a wrapped one calls; functions of other libraries than libc that are wrapped, and those
# that are asked for by name.
"$CC" -E -P -I "$here/../.." "$here/needs.h" >tables
awk '$1 == "NEED" { print $2, $3 }' tables >needs
lines() { awk -v "word=$1" '{ for (i = 1; i < NF; i++) if ($i == word) print $(i + 1), $(i + 2) }' tables | sort -u; }
lines LATER >wanted
lines NEWER >newer
awk 'FILENAME == "newer" { newer[$1] = " newer"; next } { print $0 newer[$1] }' newer wanted >later
lines ASK >asked
lines MAY_ASK >may_ask
awk -f "$here/asked.awk" later asked may_ask >asked.s
"$CC" -c asked.s

# One object, with our names only.
[ "$compression" != - ] || compression=
# shellcheck disable=SC2086  # there may be none
"$LD" -r -o core.o runtime.o asked.o $compression
awk '{ print $1, "iol__wrap_" $1 }' wrapped >renamed
{
    sed 's/^/iol__wrap_/' names
    grep '^iolite_' exported || true
    symbols core.o | awk '$8 ~ /^iol__slot_/ { print $8 }'
} >kept
"$OBJCOPY" --redefine-syms=renamed core.o named.o
"$OBJCOPY" --keep-global-symbols=kept named.o iolite.o
if symbols iolite.o | awk '$5 == "GLOBAL" && $7 == "UND" { print $8 }' | grep -x -e dlsym -e dlopen >&2; then
    echo "archive.sh: a static program has no loader to ask" >&2
    exit 1
fi
symbols iolite.o | awk '$8 ~ /^iol__slot_/ { print substr($8, 11) }' | sort -u >slots

# libc's functions by their second names; what it does not have is left for those C libraries that do.
"$NM" "$("$CC" -print-file-name=libc.a)" 2>/dev/null >libc || true
awk -f "$here/members.awk" -v "machine=$("$CC" -dumpmachine)" needs slots libc later names

"$CC" -c ./bond_*.s
"$CC" -O2 -fPIC -I "$here/../../include" -c "$here/dlsym.c" -o bond_dlsym.o
rm -f "$library"
"$AR" rcs "$library" iolite.o bond_*.o

# Functions of other libraries have lists of their own: these libraries have to stand behind ours then.
awk '{ print $1 }' later | grep -v -x -F -f - names >plain
awk -f "$here/options.awk" libc plain >"$options/wrap.opts"
{
    echo --wrap=dlsym
    ! grep -q ' [TW] dlsym$' libc || echo --undefined=__wrap_dlsym # elsewhere it is in a library that is linked for it
} >>"$options/wrap.opts"
awk '$2 ~ /AIO|URING/ { print "--wrap=" $1 }' later >"$options/wrap-queues.opts"
# What every version of the library has is taken from it, and our functions for that, whether the program calls them or
# not: other libraries, which stand behind, may.
for list in HDF5 PNETCDF; do
    awk -v "library=$list" '
        $2 != library { next }
        FILENAME == "later" { print "--wrap=" $1 }
        $3 == "newer" { next }
        FILENAME == "later" { print "--undefined=__wrap_" $1 }
        { print "--undefined=" $1 }' later asked >"$options/wrap-$(echo "$list" | tr '[:upper:]' '[:lower:]').opts"
done
