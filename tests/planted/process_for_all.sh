#!/bin/sh
# Gives all files to one program.
# PREPARE
# INNOCENT
if [ "${1:-}" = prepare ]; then
    mkdir parts
    for i in $(seq 300); do echo "part $i" >"parts/$i"; done
    exit
fi
find parts -type f -exec grep -c part {} + >counts.txt
