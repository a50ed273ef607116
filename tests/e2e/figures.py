# figures.py IOLITE LOG...: compares the figures that the commands give for each log, pairwise, as numbers and as the
# line that people read, and those that an index keeps. Prints what differs; ends with 1 if anything does.
import html, json, os, re, sqlite3, subprocess, sys, tempfile


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


def line_of_page(text):
    """The cards at the top of a page that is read without a script, as the same line."""
    cards = dict((label, (value, detail)) for label, value, detail in CARD.findall(text))
    if not cards:
        return None  # nothing was recorded: the page has a sentence instead
    time, share = cards["Time in I/O"]
    line = f"I/O {time}" + ("" if share.startswith("- ") else f", {share}") + f", {cards['Bytes moved'][0]}"
    rate = cards["Rate"][0]
    return html.unescape(line + ("" if rate == "-" else f", {rate}"))


CARD = re.compile(r'<span class="io-card-label">([^<]*)</span><span class="io-card-value">([^<]*)</span><span class="io-card-detail">([^<]*)<')
COMPARED = {"run_time": "run time", "io_time": "I/O time", "io_share": "I/O share of the run", "rate": "rate of I/O"}


def raw_differences(iolite, log):
    """Of all objects of figures, and of those figures that a comparison has among its own."""
    all_figures = {}
    commands = [("show",), ("diagnose",), ("report",), ("metrics",), ("compare", "--by-counters", log)]
    for command in commands:
        status, text = run(iolite, command[0], "--json", *command[1:], log)
        if status > 3:
            return [f"{command[0]}: status {status}"]
        document = json.loads(text)
        if document.get("unreadable"):
            return None
        for number, figures in enumerate(figures_in(document, [])):
            all_figures[f"{command[0]} {number}"] = figures
    if len(all_figures) < 7:
        return [f"figures only in {sorted(all_figures)}"]
    names = sorted(all_figures)
    wrong = [f"{a} {all_figures[a]}\n  {b} {all_figures[b]}" for a in names for b in names if a < b and all_figures[a] != all_figures[b]]
    figures = json.loads(all_figures["show 0"])
    compared = json.loads(run(iolite, "compare", "--json", log, log)[1])
    for metric in compared["metrics"]:
        name, side = metric["metric"], metric["a"]
        if name in COMPARED and side["n"] and side["mean"] != figures[name]:
            wrong.append(f"compare has {name} {side['mean']}, show {figures[name]}")
    return wrong


def printed_differences(iolite, log):
    lines = {name: line_of(run(iolite, name, log)[1]) for name in ("show", "metrics")}
    lines["diagnose"] = line_of(run(iolite, "diagnose", "--width", "200", log)[1])
    lines["report"] = line_of_page(run(iolite, "report", "-o", "-", log)[1])
    for name in ("show", "report"):
        if lines[name] is None:
            del lines[name]  # the job record is damaged, or there are no records
    wrong = [f"{a}: {lines[a]}\n  {b}: {lines[b]}" for a in lines for b in lines if a < b and lines[a] != lines[b]]
    text = run(iolite, "compare", log, log)[1]
    for label in ("I/O time", "rate of I/O"):
        found = re.search(f"^{label} +(.*) -> ", text, re.MULTILINE)
        if found and f" {found.group(1)}" not in lines["metrics"]:
            wrong.append(f"compare says {label} {found.group(1)}, metrics {lines['metrics']}")
    return wrong


def differences(iolite, log):
    wrong = raw_differences(iolite, log)
    if wrong is None:
        return []
    return wrong + printed_differences(iolite, log) + sum_differences(iolite, log) + layer_differences(iolite, log)


def layer_differences(iolite, log):
    """A job that used one layer waited as long for it as for all its I/O, at the same rate."""
    shown = json.loads(run(iolite, "show", "--json", log)[1])
    layers = [module for module in shown.get("modules", []) if module.get("time")]
    if len(layers) != 1 or layers[0]["bytes_read"] + layers[0]["bytes_written"] != shown["figures"]["bytes"]:
        return []
    if shown["figures"]["run_time"] and layers[0]["time"] > shown["figures"]["run_time"]:
        return []  # more than can be: neither is printed
    pairs = [("time", "io_time"), ("bytes_per_second", "rate")]
    return [f"{layers[0]['name']} has {name} {layers[0][name]}, the job {shown['figures'][figure]}"
            for name, figure in pairs
            if abs((layers[0][name] or 0) - (shown["figures"][figure] or 0)) > 1e-9 * (layers[0][name] or 0)]


def sum_differences(iolite, log):
    """Files of show and of report add up to the job, and each has the same time in both."""
    shown = json.loads(run(iolite, "show", "--json", "--top", "1000000", log)[1])
    if "figures" not in shown or shown["quality"]["top_files_approximate"]:
        return []
    figures, files = shown["figures"], shown["top_files"]
    page = json.loads(run(iolite, "report", "--json", "--trace-limit", "0", log)[1])["files"]
    sums = {f"show {name}": (sum(file[name] for file in files), figures[name], 0) for name in ("bytes_read", "bytes_written")}
    sums["show calls"] = (sum(file["calls"] for file in files), figures["reads"] + figures["writes"], 0)
    for name in ("bytes_read", "bytes_written", "reads", "writes", "read_time", "write_time", "meta_time"):
        if not page["left_out"]["files"]:
            rounded = 1e-4 if name.endswith("time") else 0
            sums[f"report {name}"] = (sum(page["columns"][name]), figures[name], rounded)
    times = dict(zip(page["columns"]["id"], page["columns"]["time"]))
    for file in files:
        if file["id"] in times:
            sums[f"report, of which {file['id']},"] = (times[file["id"]], file["time"], 1e-4)
    return [f"files of {name} add up to {found}, the job has {job}" for name, (found, job, rounded) in sums.items() if abs(found - job) > rounded * job + 1e-9]


def indexed(iolite, logs):
    """What an index keeps of each log, by its path: run time and I/O time in microseconds, and the rate."""
    with tempfile.TemporaryDirectory() as directory:
        store = os.path.join(directory, "index.db")
        run(iolite, "index", "-q", "--store", store, *logs)
        rows = sqlite3.connect(store).execute("SELECT dir, name, run, io_time, rate FROM log JOIN place USING (log_id)").fetchall()
    return {os.path.join(directory, name): row for directory, name, *row in rows}


def index_differences(iolite, log, row):
    figures = figures_in(json.loads(run(iolite, "show", "--json", log)[1] or "{}"), [])
    if not row or not figures:
        return []
    shown = json.loads(figures[0])
    wrong = []
    for name, kept, scale in zip(("run_time", "io_time", "rate"), row, (1e6, 1e6, 1)):
        value = shown[name]
        if value is not None and (kept is None or abs(kept - value * scale) > 1 + 1e-9 * value):
            wrong.append(f"index has {name} {kept}, show {value}")
    return wrong


failed = 0
kept = indexed(sys.argv[1], sys.argv[2:])
if not kept:
    print("the index has no log", file=sys.stderr)
    failed = 1
for path in sys.argv[2:]:
    for line in differences(sys.argv[1], path) + index_differences(sys.argv[1], path, kept.get(os.path.realpath(path))):
        print(f"{path}: {line}", file=sys.stderr)
        failed = 1
sys.exit(failed)
