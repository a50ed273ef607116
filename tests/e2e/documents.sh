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

# The search finds a section by words of its heading first, by words of its text, and says when nothing has them all.
cat >"$work/search.mjs" <<'END'
import { readFileSync } from "node:fs";
const node = () => ({ items: [], append(...all) { this.items.push(...all); }, replaceChildren() { this.items = []; }, addEventListener() {}, value: "" });
const parts = { search: node(), found: node() };
const documentOf = { getElementById: id => parts[id], createElement: node, addEventListener() {} };
const search = new Function("document", readFileSync(process.argv[2], "utf8") + "; return search;")(documentOf);
for (const words of process.argv.slice(3)) {
    parts.search.value = words;
    search();
    console.log(words + ": " + (parts.found.items[0]?.items?.[0]?.href ?? parts.found.textContent ?? "nothing"));
}
END
if has_commands node; then
    status 0 node "$work/search.mjs" "$work/site/search.js" "site guide rollback" "h5repack" "zzyzx"
    has "site guide rollback: site-guide.html#7-rollback"
    has "h5repack: guide.html#4-hdf5-post-processing"
    has "zzyzx: Nothing has all these words."
fi

# What is wrong is seen: a link, a heading, a command, an option.
mkdir -p "$work/wrong/tests/lint" "$work/wrong/docs"
cp "$tree/tests/lint/documents.py" "$work/wrong/tests/lint/"
cp "$tree"/docs/*.md "$work/wrong/docs/"
# shellcheck disable=SC2016 # Markdown
printf '# Wrong\n\n[a](nowhere.md) [b](install.md#nowhere) `iolite frobnicate LOG` `iolite show --frobnicate LOG`\n' >"$work/wrong/docs/wrong.md"
status 1 python3 "$work/wrong/tests/lint/documents.py" "$iolite"
for text in 'nowhere.md leads nowhere' 'install.md#nowhere: no such heading' "there is no command 'frobnicate'" "show has no option '--frobnicate'" 'overview.md: no link to wrong.md'; do has "wrong.md: "; has "$text"; done
finish
