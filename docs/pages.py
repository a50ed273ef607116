#!/usr/bin/env python3
"""The pages of docs/ and the README as a site: static HTML with a list of pages, a search and the pictures, no network needed.

    docs/pages.py DIRECTORY

It knows the Markdown that the project uses: headings, paragraphs, lists, tables, code, quotes, pictures, links, emphasis, and HTML as it stands.
Links between pages lead to the HTML pages; links to sources are text.
"""
import html
import json
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# By reader, in the order in which they are listed; pages that are not named come last.
GROUPS = [
    ("Start", ["README", "overview", "guide", "troubleshooting", "coming-from", "glossary"]),
    ("Using it", ["commands", "where", "mpi", "static", "libcs", "settings", "modules", "rules", "counters", "figures", "numbers", "parallel", "scoreboard", "results", "papers"]),
    ("Running it for others", ["site-guide", "install", "packages", "services", "always-on", "centre", "serve", "alerts", "bundles", "site", "site-data", "context", "store", "runtime", "SECURITY", "CHANGELOG"]),
    ("Building on it", ["python", "library", "json", "api", "tables", "page", "mcp", "ci", "log-format", "differences", "stability"]),
    ("Working on it", ["contributing", "tour", "design", "testing", "matrix", "web", "dependencies", "CODE_OF_CONDUCT"]),
]

STYLE = """
:root {
  color-scheme: light dark; --page: #fff; --soft: #f4f6f8; --line: #d5dbe1; --text: #1c2430; --quiet: #5b6675; --link: #0b5cad; --mark: #e6f0fa;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #0f141a; --soft: #181f27; --line: #313b47; --text: #e4e9ef; --quiet: #9aa6b4; --link: #74b3f0; --mark: #1a2d42; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.6 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
aside { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.2rem 1rem 2rem; background: var(--soft); border-right: 1px solid var(--line); font-size: 14px; line-height: 1.45; }
.brand { font-size: 20px; font-weight: 700; text-decoration: none; color: var(--text); } .to-menu { display: none; }
input { width: 100%; margin-top: .8rem; padding: .45rem .6rem; font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: 6px; }
nav h2 { margin: 1.3rem 0 .3rem; padding: 0; border: 0; font-size: 12px; letter-spacing: .03em; color: var(--quiet); }
nav ul, #found { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .16rem .5rem; margin: 0 -.5rem; border-radius: 5px; color: var(--text); text-decoration: none; } nav a:hover { background: var(--mark); }
[aria-current] { background: var(--mark); color: var(--link); font-weight: 600; }
#found li { margin: .6rem 0; } #found a { font-weight: 600; } #found span { display: block; color: var(--quiet); overflow-wrap: anywhere; } #found:not(:empty) { padding-top: .4rem; }
main { padding: 1.5rem 2.5rem 5rem; max-width: 62rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .4rem 0 1rem; } h2 { margin: 2.4rem 0 .8rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); font-size: 1.35rem; } h3 { margin: 1.8rem 0 .6rem; font-size: 1.1rem; }
.here { color: inherit; text-decoration: none; } .here:hover::after { content: " #"; color: var(--quiet); }
li > p { margin: .3rem 0; } a { color: var(--link); text-underline-offset: .15em; } img { max-width: 100%; border-radius: 6px; }
code { font: .9em/1.4 ui-monospace, monospace; background: var(--soft); border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere; } code span { white-space: nowrap; }
pre { overflow: auto; padding: .8rem 1rem; background: var(--soft); border: 1px solid var(--line); border-radius: 6px; font-size: 14px; line-height: 1.4; } pre code { background: none; padding: 0; overflow-wrap: normal; }
table { border-collapse: collapse; display: block; overflow: auto; margin: 1rem 0; font-size: 15px; line-height: 1.45; } td, th { border: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top; } th { background: var(--soft); font-weight: 600; }
.contents { margin: 0 0 1.5rem; padding: .5rem .8rem; border: 1px solid var(--line); border-radius: 6px; font-size: 15px; } .contents summary { cursor: pointer; color: var(--quiet); } .contents ul { columns: 16rem auto; margin: .5rem 0 .2rem; padding-left: 1.2rem; }
@media (max-width: 50rem) {
  body { display: flex; flex-direction: column; } aside { display: contents; } header { padding: 1rem 1rem 0; } main { padding: .5rem 1rem 2rem; max-width: 100%; }
  .to-menu { display: inline; float: right; padding-top: .3rem; } nav { order: 2; padding: 0 1rem 2rem; background: var(--soft); border-top: 1px solid var(--line); } nav a { padding: .35rem .5rem; }
}
@media print { aside, .contents { display: none; } body { display: block; } }
"""

# Sections that have every word; those whose heading has them come first, then those that have them in this order. "/" goes to the box, Enter to the first of them, Escape empties it.
SEARCH = """
const box = document.getElementById("search"), found = document.getElementById("found");
const lower = SECTIONS.map(s => [s.h.toLowerCase(), s.t.toLowerCase()]);
function around(text, small, word) {
    const at = Math.max(0, small.indexOf(word));
    const from = at < 40 ? 0 : text.indexOf(" ", at - 40) + 1;
    return (from ? "\u2026 " : "") + text.slice(from, at + 90) + (at + 90 < text.length ? " \u2026" : "");
}
function search() {
    const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
    found.replaceChildren();
    if (!words.length) return;
    const hits = [];
    lower.forEach(([heading, text], i) => {
        if (!words.every(w => text.includes(w) || heading.includes(w))) return;
        hits.push([words.every(w => heading.includes(w)) ? 0 : text.includes(words.join(" ")) ? 1 : 2, i]);
    });
    hits.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    for (const [, i] of hits.slice(0, 20)) {
        const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("span");
        link.href = SECTIONS[i].u;
        link.textContent = SECTIONS[i].h;
        const phrase = words.join(" ");
        text.textContent = around(SECTIONS[i].t, lower[i][1], lower[i][1].includes(phrase) ? phrase : words.find(w => lower[i][1].includes(w)) || "");
        item.append(link, text);
        found.append(item);
    }
    if (!hits.length) found.textContent = "Nothing has all these words.";
    else if (hits.length > 20) found.append(`${hits.length - 20} more: add a word.`);
}
box.addEventListener("input", search);
box.addEventListener("keydown", event => {
    if (event.key === "Enter") found.querySelector("a")?.click();
    if (event.key === "Escape") { box.value = ""; search(); }
});
document.addEventListener("keydown", event => {
    if (event.key !== "/" || event.target === box) return;
    event.preventDefault();
    box.focus();
});
search();
"""


CONTENTS = "\1" # stands for the list of a page's sections until they are known


def anchor(heading):
    """As GitHub makes them, so that one link serves both."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")


def name_of(path):
    return path.stem


def unbroken(code):
    """No line ends inside of an option."""
    return re.sub(r"(?<!\S)--?\w[\w-]*", lambda m: f"<span>{m.group()}</span>", code)


def inline(text, page):
    kept = []

    def keep(markup):
        kept.append(markup)
        return f"\0{len(kept) - 1}\0"

    def link(match):
        label, target = match.group(2), match.group(3)
        url = page.site_url(target)
        if match.group(1):
            return keep(f'<img src="{html.escape(url or target)}" alt="{html.escape(label)}">')
        if not url:
            return label
        label = page.title_of(target) if label == target.partition("#")[0].rsplit("/", 1)[-1] else label
        return keep(f'<a href="{html.escape(url)}">') + label + keep("</a>")

    text = re.sub(r"`` (.+?) ``|`([^`]+)`", lambda m: keep("<code>" + unbroken(html.escape(m.group(1) or m.group(2))) + "</code>"), text)
    text = re.sub(r"(!?)\[([^]]*)\]\(([^)\s]+)\)", link, text)
    text = html.escape(text, quote=False)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?!\w)", r"<em>\1</em>", text)
    while "\0" in text:
        text = re.sub("\0(\\d+)\0", lambda m: kept[int(m.group(1))], text)
    return text


class Page:
    def __init__(self, path, pages):
        self.path, self.pages, self.sections, self.pictures = path, pages, [], set()
        self.text = path.read_text()
        self.title = next((line[2:] for line in self.text.split("\n") if line.startswith("# ")), path.stem).replace("`", "")

    def title_of(self, target):
        """What a link to a file of pages is called, where its words are the name of the file."""
        other = self.pages.get((self.path.parent / target.partition("#")[0]).resolve())
        return other.title if other else target

    def site_url(self, target):
        """Where a link of this page leads on the site; None for a source, which is not part of it."""
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        file, _, fragment = target.partition("#")
        path = (self.path.parent / file).resolve()
        if path.suffix in (".png", ".svg") and path.exists():
            self.pictures.add(path)
            return "pictures/" + path.name
        if path in self.pages:
            name = "index" if name_of(path) == "README" else name_of(path)
            return name + ".html" + ("#" + fragment if fragment else "")
        return None

    def body(self):
        out, lines, i, used = [], self.text.split("\n"), 0, {}
        paragraph, stack, parts = [], [], []

        def flush():
            if paragraph:
                text = inline(" ".join(paragraph), self)
                out.append(f"<p>{text}</p>")
                remember(" ".join(paragraph))
                paragraph.clear()

        def close(depth=0):
            while len(stack) > depth:
                out.append("</li></" + stack.pop()[0] + ">")

        def remember(text):
            if self.sections:
                self.sections[-1]["t"] += " " + re.sub(r"[`*]|!?\[|\]\([^)]*\)", "", text)

        while i < len(lines):
            line = lines[i]
            bullet = re.match(r"^( *)(?:([-*])|(\d+)\.) +(.*)", line)
            if line.strip().startswith("```"):
                flush()
                indent = len(line) - len(line.lstrip())
                code = []
                i += 1
                while i < len(lines) and not lines[i].strip().startswith("```"):
                    code.append(lines[i][indent:])
                    i += 1
                out.append("<pre><code>" + html.escape("\n".join(code)) + "</code></pre>")
                remember(" ".join(code))
            elif match := re.match(r"^(#{1,4}) +(.*)", line):
                flush()
                close()
                level, heading = len(match.group(1)), match.group(2)
                mark = anchor(heading)
                used[mark] = used.get(mark, -1) + 1
                if used[mark]:
                    mark += f"-{used[mark]}"
                name = "index" if name_of(self.path) == "README" else name_of(self.path)
                plain = re.sub(r"[`*]|\[|\]\([^)]*\)", "", heading)
                self.sections.append({"h": plain if level == 1 else f"{self.title}: {plain}", "u": f"{name}.html#{mark}", "t": plain})
                if level == 1:
                    out.append(f'<h1 id="{mark}">{inline(heading, self)}</h1>\n{CONTENTS}')
                else:
                    link = "" if "](" in heading else f'<a class="here" href="#{mark}">'
                    out.append(f'<h{level} id="{mark}">{link}{inline(heading, self)}{"</a>" if link else ""}</h{level}>')
                if level == 2:
                    parts.append(f'<li><a href="#{mark}">{html.escape(plain)}</a></li>')
            elif line.startswith("|") or (line.strip().startswith("|") and stack):
                flush()
                rows = []
                while i < len(lines) and lines[i].strip().startswith("|"):
                    rows.append([c.strip().replace("\1", "|") for c in lines[i].strip().strip("|").replace("\\|", "\1").split("|")])
                    i += 1
                i -= 1
                out.append("<table>")
                for number, row in enumerate(rows):
                    if all(re.fullmatch(r":?-+:?", c) for c in row):
                        continue
                    cell = "th" if number == 0 else "td"
                    out.append("<tr>" + "".join(f"<{cell}>{inline(c, self)}</{cell}>" for c in row) + "</tr>")
                    remember(" ".join(row))
                out.append("</table>")
            elif bullet and (not paragraph or stack):
                flush()
                depth, kind = len(bullet.group(1)), "ul" if bullet.group(2) else "ol"
                while stack and stack[-1][1] > depth:
                    out.append("</li></" + stack.pop()[0] + ">")
                if stack and stack[-1][1] == depth:
                    out.append("</li>")
                else:
                    out.append(f"<{kind}>")
                    stack.append((kind, depth))
                out.append("<li>")
                paragraph.append(bullet.group(4))
            elif re.match(r"^</?(picture|source|img)", line.strip()):
                flush()

                def picture(match):
                    return f'{match.group(1)}="{self.site_url(match.group(2)) or match.group(2)}"'

                out.append(re.sub(r'(src|srcset)="([^"]+)"', picture, line))
            elif line.startswith("<!--"):
                flush()
            elif not line.strip():
                flush()
                following = next((l for l in lines[i + 1 :] if l.strip()), "")
                if stack and not following.startswith(" ") and not re.match(r"^( *)([-*]|\d+\.) ", following):
                    close()
            else:
                paragraph.append(line.strip().rstrip("\\"))
            i += 1
        flush()
        close()
        contents = f'<details class="contents"><summary>On this page</summary><ul>{"".join(parts)}</ul></details>' if len(parts) >= 5 else ""
        return "\n".join(out).replace(CONTENTS, contents)


def listed(pages):
    by_name = {name_of(p): p for p in pages}
    known = [n for _, names in GROUPS for n in names]
    rest = sorted(n for n in by_name if n not in known)
    return [(heading, [by_name[n] for n in names if n in by_name]) for heading, names in GROUPS + [("More", rest)] if any(n in by_name for n in names)]


def write_site(directory):
    paths = sorted((ROOT / "docs").glob("*.md")) + [ROOT / n for n in ("README.md", "SECURITY.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md") if (ROOT / n).exists()]
    pages = {p: None for p in paths}
    for path in paths:
        pages[path] = Page(path, pages)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "pictures").mkdir(exist_ok=True)
    bodies = {path: page.body() for path, page in pages.items()}
    groups = listed(pages)
    for path, page in pages.items():
        menu = []
        for heading, members in groups:
            menu.append(f"<h2>{heading}</h2><ul>")
            for member in members:
                name = "index" if name_of(member) == "README" else name_of(member)
                current = ' aria-current="page"' if member == path else ""
                menu.append(f'<li><a href="{name}.html"{current}>{html.escape(pages[member].title)}</a></li>')
            menu.append("</ul>")
        name = "index" if name_of(path) == "README" else name_of(path)
        (directory / f"{name}.html").write_text(
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f'<title>{html.escape(page.title)} - Iolite</title><link rel="stylesheet" href="style.css"></head>\n'
            f'<body><aside><header><a class="brand" href="index.html">Iolite</a> <a class="to-menu" href="#menu">All pages</a>'
            f'<input id="search" type="search" placeholder="Search all pages" aria-label="Search all pages"><ul id="found"></ul></header>'
            f'<nav id="menu">{"".join(menu)}</nav></aside>\n'
            f'<main>{bodies[path]}</main><script src="search.js"></script></body></html>\n')
        for picture in page.pictures:
            shutil.copyfile(picture, directory / "pictures" / picture.name)
    sections = [s for _, members in groups for member in members for s in pages[member].sections]
    (directory / "style.css").write_text(STYLE)
    (directory / "search.js").write_text("const SECTIONS = " + json.dumps(sections, separators=(",", ":")) + ";" + SEARCH)
    print(f"{len(pages)} pages, {len(sections)} sections: {directory}/index.html")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: docs/pages.py DIRECTORY")
    write_site(pathlib.Path(sys.argv[1]))
