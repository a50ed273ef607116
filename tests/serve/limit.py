#!/usr/bin/env python3
"""limit.py URL TOKEN fine|late: what a server with --limit-seconds 1 answers while its store answers, and while it hangs.

A machine under load may need more than a second for anything, so `fine` tries for a while.
"""
import http.client
import json
import sys
import time
import urllib.parse

url, token, wanted = sys.argv[1], sys.argv[2], sys.argv[3]
where = urllib.parse.urlsplit(url).netloc
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAIL:", text, file=sys.stderr)


def ask(path):
    connection = http.client.HTTPConnection(where, timeout=100)
    connection.request("GET", path, headers={"Authorization": "Bearer " + token})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


def fine(path):
    for _ in range(100):
        status, body = ask(path)
        if status == 200:
            return
        time.sleep(0.1)
    fail(f"{path}: {status} {body[:200]}")


paths = ["/api/v1/jobs", "/api/v1/jobs?total=1&q=a", "/api/v1/alerts?days=3660", "/api/v1/health", "/"]
if wanted == "late":
    for path in paths:
        status, body = ask(path)
        if status != 503:
            fail(f"{path}: {status} {body[:200]}")
        elif path == "/":
            if b"longer than the 1 s" not in body or b"<html" not in body:
                fail(f"{path}: {body[:400]}")
        else:
            error = json.loads(body).get("error", {})
            if error.get("code") != "unavailable" or "longer than the 1 s" not in error.get("message", ""):
                fail(f"{path}: {body[:200]}")
    fine("/api/v1/me")
else:
    for path in paths:
        fine(path)
sys.exit(1 if failures else 0)
