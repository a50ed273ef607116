#!/usr/bin/env bash
# What is recorded of PnetCDF is what programs did that print it themselves: pnetcdf.sh RANKS "MPIRUN..."
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
library=${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}
tools=$IOLITE_TOOLS/pnetcdf
[ -e "$library" ] && [ -x "$tools/forms" ] || exit 77
library=$(realpath "$library")
parser=$IOLITE_BIN/darshan-parser
ranks=$1
launch=()
[ "$ranks" = 1 ] || read -r -a launch <<<"$2 -n $ranks"
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD ASAN_OPTIONS "${!SLURM_@}" JOB_ID
work=$(cd "$work" && pwd -P)
logs=$work/logs
mkdir "$work/files" "$work/records"
export HOME=$work IOLITE_MMAP_DIR=$work/records

# recorded PROGRAM ARGUMENTS...: runs it; its counters are in $work/got as lines of name, counter and value.
recorded() {
    local found
    rm -rf "$logs"
    status 0 "${launch[@]}" env LD_PRELOAD="$library" IOLITE_LOG_DIR="$logs" "$tools/$1" "${@:2}"
    found=$(find "$logs" -type f -name "*_$1_id*")
    [ -f "$found" ] || fail "$*: not exactly one log: $found"
    "$iolite" check "$found" >/dev/null || fail "$*: the log is not sound"
    "$parser" --base "$found" 2>/dev/null |
        awk -F'\t' '$1 ~ /^PNETCDF_/ { print $6 "\t" $4 "\t" $5 }' >"$work/got"
}

# as_expected: what the program said it did is what was recorded.
as_expected() {
    local missing
    [ -s "$work/out" ] || fail "$1: the program says nothing"
    missing=$(grep -v -x -F -f "$work/got" "$work/out" | head -n 3)
    [ -z "$missing" ] || fail "$1: not recorded: $missing"
}

recorded forms "$work/files/forms.nc"
as_expected forms
[ "$(wc -l <"$work/out")" -gt 90 ] || fail "forms: too few lines"
recorded files "$work/files"
as_expected files
# The name of ROMIO has its version in it, and not every Open MPI comes with it.
if ompi_info 2>/dev/null | grep -q 'MCA io: romio'; then
    OMPI_MCA_io=^ompio recorded files "$work/files" ufs:
    as_expected "files of ROMIO"
else
    echo "left out: files of ROMIO, which this MPI does not have" >&2
fi

# Records of variables name their files. Times are there, and none of closing a variable.
awk -F'\t' '$2 == "PNETCDF_VAR_FILE_REC_ID" && $3 == 0 || $2 ~ /VAR_F_CLOSE/ && $3 > 0 { bad = 1 }
    $2 == "PNETCDF_VAR_F_WRITE_TIME" && $1 ~ /:series$/ && $3 <= 0 { bad = 1 } END { exit bad }' "$work/got" ||
    fail "ids of files, or times, are wrong"

# Either module can be off.
IOLITE_MOD_DISABLE=PNETCDF_VAR recorded forms "$work/files/forms.nc"
! grep -q PNETCDF_VAR_ "$work/got" || fail "variables are recorded although they are off"
grep -q PNETCDF_FILE_CREATES "$work/got" || fail "files are not recorded without variables"
IOLITE_MOD_DISABLE=PNETCDF_FILE recorded forms "$work/files/forms.nc"
! grep -q PNETCDF_FILE_ "$work/got" || fail "files are recorded although they are off"
grep -q PNETCDF_VAR_OPENS "$work/got" || fail "variables are not recorded without files"

# A library of that name that has no MPI.
launch=()
IOLITE_VERBOSE=1 recorded without_mpi "$work/files/text"
grep -qF "PnetCDF is not recorded: it has no MPI" "$work/err" || fail "said: $(cat "$work/err")"
[ ! -s "$work/got" ] || fail "a library without MPI is recorded"
finish
