#!/bin/sh
# Starts a program for each file.
# PREPARE
# FINDS process.many
# REPAIRED
case ${1:-} in
prepare)
    mkdir parts
    for i in $(seq 300); do echo "$i" >"parts/$i"; done
    ;;
repaired) find parts -type f -exec cksum {} + >sums ;;
*) find parts -type f -exec cksum {} \; >sums ;;
esac
