#!/usr/bin/env bash
# Programs that our library cannot be in, started inside of a recorded tree: they run as without Iolite.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
own_home
cd "$work" || exit 99

cat >hello.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    const char *preload = getenv("LD_PRELOAD");
    FILE *file = fopen("hello.dat", "w");
    if (!file || fputs("hello\n", file) < 0 || fclose(file) != 0) return 1;
    printf("hello %d %s%s\n", argc, argc > 1 ? argv[1] : "", preload ? preload : "");
    return 7;
}
C
# Needs no libraries of the other class.
cat >bare.c <<'C'
__asm__(".globl _start\n_start: mov %esp, %eax\n and $-16, %esp\n sub $12, %esp\n push %eax\n call begin\n");
static int call(int number, int a, int b, int c) {
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "0"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}
static int begins(const char *text, const char *start) {
    while (*start && *text == *start) text++, start++;
    return !*start;
}
__attribute__((used)) static void begin(int *stack) {
    for (char **at = (char **)(stack + 2 + *stack); *at; at++) {
        int length = 0;
        while ((*at)[length]) length++;
        if (begins(*at, "LD_PRELOAD=")) call(4, 1, (int)*at, length);
    }
    call(4, 1, (int)"bare\n", 5);
    call(1, 7, 0, 0);
}
C
kinds=()
musl-gcc -o hello_musl hello.c 2>/dev/null && ./hello_musl >/dev/null; [ $? = 7 ] && kinds+=(hello_musl)
gcc -m32 -o hello_32 hello.c 2>/dev/null && ./hello_32 >/dev/null; [ $? = 7 ] && kinds+=(hello_32)
gcc -m32 -O1 -nostdlib -static -fno-pic -fno-stack-protector -o bare_32 bare.c 2>/dev/null && ./bare_32 >/dev/null
[ $? = 7 ] && kinds+=(bare_32)
[ ${#kinds[@]} -gt 0 ] || { echo "neither musl-gcc nor gcc -m32 makes programs that run here"; exit 77; }

# same WHAT COMMAND...: output, messages and status are those of a plain run, and there is a log.
same() {
    local what=$1 plain recorded
    shift
    "$@" >plain.out 2>plain.err </dev/null
    plain=$?
    rm -rf logs
    "$iolite" run -q --log-dir logs -- "$@" >recorded.out 2>recorded.err </dev/null
    recorded=$?
    [ $plain != 1 ] || fail "$what: $(head -n 2 plain.err)"
    [ $plain = $recorded ] || fail "$what: status $recorded, plain $plain: $(head -n 2 recorded.err)"
    cmp -s plain.out recorded.out || fail "$what: output $(head -n 2 recorded.out)"
    cmp -s plain.err recorded.err || fail "$what: messages $(head -n 2 recorded.err)"
    [ "$(find logs -type f 2>/dev/null | wc -l)" = 1 ] || fail "$what: not one log"
}

for kind in "${kinds[@]}"; do
    mkdir -p bin
    cp "$kind" bin/
    printf '#!%s script\n' "$work/$kind" >"script_$kind"
    chmod 755 "script_$kind"
    same "$kind from a shell" sh -c "./$kind one; echo \$?"
    same "$kind by exec" sh -c "exec ./$kind two"
    same "$kind by PATH" env "PATH=$work/bin:$PATH" sh -c "$kind three; env $kind four; echo \$?"
    same "$kind by xargs" sh -c "echo five | xargs ./$kind; echo \$?"
    same "$kind behind a script" sh -c "./script_$kind six; echo \$?"
    same "$kind in a substitution" bash -c "echo \$(./$kind seven) \$?"
    same "$kind with libraries of its own" sh -c "cat $kind >other; LD_PRELOAD=\$LD_PRELOAD:/no/such/library ./$kind 2>&1 |
        sed 's/.*no.such.library.*/a complaint/'"
    if command -v python3 >/dev/null; then
        same "$kind from python" env "PATH=$work/bin:$PATH" python3 -c "
import os, subprocess, sys
print(subprocess.run(['./$kind', 'eight'], capture_output=True))
print(os.waitstatus_to_exitcode(os.waitpid(os.posix_spawn('./$kind', ['x', 'nine'], os.environ), 0)[1]))
print(os.waitstatus_to_exitcode(os.waitpid(os.posix_spawnp('$kind', ['x', 'ten'], os.environ), 0)[1]))
print(os.system('./$kind eleven'))
sys.stdout.flush()
fd = os.open('./$kind', os.O_RDONLY)
pid = os.fork()
if pid == 0: os.execve(fd, ['x', 'twelve'], os.environ)
print(os.waitpid(pid, 0)[1])"
    fi
done
finish
