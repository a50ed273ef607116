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
:root { color-scheme: light dark; --line: #8884; --link: #1a5fb4; }
@media (prefers-color-scheme: dark) { :root { --link: #78aeed; } }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 16rem minmax(0, 1fr); }
nav { padding: 1rem; border-right: 1px solid var(--line); height: 100vh; overflow: auto; position: sticky; top: 0; box-sizing: border-box; font-size: 14px; }
nav h2 { font-size: 13px; margin: 1rem 0 .2rem; } nav ul { list-style: none; margin: 0; padding: 0; }
main { padding: 1rem 2rem 4rem; max-width: 60rem; } a { color: var(--link); } img { max-width: 100%; }
pre { overflow: auto; padding: .7rem; border: 1px solid var(--line); border-radius: 4px; font-size: 14px; line-height: 1.35; }
table { border-collapse: collapse; display: block; overflow: auto; } td, th { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; }
input { width: 100%; box-sizing: border-box; font: inherit; padding: .3rem; } #found li { margin: .3rem 0; } [aria-current] { font-weight: 600; }
@media (max-width: 45rem) { body { display: block; } nav { height: auto; position: static; border: 0; } main { padding: 1rem; } }
"""

SEARCH = """
const box = document.getElementById("search"), found = document.getElementById("found");
box.addEventListener("input", () => {
    const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
    found.replaceChildren();
    if (!words.length) return;
    const hits = PAGES.filter(s => words.every(w => s.t.toLowerCase().includes(w)))
        .map(s => [words.every(w => s.h.toLowerCase().includes(w)) ? 0 : 1, s]).sort((a, b) => a[0] - b[0]).slice(0, 30);
    for (const [, s] of hits) {
        const item = document.createElement("li"), link = document.createElement("a");
        link.href = s.u; link.textContent = s.h; item.append(link); found.append(item);
    }
    if (!hits.length) found.textContent = "nothing";
});
"""


def anchor(heading):
    """As GitHub makes them, so that one link serves both."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")


def name_of(path):
    return path.stem


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
        return keep(f'<a href="{html.escape(url)}">') + label + keep("</a>")

    text = re.sub(r"`` (.+?) ``|`([^`]+)`", lambda m: keep("<code>" + html.escape(m.group(1) or m.group(2)) + "</code>"), text)
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
        paragraph, stack, section = [], [], None

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
                self.sections[-1]["t"] += " " + text

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
                out.append(f'<h{level} id="{mark}">{inline(heading, self)}</h{level}>')
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
        return "\n".join(out)


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
            f'<body><nav><label>Search <input id="search" type="search"></label><ul id="found"></ul>{"".join(menu)}</nav>\n'
            f'<main>{bodies[path]}</main><script src="search.js"></script></body></html>\n')
        for picture in page.pictures:
            shutil.copyfile(picture, directory / "pictures" / picture.name)
    sections = [s for page in pages.values() for s in page.sections]
    (directory / "style.css").write_text(STYLE)
    (directory / "search.js").write_text("const PAGES = " + json.dumps(sections, separators=(",", ":")) + ";" + SEARCH)
    print(f"{len(pages)} pages, {len(sections)} sections: {directory}/index.html")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: docs/pages.py DIRECTORY")
    write_site(pathlib.Path(sys.argv[1]))
