#!/bin/sh
# Searches one large file again for every word, with a new process each time.
# PREPARE
# SET level.least_seconds=0
# FINDS posix.readall
if [ "${1:-}" = prepare ]; then
    head -c 67108864 /dev/zero >genome.dat
    exit
fi
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    cat genome.dat >/dev/null
done
