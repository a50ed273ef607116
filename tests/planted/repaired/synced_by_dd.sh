#!/bin/sh
# Writes blocks that each wait for the device.
# PREPARE
# FINDS posix.sync.open
# REPAIRED
case ${1:-} in
prepare) head -c 1600000 /dev/zero >source ;;
repaired) dd if=source of=copy bs=1M conv=fsync 2>report ;;
*) dd if=source of=copy bs=4k oflag=dsync 2>report ;;
esac
