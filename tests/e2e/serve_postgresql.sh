#!/usr/bin/env bash
# iolite serve on a real PostgreSQL server: every endpoint against its document, and who sees what.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/postgresql.bash
. "$(dirname "$0")/postgresql.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
# shellcheck source=tests/e2e/serve_store.bash
. "$(dirname "$0")/serve_store.bash"
finish
