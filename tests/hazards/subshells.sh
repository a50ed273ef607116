#!/bin/sh
# Subshells, background jobs and a trap; the script's status is its own.
# STATUS 5
# EXPECT POSIX one.dat POSIX_BYTES_WRITTEN = 512
# EXPECT POSIX two.dat POSIX_BYTES_WRITTEN = 1024
trap 'echo trapped' EXIT
(dd if=/dev/zero of=one.dat bs=512 count=1 2>/dev/null)
dd if=/dev/zero of=two.dat bs=512 count=2 2>/dev/null &
wait
echo finished
exit 5
