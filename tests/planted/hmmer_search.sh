#!/bin/bash
# The same question turned round: each profile looks through the few proteins, so that the large file is read once and
# the small one again. What is left of the re-reading is not worth a tenth of the run.
# PREPARE
# INNOCENT
# SET level.warn_share=0.1
# MOST stdio.redundant.read stdio_redundant_read 30000000
# LACKS stdio.console
# NEEDS bash awk hmmbuild hmmpress hmmsearch
set -e
# shellcheck source=tests/planted/parts/hmmer.bash
. "$(dirname "$0")/parts/hmmer.bash"
if [ "${1:-}" = prepare ]; then
    prepare_hmmer
    exit
fi
exec hmmsearch --cpu 0 -o results.txt profiles.hmm proteins.fa
