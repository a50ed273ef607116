#!/bin/sh
# Makes libiolite.a, for programs that a preloaded library cannot reach, and the lists of options that link it in.
#
#   archive.sh LIBRARY OPTIONS SCRATCH COMPRESSION OBJECT...
#
# OPTIONS is the directory for the lists, wrap.opts and wrap-queues.opts; COMPRESSION the archive with it, which goes
# inside, or "-". CC, LD, OBJCOPY, READELF, NM and AR in the environment name the tools.
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

# One object, with our names only.
[ "$compression" != - ] || compression=
# shellcheck disable=SC2086  # there may be none
"$LD" -r -o core.o runtime.o $compression
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

# Which other real functions a wrapped one calls.
"$CC" -E -P -I "$here/../.." "$here/needs.h" >tables
awk '$1 == "NEED" { print $2, $3 }' tables >needs
awk '$1 == "LATER" { print $2 }' tables >later

# libc's functions by their second names; what it does not have is left for those C libraries that do.
"$NM" "$("$CC" -print-file-name=libc.a)" 2>/dev/null >libc || true
awk -f "$here/members.awk" -v "machine=$("$CC" -dumpmachine)" needs slots libc names

"$CC" -c ./*.s
"$CC" -O2 -fPIC -I "$here/../../include" -c "$here/dlsym.c" -o bond_dlsym.o
rm -f "$library"
"$AR" rcs "$library" iolite.o bond_*.o

# Functions of libaio and liburing have a list of their own: these libraries have to stand behind ours then.
grep -v -x -F -f later names >plain
awk -f "$here/options.awk" libc plain >"$options/wrap.opts"
echo --wrap=dlsym >>"$options/wrap.opts"
sed 's/^/--wrap=/' later >"$options/wrap-queues.opts"
