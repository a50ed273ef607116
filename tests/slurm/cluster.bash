# A Slurm cluster of one machine, for scripts that start one: free ports, munge, and the part of slurm.conf that is always
# the same. To be sourced after checks.bash.
# shellcheck disable=SC2034 # ports and host are for who sources this
host=$(uname -n)
host=${host%%.*}

# free_ports N: into the array $ports.
free_ports() {
    read -ra ports < <(python3 -c 'import socket, sys
all = [socket.socket() for _ in range(int(sys.argv[1]))]
for one in all: one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in all))' "$1")
}

# start_munge FOLDER: munged with a key and a socket in it, as user munge. Its process id goes into $daemons.
start_munge() {
    head -c 128 /dev/urandom >"$1/key"
    chmod 400 "$1/key"
    chown -R munge "$1"
    setpriv --reuid munge --regid munge --clear-groups munged --foreground --force --key-file="$1/key" \
        --socket="$1/socket" --pid-file="$1/pid" --log-file="$1/log" --seed-file="$1/seed" >/dev/null 2>&1 &
    daemons+=($!)
    until_true test -S "$1/socket" || give_up "munged does not start"
}

# slurm_conf NAME FOLDER PORT: prints the head of slurm.conf. Nodes have their files in FOLDER; accounting and nodes follow.
slurm_conf() {
    # Since 23.11 slurmd asks for control groups whether a plugin needs them or not, and in a chroot there are none; before,
    # it did not know that word.
    local version
    version=$(slurmd -V)
    version=$(printf '%s\n' 23.11 "${version##* }" | sort -V | head -n 1)
    [ "$version" != 23.11 ] || echo "CgroupPlugin=disabled" >"$2/cgroup.conf"
    cat <<END
ClusterName=$1
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$2/munge/socket
CredType=cred/munge
SlurmctldPort=$3
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmdParameters=config_overrides
ReturnToService=2
StateSaveLocation=$2/state
SlurmdSpoolDir=$2/spool.%n
SlurmctldPidFile=$2/ctld.pid
SlurmdPidFile=$2/slurmd.%n.pid
SlurmctldLogFile=$2/ctld.log
SlurmdLogFile=$2/slurmd.%n.log
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
KillWait=1
END
}
