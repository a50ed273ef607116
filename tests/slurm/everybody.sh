#!/usr/bin/env bash
# A centre that is switched on for everybody: eighteen jobs under Slurm with its accounting in slurmdbd, the prologue and the
# epilogue of the product, and no other help. Every job has a log of its application or the right cause in the index, coverage
# is what a person counts by hand, and no job leaves more than two logs per node, with one more for MPI.
# Usage: tests/slurm/everybody.sh WORKER_OPENMPI WORKER_MPICH [long]; long: a true time limit, and 10,000 processes in one job.
: "${IOLITE_BIN:=build/bin}" "${IOLITE_SEEDS:=build/seeds}"
root=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/e2e/checks.bash
. "$root/../e2e/checks.bash"
# shellcheck source=tests/slurm/cluster.bash
. "$root/cluster.bash"
openmpi=$1 mpich=$2 long=${3:-}
export PATH=$PATH:/usr/sbin
library=$(realpath "${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}")
for name in slurmctld slurmd slurmdbd munged sbatch sacct mariadbd mariadb-install-db setpriv python3 ldconfig; do
    command -v $name >/dev/null || skip "there is no $name"
done
[ "$(id -u)" = 0 ] || skip "only root can start a batch system for other users"
id nobody munge >/dev/null 2>&1 || skip "the users nobody and munge are not here"
[ -e "$library" ] || skip "libiolite.so is not built"
user=(setpriv --reuid nobody --regid nogroup --clear-groups)
"${user[@]}" test -r "$library" -a -x "$iolite" || skip "ordinary users cannot get at $iolite"
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" "${!SLURM_@}" LD_PRELOAD

# The cluster ----------------------------------------------------------------------------------------------------------
folder=$(TMPDIR=/tmp mktemp -d) # munged wants every folder above its own to be nobody else's
chmod 755 "$folder"
daemons=()
stop() {
    [ -z "${SLURM_CONF:-}" ] || timeout 10 scancel --user=nobody >/dev/null 2>&1
    [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null
    wait
    rm -rf "$folder" "$work"
}
trap stop EXIT
mkdir -m 755 "$folder"/{munge,data,state,spool.a,prefix,prefix/bin,prefix/share,prefix/share/iolite,tree,jobs}
mkdir -m 1777 "$folder"/{shm,files,out}
ln -s "$iolite" "$folder/prefix/bin/iolite"
cp "$root"/../../packaging/slurm/iolite-* "$folder/prefix/share/iolite/"
free_ports 4
start_accounting onyx "$folder" "${ports[0]}" "${ports[1]}" "${ports[2]}"
cat >>"$folder/slurm.conf" <<END
TaskProlog=$folder/prefix/share/iolite/iolite-task-prolog
Epilog=$folder/epilog
NodeName=a NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[3]} CPUs=4
PartitionName=all Nodes=a Default=YES State=UP MaxTime=INFINITE OverSubscribe=FORCE:8
END
# Slurm hands the epilogue no variables of ours.
cat >"$folder/epilog" <<END
#!/bin/bash
IOLITE_EPILOG_CONF=$folder/epilog.conf $folder/prefix/share/iolite/iolite-epilog
echo \$? >>$folder/jobs/epilog.\$SLURM_JOB_ID
END
cat >"$folder/epilog.conf" <<END
IOLITE_EPILOG_QUIET=1
IOLITE_EPILOG_JOBS=$folder/jobs/notes
IOLITE_CONFIG=$folder/iolite.conf
IOLITE_MMAP_DIR=$folder/shm
END
chmod 755 "$folder/epilog"
echo "LOGPATH $folder/tree" >"$folder/iolite.conf"
IOLITE_CONFIG=$folder/iolite.conf "$iolite" mk-log-dirs >/dev/null 2>&1 || fail "no directories for logs"
export SLURM_CONF=$folder/slurm.conf
slurmdbd -D >"$folder/dbd.out" 2>&1 &
daemons+=($!)
until_true sacctmgr -i show cluster || give_up "slurmdbd does not start: $(tail -n 2 "$folder/slurmdbd.log" "$folder/dbd.out" 2>/dev/null)"
sacctmgr -i add cluster onyx >/dev/null 2>&1
sacctmgr -i add account all >/dev/null 2>&1
sacctmgr -i add user nobody account=all >/dev/null 2>&1
slurmctld -D >/dev/null 2>&1 &
daemons+=($!)
slurmd -D -N a >/dev/null 2>&1 &
daemons+=($!)
idle() { [ "$(sinfo -h -N -o %t 2>/dev/null)" = idle ]; }
until_true idle || give_up "the node does not come up: $(tail -n 2 "$folder/ctld.log")"

# Jobs -----------------------------------------------------------------------------------------------------------------
# What the module sets for everybody, in the login shell that submits.
everybody=(HOME="$folder/files" TMPDIR="$folder/files" LOGNAME=nobody USER=nobody PATH="$PATH" SLURM_CONF="$SLURM_CONF"
    LD_PRELOAD="$library" IOLITE_WITHOUT_JOB=0 IOLITE_CONFIG="$folder/iolite.conf" IOLITE_MMAP_DIR="$folder/shm"
    OMPI_MCA_btl="self,vader" OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_btl_vader_backing_directory="$folder/files" PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe)
head -c 200000 /dev/zero >"$folder/in.dat"
cp "$(command -v cp)" "$folder/prog" # an application that is nobody's tool
chmod 755 "$folder/prog"
names=() ids=() covered=() causes=() mpi=()
# job NAME COVERED CAUSE MPI SCRIPT [SETTING...]: what is expected of it, and a pattern of the cause.
job() {
    local id name=$1
    "${user[@]}" mkdir "$folder/files/$name"
    printf '#!/bin/bash\ncd %s/files/%s\n%s\n:\n' "$folder" "$name" "$5" >"$folder/out/job.sh"
    id=$("${user[@]}" env -i "${everybody[@]}" "${@:6}" sbatch --parsable -J "$name" -n 2 -O -o "$folder/out/%j" "$folder/out/job.sh" 2>"$work/said") ||
        give_up "$name cannot be submitted: $(cat "$work/said")"
    names+=("$name") ids+=("$id") covered+=("$2") causes+=("$3") mpi+=("$4")
}
app="$folder/prog $folder/in.dat out.dat"
many=50
[ -z "$long" ] || many=10000
job copy 1 '' 0 "$app"
if [ -x "$openmpi" ]; then
    job openmpi 1 '' 1 "mpirun.openmpi --bind-to none -n 2 $openmpi \$PWD 10"
    job openmpi-loop 1 '' 2 "for i in 1 2; do mpirun.openmpi --bind-to none -n 2 $openmpi \$PWD 10; done"
fi
if [ -x "$mpich" ]; then
    job mpich 1 '' 1 "srun --mpi=pmi2 -n 2 $mpich \$PWD 10"
fi
job workers 1 '' 0 "python3 -c 'import multiprocessing as m
def work(n): open(\"part%d\" % n, \"w\").write(\"x\" * 100000)
if __name__ == \"__main__\":
    with m.Pool(2) as pool: pool.map(work, range(8))'"
job loop 1 '' 0 "for i in \$(seq $many); do wc -c <$folder/in.dat >counted; wc -l $folder/in.dat >counted; done"
job step 1 '' 0 "srun -n 1 $app"
job killed 1 '' 0 "python3 -c 'import time; f = open(\"log\", \"w\"); f.write(\"x\" * 100000); f.flush(); time.sleep(1000)'"
killed=${ids[-1]}
job static 0 'statically linked' 0 "ldconfig -p >listed"
job static-step 0 'statically linked' 0 "sh -c 'ldconfig -p' >listed; srun -n 1 sh -c 'ldconfig -p >>listed; :'"
job unset 0 'without the preload' 0 "unset LD_PRELOAD; $app"
job emptied 0 'without the preload' 0 "LD_PRELOAD= $app"
job cleared 0 'without the preload' 0 "env -i $app"
job disabled 0 'switched off' 0 "IOLITE_DISABLE=1 $app"
job exported 0 'switched off' 0 "export IOLITE_DISABLE=yes; $app"
job opted-out 0 'opted out|' 0 "$app" IOLITE_DISABLE=1
job darshan-off 0 'opted out|' 0 "$app" DARSHAN_DISABLE=0
job iolite-0 0 'switched off' 0 "IOLITE=0 $app"
job unloaded 0 'absent' 0 "$app" LD_PRELOAD= # in the login shell: no recorded process sees it
job subshell-unset 0 'without the preload' 0 "( unset LD_PRELOAD; $app )"
job subshell-disabled 0 'switched off' 0 "bash -c 'export IOLITE_DISABLE=On; $app; :'"
job shell-cleared 0 'without the preload' 0 "env -i sh -c '$app; :'" # nobody sees what a shell without it starts
job srun-unset 0 'without the preload' 0 "srun -n 1 env -u LD_PRELOAD $app"
job srun-disabled 0 'switched off|opted out' 0 "srun -n 1 env IOLITE_DISABLE=true $app"
job disabled-srun 0 'switched off|opted' 0 "DARSHAN_DISABLE=1 srun -n 1 $app"
job emptied-srun 0 'without the preload|absent|opted' 0 "LD_PRELOAD= srun -n 1 $app"
job not-disabled 1 '' 0 "IOLITE_DISABLE=0 DARSHAN_DISABLE=1 srun -n 1 $app"
job not-found 0 'only shells|' 0 "./not-there"
if command -v bwrap >/dev/null && "${user[@]}" bwrap --ro-bind / / true 2>/dev/null; then
    job container 1 '' 0 "bwrap --dev-bind / / $app"
    job container-root 1 '' 0 "bwrap --dev-bind / / --unshare-user --uid 0 $app" # where the user is root
else
    job subshell 1 '' 0 "( cd . && bash -c '$app' )"
fi

# The job that is killed has done its work first.
wrote() { [ -s "$folder/files/killed/log" ]; }
until_true wrote || fail "the job that is to be killed does nothing: $(cat "$folder/out/$killed")"
if [ -n "$long" ]; then
    scontrol update jobid="$killed" timelimit=1
    deadline=400
else
    "${user[@]}" env SLURM_CONF="$SLURM_CONF" scancel "$killed"
fi
all_ended() {
    local id
    for id in "${ids[@]}"; do [ -s "$folder/jobs/epilog.$id" ] || return 1; done
}
deadline=$((deadline * 3))
until_true all_ended || give_up "not all jobs end: $(squeue -h)"
listed() { [ "$(sacct -a -X -n -P -o State | grep -c -v -e RUNNING -e PENDING -e COMPLETING)" -ge ${#ids[@]} ]; }
until_true listed || fail "accounting does not list all jobs: $(sacct -a -X -n -P -o JobID,State)"

# What the centre sees ---------------------------------------------------------------------------------------------------
store=$work/index.db
status 0 "$iolite" index -q --store "$store" --accounting slurm --accounting "$folder/jobs/notes" "$folder/tree"
status 0 "$iolite" jobs --store "$store" --columns job,user,covered,entry,cause,logs --csv -n 100
hand=0
for ((i = 0; i < ${#ids[@]}; i++)); do
    id=${ids[i]}
    line=$(grep "^$id," "$work/out")
    [ "$(grep -c "^$id," "$work/out")" = 1 ] || fail "${names[i]}: in the index $(grep -c "^$id," "$work/out") times: $line"
    logs=$(find "$folder/tree" -name "*_id$id-*.darshan" | wc -l)
    [ "$logs" -le $((2 + mpi[i])) ] || fail "${names[i]}: $logs logs: $(find "$folder/tree" -name "*_id$id-*.darshan")"
    [[ $line == "$id,nobody,${covered[i]},"* ]] || fail "${names[i]}: '$line', not ${covered[i]}: $(tail -n 3 "$folder/out/$id")"
    [[ ${covered[i]} == 1 || $line =~ ${causes[i]} ]] || fail "${names[i]}: '$line', not for '${causes[i]}'"
    [ "${covered[i]}" = 0 ] || hand=$((hand + 1))
done
status 0 "$iolite" fleet --store "$store" --json
python3 - "$work/out" ${#ids[@]} $hand <<'END' || fail "coverage of the fleet: $(grep -A4 '"coverage"' "$work/out")"
import json, sys
c = json.load(open(sys.argv[1]))["coverage"]
sys.exit([c["jobs"], c["jobs_logged"]] != [int(sys.argv[2]), int(sys.argv[3])])
END
left=$(find "$folder/shm" -mindepth 1)
[ -z "$left" ] || fail "left on the node: $left"
echo "${#ids[@]} jobs, $hand covered"
finish
