#!/usr/bin/env python3
"""contract.py URL TOKEN [LOG [START END]]: every endpoint of a running server against its own OpenAPI document.

Paths are filled with objects that the server itself lists. Each answer must have the form that the document promises, as
JSON, and where it offers them as CSV and as lines of JSON. LOG is handed in where a body is wanted.
From START to END there are series of 4 targets, each of which read 4096 bytes per step more than the one before.
"""
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

base, token = sys.argv[1].rstrip("/"), sys.argv[2]
log = open(sys.argv[3], "rb").read() if len(sys.argv) > 3 else None
failures = []
asked = set()


def ask(path, body=None, headers=None):
    request = urllib.request.Request(base + path, data=body, headers={"Authorization": "Bearer " + token, **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read()


def fail(text):
    failures.append(text)
    print("FAIL:", text, file=sys.stderr)


document = json.loads(ask("/api/v1/openapi.json")[2])


def resolve(schema):
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    if "allOf" in schema:
        merged = {**schema, **resolve(schema["allOf"][0])}
        merged.pop("allOf")
        return merged
    return schema


def check(value, schema, where):
    schema = resolve(schema)
    if value is None:
        if not schema.get("nullable"):
            fail(f"{where}: null")
        return
    kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict}
    kind = schema.get("type")
    if kind and (not isinstance(value, kinds[kind]) or (kind in ("integer", "number") and isinstance(value, bool))):
        fail(f"{where}: {value!r:.60} is no {kind}")
        return
    if kind == "array":
        for number, item in enumerate(value[:50]):
            check(item, schema["items"], f"{where}[{number}]")
    if kind == "object":
        for key in schema.get("required", []):
            if key not in value:
                fail(f"{where}: no {key}")
        for key, item in value.items():
            if key in schema.get("properties", {}):
                check(item, schema["properties"][key], f"{where}.{key}")
            elif schema.get("additionalProperties") is False:
                fail(f"{where}: {key} is not in the document")


def first(path, test=lambda item: True):
    return next((item for item in json.loads(ask(path)[2])["items"] if test(item)), None)


job = first("/api/v1/jobs?has_log=1&limit=1")
detail = json.loads(ask("/api/v1/jobs/%s/%s" % (job["cluster"], job["jobid"]))[2])
file_systems = json.loads(ask("/api/v1/fs")[2])["items"]
with_series = next((fs["fs"] for fs in file_systems if fs["series"]), None)
known = {"cluster": job["cluster"], "jobid": job["jobid"], "user": job["user"], "exe": job["exe"],
         "id": str(detail["logs"][0]["log_id"]), "name": "metadata", "fs": with_series or file_systems[0]["fs"]}
# Where nothing is there is the right answer for this centre.
may_be_absent = {"log_trace", "fs_series", "fs_heatmap", "umami", "umami_svg"}


def query_of(name):
    if name == "compare":
        return {"a": known["id"], "b": known["id"]}
    if name in ("umami", "umami_svg", "correlations"):
        return {"exe": known["exe"]}
    if name.startswith("fs_") and len(sys.argv) > 5 and name in ("fs_series", "fs_heatmap", "fs_volumes"):
        return {"start": sys.argv[4], "end": sys.argv[5]}
    if name == "fs_health":  # else it is that of this second
        return {"at": "2026-03-04"}
    return {}


def check_get(path, operation):
    name = operation["operationId"]
    filled = path
    for key, value in known.items():
        filled = filled.replace("{%s}" % key, urllib.parse.quote(value, safe=""))
    content = operation["responses"]["200"]["content"]
    formats = [p for p in operation["parameters"] if p["name"] == "format"]
    for form in (formats[0]["schema"]["enum"] if formats else [None]):
        query = dict(query_of(name), **({"format": form} if form else {}))
        address = filled + ("?" + urllib.parse.urlencode(query) if query else "")
        status, headers, body = ask(address)
        asked.add(name)
        if status == 404 and (name in ("log_trace", "running_job") or (name in may_be_absent and not with_series)):
            check(json.loads(body), {"$ref": "#/components/schemas/ErrorAnswer"}, address)
            continue
        if status != 200:
            fail(f"{address}: {status} {body[:200]}")
            continue
        kind = {"svg": "image/svg+xml", "png": "image/png", "csv": "text/csv; charset=utf-8",
                "ndjson": "application/x-ndjson", "json": "application/json"}.get(form)
        if kind and headers.get("Content-Type") != kind:
            fail(f"{address}: {headers.get('Content-Type')} instead of {kind}")
        if headers.get("Content-Type") == "application/json" and "application/json" in content:
            check(json.loads(body), content["application/json"]["schema"], address)
        elif form == "csv":
            if b"\n" not in body:
                fail(f"{address}: no header line")
        elif form == "ndjson":
            row = content["application/json"]["schema"]
            row = row["properties"]["items"]["items"] if "properties" in row else {}
            for line in body.splitlines()[:50]:
                check(json.loads(line), row, address)
        mark = headers.get("ETag")
        if mark and name not in ("health", "metrics", "log_page", "job_context"):
            again = ask(address, headers={"If-None-Match": mark})
            if again[0] == 200:  # the minute may have turned, up to which an overview goes
                mark = ask(address)[1].get("ETag")
                again = ask(address, headers={"If-None-Match": mark})
            if again[0] != 304 or again[2]:
                fail(f"{address}: {again[0]} instead of 304 for its own ETag")


schemes = document["components"]["securitySchemes"]
for path, operations in document["paths"].items():
    for method, operation in operations.items():
        wanted = {"400", "429", "503"} | ({"401", "403"} if operation["security"] else set()) | ({"404"} if "{" in path else set())
        if not wanted <= set(operation["responses"]):
            fail(f"{method} {path}: the document knows {sorted(operation['responses'])}, not {sorted(wanted)}")
        if any(name not in schemes for proof in operation["security"] for name in proof):
            fail(f"{method} {path}: {operation['security']} is not among {sorted(schemes)}")
        if bool(operation["security"]) == (operation["operationId"] in ("openapi", "health")):
            fail(f"{method} {path}: security is {operation['security']}")
        if method == "get":
            check_get(path, operation)
        elif log is not None and "staff" in operation["x-roles"]:  # nodes: running.py
            if "application/octet-stream" not in operation["requestBody"]["content"]:
                asked.add(operation["operationId"])  # objects: staff_work.py
                continue
            status, headers, body = ask(path, log)
            asked.add(operation["operationId"])
            if status != 200:
                fail(f"POST {path}: {status} {body[:200]}")
            else:
                check(json.loads(body), operation["responses"]["200"]["content"]["application/json"]["schema"], path)

# Series: whatever the step, nothing is lost.
if with_series and len(sys.argv) > 5:
    start, end = int(sys.argv[4]), int(sys.argv[5])
    steps, address = (end - start) // 5, f"/api/v1/fs/{known['fs']}"
    for step in (5, 7, 60, 86400):
        got = json.loads(ask(f"{address}/series?dataset=datatargets/readbytes&start={start}&end={end}&step={step}")[2])
        total = sum(row[0] for row in got["values"] if row[0] is not None)
        if total != steps * 4096 * 10 or got["missing"]:
            fail(f"step {step}: {total} bytes, {got['missing']} missing")
    each = json.loads(ask(f"{address}/series?dataset=datatargets/readrates&start={start}&end={end}&agg=none&step=60")[2])
    if [round(row[1], 6) for row in each["values"]] != [2 * 4096 / 5] * 5 or len(each["columns"]) != 4:
        fail(f"rates of each target: {each}")
    one = json.loads(ask(f"{address}/series?dataset=datatargets/readrates&start={start}&end={end}&agg=none&columns="
                         + each["columns"][2])[2])
    if one["columns"] != [each["columns"][2]]:
        fail(f"one column: {one['columns']}")
    for _ in range(2):  # the second time it is remembered
        day = json.loads(ask(f"{address}/volumes?start={start}&end={end}")[2])["items"]
        if len(day) != 1 or day[0]["read"] != steps * 4096 * 10:
            fail(f"the volume of a day: {day}")
    flagged = json.loads(ask(f"{address}/series?dataset=datatargets/readbytes&start={start}&end={end + 300}&step=300"
                             "&missing=flag")[2])
    if flagged["values"][1:] != [[0]] or flagged["flags"] != [[0], [1]]:
        fail(f"flags: {flagged['values']} {flagged['flags']}")
    low = json.loads(ask(f"{address}/heatmap?start={start}&end={end}&height=2&width=3")[2])
    if len(low["cells"]) != 2 or len(low["sums"]) != 3 or len(low["row_sums"]) != 2 or ".." not in low["columns"][0]:
        fail(f"a low heat map: {low}")
    for accept, kind, magic in (("image/png", "image/png", b"\x89PNG"), ("image/svg+xml,*/*", "image/svg+xml", b"<svg"),
                                ("*/*", "application/json", b"{")):
        _, headers, body = ask(f"{address}/heatmap?start={start}&end={end}", headers={"Accept": accept})
        if headers["Content-Type"] != kind or magic not in body[:200]:
            fail(f"{accept}: {headers['Content-Type']}")
    gap = json.loads(ask(f"{address}/series?dataset=datatargets/readbytes&start={start}&end={end + 600}&step=300")[2])
    if gap["values"][1:] != [[None], [None]]:
        fail(f"what is missing is not null: {gap['values']}")
    if ask(f"{address}/series?dataset=no/such&start={start}&end={end}")[0] != 400:
        fail("a dataset that is not there")
    if ask(f"{address}/series?start={start}&end={start + 86400 * 500}")[0] != 400:
        fail("a range without end")

# What parameters and headers ask for.
log_path = f"/api/v1/logs/{known['id']}"
for module in ("POSIX", "posix", "MPI-IO", "STDIO"):
    status, _, body = ask(f"{log_path}/files?module={module}&limit=5&sort=-opens")
    opens = [item["opens"] for item in json.loads(body)["items"]] if status == 200 else [status]
    if status != 200 or opens != sorted(opens, reverse=True):
        fail(f"files of {module}: {opens}")
whole = json.loads(ask(f"{log_path}/files?limit=1000")[2])["items"]
least = sorted(item["bytes_read"] + item["bytes_written"] for item in whole)[len(whole) // 2] if whole else 0
for item in json.loads(ask(f"{log_path}/files?min_bytes={least}&sort=name")[2])["items"]:
    if item["bytes_read"] + item["bytes_written"] < least:
        fail(f"a file below {least} bytes")
names = [item["name"] for item in json.loads(ask(f"{log_path}/files?sort=name")[2])["items"]]
if names != sorted(names, key=lambda name: name.encode()):
    fail("files are not in order of their names")
if detail["jobid"] != job["jobid"] or detail["metrics"]["_jobid"] != job["jobid"] or "darshan_nprocs" not in detail["metrics"]:
    fail(f"the record of a job: {list(detail)}")
for method in ("pearson", "spearman"):
    if ask(f"/api/v1/correlations?exe={known['exe']}&method={method}&metrics=darshan_nprocs,coverage_factor_bw"
           "&against=darshan_total_bytes")[0] != 200:
        fail(f"correlations by {method}")
for state in ("flagged", "notified", "failed", "muted"):
    if {item["state"] for item in json.loads(ask(f"/api/v1/alerts?state={state}&days=3660")[2])["items"]} - {state}:
        fail(f"alerts that are not {state}")
if ask("/metrics")[2][:6] != b"# HELP":
    fail("/metrics is not for Prometheus")
status, headers, body = ask("/api/v1/jobs", b"x")
if status != 405 or headers.get("Allow") != "GET, HEAD":
    fail(f"POST on a list: {status} {headers.get('Allow')}")
if log is not None:
    before = json.loads(ask("/api/v1/jobs?total=1&limit=1")[2])["total"]
    status, _, body = ask("/api/v1/logs?keep=0", log)
    if status != 200 or "findings" not in json.loads(body) or json.loads(
            ask("/api/v1/jobs?total=1&limit=1")[2])["total"] != before:
        fail(f"a log that is only judged: {status}")
    named = {"X-Iolite-Cluster": "other", "X-Iolite-Name": "ana_x_id77_1-2-3-4_5.darshan"}
    status, _, body = ask("/api/v1/logs", log, named)
    if status != 200 or json.loads(ask(f"/api/v1/logs/{json.loads(body)['log_id']}")[2])["cluster"] != "other":
        fail(f"a log with its name in headers: {status} {body[:200]}")

# Errors have one form.
for address, expected in (("/api/v1/nothing", 404), ("/api/v1/jobs?limit=0", 400), ("/api/v1/jobs?limt=5", 400),
                          ("/api/v1/jobs?cursor=abc", 400), ("/api/v1/jobs?start=yesterday", 400),
                          ("/api/v1/jobs?limit=5&limit=6", 400), ("/api/v1/jobs?q=%ff", 400),
                          ("/api/v1/jobs?sort=secret", 400), ("/api/v1/logs/999999999", 404), ("/api/v1/logs/x", 404),
                          ("/api/v1/jobs/x/%00", 404), ("/api/v1/screens/none", 404), ("/api/v1/fs/none/series", 404)):
    status, headers, body = ask(address)
    if status != expected:
        fail(f"{address}: {status} instead of {expected}")
    check(json.loads(body), {"$ref": "#/components/schemas/ErrorAnswer"}, address)

# Pages follow each other without gaps, in every order.
for sort in next(p for p in document["paths"]["/api/v1/jobs"]["get"]["parameters"] if p["name"] == "sort")["schema"]["enum"]:
    seen, cursor = [], None
    while True:
        query = {"limit": 37, "sort": sort, **({"cursor": cursor} if cursor else {"total": "1"})}
        page = json.loads(ask("/api/v1/jobs?" + urllib.parse.urlencode(query))[2])
        total = page["total"] if not cursor else total
        seen += [(item["cluster"], item["jobid"], item["user"], item["start"]) for item in page["items"]]
        cursor = page["next"]
        if not cursor or len(seen) > 2000:
            break
    if len(seen) <= 2000 and (len(seen) != total or len(set(seen)) != total):
        fail(f"sort={sort}: {len(seen)} rows, {len(set(seen))} different ones, of {total}")

print(f"{len(asked)} operations, {len(failures)} failures")
sys.exit(1 if failures else 0)
