# What scripts that build and install packages begin with: checks, roots, the tree, and nothing of the caller's settings in the way. And packages of
# this tree as it stands, committed or not. Sourced by bash scripts of this folder, with their arguments:
#
#     . "$(dirname "$0")/packages.bash"
#     release=${1:-$(root_here)}
#     debs=$(packages_of trixie) || exit $?            # a directory with *.deb and lintian.log; 77 where no root can be had
#     debs=$(packages_of trixie newer) || exit $?      # the same with the next version
#
# They are kept in $IOLITE_ROOTS/packages until the tree changes: a build takes minutes.
# shellcheck shell=bash
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tests/e2e/checks.bash
. "$tree/tests/e2e/checks.bash"
# shellcheck source=tests/roots/roots.bash
. "$tree/tests/roots/roots.bash"
unset "${!DARSHAN_@}" CFLAGS LD_PRELOAD

packages_git() { git -c safe.directory='*' -C "$tree" "$@"; }

# snapshot DIRECTORY [newer]: the tree as a repository of its own with one commit, the same for the same files.
packages_snapshot() {
    mkdir -p "$1" && packages_git ls-files -z | (cd "$tree" && tar --null -T - -c) | tar -x -C "$1" || return
    if [ "${2:-}" = newer ]; then
        local patch version
        patch=$(sed -n 's/^#define IOL_VERSION_PATCH *//p' "$1/include/iolite/version.h")
        sed -i "s/^\(#define IOL_VERSION_PATCH *\).*/\1$((patch + 1))/" "$1/include/iolite/version.h"
        version=$(sed -n 's/^#define IOL_VERSION_\(MAJOR\|MINOR\|PATCH\) *\([0-9]*\)$/\2/p' "$1/include/iolite/version.h" | paste -s -d .)
        sed -i "0,/^## /s//## $version\n\n- A newer version.\n\n## /" "$1/CHANGELOG.md"
    fi
    (cd "$1" && git init -q && git add -A &&
        GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' git -c user.name=t -c user.email=t@example.org commit -q -m snapshot)
}

packages_of() { # release [newer]
    local kept=$IOLITE_ROOTS/packages/$1${2:+-$2} place status=0
    roots_usable || return
    command -v git >/dev/null || { roots_skip "no git"; return; }
    mkdir -p "$kept"
    place=$(mktemp -d "${TMPDIR:-/tmp}/iolite-snapshot-XXXXXX") || return
    (
        flock 9 || exit
        packages_snapshot "$place/tree" "${2:-}" || exit
        if [ -e "$kept/of" ] && [ "$(cat "$kept/of")" = "$(git -C "$place/tree" rev-parse 'HEAD^{tree}')" ]; then exit 0; fi
        rm -f "$kept"/*
        "$place/tree/packaging/build-deb" "$1" "$kept" >&2 || exit
        rm -f "$kept"/*dbgsym*
        git -C "$place/tree" rev-parse 'HEAD^{tree}' >"$kept/of"
    ) 9>"$kept.lock" || status=$?
    rm -rf "$place"
    [ $status = 0 ] || return $status
    echo "$kept"
}
