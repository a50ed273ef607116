#!/bin/sh
# own_tmp.sh COMMAND...: runs a test with a directory for temporary files that nobody else uses. Launchers of Open MPI
# make and remove one directory per user there: two of them that share it remove what the other needs.
TMPDIR=$(mktemp -d /tmp/iolite-test-XXXXXX) || exit
export TMPDIR
chmod 755 "$TMPDIR" # some tests are several users
"$@"
status=$?
rm -rf --one-file-system "$TMPDIR"
exit $status
