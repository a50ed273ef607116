# Which counters of a log are the same in every run of a program, and of its twins. To be sourced.

# lasting LOG...: all lines, but for those that time decides, or the linker, who puts constants where it likes, or an MPI
# that has files of its own.
lasting() {
    "$iolite" dump --csv "$@" | grep -v -e '^HEATMAP,' -e '_F_' -e '_TIME,' -e '_TIME_\(SIZE\|VARIANCE\),' \
        -e '_MEM_NOT_ALIGNED,' -e '_\(FAST\|SLOW\)EST_RANK' -e '/\(ompi\|prterun\)\.' -e "$work/logs" | sort
}
