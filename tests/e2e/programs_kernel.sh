#!/usr/bin/env bash
# Programs that leave their I/O to the kernel: fio with libaio and io_uring, copies and clones, a web server with
# sendfile, rsync, and storms of metadata. They behave as without Iolite, and the log says what they did.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/programs.bash
. "$(dirname "$0")/programs.bash"

# operation NAME COUNT [FAILED]: what the totals of the log say; - is not asked.
operation() {
    local got
    got=$("$iolite" dump --json "$log" | tr -d ' \n' | sed -n "s/.*\"operations\":{\(.*\)/\1/p" |
        sed -n "s/.*\"$1\":{\"count\":\([0-9]*\),\"failed\":\([0-9]*\).*/\1 \2/p")
    set -- "$1" "$2" "${3:--}" "${got% *}" "${got#* }"
    [ "$2" = - ] || [ "${4:-0}" = "$2" ] || fail "$label: $1: ${4:-0} done, expected $2"
    [ "$3" = - ] || [ "${5:-0}" = "$3" ] || fail "$label: $1: ${5:-0} failed, expected $3"
}

# fio -------------------------------------------------------------------------------------------------------------

given() { head -c 1048576 /dev/zero >input; }
job=(--bs=4k --size=1m --fallocate=none --zero_buffers=1 --invalidate=0 --output=/dev/null)

if have fio; then
    both "fio, libaio" fio --name=w --ioengine=libaio --iodepth=16 --filename=output --rw=randwrite "${job[@]}"
    expect output POSIX_WRITES 256
    expect output POSIX_BYTES_WRITTEN 1048576
    expect output POSIX_SIZE_WRITE_1K_10K 256

    both "fio, libaio, reads of two processes" fio --name=r --ioengine=libaio --iodepth=8 --numjobs=2 \
        --iodepth_batch_submit=4 --filename=input --rw=randread "${job[@]}"
    expect input POSIX_READS 512
    expect input POSIX_BYTES_READ 2097152

    # This engine enters the kernel by an instruction of its own on some processors: then the log says how many
    # operations it could not see, and else what they did.
    if fio --name=t --ioengine=io_uring --filename="$work/try" --size=4k --rw=write --output=/dev/null 2>/dev/null; then
        both "fio, io_uring" fio --name=w --ioengine=io_uring --iodepth=16 --filename=output --rw=randwrite "${job[@]}"
        unseen=$("$iolite" dump --json "$log" | tr -d ' \n' | sed -n 's/.*"ring_unseen":\([0-9]*\).*/\1/p')
        seen=$(total POSIX_WRITES output)
        [ $((seen + ${unseen:-0})) = 256 ] || fail "$label: $seen writes seen and ${unseen:-0} not, of 256"
        [ "${unseen:-0}" = 0 ] || "$iolite" show "$log" | grep -q 'io_uring' || fail "$label: show does not tell"
    fi
fi

# Copies ----------------------------------------------------------------------------------------------------------

given() { seq 200000 >input; }

if copies; then
    both "cp, by reference if that is possible" cp --reflink=auto input output
    clones=$("$iolite" dump --json "$log" | tr -d ' \n' | sed -n 's/.*"clone":{"count":\([0-9]*\),.*/\1/p')
    [ "${clones:-0}" -ge 1 ] || moved output 0 "$(was output)"
    both "cp, all bytes" cp --reflink=never input output
    moved input "$(was input)" 0
    moved output 0 "$(was output)"
fi

if have python3; then
    both "python3, copyfile" python3 -c 'import shutil; shutil.copyfile("input", "output")'
    moved input "$(was input)" 0
    moved output 0 "$(was output)"

    # A server hands a file to two clients by sendfile.
    cat >"$work/server.py" <<'END'
import os, socket, threading
server = socket.create_server(("127.0.0.1", 0))
def serve():
    for _ in range(2):
        client, _ = server.accept()
        with open("input", "rb") as file:
            client.sendfile(file)
        client.close()
thread = threading.Thread(target=serve)
thread.start()
for _ in range(2):
    got = 0
    with socket.create_connection(server.getsockname()) as client:
        while piece := client.recv(65536):
            got += len(piece)
    print(got == os.path.getsize("input"))
thread.join()
END
    both "python3, a server with sendfile" python3 "$work/server.py"
    expect input POSIX_BYTES_READ $((2 * $(was input)))
fi

if have rsync; then
    given() {
        mkdir from
        for i in 1 2 3 4 5; do seq "$i" $((i * 5000)) >"from/file$i"; done
    }
    both "rsync" rsync -a from/ to
    expect 'from/file*' POSIX_BYTES_READ "$(cat "$here"/from/file* | wc -c)"
    operation rename 5 0
    operation mkdir - 0
fi

# Metadata --------------------------------------------------------------------------------------------------------

given() {
    mkdir tree
    for i in 1 2 3 4 5 6 7 8 9 10; do mkdir "tree/$i" && touch "tree/$i/a" "tree/$i/b"; done
}

both "rm" rm -r tree
operation unlink 20 0
operation rmdir 11 0

both "mkdir" mkdir -p new/a/b/c
operation mkdir 4

both "mv" mv tree/1 tree/eleven
operation rename 1

both "ln" sh -c 'ln -s tree link; ln tree/1/a hard; chmod 640 hard; truncate -s 100 hard'
operation symlink 1
operation link 1
operation truncate 1 0

both "find" find tree -type f
operation opendir 11
operation readdir 52

finish
