#!/usr/bin/env bash
# An installation: everything in its place, no path of the build in it, and programs linked from there as build scripts
# do, by pkg-config, by darshan-config and by iolite itself, also after the whole tree was moved.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
programs=$(cd "$(dirname "$0")/../static" && pwd)
build=$(cd "$IOLITE_BIN/.." && pwd)
unset "${!IOLITE_@}" "${!DARSHAN_@}"
export HOME=$work/home IOLITE_MMAP_DIR=$work/records
mkdir "$HOME" "$IOLITE_MMAP_DIR"
command -v cmake >/dev/null && [ -f "$build/cmake_install.cmake" ] || exit 77
DESTDIR='' cmake --install "$build" --prefix "$work/first" >"$work/out" 2>&1 || {
    tail -n 3 "$work/out" >&2
    fail "it cannot be installed"
    finish
}
mv "$work/first" "$work/prefix"
prefix=$work/prefix
iolite=$prefix/bin/iolite
libraries=$(dirname "$(find "$prefix" -name libiolite.so)")

# systemd knows no paths relative to a unit; `iolite site-setup` writes those of a tree that was moved.
found=$(grep -rIl -e "$build" -e "$work/first" "$prefix" | grep -v -e '/iolite-log\.pc$' -e '/systemd/system/iolite-[^/]*\.service$')
[ -z "$found" ] || fail "paths of the build in $found"
for name in bin/darshan-config bin/darshan-parser share/iolite/modules/iolite.lua share/iolite/modules/iolite \
    include/iolite/log.h share/man/man1/iolite.1 share/iolite/iolite-epilog share/iolite/iolite-task-prolog \
    share/mpi-profile/darshan-{cc,cxx,f}{,-static}.conf share/craype-2.x/modulefiles/darshan; do
    [ -e "$prefix/$name" ] || fail "$name is not installed"
done

# Root must not run a script that walks a tree in which users choose the names.
[ ! -e "$prefix/share/iolite/iolite-archive" ] || fail "iolite-archive is installed"

# recorded FILE COMMAND...: a log is written, and knows of the file.
recorded() {
    local file=$1
    shift
    rm -rf "$work/logs"
    (cd "$work" && IOLITE_LOG_DIR=$work/logs "$@" >/dev/null 2>"$work/err") || fail "$*: $(cat "$work/err")"
    [ "$(find "$work/logs" -name '*.darshan' 2>/dev/null | wc -l)" -ge 1 ] || fail "no log of $*"
    for log in "$work"/logs/*.darshan; do "$iolite" dump --csv "$log"; done | grep -q "/$file," || fail "$file: not in it"
}

# The shared library, preloaded by either name, and linked.
cc=${CC:-cc}
$cc -O2 "$programs/files.c" -pthread -o "$work/program" || exit 77
for name in libiolite.so libdarshan.so libdarshan.so.0; do
    recorded renamed env LD_PRELOAD="$libraries/$name" "$work/program"
done
# shellcheck disable=SC2046  # they are words
$cc -O2 "$programs/files.c" -pthread $("$iolite" link-flags) -o "$work/linked" && recorded lines "$work/linked"
# shellcheck disable=SC2046
$cc -O2 "$programs/files.c" -pthread $("$prefix/bin/darshan-config" --dyn-ld-flags) -o "$work/linked" &&
    recorded lines "$work/linked"
$cc -O2 "$programs/files.c" -pthread -L"$libraries" -Wl,-rpath,"$libraries" -Wl,--no-as-needed -ldarshan \
    -o "$work/linked" && recorded lines "$work/linked"

# darshan-config as scripts know it.
config=$prefix/bin/darshan-config
status 0 "$config" --posix-mod
has yes
status 0 "$config" --name-mem
has 0
status 0 "$config" --libdir
has "$libraries"
status 0 "$config" --all
has "dyn-ld-flags: -L$libraries"
status 0 "$config" --version
has 3.5.0
status 1 "$config" --no-such-option
grep -q "no option '--no-such-option'" "$work/err" || fail "no message"
grep -q '^usage: darshan-config' "$work/err" || fail "no usage"
status 1 "$config"
status 1 "$config" operand
IOLITE_LOG_PATH=/site/logs status 0 "$config" --log-path
has /site/logs
status 0 "$iolite" link-flags --json --cflags
valid_json "link-flags"
status 2 "$iolite" link-flags --post
status 2 "$iolite" link-flags operand

# The module file names what is there.
if command -v tclsh >/dev/null; then
    cat >"$work/module.tcl" <<'END'
foreach name {module-whatis conflict} { proc $name {args} {} }
proc module-info {what which} { return [expr {$::argc > 1 && $which eq [lindex $::argv 1]}] }
proc prepend-path {name value} { puts "$name $value" }
proc setenv {name value} { if {$name ne "IOLITE_WITHOUT_JOB"} { puts "$name $value.conf" } }
set ModulesCurrentModulefile [lindex $argv 0]
source $ModulesCurrentModulefile
END
    status 0 tclsh "$work/module.tcl" "$prefix/share/iolite/modules/iolite"
    has "LD_PRELOAD $libraries/libiolite.so"
    while read -r _ path; do [ -e "$path" ] || fail "the module file names $path"; done <"$work/out"
    # Where the library is not to be seen, nothing is preloaded; and unloading works all the same.
    mv "$libraries/libiolite.so" "$libraries/elsewhere.so"
    status 0 tclsh "$work/module.tcl" "$prefix/share/iolite/modules/iolite"
    lacks LD_PRELOAD
    status 0 tclsh "$work/module.tcl" "$prefix/share/iolite/modules/iolite" remove
    has "LD_PRELOAD $libraries/libiolite.so"
    mv "$libraries/elsewhere.so" "$libraries/libiolite.so"
    status 0 tclsh "$work/module.tcl" "$prefix/share/iolite/modules/iolite-link"
    has "MPICC_PROFILE $prefix/share/mpi-profile/darshan-cc.conf"
    while read -r _ path; do [ -e "$path" ] || fail "the module file names $path"; done <"$work/out"
    status 0 tclsh "$work/module.tcl" "$prefix/share/craype-2.x/modulefiles/darshan"
    has "PE_PKGCONFIG_LIBS darshan-runtime"
    while read -r name path; do
        [ "$name" = PE_PKGCONFIG_LIBS ] || [ -e "$path" ] || fail "the module file names $path"
    done <"$work/out"
fi

# MPICH's compiler wrappers with a profile: an ordinary program of theirs is recorded without being asked.
if command -v mpicc.mpich mpirun.mpich >/dev/null && [ -e "$libraries/libiolite-mpi-mpich.so" ]; then
    status 0 "$config" --mpiio-mod
    has yes
    worker=$programs/../kill/mpi_worker.c
    mkdir "$work/mpi"
    for how in -profile="$prefix/share/mpi-profile/darshan-cc" environment; do
        if [ "$how" = environment ]; then
            MPICC_PROFILE=$prefix/share/mpi-profile/darshan-cc mpicc.mpich "$worker" -o "$work/profiled"
        else
            mpicc.mpich "$how" "$worker" -o "$work/profiled"
        fi || fail "it cannot be linked: $how"
        rm -rf "$work/logs"
        IOLITE_LOG_DIR=$work/logs mpirun.mpich -n 2 "$work/profiled" "$work/mpi" 10 || fail "$how: does not run"
        log=$(echo "$work"/logs/*_profiled_*.darshan)
        "${iolite%/*}/darshan-parser" "$log" | grep -q '^# nprocs: 2' || fail "$how: logs: $(ls "$work/logs")"
    done
fi

# Static programs, where there is the library for them.
if [ -f "$libraries/libiolite.a" ]; then
    # shellcheck disable=SC2046
    $cc -O2 -static $("$config" --pre-ld-flags) "$programs/files.c" -pthread $("$config" --post-ld-flags) \
        -o "$work/static" && recorded copied "$work/static"
    # shellcheck disable=SC2046
    $cc -O2 -static "$programs/files.c" -pthread $("$iolite" link-flags --static --cflags) -o "$work/static" &&
        recorded copied "$work/static"
    [ -s "$prefix/share/ld-opts/darshan-ld-opts" ] || fail "no darshan-ld-opts"
    if command -v pkg-config >/dev/null; then
        export PKG_CONFIG_PATH=$libraries/pkgconfig
        for name in iolite darshan-runtime; do
            # shellcheck disable=SC2046
            $cc -O2 "$programs/files.c" -pthread $(pkg-config --cflags --libs $name) -o "$work/linked" &&
                recorded lines "$work/linked"
            # shellcheck disable=SC2046
            $cc -O2 -static "$programs/files.c" -pthread $(pkg-config --static --libs $name) -o "$work/static" &&
                recorded copied "$work/static"
        done
    fi
    rm "$libraries/libiolite.a"
fi
status 4 "$iolite" link-flags --static
status 1 "$config" --pre-ld-flags

finish
