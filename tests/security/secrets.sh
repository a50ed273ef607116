#!/usr/bin/env bash
# SECURITY.md, "Secrets": the key of pseudonyms is in no argument and no environment, and pseudonyms do not give away what
# they stand for.
# shellcheck disable=SC2016  # the shells of alice and mallory expand these
# shellcheck source=tests/security/two_users.bash
. "$(dirname "$0")/two_users.bash"
alice sh -c 'umask 077; echo "a secret of alice" >$HOME/key'
refused mallory cat "$work/alice/key"

# What mallory sees in the list of processes while alice's command waits for its key.
mkfifo -m 666 "$work/gate"
alice sh -c 'exec iolite convert --anonymise all --key-fd 5 $work/demo.darshan $work/logs/anonymous.darshan 5<$work/gate' &
job=$!
exec 8>"$work/gate"
mallory sh -c 'cat /proc/[0-9]*/cmdline' 2>/dev/null | tr '\0' ' ' >"$work/seen"
echo "a secret of alice" >&8
exec 8>&-
wait $job || fail "convert with a key from a pipe"
grep -q 'key-fd 5' "$work/seen" || fail "the command was not there when mallory looked: nothing is tested"
! grep -q 'secret of alice' "$work/seen" || fail "the key is in the list of processes"

# The same key from the file: the same log. A guess of a name cannot be tested without it.
alice sh -c 'iolite convert --anonymise all --key-file $HOME/key $work/demo.darshan $HOME/again.darshan' || fail "--key-file"
alice sh -c 'cmp $HOME/again.darshan $work/logs/anonymous.darshan' || fail "another key"
alice iolite dump --json "$work/demo.darshan" | grep -o '"id":"[0-9]*"' | sort -u >"$work/ids"
alice sh -c 'iolite dump --json $HOME/again.darshan' | grep -o '"id":"[0-9]*"' | sort -u >"$work/hidden"
[ -s "$work/hidden" ] || fail "no ids"
[ "$(comm -12 "$work/ids" "$work/hidden" | wc -l)" -le 3 ] || fail "ids of names stay in an anonymous log"
finish
