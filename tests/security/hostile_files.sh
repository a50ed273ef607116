#!/usr/bin/env bash
# SECURITY.md, "Files of others cannot hang or mislead": pipes, devices, links and huge files among the logs that alice
# looks at. Every command of hers ends in time; what it can read, it reads.
# shellcheck disable=SC2016  # the shells of alice and mallory expand these
# shellcheck source=tests/security/two_users.bash
. "$(dirname "$0")/two_users.bash"
install -d -m 777 "$work/tree"
cp "$work/demo.darshan" "$work/tree/good.darshan"
mallory mkfifo "$work/tree/fifo.darshan"
mallory ln -s fifo.darshan "$work/tree/link-to-fifo.darshan"
mallory ln -s /dev/zero "$work/tree/zero.darshan"
mallory ln -s /dev/tty "$work/tree/tty.darshan"
mallory ln -s . "$work/tree/loop.darshan"
mallory ln -s loop2.darshan "$work/tree/loop2.darshan"
mallory truncate -s 64G "$work/tree/huge.darshan"
mallory sh -c 'printf "3.41\0\0\0\0\067\065\144\0\0\0\0\0" | dd of=$work/tree/huge2.darshan status=none; truncate -s 64G $work/tree/huge2.darshan'

# ends COMMAND...: in time (timeout gives 124), and with no crash; memory is bounded too, except for AddressSanitizer's.
limit=2000000
if grep -q __asan_init "$IOLITE_BIN/iolite"; then limit=unlimited; fi
ends() {
    alice sh -c 'ulimit -v "$1"; shift; exec "$@"' sh $limit "$@" </dev/null >"$work/out" 2>"$work/err"
    local got=$?
    [ $got -lt 124 ] || fail "status $got: $*: $(head -n 1 "$work/err")"
}
for command in "diagnose" "diagnose --json" "calibrate"; do
    # shellcheck disable=SC2086
    ends iolite $command "$work/tree"
done
ends iolite diagnose --json "$work/tree"
grep -q good.darshan "$work/out" || fail "a log beside hostile files was not read"
for command in show check dump metrics report "convert --force" "diagnose"; do
    for file in zero huge huge2 loop loop2; do
        case $command in
        report) ends iolite report -o /dev/null/none "$work/tree/$file.darshan" ;;
        convert*) ends iolite convert --force "$work/tree/$file.darshan" "$work/alice/out" ;;
        *) ends iolite "$command" "$work/tree/$file.darshan" ;;
        esac
    done
done
finish
