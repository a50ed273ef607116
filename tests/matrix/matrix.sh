#!/usr/bin/env bash
# matrix.sh PREFIX: compilers x languages x dynamic, static x MPIs x preload, linked, `iolite run`: each program is built, run and looked for in its log.
# PREFIX is an installation, or build/. It prints the table of docs/matrix.md; exit status is 1 if something that should be recorded is not.
# A cell that cannot be is a reason, by number, below the table.
set -uo pipefail
prefix=$(cd "${1:?usage: matrix.sh PREFIX}" && pwd)
iolite=$prefix/bin/iolite
here=$(cd "$(dirname "$0")" && pwd)
library=$(find "$prefix"/lib* -name libiolite.so | head -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!IOLITE_@}" "${!DARSHAN_@}" LD_PRELOAD
export HOME=$work OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 IOLITE_MMAP_DIR=$work/records
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
mkdir "$work/records"
reasons=() failed=0

reason() { # text: its number
    local i
    for i in "${!reasons[@]}"; do
        if [ "${reasons[i]}" = "$1" ]; then number=$((i + 1)) && return; fi
    done
    reasons+=("$1") && number=${#reasons[@]}
}

# compiler_of LANGUAGE COMPILER MPI: the command line that compiles, into `compile`; fails where there is none.
compiler_of() {
    local plain
    case $1-$2 in
    c-gcc) plain=gcc ;; c-clang) plain=clang ;; cxx-gcc) plain=g++ ;; cxx-clang) plain=clang++ ;; fortran-gcc) plain=gfortran ;;
    *) return 1 ;;
    esac
    command -v $plain >/dev/null || return 1
    compile=("$plain")
    case $1-$3 in
    *-none) ;;
    c-openmpi) compile=(env "OMPI_CC=$plain" mpicc.openmpi) ;;
    cxx-openmpi) compile=(env "OMPI_CXX=$plain" mpicxx.openmpi) ;;
    fortran-openmpi) compile=(mpifort.openmpi) ;;
    c-mpich) compile=(mpicc.mpich "-cc=$plain") ;;
    cxx-mpich) compile=(mpicxx.mpich "-cxx=$plain") ;;
    fortran-mpich) compile=(mpifort.mpich) ;;
    esac
    [ "$3" = none ] || command -v "mpicc.$3" >/dev/null
}

# recorded: is the program's file in a log?
recorded() {
    local log
    while IFS= read -r -d '' log; do
        if "$iolite" dump --csv "$log" 2>/dev/null | grep -q '/written-by-matrix'; then return 0; fi
    done < <(find "$work/logs" -name '*.darshan' -print0 2>/dev/null)
    return 1
}

# cell LANGUAGE COMPILER FORM MPI WAY: prints what stands in the table.
cell() {
    local language=$1 compiler=$2 form=$3 mpi=$4 way=$5 source flags=() launch=()
    compiler_of "$language" "$compiler" "$mpi" || { reason "no such compiler or MPI on this machine" && printf ' (%s)' "$number"; return; }
    if [ "$form-$way" = static-preload ]; then reason "nothing can be preloaded into a static program" && printf ' (%s)' "$number" && return; fi
    source=$here/writes.$language
    [ "$mpi" = none ] || flags+=(-DWITH_MPI)
    [ "$language" != fortran ] || flags+=(-cpp)
    case $language in c) flags+=(-x c) ;; cxx) flags+=(-x c++) ;; fortran) flags+=(-x f95) ;; esac
    flags+=("$source" -x none)
    if [ "$form" = static ]; then
        # shellcheck disable=SC2207,SC2046 # they are words
        flags+=(-static $("$iolite" link-flags --static $([ "$mpi" = none ] || echo "--mpi $mpi") 2>/dev/null))
    elif [ "$way" = linked ]; then
        # shellcheck disable=SC2207
        flags+=($("$iolite" link-flags))
    fi
    if ! "${compile[@]}" "${flags[@]}" -o "$work/program" >"$work/compile" 2>&1; then
        if [ "$form" = static ] && [ "$mpi" != none ]; then reason "this machine has no static libraries of all that this MPI needs; docs/static.md links MPICH itself statically, which a test does" && printf ' (%s)' "$number" && return; fi
        printf ' FAILS to build' && head -n 3 "$work/compile" >&2 && failed=1 && return
    fi
    [ "$mpi" = none ] || launch=("mpirun.$mpi" -n 2)
    rm -rf "$work/logs"
    mkdir "$work/logs"
    (
        cd "$work" || exit
        export IOLITE_LOG_DIR=$work/logs
        case $way in
        preload) LD_PRELOAD=$library timeout 60 "${launch[@]}" ./program ;;
        linked) timeout 60 "${launch[@]}" ./program ;;
        run) timeout 60 "$iolite" run -q -o "$work/logs/run.darshan" -- "${launch[@]}" ./program ;;
        esac
    ) >"$work/out" 2>&1
    if recorded; then printf ' yes'; else printf ' NOT RECORDED' && head -n 3 "$work/out" >&2 && failed=1; fi
}

echo "| compiler, language | form | MPI | preload | linked | iolite run |"
echo "|---|---|---|---|---|---|"
for what in gcc-c gcc-cxx gcc-fortran clang-c clang-cxx; do
    for form in dynamic static; do
        for mpi in none openmpi mpich; do
            printf '| %s, %s | %s | %s |' "${what%-*}" "$(sed 's/^cxx$/C++/; s/^c$/C/; s/^fortran$/Fortran (gfortran)/' <<<"${what#*-}")" "$form" "$mpi"
            for way in preload linked run; do
                cell "${what#*-}" "${what%-*}" $form $mpi $way
                printf ' |'
            done
            echo
        done
    done
done
echo
for i in "${!reasons[@]}"; do echo "($((i + 1))) ${reasons[i]}."; done
exit $failed
