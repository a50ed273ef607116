#!/usr/bin/env python3
"""crowd.py URL TOKEN LOG: eight clients ask a running server for everything at once, and two hand in a log; all get answers."""
import json
import sys
import threading
import urllib.error
import urllib.request

base, token, log = sys.argv[1].rstrip("/"), sys.argv[2], open(sys.argv[3], "rb").read()
failures = []


def ask(path, body=None):
    request = urllib.request.Request(base + path, data=body, headers={"Authorization": "Bearer " + token})
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        if error.code != 429:  # so many read whole logs at once that this one has to come again
            failures.append(f"{path}: {error.code}")
    except OSError as error:
        failures.append(f"{path}: {error}")
    return b"{}"


job = json.loads(ask("/api/v1/jobs?has_log=1&limit=1"))["items"][0]
detail = json.loads(ask(f"/api/v1/jobs/{job['cluster']}/{job['jobid']}"))
number = detail["logs"][0]["log_id"]
paths = ["/", "/api/v1/jobs?limit=50&total=1", f"/api/v1/jobs/{job['cluster']}/{job['jobid']}", f"/api/v1/logs/{number}",
         f"/api/v1/logs/{number}/page", f"/api/v1/logs/{number}/files", "/api/v1/programs", f"/api/v1/users/{job['user']}",
         "/api/v1/scoreboard", "/api/v1/fleet", "/api/v1/screens", "/api/v1/health", "/metrics", "/api/v1/openapi.json"]


def client(side):
    for turn in range(3):
        for path in paths[side:] + paths[:side]:
            ask(path)


def giver():
    for turn in range(3):
        ask("/api/v1/logs", log)


threads = [threading.Thread(target=client, args=(side,)) for side in range(8)] + [threading.Thread(target=giver) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for text in failures[:10]:
    print("FAIL:", text, file=sys.stderr)
sys.exit(bool(failures))
