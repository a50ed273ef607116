#!/bin/sh
# Counts words the way one does in a shell.
# PREPARE
# INNOCENT
if [ "${1:-}" = prepare ]; then
    seq 1 200000 | sed 's/\(.*\)\(.\)$/word\2 \1/' >words.txt
    exit
fi
cut -d ' ' -f 1 words.txt | sort | uniq -c >counts.txt
tar cf counts.tar counts.txt words.txt
gzip -1 <counts.tar >counts.tar.gz
rm counts.tar
