#!/usr/bin/env bash
# iolite serve on a real ClickHouse server: every endpoint against its document, and who sees what.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/clickhouse.bash
. "$(dirname "$0")/clickhouse.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
hang() { kill -STOP "${pids[@]}"; }
hang_no_more() { kill -CONT "${pids[@]}"; }
# shellcheck source=tests/e2e/serve_store.bash
. "$(dirname "$0")/serve_store.bash"
finish
