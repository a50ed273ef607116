#!/usr/bin/env bash
# iolite diagnose as a command: pages and pictures, several outputs, the old spellings, several logs and threads, looks,
# thresholds by mount and system.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
export XDG_CONFIG_HOME=$work/config HOME=$work # no rules of the user's own
hostile=$seeds/hostile-names.darshan
python=$(command -v python3)

# sound FILE...: pages parse as HTML and hold no element or attribute that a name could have brought; pictures are XML.
sound() {
    [ -n "$python" ] || return 0
    "$python" - "$@" <<'END' || fail "not sound: $*"
import sys, html.parser, xml.etree.ElementTree
allowed = {"html", "head", "meta", "title", "style", "body", "main", "header", "pre", "span"}
class Page(html.parser.HTMLParser):
    def __init__(self): super().__init__(); self.stack = []
    def handle_starttag(self, tag, attributes):
        if tag not in allowed: sys.exit(f"element {tag}")
        for name, _ in attributes:
            if name not in {"lang", "charset", "http-equiv", "content", "name", "class"}: sys.exit(f"attribute {name}")
        if tag != "meta": self.stack.append(tag)
    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag: sys.exit(f"</{tag}> out of place")
for path in sys.argv[1:]:
    text = open(path, encoding="utf-8", errors="strict", newline="").read()
    bad = [hex(ord(c)) for c in text if ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160 or ord(c) in (0x202e, 0x200b)]
    if bad: sys.exit(f"{path}: {bad[:5]}")
    if path.endswith("svg"):
        for element in xml.etree.ElementTree.fromstring(text.encode()).iter():
            kind = element.tag.split("}")[1]
            if kind not in {"svg", "title", "style", "rect", "path", "text"}: sys.exit(f"element {kind}")
    else:
        page = Page()
        page.feed(text)
        page.close()
        if page.stack: sys.exit(f"{page.stack} is open at the end")
END
}

# Pages and pictures of every log there is, in both modes
for mode in native compat; do
    mkdir "$work/$mode"
    "$iolite" diagnose --mode $mode --snippets --details --names full --html --svg --export_dir "$work/$mode" \
        "$seeds"/*.darshan >/dev/null 2>&1
    case $? in 0 | 3) ;; *) fail "--html --svg in mode $mode" ;; esac
    [ "$(find "$work/$mode" -name '*.html' | wc -l)" = "$(find "$work/$mode" -name '*.svg' | wc -l)" ] ||
        fail "$mode: not as many pages as pictures"
    [ -s "$work/$mode/demo.html" ] || fail "$mode: no page"
    [ -s "$work/$mode/hostile-names.svg" ] || fail "$mode: no picture"
    sound "$work/$mode"/*.html "$work/$mode"/*.svg
done
grep -qF '&lt;script&gt;alert(1)' "$work/native/hostile-names.html" || fail "the name is not in the page"
grep -qF '\u{202e}' "$work/native/hostile-names.html" || fail "a change of direction is not visible"
grep -qF '\x1b' "$work/native/hostile-names.svg" || fail "a control character is not visible"

# A terminal is not driven either, nor is a table broken
for mode in native compat; do
    for locale in C C.UTF-8; do
        LC_ALL=$locale "$iolite" diagnose --mode $mode --color always --details --snippets --names full "$hostile" |
            sed 's/\x1b\[[0-9;]*m//g' >"$work/bare"
        ! LC_ALL=C grep -q $'[\001-\010\013-\037\177]\|\xc2\x9b\|\xe2\x80\xae\|\xff' "$work/bare" ||
            fail "control characters: mode $mode, locale $locale"
    done
done
odd=$work/$'odd \e[31m \xff \xe2\x80\xae\n.darshan'
cp "$hostile" "$odd"
status 0 "$iolite" diagnose --csv "$odd"
rm "$odd"
[ "$(wc -l <"$work/out")" = "$("$iolite" diagnose --csv "$hostile" | wc -l)" ] || fail "--csv: a line that a name brought"
! LC_ALL=C grep -q $'[\001-\011\013-\037\177]\|\xc2\x9b\|\xe2\x80\xae' "$work/out" || fail "--csv: control characters"
iconv -f UTF-8 -t UTF-8 "$work/out" >/dev/null 2>&1 || fail "--csv is no UTF-8"
if [ -n "$python" ]; then
    "$python" -c 'import csv, sys
rows = list(csv.reader(open(sys.argv[1], encoding="utf-8", newline="")))
sys.exit(len({len(row) for row in rows}) != 1)' "$work/out" || fail "--csv: rows of different length"
fi

# Several outputs at once, by suffix or by format
cd "$work" || exit 1
status 0 "$iolite" diagnose -o a.txt -o a.json -o a.html -o a.svg -o a.csv -o a.ndjson -o a.sarif "$demo"
lines 0
for form in txt json html svg csv ndjson sarif; do [ -s "a.$form" ] || fail "-o a.$form"; done
sound a.html a.svg
status 0 "$iolite" diagnose "$demo"
cmp -s "$work/out" a.txt || fail "-o a.txt is not what is printed"
for form in json html svg csv ndjson sarif; do
    status 0 "$iolite" diagnose --format $form "$demo"
    cmp -s <(grep -v elapsed_s "$work/out") <(grep -v elapsed_s "a.$form") ||
        fail "--format $form and -o a.$form differ"
done
status 0 "$iolite" diagnose --format html -o odd.name "$demo"
head -n 1 odd.name | grep -q DOCTYPE || fail "--format html -o odd.name"
status 0 "$iolite" diagnose --format svg --format json -o one -o two "$demo"
grep -q '<svg' one || fail "the first format is not the first file's"
grep -q '"schema"' two || fail "the second format is not the second file's"
status 2 "$iolite" diagnose --format svg --format json "$demo"
status 2 "$iolite" diagnose --format svg --format json -o one -o two -o three "$demo"
status 2 "$iolite" diagnose --mode compat --format sarif "$demo"
status 4 "$iolite" diagnose -o "$work/no/such/place.html" "$demo"
[ ! -e /dev/full ] || status 4 "$iolite" diagnose --format html -o /dev/full "$demo"

# The old spellings: the report as ever, and files beside it
mkdir old && cd old || exit 1
status 0 "$iolite" diagnose --html --svg --light --size 60 "$demo"
has "What this log cannot tell"
[ "$(wc -L <"$work/out")" -le 60 ] || fail "--size 60"
[ -s demo.html ] || fail "--html saves nothing"
[ -s demo.svg ] || fail "--svg saves nothing"
grep -q 'color-scheme:light' demo.html || fail "--light"
status 0 "$iolite" diagnose --mode compat --csv "$demo"
cp "$work/out" printed.csv
[ ! -e demo.csv ] || fail "compat --csv: a file that nobody asked for"
status 0 "$iolite" diagnose --mode compat --csv --export_dir deep/er "$demo"
cmp -s printed.csv deep/er/demo.csv || fail "compat --csv prints something else than it saves"
has "critical issue"
[ "$(wc -l <deep/er/demo.csv)" = 2 ] || fail "the old table has two lines"
[ "$(head -n 1 deep/er/demo.csv)" = "JOB,S01,$(printf 'P%02d,' {1..19})P21,P22,$(printf 'M%02d,' {1..9})M10" ] ||
    fail "the old table's head"
[ "$(sed -n 2p deep/er/demo.csv | tr ',' '\n' | grep -c '^True$\|^False$')" = 32 ] || fail "the old table's codes"
for code in $("$iolite" diagnose --mode compat --json "$demo" | sed -n 's/^ *"code": "\(.*\)",$/\1/p'); do
    awk -F, -v code="$code" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == code) at = i }
        NR == 2 && $at == "True" { good = 1 }
        END { exit !good }' deep/er/demo.csv || fail "$code is not True in the old table"
done
mkdir twice && cp "$demo" twice/demo.darshan
status 0 "$iolite" diagnose --html "$demo" twice/demo.darshan
[ -s demo-2.html ] || fail "two logs of one name"
status 0 "$iolite" diagnose --csv --export_dir native "$demo"
head -n 1 native/demo.csv | grep -q '^log,job,id' || fail "--csv --export_dir"
status 0 "$iolite" diagnose --threshold "$demo"
has "posix.small.count"
status 0 "$iolite" diagnose --mode compat --threshold "$demo"
has "imbalance.stragglers"
status 0 "$iolite" diagnose --issues "$demo"
lacks " > "
status 0 "$iolite" diagnose --code "$demo"
has "job.io.share:"
cd "$work" || exit 1

# Looks
status 0 "$iolite" diagnose "$demo"
! grep -q $'\033' "$work/out" || fail "colour without a terminal"
status 0 "$iolite" diagnose --color always "$demo"
grep -q $'\033\[' "$work/out" || fail "--color always"
status 0 env NO_COLOR=1 "$iolite" diagnose --color always "$demo"
grep -q $'\033\[' "$work/out" || fail "--color always wins over NO_COLOR"
status 0 "$iolite" diagnose --color never --theme light "$demo"
! grep -q $'\033' "$work/out" || fail "--color never"
status 2 "$iolite" diagnose --color some "$demo"
status 2 "$iolite" diagnose --theme blue "$demo"
status 2 "$iolite" diagnose --names short "$demo"
status 2 "$iolite" diagnose --threads many "$demo"
status 0 "$iolite" diagnose --details --names base "$hostile"
lacks "/scratch/"
status 0 "$iolite" diagnose --details --names full --width 110 "$hostile"
grep -q -- '- /scratch/' "$work/out" || fail "--names full"
status 0 "$iolite" diagnose --details --names hash "$hostile"
grep -q -- '- file [0-9]' "$work/out" || fail "--names hash"
status 0 "$iolite" diagnose --mode compat --only P06 "$hostile"
lacks "P05"
status 1 "$iolite" diagnose --mode compat --fail-on high "$hostile"

status 0 "$iolite" diagnose --nodes 7 --json "$demo"
has '"nodes": 7'
has '"nodes_from": "caller"'
status 0 "$iolite" diagnose --json --evidence 1 "$hostile"
has '"evidence_left_out"'
status 0 "$iolite" diagnose --json --evidence 0 "$hostile"
lacks '"evidence_left_out"'
status 0 "$iolite" diagnose --snippets "$hostile"
cp "$work/out" "$work/long"
status 0 "$iolite" diagnose "$hostile"
[ "$(wc -l <"$work/long")" -gt "$(wc -l <"$work/out")" ] || fail "--snippets adds nothing"
status 0 "$iolite" diagnose --mode native "$hostile"

# Every rule is explained: what it means, its formula, its thresholds and names, where it comes from
for id in $("$iolite" diagnose --list-rules | awk '{ print $1 }'); do
    "$iolite" diagnose --explain "$id" | awk -v id="$id" '
        NR == 4 && $0 != "" { meaning = 1 }
        $1 == "rule" && $2 == id { rule = 1 }
        rule && !over && $1 == "when" { formula = 1 }
        rule && !over { for (rest = $0; match(rest, /\$[a-z][a-z0-9_.]*/); rest = substr(rest, RSTART + RLENGTH))
                            used[substr(rest, RSTART, RLENGTH)] = 1 }
        $0 == "end" { over = 1 }
        over && /^\$/ { delete used[$1] }
        $0 == "Source" { source = 1 }
        END { for (path in used) missing = missing " " path
              if (!meaning || !formula || !source || missing) { print id ":" missing; exit 1 } }' ||
        fail "--explain $id"
done

# Many logs: the number of threads never shows
"$iolite" diagnose --threads 1 "$seeds"/*.darshan >one.txt 2>one.err
alone=$?
for jobs in 2 5 64; do
    "$iolite" diagnose --threads $jobs "$seeds"/*.darshan >many.txt 2>many.err
    [ $? = $alone ] || fail "--threads $jobs: another status"
    cmp -s one.txt many.txt || fail "--threads $jobs: other results"
    cmp -s one.err many.err || fail "--threads $jobs: other messages"
done
for form in json ndjson csv sarif html svg; do
    for jobs in 1 5; do
        "$iolite" diagnose --format $form --threads $jobs "$seeds"/*.darshan 2>/dev/null | grep -v elapsed_s >many.$jobs
    done
    [ -s many.1 ] || fail "--format $form of many logs"
    cmp -s many.1 many.5 || fail "--format $form: the number of threads shows"
done

# Directories stand for the logs below them, sorted
mkdir -p tree/b tree/a
cp "$demo" tree/b/2.darshan
cp "$demo" tree/a/3.darshan
cp "$demo" tree/a/1.darshan
cp "$demo" tree/a/ignored.txt
status 0 "$iolite" diagnose tree
[ "$(grep -c '^tree/' "$work/out")" = 3 ] || fail "logs of a directory"
[ "$(grep '^tree/' "$work/out" | tr '\n' ' ')" = "tree/a/1.darshan tree/a/3.darshan tree/b/2.darshan " ] ||
    fail "their order"
mkdir empty
status 3 "$iolite" diagnose empty

# Thresholds by mount and system: where they come from, what is wrong with them
mkdir -p config/iolite
cat >config/iolite/insight.rules <<'END'
set posix.small.count = 7
mount "/scratch"
  set posix.small.count = 8
  set no.such = 1
end
system "alp*"
  set posix.small.count = 9
end
END
status 0 "$iolite" diagnose --list-thresholds
grep -q 'insight.rules:4: no threshold is called .no.such' "$work/err" || fail "a mistake in a section has no line"
grep -q '^posix.small.count *7  (user)' "$work/out" || fail "the user's value"
grep -q '^  mount "/scratch": 8  (user)' "$work/out" || fail "the mount's value"
grep -q '^  system "alp\*": 9  (user)' "$work/out" || fail "the system's value"
status 0 "$iolite" diagnose --list-thresholds --system alps
grep -q '^posix.small.count *9  (user)' "$work/out" || fail "the value on that system"
status 0 "$iolite" diagnose --set posix.small.count=10 --list-thresholds --system alps
grep -q '^posix.small.count *10  (command line)' "$work/out" || fail "the command line wins"
grep -q '^  mount "/scratch": 8  (user, overruled)' "$work/out" || fail "what has no effect is not reported"
status 0 "$iolite" diagnose --list-thresholds --json
valid_json "--list-thresholds --json"
status 0 "$iolite" diagnose --json --system alps "$demo"
has '"system": "alps"'
has '"posix.small.count": 9'
finish
