#!/usr/bin/env python3
"""grafana.py URL TOKEN METRICS PROMETHEUS DASHBOARD...: every query of the dashboards against what it is meant for.

Questions to the API are asked as Grafana's Infinity data source asks them: each must be answered, and each column must be in the
answer. Expressions for Prometheus are evaluated by a real one at PROMETHEUS ("" where there is none), which holds what METRICS, files
separated by commas, say; each metric that they name must be exported. Values of variables come from the environment; there are series
FROM one time TO another.
"""
import csv
import io
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

address, token, metrics, prometheus, *dashboards = sys.argv[1:]
VALUES = {"cluster": os.environ["CLUSTER"], "jobid": os.environ["JOB"], "user": os.environ["OWNER"], "fs": os.environ["FS"],
          "__from:date:seconds": "1", "__to:date:seconds": os.environ["NOW"]}
OF_SERIES = {"__from:date:seconds": os.environ["FROM"], "__to:date:seconds": os.environ["TO"]}
WORDS = {"sum", "by", "rate", "topk", "time", "histogram_quantile", "le", "cost", "status", "why", "job_id", "exe", "user", "fs"}
exported = {line.split("{")[0].split(" ")[0] for name in metrics.split(",") for line in open(name) if not line.startswith("#")}
problems, asked = [], 0


def get(url, headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def filled(text, **more):
    for name, value in {**VALUES, **more}.items():
        text = text.replace("${%s}" % name, value).replace("$" + name, value)
    return text


document = json.loads(get(address + "/api/v1/openapi.json", {})[1])


def resolved(schema):
    while "$ref" in schema or "allOf" in schema:
        schema = schema["allOf"][0] if "allOf" in schema else document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def promised(path, root):
    """Keys of a row, as the document of the API has them, for an answer without rows."""
    for pattern, operations in document["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", pattern), path):
            schema = resolved(operations["get"]["responses"]["200"]["content"]["application/json"]["schema"])
            rows = resolved(schema["properties"][root])
            return set(resolved(rows["items"])["properties"])
    return set()


def check_api(where, target):
    path = filled(target["url"])
    query = urllib.parse.urlencode([(one["key"], filled(one["value"], **(OF_SERIES if path.startswith("/api/v1/fs/") else {}))) for one in target["url_options"]["params"]])
    status, body = get(f"{address}{path}{'?' if query else ''}{query}", {"Authorization": "Bearer " + token})
    if status == 404 and "/series" in path and not os.environ.get("SERIES"):
        return
    if status != 200:
        problems.append(f"{where}: {path}?{query}: {status} {body[:200]}")
        return
    root = target["root_selector"]
    if target["type"] == "csv":
        keys = set(next(csv.reader(io.StringIO(body))))
    else:
        rows = json.loads(body)
        rows = rows[root] if root else [rows]
        keys = set(rows[0]) if rows else promised(path, root)
    missing = [column["selector"] for column in target["columns"] if column["selector"] not in keys]
    if missing or "$" in path + query:
        problems.append(f"{where}: {path}?{query} has no {missing}, but {sorted(keys)}")


def check_expression(where, expression):
    expression = filled(expression)
    plain = re.sub(r"\{[^}]*\}|\[[^\]]*\]", "", expression)
    for name in set(re.findall(r"[a-z_][a-z_0-9]+", plain)) - WORDS:
        if name not in exported:
            problems.append(f"{where}: nobody exports {name}")
    if not prometheus:
        return
    query = urllib.parse.urlencode({"query": expression, "time": os.environ["NOW"]})
    status, body = get(f"{prometheus}/api/v1/query?{query}", {})
    if status != 200:
        problems.append(f"{where}: {expression}: {body[:200]}")
    elif not json.loads(body)["data"]["result"] and " > " not in expression:  # a comparison may hold for nobody
        problems.append(f"{where}: {expression} gives nothing")


for name in dashboards:
    with open(name) as file:
        board = json.load(file)
    ids = [panel["id"] for panel in board["panels"]]
    assert len(ids) == len(set(ids)) and {one["name"] for one in board["templating"]["list"]} >= {"api", "prometheus"}, name
    for panel in board["panels"]:
        for target in panel["targets"]:
            asked += 1
            where = f"{os.path.basename(name)}: {panel['title']}"
            if target["datasource"]["type"] == "prometheus":
                check_expression(where, target["expr"])
            else:
                check_api(where, target)
    for variable in board["templating"]["list"]:
        if variable["type"] == "query":
            metric = re.fullmatch(r"label_values\((\w+), \w+\)", variable["definition"]).group(1)
            check_expression(f"{os.path.basename(name)}: {variable['name']}", metric)
print(f"{asked} queries, {len(problems)} problems")
print("\n".join(problems), file=sys.stderr)
sys.exit(bool(problems))
