#!/usr/bin/env bash
# The documents: every link leads to a file and a heading, every command line names a command and options that exist, the
# overview has every command and page, and the links of the HTML pages that are made of them lead somewhere. The check itself sees what is wrong.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
command -v python3 >/dev/null || skip "no python3"
tree=$(cd "$(dirname "$0")/../.." && pwd)
status 0 python3 "$tree/docs/pages.py" "$work/site"
for page in index guide site-guide coming-from troubleshooting papers results commands SECURITY; do
    [ -s "$work/site/$page.html" ] || fail "no page $page"
done
[ -s "$work/site/pictures/diagnosis.svg" ] || fail "no pictures"
! grep -l -E '(src|href)="https?://[^"]*\.(js|css|png|svg)"' "$work"/site/*.html || fail "pages that need a network"
status 0 python3 "$tree/tests/lint/documents.py" "$iolite" "$work/site"
cat "$work/out" >&2

# What is wrong is seen: a link, a heading, a command, an option.
mkdir -p "$work/wrong/tests/lint" "$work/wrong/docs"
cp "$tree/tests/lint/documents.py" "$work/wrong/tests/lint/"
cp "$tree"/docs/*.md "$work/wrong/docs/"
# shellcheck disable=SC2016 # Markdown
printf '# Wrong\n\n[a](nowhere.md) [b](install.md#nowhere) `iolite frobnicate LOG` `iolite show --frobnicate LOG`\n' >"$work/wrong/docs/wrong.md"
status 1 python3 "$work/wrong/tests/lint/documents.py" "$iolite"
for text in 'nowhere.md leads nowhere' 'install.md#nowhere: no such heading' "there is no command 'frobnicate'" "show has no option '--frobnicate'" 'overview.md: no link to wrong.md'; do has "wrong.md: "; has "$text"; done
finish
