#!/usr/bin/env bash
# The user guide, to the letter: the commands of its four stories, one after the other, in a copy of its programs; and what the text says that
# they show. A story whose compiler or library is not here is left out, with a line.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
guide=$PWD/docs/guide.md
own_home
programs=$(cd "$(dirname "$0")/../../examples/guide" && pwd)
cp -r "$programs" "$work/guide"
cd "$work/guide" || exit
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
PATH=$(dirname "$(realpath "$iolite")"):$PATH
! grep -aq __asan_init "$library" || skip "programs of others cannot have a sanitizer preloaded"

# story NUMBER: its commands, each of which must work; what they print is in $work/story.
story() {
    awk -v story="$1" '/^## / { inside = $2 == story "." } inside && /^```$/ { code = 0 } code { print } inside && /^```sh$/ { code = 1 }' "$guide" >"$work/commands"
    [ "$(wc -l <"$work/commands")" -ge 3 ] || fail "story $1 has no commands"
    : >"$work/story"
    while IFS= read -r line; do
        bash -c "$line" >>"$work/story" 2>"$work/err" </dev/null || fail "story $1: '$line' ends with $?: $(tail -n 2 "$work/err")"
    done <"$work/commands"
}
shows() { grep -q -e "$1" "$work/story" || fail "nothing about '$1': $(cat "$work/story")"; }

if command -v python3 >/dev/null; then
    story 1
    shows '1,000 files are opened 30,000 times'
    shows '1,[0-9]* files of .* on average'
    shows '^fixed  *1,000 files are opened 30,000 times'
    shows 'opens  *30,... -> 1,'
fi
if has_commands mpicc mpirun && [ -n "$(find "$(dirname "$library")" -name 'libiolite-mpi-*.so')" ]; then
    story 2
    shows 'None of 4,000 MPI-IO writes .* is collective'
    shows 'MPI_File_write_at_all('
    shows 'call MPI_File_write_at_all'
    [ -n "$(find . -name 'heat*.html')" ] || fail "no report"
else
    echo "without the second story: no MPI here"
fi
story 3
shows '1.txt.count'
shows ' write .* POSIX .*/both'
if python3 -c 'import h5py' 2>/dev/null; then
    story 4
    shows 'chunked datasets of fields.h5 take 512 B of chunks of 256 KiB'
else
    echo "without the fourth story: no h5py here"
fi
finish
