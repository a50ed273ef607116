#!/usr/bin/env bash
# Installing: in parts, over a version that is in use, into directories that were given whole, for CMake projects of others;
# and removing again what was installed and nothing else.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
build=$(cd "$IOLITE_BIN/.." && pwd)
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!CMAKE_@}" DESTDIR
command -v cmake >/dev/null && [ -f "$build/cmake_install.cmake" ] || exit 77
! grep -aq __asan_init "$iolite" || skip "a program of others cannot link a library with a sanitizer in it"

# The list of what was installed is kept here, as tests install from one build at the same time.
sed "s:\"$build/\${CMAKE_INSTALL_MANIFEST}\":\"$work/\${CMAKE_INSTALL_MANIFEST}\":; s:\"$build/install_local:\"$work/install_local:" "$build/cmake_install.cmake" >"$work/install.cmake"
put() { # prefix [component]
    cmake -DCMAKE_INSTALL_PREFIX="$1" ${2:+-DCMAKE_INSTALL_COMPONENT="$2"} -P "$work/install.cmake" >"$work/out" 2>&1 ||
        { tail -n 3 "$work/out"; give_up "it cannot be installed"; }
}

# Components: each has its own, and together they are everything.
files() { (cd "$1" && find . ! -type d | sort); }
put "$work/whole"
files "$work/whole" >"$work/all"
for part in runtime tools libraries development site python; do
    put "$work/$part" $part
    files "$work/$part"
done | sort >"$work/parts"
diff "$work/all" "$work/parts" >&2 || fail "the components are not the whole"
while read -r part file; do
    [ -n "$(find "$work/$part" -path "*/$file")" ] || fail "$file is not in $part"
done <<'TABLE'
runtime libiolite.so
tools bin/iolite
tools libexec/iolite/iolite
libraries libiolite-log.so.0
development include/iolite/log.h
site share/iolite/iolite-epilog
python share/iolite/python/iolite/__init__.py
TABLE
! grep -q iolite-new "$work/all" || fail "something was left beside its place"

# Over a version that runs: its files stay what they are to those who have them, and at no moment is a name without a file.
libraries=$(dirname "$(find "$work/whole" -name libiolite.so)")
cp "$libraries/libiolite.so" "$work/before"
before=$(stat -c %i "$libraries/libiolite.so")
exec 7<"$libraries/libiolite.so"
# What was left by an installation that was interrupted is in nobody's way.
mkdir -p "$libraries/.iolite-new" && echo half >"$libraries/.iolite-new/libiolite.so"
put "$work/whole"
[ "$(stat -c %i "$libraries/libiolite.so")" != "$before" ] || fail "the library was written in place"
cmp - "$work/before" <&7 || fail "who has the library open sees another one"
exec 7<&-
if strace -o /dev/null true 2>/dev/null; then
    strace -f -o "$work/trace" -e trace=open,openat,creat,unlink,unlinkat,rename,renameat,renameat2 \
        cmake -DCMAKE_INSTALL_PREFIX="$work/whole" -P "$work/install.cmake" >/dev/null 2>&1
    for file in "$libraries/libiolite.so" "$work/whole/bin/iolite" "$work/whole/share/iolite/iolite-epilog"; do
        grep -F "\"$file\"" "$work/trace" | grep -q -E 'rename' || fail "$file: no rename: $(grep -cF "$file" "$work/trace")"
        ! grep -F "\"$file\"" "$work/trace" | grep -q -E 'unlink|O_WRONLY|O_RDWR|O_TRUNC' || fail "$file is not replaced at once"
    done
fi

# A prefix that cannot be written: a message, and nothing changed.
if [ "$(id -u)" != 0 ]; then
    mkdir "$work/locked" && chmod 555 "$work/locked"
    status 1 cmake -DCMAKE_INSTALL_PREFIX="$work/locked" -P "$work/install.cmake"
    [ -z "$(ls -A "$work/locked")" ] || fail "something was written into a locked prefix"
fi

# find_package, from a prefix that was moved.
mv "$work/whole" "$work/moved"
mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.18)
project(other C)
find_package(iolite 0.1 REQUIRED COMPONENTS log module iolite)
add_executable(reader main.c)
target_link_libraries(reader iolite::log iolite::module)
add_executable(recorded main.c)
target_link_libraries(recorded iolite::log iolite::iolite)
CMAKE
printf '#include <iolite/iolite.h>\n#include <iolite/log.h>\n#include <stdio.h>\nint main(void) { return puts(iol_status_text(IOL_OK)) < 0; }\n' \
    >"$work/project/main.c"
status 0 cmake -S "$work/project" -B "$work/project/build" -DCMAKE_PREFIX_PATH="$work/moved"
status 0 cmake --build "$work/project/build"
status 0 "$work/project/build/reader"
ldd "$work/project/build/recorded" | grep -q "$work/moved/.*libiolite.so" || fail "recorded is not linked with libiolite.so"

# uninstall takes away what it put there, and only that.
mv "$work/moved" "$work/whole"
echo mine >"$work/whole/share/iolite/mine"
mkdir "$work/manifests" && cp "$work/install_manifest.txt" "$work/manifests/"
status 0 cmake -DBUILD="$work/manifests" -P cmake/uninstall.cmake
[ "$(files "$work/whole")" = ./share/iolite/mine ] || fail "left: $(files "$work/whole" | head -n 5)"
[ ! -e "$work/whole/bin" ] || fail "an empty directory was left"
status 1 cmake -DBUILD="$work/manifests" -P cmake/uninstall.cmake

# Directories that are given whole are taken as they are; and the loader's own need no RUNPATH.
status 0 cmake -S . -B "$work/whole-paths" -DCMAKE_INSTALL_PREFIX=/opt/iolite -DCMAKE_INSTALL_LIBDIR=/usr/lib64 \
    -DCMAKE_INSTALL_INCLUDEDIR=/usr/include -DCMAKE_INSTALL_DATADIR=/usr/share -DCMAKE_INSTALL_BINDIR=/usr/bin
for line in libdir=/usr/lib64 includedir=/usr/include datadir=/usr/share; do
    grep -qx "$line" "$work/whole-paths/lib/pkgconfig/iolite.pc" || fail "iolite.pc has no $line"
done
! grep -q rpath "$work/whole-paths/lib/pkgconfig/iolite.pc" || fail "iolite.pc asks for a RUNPATH"
grep -q '^IOLITE_TESTS:BOOL=OFF$' "$work/whole-paths/CMakeCache.txt" || fail "tests are on though nobody asked"
if command -v tclsh >/dev/null; then
    cat >"$work/module.tcl" <<'TCL'
foreach name {module-whatis conflict setenv} { proc $name {args} {} }
proc module-info {what which} { return 1 }
proc prepend-path {name value} { puts "$name $value" }
set ModulesCurrentModulefile [lindex $argv 0]
source $ModulesCurrentModulefile
TCL
    status 0 tclsh "$work/module.tcl" "$work/whole-paths/share/iolite/modules/iolite"
    has "LD_PRELOAD /usr/lib64/libiolite.so"
    has "PATH /usr/bin"
fi
grep -q 'at(prefix, "/usr/lib64/libiolite.so")' "$work/whole-paths/share/iolite/modules/iolite.lua" || fail "the Lua module names another library"

# Link-time optimisation, with which distributions build everything, stays out of it; and generators that would make a place
# for each configuration are refused.
status 0 cmake -S . -B "$work/lto" -DCMAKE_C_FLAGS='-O2 -flto=auto' -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON -DCMAKE_UNITY_BUILD=ON
python3 - "$work/lto/compile_commands.json" <<'PYTHON' || fail "something is compiled with -flto, or put together"
import json, shlex, sys
for entry in json.load(open(sys.argv[1])):
    words = [word for word in shlex.split(entry["command"]) if "-flto" in word or word == "-fno-lto"]
    assert words[-1] == "-fno-lto" or entry["file"].endswith(".S"), entry
    assert "/Unity/" not in entry["file"], entry
PYTHON
if command -v ninja >/dev/null; then
    status 1 cmake -S . -B "$work/several" -G 'Ninja Multi-Config'
    grep -q 'Iolite needs a generator for one configuration' "$work/err" || fail "several configurations: $(head -n 3 "$work/err")"
fi
finish
