#!/usr/bin/env python3
"""stall.py URL STAFF USER=TOKEN OTHER=TOKEN: one user asks twelve expensive questions that never end; others are served.

The table of file systems is a view without an end (serve.sh). Clients that leave take their questions with them.
"""
import http.client
import re
import socket
import sys
import time
import urllib.parse

url, staff = sys.argv[1], sys.argv[2]
(one, one_token), (other, other_token) = (pair.split("=") for pair in sys.argv[3:5])
where = urllib.parse.urlsplit(url)
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAIL:", text, file=sys.stderr)


def ask(path, token):
    connection = http.client.HTTPConnection(where.netloc, timeout=100)
    connection.request("GET", path, headers={"Authorization": "Bearer " + token})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


def gauge(name):
    return float(re.search(rf"^{name} (\S+)$", ask("/metrics", staff)[1].decode(), re.M).group(1))


def until(what, holds):
    for _ in range(600):
        if holds():
            return
        time.sleep(0.1)
    fail(f"never: {what}")


questions = []
for _ in range(12):
    to = socket.create_connection((where.hostname, where.port), timeout=60)
    to.sendall(f"GET /api/v1/scoreboard?by=fs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {one_token}\r\n\r\n".encode())
    questions.append(to)
until("the questions wait", lambda: gauge("iolite_requests_waiting") >= 1 and gauge("iolite_requests_running") >= 2)
for path in ("/api/v1/jobs", "/", "/api/v1/me"):
    status, body = ask(path, other_token)
    if status != 200:
        fail(f"{path} for another user: {status} {body[:200]}")
if ask("/api/v1/jobs", one_token)[0] != 200:
    fail("short answers for the same user wait for long ones")
if gauge("iolite_requests_waiting") < 1:
    fail("the expensive questions did not wait all the time")
for to in questions:
    to.close()
until("what nobody waits for is given up", lambda: gauge("iolite_requests_running") <= 1 and gauge("iolite_requests_waiting") == 0)
if gauge("iolite_requests_dropped_total") < 12:
    fail("not all of them were dropped")
if 'iolite_request_seconds_bucket{cost="heavy",le="+Inf"}' not in ask("/metrics", staff)[1].decode():
    fail("no histogram")
sys.exit(1 if failures else 0)
