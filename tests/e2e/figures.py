# figures.py IOLITE LOG...: compares the figures that the commands give for each log, pairwise, as numbers and as the
# line that people read. Prints what differs; ends with 1 if anything does.
import json, re, subprocess, sys


def run(*arguments):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def figures_in(value, found):
    """Every object of figures of a job, not those of findings."""
    if isinstance(value, dict):
        figures = value.get("figures")
        if isinstance(figures, dict) and "io_time" in figures:
            found.append(json.dumps(figures, sort_keys=True))
        for key, inner in value.items():
            if key != "findings":
                figures_in(inner, found)
    elif isinstance(value, list):
        for inner in value:
            figures_in(inner, found)
    return found


def line_of(text):
    found = re.search(r"^I/O .*$", text, re.MULTILINE)
    return found.group(0) if found else None


def differences(iolite, log):
    all_figures = {}
    for command in ("show", "diagnose", "report", "metrics"):
        status, text = run(iolite, command, "--json", log)
        if status > 3:
            return [f"{command}: status {status}"]
        document = json.loads(text)
        if document.get("unreadable"):
            return []
        for number, figures in enumerate(figures_in(document, [])):
            all_figures[f"{command} {number}"] = figures
    if len(all_figures) < 5:
        return [f"figures only in {sorted(all_figures)}"]
    names = sorted(all_figures)
    wrong = [f"{a} {all_figures[a]}\n  {b} {all_figures[b]}" for a in names for b in names if a < b and all_figures[a] != all_figures[b]]
    show = line_of(run(iolite, "show", log)[1])
    diagnose = line_of(run(iolite, "diagnose", "--width", "200", log)[1])
    if show is not None and show != diagnose:
        wrong.append(f"show says {show}, diagnose {diagnose}")
    return wrong


failed = 0
for path in sys.argv[2:]:
    for line in differences(sys.argv[1], path):
        print(f"{path}: {line}", file=sys.stderr)
        failed = 1
sys.exit(failed)
