# What centre.sh runs inside of a root: a centre of one node, from an empty /etc to its removal. Root here is nobody outside.
# shellcheck shell=bash
find / -xdev \( -path /proc -o -path /test -o -path /tmp \) -prune -o -print | sort >/test/before
printf '127.0.0.1 localhost %s\n' "$(uname -n)" >/etc/hosts # an empty root knows no names
cd /test/debs || exit
apt-get install -q -y ./iolite_*.deb ./iolite-runtime_*.deb ./libiolite0_*.deb ./iolite-site_*.deb >/test/installed 2>&1 ||
    { tail -n 5 /test/installed; exit 1; }
# shellcheck source=tests/e2e/checks.bash
. /test/checks.bash
# shellcheck source=tests/slurm/cluster.bash
. /test/cluster.bash
step() { echo "-- $((SECONDS)) s: $*"; }
daemons=()
stop() {
    [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null
    rm -rf "$work"
}
trap stop EXIT
quietly() { "$@" >"$work/said" 2>&1 || give_up "$*: $(tail -n 5 "$work/said")"; }

# What the site guide says, first and second step --------------------------------------------------------------------------
step "install"
! grep -e 'Failed to' -e 'rror:' /test/installed || fail "installing says something"
[ "$(stat -c '%U %a' /var/lib/iolite)" = "iolite-index 750" ] || fail "the index's directory: $(ls -ld /var/lib/iolite)"
version=$(iolite --version)
man iolite-run | grep -q 'run a program and record' || fail "man iolite-run"

step "a cluster"
folder=/srv/slurm
mkdir -p $folder/{munge,data,state,spool.a} /etc/slurm
free_ports 6
start_accounting onyx $folder "${ports[0]}" "${ports[1]}" "${ports[2]}"
cat >>$folder/slurm.conf <<END
NodeName=a NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[3]} CPUs=4
PartitionName=all Nodes=a Default=YES State=UP MaxTime=INFINITE OverSubscribe=FORCE:8
END
cp $folder/slurm.conf /etc/slurm/slurm.conf
[ ! -e $folder/cgroup.conf ] || cp $folder/cgroup.conf /etc/slurm/
install -m 600 $folder/slurmdbd.conf /etc/slurm/slurmdbd.conf
cp /etc/slurm/slurm.conf /test/slurm.conf
users=(ana ben cia dan eva fay gus hal ida jon)
for user in "${users[@]}" sue; do useradd -m -s /bin/bash $user; done
mkdir /srv/prometheus
cat >/srv/prometheus/conf.yml <<END
global: {scrape_interval: 1s}
scrape_configs: [{job_name: node, static_configs: [{targets: ['127.0.0.1:${ports[4]}']}]}]
END
prometheus-node-exporter --web.listen-address=127.0.0.1:"${ports[4]}" >/dev/null 2>&1 &
daemons+=($!)
prometheus --config.file=/srv/prometheus/conf.yml --storage.tsdb.path=/srv/prometheus/data --web.listen-address=127.0.0.1:"${ports[5]}" >/dev/null 2>&1 &
daemons+=($!)
monitor=http://127.0.0.1:${ports[5]}
until_true curl -s -f -o /dev/null "$monitor/-/ready" || give_up "Prometheus does not start"

step "set up"
status 0 iolite site-setup --dry-run --default-on --monitor "$monitor"
grep -q 'Slurm with accounting' "$work/err" || fail "site-setup: $(cat "$work/err")"
quietly iolite site-setup --default-on --logs /var/log/iolite --monitor "$monitor"
# As cron has no single rights, logs are readable for the group of the services (services.md).
printf 'LOGMODE 0440\nLOGGROUP iolite\n' >>/etc/iolite/iolite.conf
cat >/usr/local/sbin/sink <<'END'
#!/bin/sh
cat >>/var/lib/iolite/mail
echo END >>/var/lib/iolite/mail
END
chmod 755 /usr/local/sbin/sink
sed -i 's|"staff": \[\]|"staff": ["sue"]|; s|"alerts": .*|"alerts": {"rules": [{"name": "volume", "when": "bytes > 1M"}], "targets": [{"mail": "staff@onyx.example"}], "sendmail": "/usr/local/sbin/sink"}|' /etc/iolite/site.json
quietly systemd-sysusers
quietly systemd-tmpfiles --create
mkdir -p /var/log/iolite
quietly iolite mk-log-dirs
status 0 su - ana -c 'iolite config'
grep -q '^IOLITE_LOG_PATH *\(=\)\{0,1\} */var/log/iolite' "$work/out" || fail "LOGPATH: $(grep LOG_PATH "$work/out")"
status 0 su - ana -c 'iolite config --site'

slurmdbd -D >/dev/null 2>&1 &
daemons+=($!)
until_true sacctmgr -i show cluster || give_up "slurmdbd: $(tail -n 2 $folder/slurmdbd.log)"
sacctmgr -i add cluster onyx >/dev/null 2>&1
sacctmgr -i add account all >/dev/null 2>&1
for user in "${users[@]}"; do sacctmgr -i add user $user account=all >/dev/null 2>&1; done
slurmctld -D >/dev/null 2>&1 &
daemons+=($!)
slurmd -D -N a >/dev/null 2>&1 &
daemons+=($!)
idle() { [ "$(sinfo -h -N -o %t 2>/dev/null)" = idle ]; }
until_true idle || give_up "the node does not come up: $(tail -n 3 $folder/ctld.log)"

# Jobs ------------------------------------------------------------------------------------------------------------------------
names=() ids=() owners=() covered=() causes=()
# job USER NAME COVERED CAUSE SCRIPT: a job from the user's login shell, as that has it.
job() {
    local id
    printf '#!/bin/bash\n%s\n:\n' "$5" >"/home/$1/$2.sh"
    chmod 755 "/home/$1/$2.sh"
    id=$(su - "$1" -c "sbatch --parsable -J $2 -n 2 -O -o $2.out $2.sh" 2>"$work/said") || give_up "$2 cannot be submitted: $(cat "$work/said")"
    names+=("$2") ids+=("$id") owners+=("$1") covered+=("$3") causes+=("$4")
}
ended() { # all jobs so far, in the accounting too
    local id
    for id in "${ids[@]}"; do sacct -a -X -n -P -j "$id" -o State | grep -q -v -e RUNNING -e PENDING -e COMPLETING || return 1; done
    [ -z "$(squeue -h)" ]
}
step "jobs"
cp "$(command -v cp)" /usr/local/bin/prog # an application that is nobody's tool
head -c 3000000 /dev/zero >/srv/in.dat
app='prog /srv/in.dat out.dat'
mpi='export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
mpirun --bind-to none -n 2 python3 -c "
from mpi4py import MPI
f = MPI.File.Open(MPI.COMM_WORLD, \"shared\", MPI.MODE_CREATE | MPI.MODE_WRONLY)
f.Write_at(MPI.COMM_WORLD.rank * 1000, b\"x\" * 1000)
f.Close()"'
job ana copy 1 '' "$app"
job ben mpi 1 '' "$mpi"
job cia workers 1 '' 'python3 -c "import multiprocessing as m
def work(n): open(\"part%d\" % n, \"w\").write(\"x\" * 100000)
if __name__ == \"__main__\":
    with m.Pool(2) as pool: pool.map(work, range(8))"'
job dan loop 1 '' "for i in 1 2 3 4 5 6 7 8 9 10; do wc -c /srv/in.dat; prog /srv/in.dat part\$i; done"
job eva step 1 '' "srun -n 1 $app"
job fay killed 1 '' 'python3 -c "import time; f = open(\"log\", \"w\"); f.write(\"x\" * 100000); f.flush(); time.sleep(1000)"'
cp /sbin/ldconfig /usr/local/bin/lists # nor this one, which is static
job gus static 0 'statically linked' 'lists -p >listed'
job hal disabled 0 'switched off' "export IOLITE_DISABLE=1; $app"
job ida cleared 0 'without the preload' "env -i /usr/local/bin/$app"
job jon neighbour 1 '' "LD_PRELOAD=\$LD_PRELOAD:/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1 $app"
job jon failed 1 '' "$app; exit 3"
until_true test -s /home/fay/log || fail "the job that is to be killed does nothing: $(cat /home/fay/killed.out)"
quietly su - fay -c "scancel ${ids[5]}"
deadline=300
until_true ended || give_up "not all jobs end: $(squeue -h)"

# cron WORD: the line of services.md that has it, as its user, with the paths of this installation.
cron() {
    local line user
    line=$(sed -n '/^## Without systemd/,$p' /test/services.md | grep -m 1 -- "$1" | sed 's:/opt/iolite:/usr:g' | awk '{ for (i = 6; i <= NF; i++) printf "%s ", $i }')
    user=${line%% *}
    setpriv --reuid "$user" --regid "$(id -g "$user")" --init-groups env -i HOME=/ PATH=/usr/bin:/bin sh -c "${line#* }"
}
# started UNIT [COMMAND...]: its ExecStart as its user and with its rights, behind the command.
started() {
    local unit=/lib/systemd/system/$1 user group groups caps bounding command environment
    shift
    user=$(sed -n 's/^User=//p' "$unit") group=$(sed -n 's/^Group=//p' "$unit")
    caps=$(sed -n 's/^AmbientCapabilities=//p' "$unit" | tr 'A-Z' 'a-z' | sed 's/cap_/+/g; s/ /,/g')
    bounding=$(sed -n 's/^CapabilityBoundingSet=//p' "$unit" | tr 'A-Z' 'a-z' | sed 's/cap_/+/g; s/ /,/g')
    command=$(awk '/^ExecStart=/ || more { print; more = /\\$/ }' "$unit" | sed '1s/^ExecStart=//; s/\\$//' | tr '\n' ' ')
    environment=$(sed -n 's/^Environment=//p' "$unit")
    groups=$(id -G "$user" | tr ' ' ',')$(sed -n 's/^SupplementaryGroups=/,/p' "$unit")
    # shellcheck disable=SC2086 # they are words
    ${through-} setpriv --reuid "$user" --regid "$group" --groups "$groups" --no-new-privs --bounding-set "-all${bounding:+,$bounding}" \
        --inh-caps "-all${caps:+,$caps}" ${caps:+--ambient-caps "$caps"} env -i PATH=/usr/bin:/bin $environment "$@" sh -c "umask 027; exec $command"
}
store=sqlite:/var/lib/iolite/index.db
# right: every job is in the index once, with a log or with the right cause, and coverage is what a person counts.
right() {
    local i id line hand=0
    status 0 iolite jobs --store $store --columns job,user,covered,cause --csv -n 1000
    cp "$work/out" "$work/jobs"
    for ((i = 0; i < ${#ids[@]}; i++)); do
        id=${ids[i]}
        line=$(grep "^$id," "$work/jobs")
        [ "$(grep -c "^$id," "$work/jobs")" = 1 ] || fail "${names[i]}: in the index $(grep -c "^$id," "$work/jobs") times"
        [[ $line == "$id,${owners[i]},${covered[i]},"* ]] || fail "${names[i]}: '$line', not ${owners[i]},${covered[i]}: $(tail -n 2 "/home/${owners[i]}/${names[i]}.out")"
        [ "${covered[i]}" = 1 ] || [[ $line =~ ${causes[i]} ]] || fail "${names[i]}: '$line', not for '${causes[i]}'"
        hand=$((hand + covered[i]))
    done
    status 0 iolite fleet --store $store --json
    python3 - "$work/out" ${#ids[@]} $hand <<'PYTHON' || fail "coverage: $(grep -A4 '"coverage"' "$work/out")"
import json, sys
c = json.load(open(sys.argv[1]))["coverage"]
sys.exit([c["jobs"], c["jobs_logged"]] != [int(sys.argv[2]), int(sys.argv[3])])
PYTHON
    echo "${#ids[@]} jobs, $hand covered"
}
step "index, coverage"
status 0 cron 'iolite index'
cat "$work/err"
right

step "series"
status 0 started iolite-collect.service faketime -f +75m # whole hours, ten minutes later
series=$(find /var/lib/iolite-collect -name '*.hdf5')
[ -n "$series" ] || { fail "no series: $(cat "$work/out" "$work/err" /etc/iolite/collect.conf; ls -lR /var/lib/iolite-collect)"; }

step "messages"
status 0 cron 'iolite alert'
status 0 cron 'iolite alert'
[ "$(grep -c '^END' /var/lib/iolite/mail)" = 1 ] || fail "$(grep -c '^END' /var/lib/iolite/mail) messages: $(cat "$work/err")"
grep -q '^To: staff@onyx.example' /var/lib/iolite/mail || fail "the message: $(head -n 5 /var/lib/iolite/mail)"

step "portal"
portal_start() {
    mkdir -p /run/iolite && chown iolite:iolite /run/iolite && rm -f /run/iolite/serve.sock
    through=exec started iolite-serve.service >/dev/null 2>"$work/serve" &
    portal=$!
    daemons+=("$portal")
    until_true ask sue me || give_up "no portal: $(cat "$work/serve")"
}
portal_stop() { # as systemd does
    kill $portal
    wait $portal 2>/dev/null
    rm -rf /run/iolite
}
ask() { curl -s -f --unix-socket /run/iolite/serve.sock -H "X-Remote-User: $1" "http://x/iolite/api/v1/$2"; }
jobs_of() { ask "$1" 'jobs?limit=100' | python3 -c 'import json, sys; print(*sorted(str(i["jobid"]) for i in json.load(sys.stdin)["items"]))'; }
shows_own() {
    local user i mine
    for user in "${users[@]}"; do
        mine=$(for ((i = 0; i < ${#ids[@]}; i++)); do [ "${owners[i]}" != "$user" ] || echo "${ids[i]}"; done | sort | paste -s -d ' ')
        [ "$(jobs_of "$user")" = "$mine" ] || fail "the portal shows $user '$(jobs_of "$user")', not '$mine'"
    done
    [ "$(jobs_of sue | wc -w)" = ${#ids[@]} ] || fail "the portal shows staff $(jobs_of sue)"
}
portal_start
shows_own

step "the next morning"
find /var/log/iolite -name '*.darshan' | sort >"$work/logs"
copy=$(grep "_id${ids[0]}-" "$work/logs")
iolite dump --csv "$copy" >"$work/dumped"
# The day of an archiver is the day of its clock.
status 0 started iolite-archive.service env NO_FAKE_STAT=1 faketime -f +1d
[ -z "$(find /var/log/iolite -name '*.darshan')" ] || fail "not archived: $(find /var/log/iolite -name '*.darshan' | head -n 3) $(cat "$work/err")"
bundle=$(find /var/lib/iolite-archive -name '*.bundle')
iolite dump --csv "$bundle#$(basename "$copy")" | cmp -s - "$work/dumped" || fail "a log from the bundle is another"
status 0 cron 'iolite index'
right
shows_own
status 0 iolite find --store $store --job "${ids[0]}"
has .bundle#

# Upgrade and removal, while jobs run --------------------------------------------------------------------------------------
# A job that works, waits for a word and works on.
waiting='echo started >mark; until [ -e /srv/go ]; do sleep 0.2; done; prog /srv/in.dat late.dat'
started_all() { local user; for user; do [ -s "/home/$user/mark" ] || return 1; done; }
step "upgrade"
rm -f /srv/go
job ana up-shell 1 '' "prog /srv/in.dat early.dat; $waiting"
job ben up-mpi 1 '' "echo started >mark; ${mpi/from mpi4py/import os, time
while not os.path.exists(\\\"\/srv\/go\\\"): time.sleep(0.2)
from mpi4py}"
job cia up-python 1 '' 'python3 -c "import os, time
open(\"mark\", \"w\").write(\"x\" * 5000)
while not os.path.exists(\"/srv/go\"): time.sleep(0.2)
open(\"late\", \"w\").write(\"x\" * 7000)"'
until_true started_all ana ben cia || fail "the jobs do not start"
cd /test/newer || exit
quietly apt-get install -q -y ./iolite_*.deb ./iolite-runtime_*.deb ./libiolite0_*.deb ./iolite-site_*.deb
[ "$(iolite --version)" != "$version" ] || fail "it is still $version"
grep -q '^Epilog=' /etc/slurm/slurm.conf || fail "the upgrade took the set-up away"
touch /srv/go
job dan up-new 1 '' "$app"
until_true ended || give_up "not all jobs end: $(squeue -h)"
status 0 cron 'iolite index'
right
log=$(find /var/log/iolite -name "*_id${ids[-2]}-*.darshan")
[ -n "$log" ] && iolite dump --csv "$log" | grep -q late || fail "what a program did after the upgrade is not in '$log'"
portal_stop
portal_start
shows_own

step "removal"
rm -f /srv/go /home/*/mark
job eva down-shell 1 '' "$waiting"
job fay down-mpi 1 '' "echo started >mark; ${mpi/from mpi4py/import os, time
while not os.path.exists(\\\"\/srv\/go\\\"): time.sleep(0.2)
from mpi4py}"
until_true started_all eva fay || fail "the jobs do not start"
portal_stop
quietly apt-get purge -q -y 'iolite*' libiolite0
[ ! -e /usr/bin/iolite ] || fail "the command is still there"
diff /test/slurm.conf /etc/slurm/slurm.conf >&2 || fail "slurm.conf is not what it was"
touch /srv/go
until_true ended || give_up "not all jobs end: $(squeue -h)"
until_true idle || fail "the node: $(sinfo -h -N -o '%t %E')"
for n in 2 1; do
    [ "$(sacct -a -X -n -P -j "${ids[-n]}" -o State)" = COMPLETED ] || fail "${names[-n]}: $(sacct -a -X -n -P -j "${ids[-n]}" -o State): $(cat "/home/${owners[-n]}/${names[-n]}.out")"
    [ -n "$(find /var/log/iolite -name "*_id${ids[-n]}-*.darshan")" ] || fail "${names[-n]}: no log after the removal: $(cat "/home/${owners[-n]}/${names[-n]}.out")"
done
# What processes of a job left that had ended before is its user's, and nobody else's.
[ -z "$(find /dev/shm -name 'iolite-*' -user root)" ] || fail "left on the node: $(ls -l /dev/shm)"
# What is there that was not before, and is no user's: what was installed beside it, and what this test made.
find / -xdev \( -path /proc -o -path /test -o -path /tmp -o -path /home -o -path /srv \) -prune -o -print | sort >/test/after
comm -13 /test/before /test/after | grep -i -e iolite -e darshan | grep -v -e '^/var/lib/iolite-\(archive\|collect\)' -e '^/var/log/iolite\(/\|$\)' -e '^/var/cache/\(apt\|man\)/' >"$work/left"
[ ! -s "$work/left" ] || fail "left behind: $(head -n 20 "$work/left")"
[ -s "$bundle" ] || fail "the bundle is gone"
step "done"
finish
