#!/usr/bin/env bash
# `iolite run` is as good as not there: terminals that hang up, who kills it, and what a program does to its parent.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
own_home
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || skip "python3, 3.11 or later, is not installed"
timeout 280 python3 "$(dirname "$0")/run_between.py" "$iolite" "$work/scratch" || fail "see above"
finish
