#!/bin/sh
# A shell pipeline: every process of it is in the one log, the files they were given as descriptors have their names.
# EXPECT POSIX in.txt POSIX_BYTES_READ = 3000
# EXPECT POSIX copy.dat POSIX_WRITES = 30
# EXPECT POSIX copy.dat POSIX_BYTES_WRITTEN = 3000
# EXPECT POSIX again.dat POSIX_BYTES_WRITTEN = 3000
set -e
yes 'nine char' | head -n 300 >in.txt
dd if=in.txt of=copy.dat bs=100 2>/dev/null
dd bs=1000 <copy.dat 2>/dev/null | dd of=again.dat bs=100 2>/dev/null
wc -l <again.dat
exit 0
