#!/bin/sh
# Starts a program for each line of a text.
# PREPARE
# FINDS process.many
# REPAIRED
case ${1:-} in
prepare) seq 3000 >lines.txt ;;
repaired) sed -n 1,300p lines.txt >some.txt ;;
*) for i in $(seq 300); do sed -n "${i}p" lines.txt >>some.txt; done ;;
esac
