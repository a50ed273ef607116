#!/usr/bin/env python3
"""staff_work.py URL STAFF_TOKEN USER=TOKEN USER=TOKEN STATE: what staff do about alerts is kept and shown, and so is whose jobs they look at.

STAFF_TOKEN is that of a named member of staff, "ben".
"""
import http.client
import json
import os
import sys
import urllib.parse

url, staff, first, second, state = sys.argv[1:]
where = urllib.parse.urlsplit(url).netloc
user, user_token = first.split("=", 1)
other, other_token = second.split("=", 1)
failures = 0


def check(good, text):
    global failures
    if not good:
        failures += 1
        print("FAIL:", text, file=sys.stderr)


def ask(path, token=staff, method="GET", body=None, headers=None):
    connection = http.client.HTTPConnection(where, timeout=60)
    connection.request(method, "/api/v1" + path, body, {"Authorization": "Bearer " + token, **(headers or {})})
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, json.loads(text) if text.startswith(b"{") else text


def note(token=staff, content="application/json", **fields):
    return ask("/alert-notes", token, "POST", json.dumps(fields), {"Content-Type": content})


# Alerts
_, alerts = ask("/alerts?state=flagged&days=3660")
check(alerts["items"], "no rule selects anything")
one = alerts["items"][0]
about = {"rule": one["rule"], "user": one["user"], "exe": one["exe"]}


def flagged():
    _, found = ask("/alerts?state=flagged&days=3660")
    return next(item for item in found["items"] if all(item[key] == about[key] for key in about))


check(flagged()["until"] is None and flagged()["assigned"] is None, f"{flagged()}: somebody was there before")
for bad in [{"action": "burn"}, {"action": "comment"}, {"action": "mute", "days": 0}, {"action": "mute", "days": "x"},
            {"action": "mute", "rule": 5}, {"action": "comment", "text": "x" * 1001}, {}]:
    check(note(**{**about, **bad})[0] == 400, f"{bad} is taken")
check(note(content="text/plain", action="mute", **about)[0] == 400, "a form of another page is taken")
check(ask("/alert-notes", staff, "POST", "[1", {"Content-Type": "application/json"})[0] == 400, "broken JSON is taken")
check(ask("/alert-notes", staff, "POST", None, {"Content-Type": "application/json"})[0] == 400, "no body is taken")
check(note(token=user_token, action="mute", **about)[0] == 403, "a user may mute")
check(ask("/alert-notes", user_token)[0] == 403, "a user may read notes")
check(not os.path.exists(state + "/alert-notes"), "what was refused is kept")

status, made = note(action="mute", days=10, text="talked to <b>her\n\u202e", **about)
check(status == 200 and made["by"] == "ben" and 0 < made["until"] - made["made"] == 10 * 86400, f"mute: {status} {made}")
check(flagged()["until"] == made["until"] and flagged()["by"] == "ben", f"not shown: {flagged()}")
_, muted = ask("/alerts?state=muted")
check(any(item["by"] == "ben" and item["rule"] == about["rule"] for item in muted["items"]), "not among the muted")
note(action="assign", to="eva", **about)
note(action="comment", text="first", **about)
note(action="comment", text="second", **about)
check(flagged()["assigned"] == "eva" and flagged()["comment"] == "second", f"{flagged()}")
note(action="unmute", **about)
check(flagged()["until"] is None, "the mute does not end")
_, muted = ask("/alerts?state=muted")
check(not any(item["by"] for item in muted["items"]), "it is still among the muted")
note(action="assign", to="", **about)
check(flagged()["assigned"] is None, "it cannot be given back")
_, notes = ask("/alert-notes?" + urllib.parse.urlencode(about))
check([item["action"] for item in notes["items"]] == ["assign", "unmute", "comment", "comment", "assign", "mute"],
      f"history: {notes}")
check(notes["items"][-1]["text"] == "talked to <b>her\n\u202e", "the text is another")
check(ask("/alert-notes?rule=another")[1]["items"] == [], "notes about another rule")
with open(state + "/alert-notes", "ab") as file:
    file.write(b'{"made": 1, "action": "mu\nno JSON\n')
check(len(ask("/alert-notes")[1]["items"]) == 6, "a broken line spoils the others")
check(os.stat(state + "/alert-notes").st_mode & 0o007 == 0, "others read the notes")
with open(state + "/alert-notes", "ab") as file:
    file.write(b'{"made": 1, "action": "comm')  # as a full disk or a kill cuts it
note(action="comment", text="behind it", **about)
items = ask("/alert-notes")[1]["items"]
check(len(items) == 7 and items[0]["text"] == "behind it", f"what follows a cut line is lost: {items[0]}")
size = os.path.getsize(state + "/alert-notes")
os.truncate(state + "/alert-notes", (15 << 20) + 1)
check(note(action="comment", text="too many", **about)[0] == 503, "a note is taken that nobody would read")
check(len(ask("/alert-notes")[1]["items"]) == 7, "a full file cannot be read")
os.truncate(state + "/alert-notes", size)

# The audit
check(ask("/audit")[1]["items"] == [], "somebody looked already")
_, jobs = ask(f"/jobs?user={user}&has_log=1&limit=3")
job, later = jobs["items"][:2]
path = f"/jobs/{job['cluster']}/{job['jobid']}"
_, detail = ask(path, user_token)
check(ask("/audit")[1]["items"] == [], "one's own job counts")
ask(path)
log = detail["logs"][0]["log_id"]
ask(f"/logs/{log}/page")
ask(path + "/context")
_, looks = ask("/audit")
check(len(looks["items"]) == 1, f"looks at one job: {looks}")
look = looks["items"][0]
check((look["by"], look["user"], look["jobid"]) == ("ben", user, job["jobid"]), f"{look}")
ask(f"/jobs/{later['cluster']}/{later['jobid']}")
check([one["jobid"] for one in ask("/audit")[1]["items"]] == [later["jobid"], job["jobid"]], "not the latest first")
check(len(ask("/audit", user_token)[1]["items"]) == 2, "the user does not see who looked")
check(ask("/audit", other_token)[1]["items"] == [], "another user sees who looked")
check(ask(f"/audit?user={user}", other_token)[1]["items"] == [], "another user sees it by name")
check(ask(f"/audit?by=nobody")[1]["items"] == [], "the filter by name")
check(ask("/jobs/onyx/none")[0] == 404 and len(ask("/audit")[1]["items"]) == 2, "what is not there counts")
check(ask(path, other_token)[0] == 404 and len(ask("/audit")[1]["items"]) == 2, "who may not look counts")
check(os.stat(state + "/audit").st_mode & 0o077 == 0, "others read the audit")
os.rename(state + "/audit", state + "/audit.1")  # as the server does when it is full
check(len(ask("/audit")[1]["items"]) == 2, "what is in the file before this one is forgotten")
sys.exit(failures > 0)
