#!/usr/bin/env bash
# iolite site-setup: shows what it would write, writes that and nothing else, writes the same again, leaves alone what is there, and takes
# everything back. The machine is a directory: one with Slurm and Lmod, one with Environment Modules, and one with nothing.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
build=$(cd "$IOLITE_BIN/.." && pwd)
unset "${!IOLITE_@}" "${!DARSHAN_@}" DESTDIR
command -v cmake >/dev/null || skip "no cmake"
sed "s:\"$build/\${CMAKE_INSTALL_MANIFEST}\":\"$work/\${CMAKE_INSTALL_MANIFEST}\":" "$build/cmake_install.cmake" >"$work/install.cmake"
for component in tools runtime site; do
    cmake -DCMAKE_INSTALL_PREFIX="$work/prefix" -DCMAKE_INSTALL_COMPONENT=$component -P "$work/install.cmake" >/dev/null 2>&1 || give_up "it cannot be installed"
done
mv "$work/prefix" "$work/opt" # a tree that was moved
iolite=$work/opt/bin/iolite
setup() { "$iolite" site-setup --root "$root" --monitor http://127.0.0.1:9 "$@"; }
tree() { (cd "$root" && find . -type f -exec sha256sum {} + | sort -k 2; find . -type d | sort); }

root=$work/centre
mkdir -p "$root"/{etc/slurm,etc/lmod,usr/share/lmod,usr/bin,proc}
printf 'ClusterName=onyx\nSlurmctldHost=head\nEpilog=/site/epilog\n' >"$root/etc/slurm/slurm.conf"
echo /site/modules >"$root/etc/lmod/modulespath"
printf '/dev/sda1 / ext4 rw 0 0\nmgs@tcp:/scratch /scratch lustre rw 0 0\nhome:/x /home nfs4 rw 0 0\n' >"$root/proc/mounts"
tree >"$work/before"
# Debian's awk, where there is another beside it.
mkdir "$work/awk" && if command -v mawk >/dev/null; then ln -s "$(command -v mawk)" "$work/awk/awk" && PATH=$work/awk:$PATH; fi

status 0 setup --dry-run --default-on
! grep -q '^awk:' "$work/err" || fail "awk: $(grep '^awk:' "$work/err")"
grep -q 'file systems   /home (nfs4), /scratch (lustre)' "$work/err" || fail "file systems: $(grep 'file systems' "$work/err")"
has '+LOGPATH       /var/log/iolite'
has '+LOGGROUP      iolite'
has "+$work/opt/share/iolite/modules"
has '+TaskProlog='
lacks '+Epilog='
grep -q 'has a Epilog already' "$work/err" || fail "nothing about the epilogue that is there"
grep -q 'Slurm (/etc/slurm/slurm.conf) without accounting' "$work/err" || fail "Slurm was not seen"
has '+    "accounting": ["/var/log/iolite-jobs/%Y-%m-%d"],'
lacks iolite-index.service.d
cp "$root/etc/slurm/slurm.conf" "$work/slurm.conf"
echo 'AccountingStorageType=accounting_storage/slurmdbd' >>"$root/etc/slurm/slurm.conf"
status 0 setup --dry-run
has '+    "accounting": ["slurm", "/var/log/iolite-jobs/%Y-%m-%d"],'
has '+PrivateNetwork=no'
cp "$work/slurm.conf" "$root/etc/slurm/slurm.conf"
tree | diff "$work/before" - >&2 || fail "--dry-run wrote something"
status 2 setup --dry-run --remove
status 2 setup --logs relative
status 1 setup --remove

status 0 setup --default-on --logs /scratch/iolite
tree >"$work/after"
for path in etc/iolite/{iolite.conf,site.json,epilog.conf} etc/profile.d/{,zz_}iolite.sh etc/systemd/system/iolite-index.timer etc/sysusers.d/iolite.conf; do
    [ -f "$root/$path" ] || fail "no $path"
done
grep -q "^ExecStart=$work/opt/bin/iolite index" "$root/etc/systemd/system/iolite-index.service" || fail "a unit with another path"
grep -qx 'ReadWritePaths=/scratch/iolite' "$root/etc/systemd/system/iolite-archive.service.d/logs.conf" || fail "no right for the archiver"
status 0 "$iolite" config --site "$root/etc/iolite/site.json"
IOLITE_CONFIG=$root/etc/iolite/iolite.conf status 0 "$iolite" config
has /scratch/iolite
grep -q '"cluster": "onyx"' "$root/etc/iolite/site.json" || fail "the name of the cluster"
grep -qF '"^/scratch(/|$)": "scratch"' "$root/etc/iolite/site.json" || fail "the file systems"
head -n 1 "$root/etc/lmod/modulespath" | grep -qx /site/modules || fail "the site's own modules are gone"

# Again: nothing changes. What somebody changed stays, and what was never ours is not touched.
status 0 setup --default-on
tree | diff "$work/after" - >&2 || fail "a second time it wrote something else"
echo '# ours now' >>"$root/etc/iolite/iolite.conf"
status 0 setup --default-on
grep -q 'ours now' "$root/etc/iolite/iolite.conf" || fail "a changed file was written over"
sed -i '/ours now/d' "$root/etc/iolite/iolite.conf"
status 0 setup --remove
tree | diff "$work/before" - >&2 || fail "--remove left something, or took too much"

root=$work/modules
mkdir -p "$root/etc/environment-modules" "$root/etc/iolite" "$root/proc"
echo '{"cluster": "mine"}' >"$root/etc/iolite/site.json"
tree >"$work/before"
status 0 setup --default-on
[ "$(cat "$root/etc/iolite/site.json")" = '{"cluster": "mine"}' ] || fail "the site's own file was written over"
status 0 setup --default-on # twice: files that are ours alone go all the same
grep -qx 'module load iolite' "$root/etc/environment-modules/initrc" || fail "no module by default"
status 0 setup --remove
tree | diff "$work/before" - >&2 || fail "--remove left something where Environment Modules are"

# A cluster whose slurm.conf is a link, without a last end of line, for Slurm alone to read, and in parts; and mounts with blanks.
root=$work/linked
mkdir -p "$root"/{etc/slurm,sched,proc,usr/share/lmod}
printf '\tClusterName = opal\nInclude more.conf' >"$root/sched/slurm.conf"
printf 'AccountingStorageType=accounting_storage/slurmdbd\n\tEpilog = /site/epilog\n' >"$root/etc/slurm/more.conf"
ln -s ../../sched/slurm.conf "$root/etc/slurm/slurm.conf"
chmod 640 "$root/sched/slurm.conf"
[ "$(id -u)" != 0 ] || chown 12345:12345 "$root/sched/slurm.conf"
printf 'mgs@tcp:/x /my\\040scratch lustre rw 0 0\n' >"$root/proc/mounts"
owner=$(stat -c '%u %g %a' "$root/sched/slurm.conf")
for round in once again; do
    status 0 setup
    grep -q 'Slurm with accounting' "$work/err" && grep -q 'has a Epilog already' "$work/err" || fail "$round: what is included was not seen: $(cat "$work/err")"
    ! grep -q 'has a TaskProlog already' "$work/err" || fail "$round: our own line is taken for the site's"
    [ -L "$root/etc/slurm/slurm.conf" ] && [ "$(grep -c '^TaskProlog=' "$root/sched/slurm.conf")" = 1 ] || fail "$round: the link was replaced: $(ls -l "$root/etc/slurm")"
    [ "$(stat -c '%u %g %a' "$root/sched/slurm.conf")" = "$owner" ] || fail "$round: slurm.conf is another's: $(ls -l "$root/sched")"
done
grep -q '"cluster": "opal"' "$root/etc/iolite/site.json" && grep -qF '"^/my scratch(/|$)": "my scratch"' "$root/etc/iolite/site.json" || fail "the site file: $(cat "$root/etc/iolite/site.json")"
status 0 "$iolite" config --site "$root/etc/iolite/site.json"
status 0 setup --remove
[ "$(cat "$root/sched/slurm.conf")" = "$(printf '\tClusterName = opal\nInclude more.conf')" ] && [ "$(stat -c '%u %g %a' "$root/sched/slurm.conf")" = "$owner" ] || fail "slurm.conf is not what it was"

# In an image of nodes a link may lead to this machine, whose file is left alone.
echo 'ClusterName=outside' >"$work/outside.conf"
ln -sf "$work/outside.conf" "$root/etc/slurm/slurm.conf"
status 0 setup
[ "$(cat "$work/outside.conf")" = 'ClusterName=outside' ] || fail "a file outside of the image was written"
grep -q 'slurm.conf leads out of' "$work/err" || fail "nothing is said of the link"
status 0 setup --remove

# Where something cannot be written, what was written until then is known, and goes.
root=$work/half
mkdir -p "$root/etc" && echo file >"$root/etc/systemd"
tree >"$work/before"
status 4 setup --default-on
grep -q '/etc/systemd.* cannot be made' "$work/err" || fail "half a set-up: $(cat "$work/err")"
[ -s "$root/etc/iolite/iolite.conf" ] || fail "nothing was written before"
status 0 setup --remove
tree | diff "$work/before" - >&2 || fail "half a set-up is not taken back"
for logs in 'two words' '/a/"b"' '/a/%b'; do status 2 setup --logs "$logs"; done

root=$work/bare
mkdir -p "$root"
status 0 setup --default-on
sh -n "$root/etc/profile.d/iolite.sh" || fail "the line for shells"
(set +u && unset LD_PRELOAD && . "$root/etc/profile.d/iolite.sh" && [ "${LD_PRELOAD%:}" = "$(find "$work/opt" -name libiolite.so)" ]) || fail "it preloads something else"
status 0 setup --remove
[ -z "$(find "$root" -type f)" ] || fail "left: $(find "$root" -type f)"
finish
