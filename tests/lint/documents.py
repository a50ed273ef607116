#!/usr/bin/env python3
"""What the documents promise is there: every link leads to a file and a heading, every command line names a command and options that exist, and
the overview has every command and every page.

    tests/lint/documents.py IOLITE [SITE]     the command; with SITE, also the links of the HTML pages below it

Command lines are those of code blocks and of `code` in the text that begin with iolite or a darshan-* name.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

wrong = []


def anchor(heading):
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")


def anchors(text):
    found, inside = {}, False
    for line in text.split("\n"):
        inside ^= line.strip().startswith("```")
        if not inside and (match := re.match(r"^#{1,6} +(.*)", line)):
            mark = anchor(match.group(1))
            found[mark] = found.get(mark, -1) + 1
            if found[mark]:
                found[f"{mark}-{found[mark]}"] = 0
    return found


def pages():
    return sorted((ROOT / "docs").glob("*.md")) + sorted(ROOT.glob("*.md"))


def check_links(page, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", text, flags=re.S)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, fragment = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        if not path.exists():
            wrong.append(f"{page.relative_to(ROOT)}: {target} leads nowhere")
        elif fragment and path.suffix == ".md" and fragment not in anchors(path.read_text()):
            wrong.append(f"{page.relative_to(ROOT)}: {target}: no such heading")


def options_of(iolite):
    """Options by command, from the help pages; those with a value."""
    text = subprocess.run([iolite, "help", "--markdown"], capture_output=True, text=True, check=True).stdout
    found = {}
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        name = section.split("\n", 1)[0].strip().removeprefix("iolite ")
        found[name] = {}
        for line in section.split("\n"):
            if match := re.match(r"^  (?:(-\w), )?(--[\w-]+)( [A-Z])?", line):
                for word in filter(None, match.group(1, 2)):
                    found[name][word] = bool(match.group(3))
    return found


def command_lines(text):
    for block in re.findall(r"^ *```(?:sh|bash|console)?\n(.*?)^ *```", text, flags=re.S | re.M):
        for line in re.sub(r"\\\n", " ", block).split("\n"):
            line = re.sub(r"\s#.*", "", line.strip())
            line = re.sub(r"^\$ ", "", line)
            for part in re.split(r"&&|\|\||;|\||\$\(|\)", line):
                yield part.strip()
    for code in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", re.sub(r"```.*?```", "", text, flags=re.S)):
        yield code


def check_command(page, line, known):
    words = line.split()
    while words and re.match(r"^[A-Z_]+=", words[0]):
        words.pop(0)
    for launcher in ("sudo", "srun"):
        if words and words[0] == launcher:
            words.pop(0)
    if not words:
        return
    first = words[0].rsplit("/", 1)[-1]
    if first == "iolite" and len(words) > 1:
        if not re.fullmatch(r"[a-z][a-z-]*", words[1]):
            return
        name, rest = words[1], words[2:]
    elif first.startswith("darshan-") and first in known:
        name, rest = first, words[1:]
    else:
        return
    name = name.rstrip(".,:")
    if name not in known:
        wrong.append(f"{page.relative_to(ROOT)}: there is no command '{name}': {line[:80]}")
        return
    for word in rest:
        if word == "--":
            break
        option = re.match(r"^(--[a-z][\w-]*|-[a-zA-Z]$)", word)
        if option and option.group(1) not in known[name] and not any(o.startswith(option.group(1)) for o in known[name]):
            wrong.append(f"{page.relative_to(ROOT)}: {name} has no option '{option.group(1)}': {line[:80]}")


def check_overview(known):
    """Nobody finds what no page leads to."""
    page = ROOT / "docs" / "overview.md"
    text = page.read_text()
    named = set(re.findall(r"`(?:iolite )?([a-z][a-z.-]*)[^`]*`", text))
    for command in sorted(set(known) - named):
        wrong.append(f"docs/overview.md: command '{command}' is not there")
    for other in pages():
        if other.parent == page.parent and other != page and f"]({other.name}" not in text:
            wrong.append(f"docs/overview.md: no link to {other.name}")


def check_site(directory):
    for page in directory.glob("*.html"):
        text = page.read_text()
        for target in re.findall(r'(?:href|src|srcset)="([^"]+)"', text):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, fragment = target.partition("#")
            path = directory / file if file else page
            if not path.exists():
                wrong.append(f"{page.name}: {target} leads nowhere")
            elif fragment and f'id="{fragment}"' not in path.read_text():
                wrong.append(f"{page.name}: {target}: no such heading")


def main():
    known = options_of(sys.argv[1])
    if len(known) < 40:
        sys.exit(f"{sys.argv[1]} has only {len(known)} commands")
    lines = 0
    for page in pages():
        text = page.read_text()
        check_links(page, text)
        if page.name == "CHANGELOG.md":
            continue
        for line in command_lines(text):
            lines += 1
            check_command(page, line, known)
    check_overview(known)
    if len(sys.argv) > 2:
        check_site(pathlib.Path(sys.argv[2]))
    for line in wrong:
        print(line)
    if lines < 500:
        sys.exit(f"only {lines} command lines were looked at")
    sys.exit(1 if wrong else 0)


main()
