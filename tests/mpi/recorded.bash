# What the scripts that record an MPI program share: PROGRAM and LAUNCHER from their arguments, and a home of their own. To
# be sourced instead of checks.bash.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "${BASH_SOURCE[0]}")/../e2e/checks.bash"
work=$(cd "$work" && pwd -P)
need_library
export HOME=$work/home
mkdir "$HOME"

# recorded PROGRAM LAUNCHER...: what there is to run.
recorded() {
    program=$1
    launcher=("${@:2}")
    [ -x "$program" ] || skip "there is no $program"
    command -v python3 >/dev/null || skip "there is no python3"
}
