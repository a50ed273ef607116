#!/bin/sh
# Makes libiolite-mpi-<abi>.a, for programs that are linked with that MPI and with libiolite.a, and the list of options
# that goes with it.
#
#   plugin.sh LIBRARY LIST SCRATCH OBJECT...
#
# LD, OBJCOPY, READELF and AR in the environment name the tools. The objects become one, in which nothing is visible but
# what has a name of ours. Both names of a function of MPI are wrapped, because bindings for Fortran call one or the
# other; so ours has to say __real_ to get to the function itself.
set -eu
export LC_ALL=C
library=$1 list=$2 scratch=$3
shift 3
mkdir -p "$scratch"
cd "$scratch"
rm -f ./*.o

symbols() { "$READELF" -sW "$1"; }

"$LD" -r -o objects.o "$@"
symbols objects.o | awk '$7 != "UND" && $8 ~ /^__wrap_/ { print $8 }' | sort -u >wrapped
sed -n 's/^__wrap_\(PMPI_.*\)/\1 __real_\1/p' wrapped >real
symbols objects.o | awk '$5 == "GLOBAL" && $7 == "UND" && $8 ~ /^(PMPI|ompi)_/ { print $8 }' | sort -u >used
{
    cat wrapped
    echo iolite_mpi_plugin
} >kept
"$OBJCOPY" --redefine-syms=real objects.o named.o
# GNU ld 2.40 crashes over debug information about Open MPI's variables, where these are in a shared library.
"$OBJCOPY" --strip-debug --keep-global-symbols=kept named.o iolite-mpi.o
rm -f "$library"
"$AR" rcs "$library" iolite-mpi.o

# What ours calls is taken from MPI even if that stands before ours.
{
    sed 's/^__wrap_/--wrap=/' wrapped
    sed 's/^/--undefined=/' used
} >"$list"
