#!/usr/bin/env python3
"""kill.py IOLITE WORK ROUNDS LOGS: logs are handed in from several sides while the server is killed with -9, again and again.

What was answered with 200 must be there, in the index and to the byte, when the next server has started.
"""
import http.client
import json
import random
import signal
import subprocess
import sys
import threading
import time

from processes import started

iolite, work, rounds, logs = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
random.seed(3)
contents = [open(path, "rb").read() for path in logs]
accepted = {}
lock = threading.Lock()
token = subprocess.run([iolite, "serve", "--state", f"{work}/kstate", "--make-token", "staff"], check=True,
                       capture_output=True, text=True).stdout.strip()


def start():
    server = subprocess.Popen([iolite, "serve", "--state", f"{work}/kstate", "--store", f"{work}/kill.db", "--logs",
                               f"{work}/nothing", "--listen", "127.0.0.1:0", "--request-log", "/dev/null", "--interval", "1"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    started.append(server)
    return server, server.stdout.readline().strip().split("//")[1].split("/")[0]


def ask(host, path, body=None):
    connection = http.client.HTTPConnection(host, timeout=60)
    try:
        connection.request("POST" if body else "GET", path, body=body, headers={"Authorization": "Bearer " + token})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def hand_in(host, until, side):
    number = 0
    while not until.is_set():
        which = random.randrange(len(contents))
        name = f"u{side}_prog_id{random.randrange(10**9)}_1-2-3-4_5.darshan"
        number += 1
        try:
            status, body = ask(host, f"/api/v1/logs?name={name}", contents[which])
        except (OSError, http.client.HTTPException):
            continue
        if status == 200:
            with lock:
                accepted[name] = (which, json.loads(body)["identity"])


lost = 0
for number in range(rounds):
    server, host = start()
    until = threading.Event()
    sides = [threading.Thread(target=hand_in, args=(host, until, side)) for side in range(3)]
    for side in sides:
        side.start()
    before = len(accepted)
    for _ in range(600):  # until something was taken
        if len(accepted) > before:
            break
        time.sleep(0.05)
    time.sleep(random.uniform(0, 0.3))
    server.send_signal(signal.SIGKILL)
    until.set()
    for side in sides:
        side.join()
    server.wait()
server, host = start()
identities = {identity for which, identity in accepted.values()}
for name, (which, identity) in accepted.items():
    try:
        if open(f"{work}/kstate/uploads/local/{name}", "rb").read() != contents[which]:
            raise OSError("other bytes")
    except OSError as error:
        lost += 1
        print("FAIL:", name, error, file=sys.stderr)
found = set()
for attempt in range(300):
    status, body = ask(host, "/api/v1/metrics")
    jobs = json.loads(ask(host, "/api/v1/jobs?limit=1000&has_log=1")[1])["items"]
    found = set()
    for job in jobs:
        for log in json.loads(ask(host, "/api/v1/jobs/%s/%s" % (job["cluster"], job["jobid"]))[1])["logs"]:
            found.add(json.loads(ask(host, "/api/v1/logs/%s" % log["log_id"])[1])["identity"])
    if identities <= found:
        break
    time.sleep(0.2)
if not identities <= found:
    lost += 1
    print("FAIL: not in the index:", identities - found, file=sys.stderr)
server.send_signal(signal.SIGTERM)
server.wait()
print(f"{rounds} kills, {len(accepted)} logs accepted, {lost} lost")
sys.exit(1 if lost or not accepted else 0)
