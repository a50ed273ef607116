# What the scripts of the pairs share: which programs to run with which launcher, and an environment of their own. To be
# sourced instead of checks.bash.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "${BASH_SOURCE[0]}")/../e2e/checks.bash"
need_library
work=$(cd "$work" && pwd -P)
export HOME=$work/home XDG_CONFIG_HOME=$work/home
export MPIR_CVAR_POLLS_BEFORE_YIELD=1 OMPI_MCA_mpi_yield_when_idle=1 # who waits leaves the cores to others (storage.c)
mkdir "$HOME"
names=() launcher=()

# chosen [NAME...] -- LAUNCHER...: into the arrays $names and $launcher.
chosen() {
    while [ "$1" != -- ]; do
        names+=("$1")
        shift
    done
    launcher=("${@:2}")
}

# need_storage FILE: what makes storage equally slow everywhere (storage.c) goes into $storage.
need_storage() {
    storage=$(realpath -m "$1")
    [ -e "$storage" ] || skip "there is no $storage"
}

# choose_romio: what makes the launcher take ROMIO goes into the array $romio. MPICH has nothing else; Open MPI has it under a
# name with the release that it comes from.
choose_romio() {
    local name
    romio=()
    case ${launcher[0]} in
    *openmpi*)
        name=$(ompi_info --parsable 2>/dev/null | sed -n 's/^mca:io:\(romio[0-9]*\):.*/\1/p' | head -n 1)
        [ -n "$name" ] || skip "this Open MPI has no ROMIO"
        romio=(--mca io "$name")
        ;;
    esac
}
