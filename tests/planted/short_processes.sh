#!/bin/sh
# A script that starts many short programs, each of which does next to nothing with files.
# PREPARE
# INNOCENT
if [ "${1:-}" = prepare ]; then
    echo 'one line' >input.txt
    exit
fi
for _ in 1 2 3 4 5 6 7 8 9 10; do
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        sed s/one/two/ input.txt | cat >output.txt
    done
done
