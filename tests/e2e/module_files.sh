#!/usr/bin/env bash
# The module files under real Lmod and Environment Modules, in login shells and in batch shells: linked into a site's tree under
# a version number, two versions side by side, unloading, and a conflict with Darshan. What they name is there, has no `..` in
# it, and no program complains.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
em=${IOLITE_ENVIRONMENT_MODULES:-/usr/share/modules/init/bash}
need_library
share=$(realpath "${iolite%/*}/../share/iolite/modules")
[ -e "$share/iolite.lua" ] || skip "the module files are not built"
work=$(cd "$work" && pwd -P)
prefix=$(realpath "$share/../../..")
preload=$prefix/lib/libiolite.so
# A second version, elsewhere.
mkdir -p "$work/other/share/iolite/modules" "$work/other/lib" "$work/modules/iolite" "$work/modules/darshan"
cp "$share"/iolite{,.lua} "$work/other/share/iolite/modules/"
cp "$library" "$work/other/lib/"
second=$work/other/lib/libiolite.so
cp -r "$work/other" "$work/with a blank"

# in_shell KIND SCRIPT: with the site's modules. Output goes to $work/out, messages to $work/err.
in_shell() {
    local how=(--noprofile --norc)
    [ "$1" = batch ] || how+=(--login)
    env -i HOME="$work" PATH="$PATH" LC_ALL=C MODULEPATH="$work/modules" bash "${how[@]}" -c "
        . $init >/dev/null 2>&1
        export MODULEPATH=$work/modules
        $2" >"$work/out" 2>"$work/err"
}
# said WHAT EXPECTED: the output is that, and there are no messages.
said() {
    [ "$(cat "$work/out")" = "$2" ] || fail "$system, $shell shell, $1: '$(cat "$work/out")', not '$2'; $(head -n 3 "$work/err")"
    [ ! -s "$work/err" ] || fail "$system, $shell shell, $1: $(head -n 3 "$work/err")"
}
# shellcheck disable=SC2016 # the shell of the test expands it
show='echo "${LD_PRELOAD-none}"'
check_all() {
    for shell in login batch; do
        in_shell $shell "module load iolite/1.0; $show"
        said "a linked file" "$preload"
        in_shell $shell "module load iolite/1.0; /bin/true; command -v iolite; module unload iolite; $show"
        said "programs, and unloading" "$prefix/bin/iolite
none"
        in_shell $shell "module load iolite/1.0; module unload iolite/1.0; module load iolite/2.0; $show"
        said "the second version" "$second"
        in_shell $shell "module load iolite/3.0; $show; /bin/true; module unload iolite; $show"
        [ "$(cat "$work/out")" = "none
none" ] || fail "$system, $shell shell, a prefix with a blank: $(cat "$work/out")"
        grep -q 'takes no path with a blank' "$work/err" || fail "$system, $shell shell, a prefix with a blank: $(head -n 3 "$work/err")"
        ! grep -q 'ld.so' "$work/err" || fail "$system, $shell shell: the loader complains: $(head -n 3 "$work/err")"
        in_shell $shell "export LD_PRELOAD=/lib/other.so; module load iolite/1.0 2>/dev/null; $show" 2>/dev/null
        [ "$(cat "$work/out")" = "$preload:/lib/other.so" ] || fail "$system, beside another preload: $(cat "$work/out")"
        in_shell $shell "module load darshan/3; module load iolite/1.0; $show"
        [ "$(cat "$work/out")" = none ] || fail "$system, $shell shell: loaded beside darshan: $(cat "$work/out")"
    done
}

tested=
for init in /usr/share/lmod/*/init/bash; do
    if [ ! -e "$init" ] || [ -n "$tested" ]; then continue; fi
    system=Lmod tested=yes
    ln -s "$share/iolite.lua" "$work/modules/iolite/1.0.lua"
    ln -s "$work/other/share/iolite/modules/iolite.lua" "$work/modules/iolite/2.0.lua"
    ln -s "$work/with a blank/share/iolite/modules/iolite.lua" "$work/modules/iolite/3.0.lua"
    echo 'whatis("darshan")' >"$work/modules/darshan/3.lua"
    check_all
    # Lmod changes versions by itself.
    shell=login
    in_shell login "module load iolite/1.0; module -q load iolite/2.0 2>/dev/null; $show"
    said "from one version to the other" "$second"
    rm -f "$work"/modules/*/*
done
init=$em
if [ -e "$init" ]; then
    system="Environment Modules" tested=yes
    ln -s "$share/iolite" "$work/modules/iolite/1.0"
    ln -s "$work/other/share/iolite/modules/iolite" "$work/modules/iolite/2.0"
    ln -s "$work/with a blank/share/iolite/modules/iolite" "$work/modules/iolite/3.0"
    printf '#%%Module1.0\nmodule-whatis darshan\n' >"$work/modules/darshan/3"
    check_all
fi
[ -n "$tested" ] || skip "neither Lmod nor Environment Modules is here"
finish
