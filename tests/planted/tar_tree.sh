#!/bin/sh
# Packs a directory of a few hundred files and unpacks it again.
# PREPARE
# NEEDS tar gzip
# INNOCENT
if [ "${1:-}" = prepare ]; then
    mkdir tree
    i=0
    while [ $i -lt 200 ]; do
        head -c 8192 /dev/zero >tree/file$i
        i=$((i + 1))
    done
    exit
fi
tar -czf tree.tar.gz tree
mkdir again
tar -xzf tree.tar.gz -C again
