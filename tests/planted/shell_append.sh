#!/bin/bash
# A shell loop that opens its result for every line.
# FINDS posix.open.repeat
# NEEDS bash
for ((i = 0; i < 5000 || SECONDS < 2; i++)); do
    echo "sample $i" >>result.txt
done
