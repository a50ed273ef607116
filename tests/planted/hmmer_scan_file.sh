#!/bin/bash
# The same with the results in a file of their own: the data base is still read again for every protein.
# PREPARE
# SET level.least_seconds=0
# FINDS stdio.redundant.read
# LEAST stdio.redundant.read stdio_redundant_read 3000000000
# LACKS stdio.console
# NEEDS bash awk hmmbuild hmmpress hmmscan
set -e
# shellcheck source=tests/planted/parts/hmmer.bash
. "$(dirname "$0")/parts/hmmer.bash"
if [ "${1:-}" = prepare ]; then
    prepare_hmmer
    exit
fi
exec hmmscan --cpu 0 -o results.txt profiles.hmm proteins.fa
