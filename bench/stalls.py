#!/usr/bin/env python3
"""stalls.py URL STAFF_TOKEN USER_TOKEN: how long a user's list of jobs takes while twelve clients of one of the staff ask for
expensive answers, each for another one, and every second of them hangs up after a second. Exit status 1: half a second was
not enough, in the slowest of fifty.
"""
import http.client
import json
import sys
import threading
import time
import urllib.parse

url, staff, user = sys.argv[1:]
where = urllib.parse.urlsplit(url).netloc


def ask(path, token, patience=120):
    connection = http.client.HTTPConnection(where, timeout=patience)
    try:
        connection.request("GET", path, headers={"Authorization": "Bearer " + token})
        answer = connection.getresponse()
        return answer.status, answer.read()
    except OSError:
        return 0, b""  # it did not wait
    finally:
        connection.close()


programs = [item["exe"] for item in json.loads(ask("/api/v1/programs?limit=50", staff)[1])["items"]]
over = threading.Event()
counts = {}


def client(side):
    for turn in range(100000):
        if over.is_set():
            return
        exe = urllib.parse.quote(programs[(side + turn) % len(programs)])
        path = [f"/api/v1/correlations?exe={exe}&n={2000 - turn % 1000}", f"/api/v1/umami?exe={exe}&n={200 - turn % 100}"][turn % 2]
        status, _ = ask(path, staff, 1 if side % 2 else 120)
        counts[status] = counts.get(status, 0) + 1


threads = [threading.Thread(target=client, args=(side,), daemon=True) for side in range(12)]
for thread in threads:
    thread.start()
time.sleep(2)
times = []
for _ in range(50):
    since = time.monotonic()
    status, _ = ask("/api/v1/jobs?limit=100", user)
    times.append(time.monotonic() - since)
    if status != 200:
        print(f"a user's list of jobs: {status}")
        sys.exit(1)
over.set()
times.sort()
print(f"a user's jobs beside 12 expensive clients: median {times[25] * 1e3:.0f} ms, slowest of 50 {times[-1] * 1e3:.0f} ms; "
      f"they had answers {dict(sorted(counts.items()))}")
sys.exit(times[-1] >= 0.5)
