#!/usr/bin/env bash
# What reads logs can be built without what records them, and with another C library: by musl's compiler, into a program that prints
# the same about every log as the one that was built here. A 32-bit compiler is refused with a sentence.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
source_tree=$(cd "$(dirname "$0")/../.." && pwd)
unset CFLAGS LDFLAGS DESTDIR
status 1 env CFLAGS=-m32 cmake -S "$source_tree" -B "$work/32" -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY
grep -q 'Iolite needs a 64-bit system' "$work/err" || fail "32 bits: $(grep -A 3 Error "$work/err")"
status 1 cmake -S "$source_tree" -B "$work/both" -DIOLITE_RUNTIME=OFF -DIOLITE_TESTS=ON
grep -q 'say -DIOLITE_TESTS=OFF' "$work/err" || fail "tests without a runtime: $(head -n 3 "$work/err")"

has_commands musl-gcc ninja || skip "no musl-gcc, or no ninja"
archive=$(cc -print-file-name=libz.a)
[ -e "$archive" ] && [ -e /usr/include/zlib.h ] || skip "no static zlib"
# Debian has no zlib for musl. That of glibc will do, with the two functions of glibc that it calls.
mkdir -p "$work/sysroot/include" "$work/sysroot/lib"
cp -L /usr/include/zlib.h "$(echo '#include <zconf.h>' | cc -E - | sed -n 's/^# 1 "\(.*zconf\.h\)".*/\1/p' | head -n 1)" "$work/sysroot/include/"
cp -L "$archive" "$work/sysroot/lib/"
cat >"$work/checked.c" <<'END'
#include <stdarg.h>
#include <stdio.h>
int __vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, va_list list) {
    (void)flag, (void)room;
    return vsnprintf(to, n, format, list);
}
int __snprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int done = __vsnprintf_chk(to, n, flag, room, format, list);
    va_end(list);
    return done;
}
END
musl-gcc -O1 -fPIC -c "$work/checked.c" -o "$work/checked.o" && ar r "$work/sysroot/lib/libz.a" "$work/checked.o" 2>/dev/null || give_up "musl-gcc"
status 0 cmake -S "$source_tree" -B "$work/musl" -G Ninja -DCMAKE_C_COMPILER=musl-gcc -DIOLITE_RUNTIME=OFF -DIOLITE_TESTS=OFF \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_FIND_ROOT_PATH="$work/sysroot" -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY \
    -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY
status 0 nice cmake --build "$work/musl" --target iolite-commands
reader=$work/musl/libexec/iolite/iolite
[ -x "$reader" ] || give_up "$(grep -m 5 -e error: -e undefined "$work/out")"

# Logs that are compressed with what is left out are refused; the others are what they are.
compared=0
for log in "$seeds"/*.darshan; do
    for command in show dump diagnose; do
        "$iolite" $command "$log" >"$work/expected" 2>/dev/null
        expected=$?
        "$reader" $command "$log" >"$work/out" 2>"$work/err"
        got=$?
        if grep -q 'this build of Iolite cannot read' "$work/err"; then continue; fi
        compared=$((compared + 1))
        [ $got = $expected ] && cmp -s "$work/expected" "$work/out" ||
            fail "$command ${log##*/}: status $got and $expected: $(diff "$work/expected" "$work/out" | head -n 3)"
    done
done
[ $compared -gt 100 ] || fail "only $compared outputs were compared"
status 3 "$reader" run -- sh -c 'exit 3'
grep -q 'libiolite.so is not there' "$work/err" || fail "run without a library: $(cat "$work/err")"
finish
