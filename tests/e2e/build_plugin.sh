#!/usr/bin/env bash
# iolite build-plugin: an installation without plugins gets them for each MPI, several side by side, and then records ranks;
# doctor names what is missing, and what is no MPI is refused.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
tools=$IOLITE_TOOLS
need_library
work=$(cd "$work" && pwd -P)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader HOME=$work/home
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1 IOLITE_MMAP_DIR=$work/records
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # the same for Open MPI 5
mkdir "$HOME" "$work/records" "$work/lib" "$work/files"
cp "$library" "$work/lib/"
export IOLITE_LIBRARY=$work/lib/libiolite.so
wrappers=() mpis=()
for abi in openmpi mpich; do
    if [ -x "$tools/mpi-worker.$abi" ] && command -v "mpirun.$abi" "mpicc.$abi" >/dev/null; then
        mpis+=("$abi")
        wrappers+=(--mpicc "mpicc.$abi")
    fi
done
[ ${#mpis[@]} -gt 0 ] || skip "there is no MPI"

"$iolite" doctor "$tools/mpi-worker.${mpis[0]}" >"$work/out" 2>&1
has 'build-plugin --mpicc'
status 0 "$iolite" build-plugin "${wrappers[@]}"
lines ${#mpis[@]}
for abi in "${mpis[@]}"; do
    plugin=$work/lib/libiolite-mpi-$abi.so
    [ -e "$plugin" ] || fail "no $plugin"
    ! readelf -d "$plugin" | grep -q 'NEEDED.*mpi' || fail "the plugin is linked with an MPI"
    rm -rf "$work/logs" "$work/files" && mkdir "$work/files"
    IOLITE_LOG_DIR=$work/logs LD_PRELOAD=$IOLITE_LIBRARY timeout 60 "mpirun.$abi" -n 2 "$tools/mpi-worker.$abi" "$work/files" 10 \
        >"$work/said" 2>&1 || fail "$abi: $(tail -n 3 "$work/said")"
    logs=("$work"/logs/*mpi-worker*.darshan)
    ranks=$("${iolite%/*}/darshan-parser" "${logs[0]}" 2>/dev/null | sed -n 's/^# nprocs: //p')
    [ "${#logs[@]}-$ranks" = 1-2 ] || fail "$abi: no log of two ranks: ${logs[*]}"
done
# What finds no mpi.h, and a directory that cannot be written to.
status 3 "$iolite" build-plugin --mpicc cc
[ ! -e "$work/lib/libiolite-mpi-.so" ] || fail "a plugin of nothing"
status 4 "$iolite" build-plugin "${wrappers[@]:0:2}" --into "$work/nowhere"
status 2 "$iolite" build-plugin mpicc
finish
