#!/usr/bin/env bash
# iolite doctor: whether a program will be recorded, and every reason why not.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
library=${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}"
export HOME=$work/home IOLITE_MMAP_DIR=$work/records
mkdir "$HOME" "$IOLITE_MMAP_DIR" "$work/here"
cd "$work/here" || exit 1
program=$work/program
cp "$(readlink -f "$(type -P true)")" "$program"

# not_seen REASON COMMAND
not_seen() {
    status 1 "$iolite" doctor "$2"
    has "$2 will not be recorded: $1"
}
IOLITE_LIBRARY=$work/missing.so not_seen "$work/missing.so is not there" "$program"
head -c 100000 "$library" >"$work/cut.so"
IOLITE_LIBRARY=$work/cut.so not_seen "$work/cut.so is not complete" "$program"
IOLITE_LIBRARY=$0 not_seen "$(realpath "$0") is no library for this machine" "$program"
PATH=/usr/bin:/bin not_seen "it is not there" no-such-program # in folders that may be searched
not_seen "it cannot be run: Permission denied" "$work/here"
status 2 "$iolite" doctor

# Programs of other kinds are judged by their headers. They are made from the one above and need not run.
change() { # FILE OFFSET BYTES
    printf '%b' "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
if [ "$(head -c 5 "$program" | tail -c 1 | od -An -tu1 | tr -d ' ')" = 2 ]; then
    cp "$program" "$work/small"
    change "$work/small" 4 '\x01'
    not_seen "it is a 32-bit program" "$work/small"
    cp "$program" "$work/foreign"
    change "$work/foreign" 18 '\xf3\xf3'
    not_seen "it is built for another machine" "$work/foreign"
    cp "$program" "$work/cut"
    head -c 70 "$program" >"$work/cut"
    status 1 "$iolite" doctor "$work/cut"
fi
cp "$program" "$work/musl"
loader=$(grep -obUa -m 1 '/ld-linux[a-z0-9_-]*\.so\.[0-9]' "$program" | head -n 1 | cut -d : -f 1)
change "$work/musl" "$loader" '/ld-musl-x.so.1\x00'
not_seen "it uses the musl C library" "$work/musl"
change "$work/musl" "$loader" '/ld-strange.so\x00'
not_seen "it uses a C library that is not glibc" "$work/musl"
# More rights than the user has: root can make such a program, others find one.
privileged=$work/setuid
cp "$program" "$privileged"
if [ "$(id -u)" = 0 ]; then
    chown 65534 "$privileged"
    chmod u+s "$privileged"
else
    privileged=$(type -P passwd || type -P su || true)
fi
[ ! -u "$privileged" ] || not_seen "it runs with more rights than its user" "$privileged"
echo 'int main(void) { return 0; }' >"$work/static.c"
if ${CC:-cc} -static -o "$work/static" "$work/static.c" 2>/dev/null; then
    not_seen "it is statically linked" "$work/static"
    has "programs that it starts are recorded"
fi

# A Go program is known by its note. One is made of an ordinary program: its note about the ABI becomes that of Go.
if command -v readelf >/dev/null; then
    cp "$program" "$work/go"
    notes=$(readelf -lW "$work/go" | awk '$1 == "NOTE" { print $2, $5 }')
    while read -r offset size; do
        for ((at = offset; at + 12 < offset + size; at += 4)); do
            [ "$(od -An -tx1 -j "$at" -N 4 "$work/go" | tr -d ' ')" = 474e5500 ] || continue # GNU
            change "$work/go" $((at - 4)) '\x04\x00\x00\x00Go\x00\x00'
        done
    done <<<"$notes"
    not_seen "it is a Go program" "$work/go"
    status 1 "$iolite" doctor --json "$work/go"
    has '"go": true'
fi

# A program with an instruction of its own that enters io_uring is recorded, but not what goes that way.
cat >"$work/ring.c" <<'END'
int main(int argc, char **argv) {
    long result = argc > 100;
    (void)argv;
#if defined(__x86_64__)
    if (result) __asm__ volatile("mov $426, %%eax\n syscall" : "=a"(result) : : "rcx", "r11", "memory");
#elif defined(__aarch64__)
    if (result) __asm__ volatile("mov x8, #426\n svc #0" : : : "x0", "x8", "memory");
#endif
    return (int)result;
}
END
case $(uname -m) in
x86_64 | aarch64)
    if ${CC:-cc} -o "$work/ring" "$work/ring.c" 2>/dev/null; then
        status 0 "$iolite" doctor "$work/ring"
        has "it enters io_uring by itself"
        status 0 "$iolite" doctor "$program"
        lacks "io_uring"
        lacks "enter the kernel without libc"
    fi
    # Any other call of that kind, with a number that only the caller knows, is reported as well.
    sed 's/mov .426, %%eax.n //; s/mov x8, #426.n //' "$work/ring.c" >"$work/raw.c"
    if ${CC:-cc} -O2 -o "$work/raw" "$work/raw.c" 2>/dev/null; then
        status 0 "$iolite" doctor "$work/raw"
        has "enter the kernel without libc"
        lacks "io_uring"
        status 0 "$iolite" doctor --json "$work/raw"
        has '"own_calls": true'
    fi
    ;;
esac

[ -e "$library" ] || finish
IOLITE_LIBRARY=$(realpath "$library")
export IOLITE_LIBRARY
status 0 "$iolite" doctor -- "$program" --its-own-option
has "$program will be recorded."
has "$IOLITE_LIBRARY"
has "$work/records"
has "$HOME/.local/share/iolite/logs"
[ "$(awk 'length > 80 && !/\// { n++ } END { print n + 0 }' "$work/out")" = 0 ] || fail "lines of more than 80 columns"
status 0 "$iolite" doctor --json sh
valid_json "doctor --json"
has '"recorded": true'

# Scripts: what counts is the program behind them.
printf '#!/usr/bin/env -S sh -e\nexit 0\n' >"$work/script"
printf '#!%s/nothing\n' "$work" >"$work/broken"
printf '#! %s -x\n' "$privileged" >"$work/privileged"
chmod +x "$work/script" "$work/broken" "$work/privileged"
status 0 "$iolite" doctor "$work/script"
has "run by      $(type -P sh)"
not_seen "it is not there" "$work/broken"
[ ! -u "$privileged" ] || not_seen "it runs with more rights" "$work/privileged"

# Settings.
IOLITE_DISABLE=1 not_seen "IOLITE_DISABLE switches Iolite off" "$program"
DARSHAN_DISABLE='' not_seen "DARSHAN_DISABLE switches Iolite off" "$program"
IOLITE=0 not_seen "IOLITE switches Iolite off" "$program"
IOLITE_APP_EXCLUDE='^x,progr.m$' not_seen "APP_EXCLUDE leaves it out" "$program"
IOLITE_APP_EXCLUDE=program IOLITE_APP_INCLUDE=prog status 0 "$iolite" doctor "$program"
IOLITE_APP_EXCLUDE='[' status 0 "$iolite" doctor "$program"
has "is not a regular expression"
IOLITE_MEMORY=x status 0 "$iolite" doctor "$program"
has "IOLITE_MEMORY=x is not a number; 8 is used"

# Places.
DARSHAN_LOGPATH=$work/none status 0 "$iolite" doctor "$program"
has "(DARSHAN_LOGPATH):"
IOLITE_LOG_DIR=$work/a/b status 0 "$iolite" doctor "$program"
has "$work/a/b, named by"
[ ! -e "$work/a" ] || fail "doctor makes directories"
IOLITE_MMAP_DIR=$work/none status 0 "$iolite" doctor "$program"
has "records cannot be kept"
(cd /usr && status 0 "$iolite" doctor "$program" && has "files below /usr/")

# What a bare preload does in a batch job, in a session and in neither.
IOLITE_WITHOUT_JOB=0 status 0 "$iolite" doctor --json "$program"
has "outside of a batch job it is recorded under"
IOLITE_WITHOUT_JOB=0 IOLITE_SESSION_LOG=1 status 0 "$iolite" doctor --json "$program"
has "other programs of its session"
IOLITE_WITHOUT_JOB=0 SLURM_JOB_ID=7 status 0 "$iolite" doctor --json "$program"
has "other programs of its batch job"
IOLITE_JOB_SPOOL=0 SLURM_JOB_ID=7 status 0 "$iolite" doctor --json "$program"
lacks "other programs of its"

# Functions by group, and what killed programs left, where the library is the real one.
if grep -q copy_file_range "$IOLITE_LIBRARY"; then
    status 0 "$iolite" doctor --json cat
    grep -q '"files":\[.*"open' "$work/out" || fail "no functions of cat"
    grep -q '"streams":\[.*"fwrite' "$work/out" || fail "no streams of cat"
    lacks "$IOLITE_MMAP_DIR/iolite-"
    (LD_PRELOAD=$IOLITE_LIBRARY bash -c 'echo x >file; kill -9 $$') >/dev/null 2>&1
    status 0 "$iolite" doctor "$program"
    has "left over   $IOLITE_MMAP_DIR/iolite-"
    left=$(find "$IOLITE_MMAP_DIR" -name '*.mapped')
    status 0 "$iolite" merge -o "$work/recovered" "$left"
    "$iolite" check "$work/recovered" >/dev/null || fail "what doctor says about leftovers does not work"
    # A living program's file is not left over.
    rm -f "$left"
    mkfifo "$work/fifo"
    LD_PRELOAD=$IOLITE_LIBRARY bash -c 'echo x >file; echo $$ >pid; read line <"$0"' "$work/fifo" &
    until [ -s pid ]; do sleep 0.05; done
    status 0 "$iolite" doctor "$program"
    lacks "$IOLITE_MMAP_DIR/iolite-"
    echo now >"$work/fifo"
    wait $!
fi

# A home that is not there will not be made.
HOME=$work/nobody "$iolite" doctor -- true >"$work/out" 2>&1
has "there is no place for its log"
finish
