#!/usr/bin/env bash
# SECURITY.md and its tests belong together: every line of what holds names a test, and each of tests/security is named.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
lines=$(sed -n '/^## What holds/,/^## What does not/p' "$root/SECURITY.md" | grep '^|' | tail -n +3)
status=0
[ "$(wc -l <<<"$lines")" -ge 10 ] || { echo "FAIL: hardly any line" >&2; status=1; }
while IFS= read -r line; do
    # shellcheck disable=SC2016  # the backticks are Markdown
    grep -q '| `[a-z0-9]*/\?[a-z_]*`.*|$' <<<"$line" || { echo "FAIL: no test: $line" >&2; status=1; }
done <<<"$lines"
for test in "$root"/tests/security/*.sh; do
    name=$(basename "$test" .sh)
    [ "$name" = page ] || grep -qF "security/$name" <<<"$lines" || { echo "FAIL: security/$name is not in SECURITY.md" >&2; status=1; }
done
for name in $(grep -o 'security/[a-z_]*' <<<"$lines" | sort -u); do
    [ -x "$root/tests/$name.sh" ] || { echo "FAIL: there is no test $name" >&2; status=1; }
done
exit $status
