#!/bin/sh
# Starts a program for each of many small files.
# PREPARE
# FINDS process.many
if [ "${1:-}" = prepare ]; then
    mkdir parts
    for i in $(seq 300); do echo "part $i" >"parts/$i"; done
    exit
fi
find parts -type f -exec grep -c part {} \; >counts.txt
