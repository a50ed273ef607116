#!/bin/bash
# HMMER as it is often used: every protein is looked up in the data base of profiles, which is read again through stdio
# for each of them; the results are printed.
# PREPARE
# SET level.least_seconds=0
# FINDS stdio.redundant.read
# LEAST stdio.redundant.read stdio_redundant_read 3000000000
# NEEDS bash awk hmmbuild hmmpress hmmscan
set -e
# shellcheck source=tests/planted/parts/hmmer.bash
. "$(dirname "$0")/parts/hmmer.bash"
if [ "${1:-}" = prepare ]; then
    prepare_hmmer
    exit
fi
exec hmmscan --cpu 0 profiles.hmm proteins.fa
