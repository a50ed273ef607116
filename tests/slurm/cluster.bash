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

# start_accounting CLUSTER FOLDER DATABASE_PORT DBD_PORT CONTROLLER_PORT: a database server and munge in FOLDER, which has data/ and munge/, and the
# settings of slurmdbd and of a Slurm that uses it. What is started is added to daemons; "${sql[@]}" is the database's client.
start_accounting() {
    local folder=$2
    timeout 60 mariadb-install-db --no-defaults --auth-root-authentication-method=normal --user=root --datadir="$folder/data" >/dev/null 2>&1 ||
        skip "MariaDB makes no database here"
    mariadbd --no-defaults --user=root --datadir="$folder/data" --socket="$folder/data/s" --port="$3" --bind-address=127.0.0.1 \
        --innodb-buffer-pool-size=64M >/dev/null 2>&1 &
    daemons+=($!)
    sql=(mariadb --no-defaults --socket="$folder/data/s" --user=root)
    start_munge "$folder/munge"
    until_true "${sql[@]}" -e 'SELECT 1' || give_up "MariaDB does not start"
    "${sql[@]}" -e "CREATE DATABASE slurm_acct_db; CREATE USER slurm@localhost IDENTIFIED BY 'x'; CREATE USER slurm@127.0.0.1 IDENTIFIED BY 'x';
        GRANT ALL ON slurm_acct_db.* TO slurm@localhost; GRANT ALL ON slurm_acct_db.* TO slurm@127.0.0.1;"
    cat >"$folder/slurmdbd.conf" <<END
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
DbdHost=$host
DbdAddr=127.0.0.1
DbdPort=$4
SlurmUser=root
LogFile=$folder/slurmdbd.log
PidFile=$folder/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$3
StorageUser=slurm
StoragePass=x
StorageLoc=slurm_acct_db
END
    chmod 600 "$folder/slurmdbd.conf"
    slurm_conf "$1" "$folder" "$5" >"$folder/slurm.conf"
    cat >>"$folder/slurm.conf" <<END
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$4
AccountingStoragePass=$folder/munge/socket
END
}
