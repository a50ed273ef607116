# What the scripts share whose MPI jobs end badly: PROGRAM from their arguments, the rest is the launcher, and folders of their
# own for all that is left behind. To be sourced instead of checks.bash, with their arguments.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "${BASH_SOURCE[0]}")/../e2e/checks.bash"
program=$1
library=$(realpath "${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}")
[ -x "$program" ] && [ -e "$library" ] || exit 77
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD "${!SLURM_@}"
export IOLITE_LIBRARY=$library IOLITE_MMAP_DIR=$work/records TMPDIR=$work/tmp HOME=$work
export OMPI_MCA_orte_tmpdir_base=$work/tmp PRTE_MCA_prte_tmpdir_base=$work/tmp

# Before each job.
fresh_folders() {
    rm -rf "$work"/{records,logs,tmp,files}
    mkdir "$work"/{records,logs,tmp,files}
}
