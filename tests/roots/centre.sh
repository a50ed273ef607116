#!/usr/bin/env bash
# A centre from its packages, end to end, in a root of a release: Slurm with accounting, everything set up as the site guide has it, ten users'
# jobs of all kinds, index, coverage, series, messages, portal and bundles; then an upgrade and a removal while jobs run.
# Usage: tests/roots/centre.sh [RELEASE]; centre.bash is what happens inside.
# shellcheck source=tests/roots/packages.bash
. "$(dirname "$0")/packages.bash"
release=${1:-$(root_here)}
debs=$(packages_of "$release") || exit $?
newer=$(packages_of "$release" newer) || exit $?
base=$(root_of "$release" centre slurm-wlm slurmdbd munge mariadb-server lmod python3-mpi4py openmpi-bin sqlite3 curl man-db bash-completion groff-base \
    systemd procps prometheus prometheus-node-exporter faketime) || exit $?
root_copy "$base" "$work/root"
mkdir -p "$work/root/test/seeds" "$work/root/test/debs" "$work/root/test/newer"
cp "$tree/tests/e2e/checks.bash" "$tree/tests/slurm/cluster.bash" "$tree/tests/roots/centre.bash" "$tree/docs/services.md" "$tree/docs/site-guide.md" "$work/root/test/"
cp "$demo" "$work/root/test/seeds/"
cp "$debs"/*.deb "$work/root/test/debs/"
cp "$newer"/*.deb "$work/root/test/newer/"
root_run "$work/root" -- env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root IOLITE_BIN=/usr/bin IOLITE_SEEDS=/test/seeds \
    DEBIAN_FRONTEND=noninteractive timeout 1500 bash /test/centre.bash
got=$?
[ $got = 0 ] || fail "inside of the root: status $got"
finish
