#!/usr/bin/env bash
# fio with every engine that works here: the same file, the same status. `fio.sh` tries the usual ones, `fio.sh all` all
# that fio has.
# shellcheck source=tests/real/real.bash
. "$(dirname "$0")/real.bash"
command -v fio >/dev/null || skip "there is no fio"
engines=(sync psync pvsync2 mmap libaio io_uring)
if [ "${1:-}" = all ]; then
    mapfile -t engines < <(fio --enghelp | sed -n 's/^[[:space:]]\+\([a-z0-9_-]*\).*/\1/p')
fi
patience=60
job=(--name=job --filename=data --size=1m --bs=4k --rw=randrw --iodepth=8 --randseed=7 --buffer_pattern=0x5a
    --fallocate=none --output=/dev/null)
for engine in "${engines[@]}"; do
    case $engine in *-* | rdma | net | netsplice | sg | exec | external) continue ;; esac # they need another machine
    one_run first plain fio --ioengine="$engine" "${job[@]}"
    if [ "$(cat "$work/first.status")" != 0 ]; then
        echo "left out, does not work here: $engine: $(head -n 1 "$work/first.err")"
        continue
    fi
    three "$engine" fio --ioengine="$engine" "${job[@]}"
done
[ $compared -gt 0 ] || skip "no engine of fio works here"
done_with
