#!/usr/bin/env bash
# On nodes and in containers where libiolite.so is not to be seen, the loader prints a line at the start of every program that
# is to be given it. Slurm's prologue of tasks and the module files see to it that nobody is.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
need_library
prolog=$PWD/packaging/slurm/iolite-task-prolog
export IOLITE_MMAP_DIR=$work
missing=$work/opt/lib/libiolite.so

# What programs do is the same; what the loader says is what this is about.
LD_PRELOAD=$missing status 0 cat "$0"
cmp -s "$work/out" "$0" || fail "cat printed something else"
grep -q 'cannot be preloaded' "$work/err" || fail "the loader said nothing: $(cat "$work/err")"

# Preloads, and what the prologue has Slurm do about them
while IFS='|' read -r preload command; do
    SLURM_JOB_ID=7 SLURM_PROCID=3 LD_PRELOAD=$preload "$prolog" >"$work/out" 2>/dev/null || fail "the prologue failed"
    [ "$(cat "$work/out")" = "$command" ] || fail "'$preload': '$(cat "$work/out")' instead of '$command'"
done <<TABLE
$missing|unset LD_PRELOAD
$missing:$library|export LD_PRELOAD=$library
/lib/other.so $work/libdarshan.so.0|export LD_PRELOAD=/lib/other.so
$library|
/lib/other.so|
|
TABLE
SLURM_JOB_ID=7 SLURM_PROCID=0 LD_PRELOAD=$missing "$prolog" >/dev/null 2>&1
grep -qx absent "$work/iolite-entry.$(id -u).7" || fail "the note does not say that the library was absent"

# The package is removed while a job runs: there will be no epilogue, so its programs write their own logs.
# job_of REMOVED: how many logs there are when a program of a job has ended, whose library went or stayed meanwhile.
mkdir -p "$work/removed" "$work/job" "$work/home"
mkfifo "$work/go"
job_of() {
    local program
    cp "$library" "$work/removed/libiolite.so"
    rm -rf "$work/home/.local"
    HOME=$work/home SLURM_JOB_ID=8$1 IOLITE_MMAP_DIR=$work/job LD_PRELOAD=$work/removed/libiolite.so \
        bash -c 'echo one >"$1/file"; read -r word <"$1/go"; echo "$word" >>"$1/file"' - "$work" &
    program=$!
    until_true test -s "$work/file"
    [ "$1" = 0 ] || rm "$work/removed/libiolite.so"
    echo two >"$work/go"
    wait $program || fail "the program ends with $?"
    [ "$(tr '\n' ' ' <"$work/file")" = "one two " ] || fail "the file: $(cat "$work/file")"
    rm "$work/file"
    find "$work/home/.local" -name '*.darshan' 2>/dev/null | wc -l
}
[ "$(job_of 0)" = 0 ] || fail "a log beside the job's"
[ "$(job_of 1)" = 1 ] || fail "no log of a program whose library was removed"
status 0 "$iolite" dump --csv "$(find "$work/home/.local" -name '*.darshan')"
has "$work/file"

# Lmod's functions, as far as the module file needs them
if command -v lua >/dev/null; then
    mkdir -p "$work/share/iolite/modules" "$work/lib"
    sed -e 's/@CMAKE_INSTALL_LIBDIR@/lib/; s/@CMAKE_INSTALL_[A-Z]*@/other/; s:@iolite_module_prefix@:../../..:' packaging/modules/iolite.lua.in \
        >"$work/share/iolite/modules/iolite.lua"
    cat >"$work/lmod.lua" <<'END'
local file, current = arg[1], arg[2]
function help() end
whatis = help
setenv = help
conflict = help
function myFileName() return file end
function mode() return current end
function pathJoin(a, b) return a .. "/" .. b end
function isFile(name) local f = io.open(name); return f and f:close() end
function prepend_path(name, value) print(name .. " " .. value) end
dofile(file)
END
    status 0 lua "$work/lmod.lua" "$work/share/iolite/modules/iolite.lua" load
    has PATH
    lacks LD_PRELOAD
    status 0 lua "$work/lmod.lua" "$work/share/iolite/modules/iolite.lua" unload
    has LD_PRELOAD
    : >"$work/lib/libiolite.so"
    status 0 lua "$work/lmod.lua" "$work/share/iolite/modules/iolite.lua" load
    has LD_PRELOAD
fi
finish
