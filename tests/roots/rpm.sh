#!/usr/bin/env bash
# The RPM packages of this tree: built twice to the same bytes, and what is in them, unpacked below a directory, records a program.
# shellcheck source=tests/roots/packages.bash
. "$(dirname "$0")/packages.bash"
has_commands git rpmbuild rpm2cpio || skip "no git, rpmbuild or rpm2cpio"
packages_snapshot "$work/tree" || give_up "no copy of the tree"
for build in once again; do
    "$work/tree/packaging/build-rpm" "$work/$build" >"$work/out" 2>&1 || give_up "built $build: $(tail -n 3 "$work/out")"
done
for package in iolite iolite-runtime iolite-libs iolite-devel iolite-site python3-iolite; do
    compgen -G "$work/once/$package-[0-9]*.rpm" >/dev/null || fail "no package $package"
done
for rpm in "$work/once"/*.rpm; do cmp "$rpm" "$work/again/${rpm##*/}" || fail "${rpm##*/} is another one each time"; done

has_commands cpio || { echo "without a recorded program: no cpio" >&2; finish; }
mkdir "$work/root"
for rpm in "$work/once"/*.rpm; do rpm2cpio "$rpm" | (cd "$work/root" && cpio -idm --quiet) || fail "${rpm##*/} cannot be unpacked"; done
status 0 env HOME="$work" "$work/root/usr/bin/iolite" run -q -o "$work/log.darshan" -- cp "$0" "$work/copy"
status 0 "$work/root/usr/bin/iolite" show "$work/log.darshan"
has "$work/copy"
finish
