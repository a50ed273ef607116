#!/usr/bin/env python3
"""running.py URL STAFF N1 N2 INGEST ANA BOB: states of two nodes, whose tokens are N1 and N2, and who sees what of them."""
import copy
import json
import sys
import urllib.error
import urllib.request

address, staff, n1, n2, ingest, ana, bob = sys.argv[1:]


def ask(token, path, body=None):
    request = urllib.request.Request(address + path, data=body, headers={"Authorization": "Bearer " + token} if token else {})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def get(token, path):
    status, body = ask(token, path)
    assert status == 200, (path, status, body)
    return json.loads(body)


def figures(number):
    return {"bytes_read": number, "bytes_written": 2 * number, "reads": 3, "writes": 4, "time": 0.5}


def job(number, user, uid, **more):
    file = {"name": "/scratch/<b>x</b>", "module": "POSIX", "open": True, "processes": 2, "total": figures(50), "per_second": figures(5)}
    return {"job_id": str(number), "uid": uid, "user": user, "exe": "<script>alert(1)</script>", "start": 1700000000, "processes": 2,
            "files": 3, "open_files": 1, "total": figures(1000), "per_second": figures(100), "busiest": [file], **more}


def state(host, *jobs, **more):
    return {"version": 1, "host": host, "cluster": None, "time": 1700000100.5, "interval": 5, "processes": 2 * len(jobs),
            "unseen": {"unreadable": 1, "foreign_runs": 0, "hidden": 7, "beyond": 0}, "jobs": list(jobs), "jobs_left_out": 0, **more}


def send(token, document):
    return ask(token, "/api/v1/live", json.dumps(document).encode())


def taken(token, document):
    status, body = send(token, document)
    assert status == 200, (status, body)
    return json.loads(body)


def check_senders():
    whole = state("n1", job(17, "ana", 1001))
    assert send(n1, whole)[0] == 200
    for token, expected in ((n2, 403), (ingest, 403), (ana, 403), (staff, 403), ("wrong", 401), (None, 401)):
        assert send(token, whole)[0] == expected, (token, expected)
    for path in ("/api/v1/running", "/api/v1/live", "/api/v1/jobs", "/api/v1/running/test/17", "/running", "/api/v1/me"):
        assert ask(n1, path)[0] == 403, path  # a node sees nothing
    assert ask(ana, "/api/v1/live")[0] == 403 and ask(ingest, "/api/v1/running")[0] == 403


def check_viewers():
    taken(n1, state("n1", job(17, "ana", 1001), job(18, "bob", 1002), job(17, "bob", 1002), job(19, None, 4242)))
    taken(n2, state("n2", job(17, "ana", 1001)))
    everything = get(staff, "/api/v1/running")
    assert everything["total"] == 4 and {one["user"] for one in everything["items"]} == {"ana", "bob", "uid:4242"}, everything
    own = get(ana, "/api/v1/running")
    assert own["total"] == 1 and [(one["user"], one["jobid"], one["hosts"]) for one in own["items"]] == [("ana", "17", 2)], own
    one = own["items"][0]
    assert one["bytes_read"] == 2000 and one["write_bps"] == 400 and one["processes"] == 4 and one["open_files"] == 2, one
    assert abs(one["io_share"] - 0.25) < 1e-9 and 0 <= one["age_s"] < 60, one
    assert get(ana, "/api/v1/running?user=bob")["total"] == 0
    assert get(bob, "/api/v1/running")["total"] == 2
    # Another's job is like one that is not there, whatever one asks for.
    nothing = ask(ana, "/api/v1/running/test/999")
    assert nothing[0] == 404
    for path in ("/api/v1/running/test/18", "/api/v1/running/test/19", "/api/v1/running/test/17?user=bob",
                 "/api/v1/running/test/18?findings=1", "/api/v1/running/elsewhere/17"):
        assert ask(ana, path) == nothing, path
    assert ask(ana, "/running/test/18") == ask(ana, "/running/test/999")
    detail = get(ana, "/api/v1/running/test/17")
    assert [node["host"] for node in detail["nodes"]] == ["n1", "n2"] and detail["findings"] is None, detail
    assert [(file["name"], file["processes"], file["bytes_read"]) for file in detail["busiest"]] == [("/scratch/<b>x</b>", 4, 100)]
    assert get(staff, "/api/v1/running/test/17?user=bob")["job"]["user"] == "bob"
    assert "n1" not in ask(ana, "/api/v1/running/test/17?user=nobody")[1]
    csv = ask(ana, "/api/v1/running?format=csv")[1].splitlines()
    assert len(csv) == 2 and csv[0].startswith("cluster,jobid,user,"), csv


def check_pages():
    page = ask(ana, "/running")[1]
    assert "/running/test/17" in page and "/running/test/18" not in page and "bob" not in page, page
    assert "<script>alert" not in page and "&lt;script&gt;" in page, page
    page = ask(ana, "/running/test/17")[1]
    assert "&lt;b&gt;x" in page and "<b>x" not in page and "n2" in page, page
    hosts = get(staff, "/api/v1/live")["items"]
    assert {(host["host"], host["hidden"]) for host in hosts} == {("n1", 7), ("n2", 7)}, hosts


def check_findings():
    whole = state("n1", job(17, "ana", 1001), job(18, "bob", 1002))
    assert taken(n1, whole)["wanted"] == []
    assert get(ana, "/api/v1/running/test/17?findings=1")["findings"] is None
    assert ask(ana, "/api/v1/running/test/18?findings=1")[0] == 404
    assert taken(n1, whole)["wanted"] == [{"job_id": "17", "uid": 1001}]
    found = {"rule": "posix.small.write", "level": "high", "title": "<i>small</i>", "lost_s": 3.5, "processes": 2}
    judged = copy.deepcopy(whole)
    judged["jobs"][0]["findings"] = [found]
    assert taken(n1, judged)["wanted"] == []  # it has just done so
    for _ in range(2):  # they stay when the next state comes without
        assert get(ana, "/api/v1/running/test/17")["findings"] == [found]
        assert taken(n1, whole)["wanted"] == []
    page = ask(ana, "/running/test/17")[1]
    assert "posix.small.write" in page and "<i>small" not in page, page


def check_made_up():
    before = get(staff, "/api/v1/running")["total"]
    good = state("n1", job(17, "ana", 1001))

    def changed(**more):
        return {**good, **more}

    def changed_job(**more):
        return changed(jobs=[{**good["jobs"][0], **more}])

    file = good["jobs"][0]["busiest"][0]
    wrong = [
        [], {}, "n1", None, changed(version=2), changed(host=""), changed(host="n1\0"), changed(jobs=None), changed(jobs=[1]),
        changed(jobs=[job(1, "ana", 1)] * 1025), changed(time="now"), changed(interval=-1), changed(processes=-1), changed(unseen=None),
        changed(jobs_left_out=1e300), changed_job(job_id=17), changed_job(job_id="x"), changed_job(job_id="17 "), changed_job(uid=-1),
        changed_job(uid=1 << 40), changed_job(user="uid:1002"), changed_job(user=""), changed_job(exe=None), changed_job(exe="x" * 5000),
        changed_job(total={**figures(1), "time": -1}), changed_job(per_second={**figures(1), "reads": 1e301}), changed_job(total=None),
        changed_job(busiest=[file] * 65), changed_job(busiest=[{**file, "name": None}]), changed_job(busiest={}),
        changed_job(findings=[{"rule": "x", "level": "high\" onclick=", "title": "x", "lost_s": 1, "processes": 1}]),
        changed_job(findings=[{"rule": "x" * 200, "level": "high", "title": "x", "lost_s": 1, "processes": 1}]),
        changed_job(findings=[{"rule": "x", "level": "high", "title": "x", "lost_s": 1, "processes": 1}] * 17),
    ]
    for document in wrong:
        status, body = send(n1, document)
        assert status in (400, 403), (document, status, body)
    for body, expected in ((b"{", 400), (b"", 400), (b"[" * 100000, 400), (b"\xff\xfe", 400), (b" " * (5 << 20), 413),
                           (b'{"version": 1, "version": 1}', 400)):
        assert ask(n1, "/api/v1/live", body)[0] == expected, body[:20]
    assert get(staff, "/api/v1/running")["total"] == before
    metrics = ask(staff, "/metrics")[1]
    assert "iolite_running_hosts 2\n" in metrics and "iolite_running_states_refused_total " in metrics, metrics
    taken(n1, state("n1"))  # nothing runs there any more
    taken(n2, state("n2"))
    assert get(staff, "/api/v1/running")["total"] == 0
    assert "No recorded job of yours runs" in ask(ana, "/running")[1]


def check_forms():
    """Answers have the keys that the document of the API promises, in its order."""
    schemas = get(staff, "/api/v1/openapi.json")["components"]["schemas"]
    answer = taken(n1, state("n1", job(17, "ana", 1001, findings=[])))
    get(ana, "/api/v1/running/test/17?findings=1")
    detail = get(ana, "/api/v1/running/test/17")
    forms = {"LiveTaken": answer, "RunningDetail": detail, "Running": detail["job"], "RunningHost": detail["nodes"][0],
             "RunningFile": detail["busiest"][0], "LiveHost": get(staff, "/api/v1/live")["items"][0]}
    for name, value in forms.items():
        assert list(value) == list(schemas[name]["properties"]), (name, list(value))


check_senders()
check_viewers()
check_pages()
check_findings()
check_forms()
check_made_up()
