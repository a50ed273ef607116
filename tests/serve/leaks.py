#!/usr/bin/env python3
"""leaks.py URL STAFF_TOKEN INGEST_TOKEN N USER=TOKEN...: what others have must not come out, however one asks.

As each user and role, N requests with paths and parameters taken from other users' objects. No answer may hold a text that
only others have, and an object of others must be answered like one that does not exist, to the byte.
"""
import http.client
import json
import random
import sys
import urllib.parse

address, staff, ingest, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
users = dict(pair.split("=", 1) for pair in sys.argv[5:])
parts = urllib.parse.urlsplit(address)
connection = None
random.seed(42)
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAIL:", text, file=sys.stderr)


def ask(token, path, headers=None):
    global connection
    for attempt in range(2):
        try:
            if connection is None:
                connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
            connection.request("GET", parts.path + path, headers={"Authorization": "Bearer " + token, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, {k: v for k, v in answer.getheaders() if k != "Date"}, answer.read()
        except (http.client.HTTPException, OSError):
            connection = None
            if attempt:
                raise


def everything(path):
    cursor = ""
    while True:
        page = json.loads(ask(staff, path + (f"&cursor={cursor}" if cursor else ""))[2])
        yield from page["items"]
        cursor = page["next"]
        if not cursor:
            return


# What there is, by owner.
jobs = list(everything("/api/v1/jobs?limit=1000"))
texts, logs, by_owner = {}, {}, {}
for job in jobs:
    owner = job["user"]
    by_owner.setdefault(owner, []).append(job)
    texts.setdefault(owner, set()).update(t for t in (owner, job["jobid"], job["name"]) if t)
for job in [j for j in jobs if j["logs"]][:150] + [j for j in jobs if j["user"] in users and j["logs"]]:
    detail = json.loads(ask(staff, "/api/v1/jobs/%s/%s" % (job["cluster"], job["jobid"]))[2])
    for log in detail["logs"]:
        one = json.loads(ask(staff, "/api/v1/logs/%s" % log["log_id"])[2])
        owner = one["user"]
        logs.setdefault(owner, set()).add(log["log_id"])
        mine = texts.setdefault(owner, set())
        mine.update(t for t in (one["identity"], one["command"]) if t)
        files = json.loads(ask(staff, "/api/v1/logs/%s/files" % log["log_id"])[2])["items"]
        mine.update(f["name"] for f in files)
owners = sorted(by_owner)
count_of = {}
for owner in texts:
    for text in texts[owner]:
        count_of[text] = count_of.get(text, 0) + 1
# Only what is too long to be there by chance, and what nobody else has too.
secrets = {o: {t.encode() for t in texts[o] if count_of[t] == 1 and len(t) >= 7} for o in texts}
document = json.loads(ask(staff, "/api/v1/openapi.json")[2])
gets = [(p, ops["get"]) for p, ops in document["paths"].items() if "get" in ops]
pages = ["/", "/jobs", "/jobs/{cluster}/{jobid}", "/logs/{id}/report", "/scoreboard", "/fleet", "/users/{user}", "/admin"]
gets += [(p, {"operationId": p, "parameters": [], "x-roles": []}) for p in pages]
programs = sorted({j["exe"] for j in jobs if j["exe"]})
cursors = {}


def value_for(name, me):
    other = random.choice([o for o in owners if o != me])
    job = random.choice(by_owner[other])
    choices = {
        "cluster": [job["cluster"]], "jobid": [job["jobid"]], "user": [other, other.upper(), "*", other[:3] + "*"],
        "id": [str(i) for i in logs.get(other, ())] or ["1"], "a": [str(i) for i in logs.get(other, ())] or ["1"],
        "b": [str(i) for i in logs.get(me, ())] or ["1"], "log": [str(i) for i in logs.get(other, ())] or ["1"],
        "q": [other, job["jobid"], other[:4], "%", "_"], "exe": programs or ["x"], "account": [job["account"] or "a", "*"],
        "fs": ["scratch", "home", "project"], "start": [str(job["start"])], "end": [str((job["end"] or job["start"]) + 1)],
        "cursor": sum(cursors.values(), []) or ["x"], "finding": ["*", "posix*"], "total": ["1"], "pad": ["86400"],
        "name": ["metadata", "redundant-reads", "small-writes"], "limit": ["1", "1000"], "exclude_user": [me], "n": ["200"],
        "threshold": ["0"], "min_bytes": ["0"], "min_lost": ["0"], "exclude_exe": ["x"], "exclude_fs": ["y"], "top": ["1000"],
    }
    return random.choice(choices.get(name, [""]))


def combination(me):
    path, operation = random.choice(gets)
    for name in ("cluster", "jobid", "user", "id", "exe", "fs", "name"):
        if "{%s}" % name in path:
            path = path.replace("{%s}" % name, urllib.parse.quote(value_for(name, me), safe=""))
    query = {}
    for parameter in operation["parameters"]:
        if parameter["in"] != "query" or random.random() < 0.6:
            continue
        values = parameter["schema"].get("enum")
        value = random.choice(values) if values else value_for(parameter["name"], me)
        if value:
            query[parameter["name"]] = value
    return path + ("?" + urllib.parse.urlencode(query) if query else ""), operation


def check_answer(who, token, path, forbidden):
    headers = {"Accept-Encoding": "identity"}
    status, got, body = ask(token, path, headers)
    if status >= 500 and status != 503:
        fail(f"{who}: {path}: {status}")
    said = body + repr(got).encode()
    for text in forbidden:
        if text in said:
            fail(f"{who}: {path}: {status}: '{text.decode()}' is another's")
            break
    if got.get("Content-Type") == "application/json" and status == 200 and b'"next"' in body:
        cursor = json.loads(body).get("next")
        if cursor:
            cursors.setdefault(who, []).append(cursor)
    return status, got, body


# Not yours is not there.
def same_as_nothing(user, token):
    nothing = {"cluster": "nowhere", "jobid": "999999999", "id": "888888888", "user": "nobody-at-all", "exe": "no-such"}
    for path, operation in gets:
        for name in ("jobid", "id", "user"):
            if "{%s}" % name not in path:
                continue
            theirs = absent = path
            for key in ("cluster", "jobid", "id", "user"):
                theirs = theirs.replace("{%s}" % key, urllib.parse.quote(value_for(key, user), safe=""))
                absent = absent.replace("{%s}" % key, nothing[key])
            if "*" in theirs:
                continue
            a, b = ask(token, theirs), ask(token, absent)
            if a[0] != 404 or a != b:
                fail(f"{user}: {theirs}: {a[0]}, and {absent}: {b[0]}")


if not all(u in by_owner for u in users):
    sys.exit("the users have no jobs")
for user, token in users.items():
    same_as_nothing(user, token)
    for job in by_owner[user][:5]:  # their own is theirs
        status = ask(token, "/api/v1/jobs/%s/%s" % (job["cluster"], job["jobid"]))[0]
        if status != 200:
            fail(f"{user}: own job {job['jobid']}: {status}")
    mine = json.loads(ask(token, "/api/v1/jobs?limit=1000&total=1")[2])
    if {j["user"] for j in mine["items"]} != {user} or mine["total"] != len(by_owner[user]):
        fail(f"{user}: the list of jobs is not theirs: {mine['total']} of {len(by_owner[user])}")
for number in range(rounds):
    user = random.choice(sorted(users))
    path, operation = combination(user)
    forbidden = set().union(*(secrets[o] for o in secrets if o != user)) - {t for t in secrets.get(user, ())}
    # What the question itself says is not a leak, where the answer is that there is nothing.
    check_answer(user, users[user], path, {t for t in forbidden if t not in urllib.parse.unquote(path).encode()})
    if number % 10 == 0:
        status = ask(ingest, path)[0]
        if status == 200 and not path.startswith(("/api/v1/health", "/api/v1/openapi", "/api/v1/me")):
            fail(f"ingest: {path}: 200")
        if ask("0" * 40, path)[0] != 401:
            fail(f"nobody: {path}: not 401")
# Another's cursor.
for who in cursors:
    for other, token in users.items():
        if other != who and who in users and ask(token, "/api/v1/jobs?cursor=" + cursors[who][0])[0] != 400:
            fail(f"{other} can use a cursor of {who}")
print(f"{rounds} combinations, {sum(map(len, secrets.values()))} secrets, {failures} failures")
sys.exit(1 if failures else 0)
