#!/usr/bin/env bash
# mpirun iolite index: the same index whoever reads, with each MPI that is here; a rank that dies loses nothing.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
make=$tools/make-centre
[ -x "$make" ] || skip "no make-centre"
! grep -aq __asan_init "$iolite" || skip "with a sanitizer in it, ranks are as slow as those that hang"
command -v sqlite3 >/dev/null || skip "no sqlite3 to look into the index with"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
libraries=$(dirname "$iolite")/../lib
[ -e "$libraries/libiolite-index-openmpi.so" ] || [ -e "$libraries/libiolite-index-mpich.so" ] || skip "this build knows no MPI"

"$make" --logs 300 --large 2 --broken 20 "$work/centre" || fail "make-centre"
all=(--site "$work/centre/site.json" --accounting "$work/centre/sacct.txt" --accounting "$work/centre/entries.txt")
"$iolite" index -q --store "$work/calm.db" "${all[@]}"
normal "$work/calm.db" >"$work/calm"
same() { cmp -s "$work/calm" <(normal "$1") || fail "$2: another index: $(diff "$work/calm" <(normal "$1") | head -n 3 | cut -c -300)"; }

# Rank 1 gets a signal as soon as rank 0 has begun.
cat >"$work/shoot" <<'END'
#!/bin/sh
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ] || exec "$@"
echo $$ >"$STORE.pid"
(for i in 0 1 2 3 4 5 6 7 8 9; do for j in 0 1 2 3 4 5 6 7 8 9; do [ -e "$STORE" ] || sleep 0.1; done; done; kill -"$SHOT" $$) &
exec "$@"
END
chmod +x "$work/shoot"

# shellcheck disable=SC2034 # by name, below
openmpi=(mpirun.openmpi --oversubscribe --bind-to none --mca btl "self,vader" --mca btl_vader_single_copy_mechanism none --mca oob_tcp_if_include lo)
# shellcheck disable=SC2034
mpich=(mpirun.mpich)
for abi in openmpi mpich; do
    declare -n launch=$abi
    [ -e "$libraries/libiolite-index-$abi.so" ] && command -v "${launch[0]}" >/dev/null || continue
    timeout 100 "${launch[@]}" -n 1 true 2>/dev/null || continue
    timeout 200 "${launch[@]}" -n 3 "$iolite" index -q -j 1 --store "$work/$abi.db" "${all[@]}" >/dev/null 2>&1
    same "$work/$abi.db" "$abi, 3 ranks"
    timeout 200 "${launch[@]}" -n 2 "$iolite" index -q -j 3 --store "$work/$abi.threads.db" "${all[@]}" >/dev/null 2>&1
    same "$work/$abi.threads.db" "$abi, 3 threads per rank"
    # A rank is shot: the launcher ends the others, and the next run does the rest
    export STORE=$work/$abi.shot.db SHOT=KILL
    timeout 100 "${launch[@]}" -n 3 "$work/shoot" "$iolite" index -q -j 1 --store "$STORE" "${all[@]}" >/dev/null 2>&1
    timeout 100 "${launch[@]}" -n 2 "$iolite" index -q -j 1 --store "$STORE" "${all[@]}" >/dev/null 2>&1
    same "$STORE" "$abi, a rank died"
    # A rank hangs: rank 0 does its part
    export STORE=$work/$abi.hung.db SHOT=STOP
    IOLITE_STORE_TIMEOUT=2 timeout -k 2 30 "${launch[@]}" -n 3 "$work/shoot" "$iolite" index -q -j 1 --store "$STORE" "${all[@]}" >/dev/null 2>&1
    kill -9 "$(cat "$STORE.pid")" 2>/dev/null
    same "$STORE" "$abi, a rank hangs"
done
# An MPI that nobody has built for
IOLITE_INDEX_MPI=other status 4 "$iolite" index -q --store "$work/other.db" "$demo"
grep -q 'no libiolite-index-other.so' "$work/err" || fail "a missing plugin is not reported"
finish
