#!/usr/bin/env bash
# Iolite under Slurm: jobs that end, jobs that are killed, on one node and on two, as an ordinary user, with the
# epilogue that makes logs of what the killed ones left. The daemons are started here, on free ports and with their data
# in a temporary folder; the two nodes are this machine twice.
# Usage: tests/slurm/slurm.sh WORKER_OPENMPI WORKER_MPICH [long]; a worker that is not there is not tested.
: "${IOLITE_BIN:=build/bin}" "${IOLITE_SEEDS:=build/seeds}" "${IOLITE_TOOLS:=build/tests}"
root=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/e2e/checks.bash
. "$root/../e2e/checks.bash"
# shellcheck source=tests/slurm/cluster.bash
. "$root/cluster.bash"
openmpi=$1
mpich=$2
long=${3:-}
library=$(realpath "${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}")
user=(setpriv --reuid nobody --regid nogroup --clear-groups)
for name in slurmctld slurmd munged srun setpriv python3; do
    PATH=$PATH:/usr/sbin command -v $name >/dev/null || skip "there is no $name"
done
export PATH=$PATH:/usr/sbin
[ "$(id -u)" = 0 ] || skip "only root can start a batch system for other users"
id nobody munge >/dev/null 2>&1 || skip "the users nobody and munge are not here"
[ -e "$library" ] || skip "libiolite.so is not built"
"${user[@]}" test -r "$library" -a -x "$iolite" || skip "ordinary users cannot get at $iolite"
for place in /dev/shm /tmp; do # jobs hang or die where their MPI cannot make its files
    made=$("${user[@]}" mktemp -p $place iolite-slurm-XXXXXX 2>&1) || skip "ordinary users cannot write to $place: $made"
    rm -f "$made"
done
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" "${!SLURM_@}" LD_PRELOAD

# The cluster ----------------------------------------------------------------------------------------------------------

daemons=()
stop() {
    [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null
    wait
    rm -rf "$work"
}
trap stop EXIT
chmod 755 "$work"
mkdir -m 755 "$work"/{munge,state,prefix,prefix/bin,prefix/share,prefix/share/iolite,tree}
mkdir -m 1777 "$work"/{shm.a,shm.b,files,shared,out}
ln -s "$iolite" "$work/prefix/bin/iolite"
cp "$root/../../packaging/slurm/iolite-epilog" "$work/prefix/share/iolite/"
free_ports 3

slurm_conf iolite "$work" "${ports[0]}" >"$work/slurm.conf"
cat >>"$work/slurm.conf" <<END
AccountingStorageType=accounting_storage/none
Epilog=$work/epilog
NodeName=a NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[1]} CPUs=4
NodeName=b NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[2]} CPUs=4
PartitionName=all Nodes=a,b Default=YES State=UP MaxTime=INFINITE
END
# Slurm hands the epilogue no variables of ours.
cat >"$work/epilog" <<END
#!/bin/bash
IOLITE_EPILOG_CONF=$work/epilog.conf $work/prefix/share/iolite/iolite-epilog
echo "\$? \$SLURMD_NODENAME" >>$work/epilog.\$SLURM_JOB_ID
END
cat >"$work/epilog.conf" <<END
IOLITE_EPILOG_SHARED=$work/shared
IOLITE_EPILOG_DIAGNOSE=1
IOLITE_EPILOG_QUIET=1
IOLITE_CONFIG=$work/iolite.conf
IOLITE_MMAP_DIR=$work/shm.\$SLURMD_NODENAME
END
echo "LOGPATH $work/tree" >"$work/iolite.conf"
chmod 755 "$work/epilog"
IOLITE_CONFIG=$work/iolite.conf "$iolite" mk-log-dirs >/dev/null 2>&1 || fail "no directories for logs"

export SLURM_CONF=$work/slurm.conf
start_munge "$work/munge"
slurmctld -D -f "$SLURM_CONF" >/dev/null 2>&1 &
daemons+=($!)
for node in a b; do
    mkdir "$work/spool.$node"
    slurmd -D -N $node -f "$SLURM_CONF" >/dev/null 2>&1 &
    daemons+=($!)
done
both_idle() { [ "$(sinfo -h -N -o %t 2>/dev/null | grep -c '^idle$')" = 2 ]; }
one_is_gone() {
    local one
    for one in "${daemons[@]}"; do kill -0 "$one" 2>/dev/null || return 0; done
    return 1
}
idle_or_gone() { both_idle || one_is_gone; }
until_true idle_or_gone
both_idle || give_up "the nodes do not come up: $(tail -qn 3 "$work/ctld.log" "$work"/slurmd.?.log)"

# Jobs -----------------------------------------------------------------------------------------------------------------

as_user() {
    "${user[@]}" env HOME="$work/files" TMPDIR="$work/files" LOGNAME=nobody USER=nobody "$@"
}

# submit NODES TASKS COMMAND...: a batch script with Iolite switched on for everybody; its number goes to $job.
submit() {
    local nodes=$1 tasks=$2
    shift 2
    rm -rf "$work"/files/*
    cat >"$work/job.sh" <<END
#!/bin/bash
export IOLITE_CONFIG=$work/iolite.conf OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export IOLITE_MMAP_DIR=$work/shm.\$SLURMD_NODENAME OMPI_MCA_btl_vader_backing_directory=$work/files
cd $work/files
$*
END
    job=$(as_user sbatch --parsable -N "$nodes" -n "$tasks" -o "$work/out/%j" "$work/job.sh") || give_up "no job: $*"
    what="job $job ($*)"
}
epilog_ran() { [ "$(cat "$work/epilog.$job" 2>/dev/null | wc -l)" -ge "$1" ]; }
ended() {
    until_true epilog_ran "$1" || give_up "$what: does not end: $(cat "$work/out/$job")"
    ! grep -qv '^0 ' "$work/epilog.$job" || fail "$what: the epilogue fails"
}
ready() {
    local rank
    for ((rank = 0; rank < $1; rank++)); do
        until_true test -e "$work/files/ready.$rank" || give_up "$what: rank $rank does nothing: $(cat "$work/out/$job")"
    done
}

# one_log RANKS: a log of the job that has them all, the user's own, and nothing is left on the nodes.
one_log() {
    local found
    found=$(find "$work/tree" -name "*_mpi-worker.*_id$job-*.darshan")
    check_log "$found" "$1"
}

# some_logs RANKS: the same, but there may be several, which complete each other.
some_logs() {
    local all
    mapfile -t all < <(find "$work/tree" -name "*_mpi-worker.*_id$job-*.darshan")
    rm -f "$work/whole.darshan"
    "$iolite" merge -o "$work/whole.darshan" "${all[@]}" || fail "$what: logs: ${all[*]}"
    chown nobody "$work/whole.darshan"
    check_log "$work/whole.darshan" "$1"
}

# check_log LOG RANKS
check_log() {
    local found=$1 ranks=$2 got
    log=
    if [ ! -f "$found" ]; then
        fail "$what: logs: '$found'; $(cat "$work/out/$job")"
        return
    fi
    log=$found
    [ "$(stat -c %U "$log")" = nobody ] || fail "$what: the log belongs to $(stat -c %U "$log")"
    "$iolite" check "$log" >"$work/checked" 2>&1 || fail "$what: $(head -n 2 "$work/checked")"
    got=$("${iolite%/*}/darshan-parser" "$log" | awk -F '\t' -v dir="$work/files" '
        sub(/^# nprocs: /, "") { processes = $0 }
        $4 == "POSIX_BYTES_WRITTEN" && $5 > 0 && $6 == dir "/shared" { shared = $2 }
        $4 == "POSIX_BYTES_WRITTEN" && $5 > 0 && $6 ~ /\/own\.[0-9]*$/ { own++ }
        END { print processes, own + 0, shared }')
    [ "$got" = "$ranks $ranks -1" ] || fail "$what: processes, own files and the rank of the shared one: $got"
    found=$(find "$work"/shm.* "$work/shared" -mindepth 1)
    [ -z "$found" ] || fail "$what: left: $found"
}
diagnosed() {
    [ -s "${log%.darshan}.diagnosis.txt" ] || fail "$what: no diagnosis"
    [ "$(stat -c %U "${log%.darshan}.diagnosis.txt")" = nobody ] || fail "$what: the diagnosis is not the user's"
}

preload="LD_PRELOAD=$library"
mpirun="mpirun.openmpi --oversubscribe --bind-to none"
if [ -x "$openmpi" ]; then
    submit 1 2 env "$preload" "$mpirun" -n 2 "$openmpi" "$work/files" 100
    ended 1
    one_log 2
    submit 1 2 env "$preload" "$mpirun" -n 2 "$openmpi" "$work/files" 0
    ready 2
    as_user scancel "$job"
    ended 1
    one_log 2
    diagnosed
    submit 1 2 srun --mpi=pmix "$iolite" run -- "$openmpi" "$work/files" 100 # one run a task, and one log all the same
    ended 1
    one_log 2
fi
if [ -x "$mpich" ]; then
    # On two nodes. What ends writes its log; what does not is put together from both.
    here="IOLITE_MMAP_DIR=$work/shm.\$SLURMD_NODENAME" # of each node
    submit 2 4 srun --mpi=pmi2 sh -c "'$here $preload exec $mpich $work/files 100'"
    ended 2
    one_log 4
    submit 2 4 srun --mpi=pmi2 sh -c "'$here $preload exec $mpich $work/files 0'"
    ready 4
    as_user scancel "$job"
    ended 2
    one_log 4
    diagnosed
    submit 2 4 srun --mpi=pmi2 sh -c "'export $here; exec $iolite run -- $mpich $work/files 0'"
    ready 4
    as_user scancel "$job"
    ended 2
    some_logs 4 # each run has a log of its own rank, if it had the time
    if [ -n "$long" ]; then # a minute is the least
        submit 1 2 srun --mpi=pmi2 -n 2 env "$preload" "$mpich" "$work/files" 0
        ready 2
        scontrol update jobid="$job" timelimit=1
        deadline=300
        ended 1
        one_log 2
    fi
fi
# Tasks without MPI have a log each.
submit 1 2 srun "$iolite" run -- cp "$work/slurm.conf" "$work/files/copy.\\\$SLURM_PROCID"
ended 1
[ "$(find "$work/tree" -name "*_cp_id$job-*.darshan" | wc -l)" = 2 ] || fail "$what: not two logs"
finish
