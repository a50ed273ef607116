#!/usr/bin/env bash
# Programs that are built with a sanitizer, by every compiler that is here: preloaded or through `run`, they start, say
# what they say without Iolite, find what they find without it, and are recorded.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
library=$(realpath "${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}")
[ -e "$library" ] || exit 77
unset "${!IOLITE_@}" "${!DARSHAN_@}" LD_PRELOAD ASAN_OPTIONS TSAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS
export HOME=$work/home IOLITE_MMAP_DIR=$work/records
mkdir "$HOME" "$IOLITE_MMAP_DIR"

# Without an argument it is correct; with one it has one of the faults that sanitizers find.
cat >"$work/program.c" <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int shared;
static void *volatile lost;
static volatile int one = 1, huge = 2147483647;

static void *work(void *argument) {
    char *bytes = malloc(100);
    memset(bytes, 'x', 100);
    int fd = open(argument, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (write(fd, bytes, 100) != 100) abort();
    close(fd);
    free(bytes);
    return NULL;
}

static void *race(void *argument) {
    for (int i = 0; i < 100000; i++) shared++;
    return argument;
}

int main(int argc, char **argv) {
    const char *fault = argc > 1 ? argv[1] : "";
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, "thread.dat");
    pthread_create(&threads[1], NULL, work, "other.dat");
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    FILE *stream = fopen("stream.txt", "w");
    fprintf(stream, "%d\n", one);
    fclose(stream);
    puts("works");
    fflush(stdout);
    if (strcmp(fault, "overflow") == 0) ((char *volatile)malloc(10))[10 * one] = 1;
    if (strcmp(fault, "sum") == 0) one = huge + one;
    if (strcmp(fault, "leak") == 0) lost = malloc(77), lost = NULL;
    if (strcmp(fault, "race") != 0) return 0;
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, race, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
END

# run PRELOAD COMMAND...: what it says, without what differs from run to run: numbers, and how often one race is found.
run() {
    local preload=$1
    shift
    emptied "$work/here"
    (
        cd "$work/here" || exit
        LD_PRELOAD=$preload timeout -k 1 60 "$@" 2>"$work/err"
        echo "status $?"
        grep -E 'SUMMARY|runtime error|does not come first' "$work/err" | sed "s,$work/,,; s/ (.*)//" | uniq
        grep -c . "$work/err" | sed 's/^[1-9].*/it says something/'
        sha256sum -- *.dat *.txt
    ) >"$work/result" 2>&1
}

# compare LABEL: as without Iolite.
compare() { cmp -s "$work/plain" "$work/result" || fail "$1: $(diff "$work/plain" "$work/result" | head -n 5)"; }

recorded() {
    "$iolite" dump --csv -f '*/thread.dat' -c POSIX_BYTES_WRITTEN "$work"/logs/* 2>/dev/null | grep -q 'POSIX_BYTES_WRITTEN,100,' ||
        fail "$1: it is not recorded"
    rm -rf "$work/logs"
}

# all_ways LABEL PROGRAM FAULT
all_ways() {
    run "" "$2" ${3:+"$3"}
    mv "$work/result" "$work/plain"
    run "" "$iolite" run -q --log-dir "$work/logs" -- "$2" ${3:+"$3"}
    compare "$1${3:+, $3}, run"
    [ -n "$3" ] || recorded "$1, run"
    IOLITE_LOG_DIR=$work/logs run "$library" "$2" ${3:+"$3"}
    compare "$1${3:+, $3}, preloaded"
    [ -n "$3" ] || recorded "$1, preloaded"
    rm -rf "$work/logs" "${IOLITE_MMAP_DIR:?}"/*
}

tried=0
# sanitized FAULT COMPILER OPTIONS...: left out where such a program cannot be made, or does not work by itself.
sanitized() {
    local fault=$1
    shift
    "$@" -g -pthread -o "$work/program" "$work/program.c" 2>/dev/null || return
    (cd "$work" && timeout 60 ./program >/dev/null 2>&1) || return
    tried=$((tried + 1))
    all_ways "$*" "$work/program" ""
    all_ways "$*" "$work/program" "$fault"
}

for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    sanitized overflow $compiler -fsanitize=address
    sanitized leak $compiler -fsanitize=address
    sanitized leak $compiler -fsanitize=leak
    sanitized race $compiler -fsanitize=thread
    sanitized sum $compiler -fsanitize=undefined
    sanitized sum $compiler -fsanitize=address,undefined
done
if command -v clang >/dev/null; then
    beside=$(dirname "$(clang -print-file-name=libclang_rt.asan-x86_64.so)")
    sanitized overflow clang -fsanitize=address -shared-libasan "-Wl,-rpath,$beside"
    sanitized sum clang -fsanitize=memory
fi
[ "$tried" -gt 0 ] || {
    echo "skipped: no compiler here can make such programs" >&2
    exit 77
}
finish
