#!/usr/bin/env python3
"""service.py IOLITE WORK LOG: the server as a service. Each check starts what it needs and ends it by its number.

Cookie for a token, headers of every answer, prefix, Unix socket with a proxy's header, header of strangers, tokens that come
and go, SIGTERM while a request is under way, a store that is away, the key figures of a job.
"""
import http.client
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time

from processes import started

iolite, work = sys.argv[1], sys.argv[2]
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAIL:", text, file=sys.stderr)


def expect(what, got, wanted):
    if got != wanted:
        fail(f"{what}: {got!r:.300} instead of {wanted!r}")


class Unix(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(60)
        self.sock.connect(self.host)


class Server:
    def __init__(self, *options, store=None, state=None):
        self.errors = open(f"{work}/serve.err", "ab")
        self.process = subprocess.Popen([iolite, "serve", "--state", state or f"{work}/state", "--site",
                                         f"{work}/centre/site.json", "--store", store or f"{work}/index.db", *options], stdout=subprocess.PIPE,
                                        stderr=self.errors, text=True)
        started.append(self.process)
        self.url = self.process.stdout.readline().strip()
        self.host = self.url.split("//")[-1].split("/")[0]
        self.token = self.url.split("token=")[-1] if "token=" in self.url else None

    def ask(self, path, headers=None, method="GET", body=None):
        connection = Unix(self.url[5:]) if self.url.startswith("unix:") else http.client.HTTPConnection(self.host, timeout=60)
        connection.request(method, path, body=body, headers=headers or {})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), content

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        try:
            return self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "did not end"


def bearer(token):
    return {"Authorization": "Bearer " + token}


def make_token(who, *options):
    return subprocess.run([iolite, "serve", "--state", f"{work}/state", "--make-token", who, *options], check=True,
                          capture_output=True, text=True).stdout.strip()


def loopback():
    server = Server()
    path = "/?" + server.url.split("?")[1]
    status, headers, body = server.ask(path)
    expect("a token in an address", (status, headers.get("Location")), (303, "/"))
    cookie = headers["Set-Cookie"]
    for word in ("HttpOnly", "SameSite=Lax", "Path=/"):
        if word not in cookie:
            fail(f"no {word} in the cookie")
    session = {"Cookie": cookie.split(";")[0]}
    status, headers, body = server.ask("/", session)
    expect("a page with the cookie", status, 200)
    policy = headers["Content-Security-Policy"]
    if "script-src 'self'" not in policy or "default-src 'none'" not in policy or "unsafe-eval" in policy:
        fail(f"policy {policy}")
    for name, value in (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer")):
        expect(name, headers.get(name), value)
    expect("nobody", server.ask("/")[0], 401)
    expect("nobody at the API", server.ask("/api/v1/jobs")[0], 401)
    expect("nobody, nowhere", server.ask("/nowhere")[0], 401)
    expect("a wrong token", server.ask("/?token=" + "0" * 40)[0], 401)
    expect("health for anybody", json.loads(server.ask("/api/v1/health")[2])["watermarks"], None)
    broken = {"Cookie": session["Cookie"][:-1] + ("0" if session["Cookie"][-1] != "0" else "1")}
    expect("a forged cookie", server.ask("/", broken)[0], 401)
    expect("a cookie from elsewhere", server.ask("/api/v1/diagnose", {**session, "Sec-Fetch-Site": "cross-site"}, "POST",
                                                 b"x")[0], 401)
    expect("a header of no proxy", server.ask("/", {"X-Remote-User": "user000"})[0], 401)
    expect("HEAD", server.ask("/", session, "HEAD")[::2], (200, b""))
    expect("a method", server.ask("/", session, "DELETE")[0], 405)
    packed = server.ask("/api/v1/jobs", {**session, "Accept-Encoding": "gzip"})
    expect("gzip", (packed[1].get("Content-Encoding"), packed[2][:2]), ("gzip", b"\x1f\x8b"))
    for by in ("user", "account", "exe", "fs", "user_exe_fs"):
        for metric in ("bytes", "read", "written", "time", "ops", "opens", "meta_time", "cost", "lost", "redundant", "tier", "logs"):
            expect(f"scoreboard of {by} by {metric}", server.ask(f"/scoreboard?by={by}&metric={metric}", session)[0], 200)
    table = server.ask("/api/v1/jobs?format=csv", session)[1]
    expect("a table is a file", table.get("Content-Disposition"), 'attachment; filename="iolite-jobs.csv"')
    check_reports(server, session)
    check_box(server, session)
    expect("end by SIGTERM", server.stop(), 0)


def check_reports(server, session):
    jobs = json.loads(server.ask("/api/v1/jobs?has_log=1&limit=1", session)[2])["items"][0]
    path = "/jobs/%s/%s" % (jobs["cluster"], jobs["jobid"])
    log = json.loads(server.ask("/api/v1" + path, session)[2])["logs"][0]["log_id"]
    status, headers, body = server.ask(f"/logs/{log}/report", session)
    expect("a report", (status, body[:15]), (200, b"<!doctype html>"))
    if "sha256-" not in headers["Content-Security-Policy"] or "'unsafe-inline' blob" in headers["Content-Security-Policy"]:
        fail("the policy of a report names no hashes")
    expect("a report as a file", "attachment" in server.ask(f"/logs/{log}/report?download=1", session)[1]
           .get("Content-Disposition", ""), True)
    status, headers, body = server.ask(path, session)
    if b"Findings" not in body or b"Requests by size" not in body or body.count(b"<script") != body.count(b"/assets/portal.js"):
        fail("the page of a job without script")
    absent = json.loads(server.ask("/api/v1/jobs?has_log=0&limit=1", session)[2])["items"][0]
    body = server.ask("/jobs/%s/%s" % (absent["cluster"], absent["jobid"]), session)[2]
    if b"This job left no log: " not in body:
        fail("a job without a log does not say why")
    # A file that took the place of the log is not the log.
    place = sqlite3.connect(f"{work}/index.db").execute("SELECT dir, name FROM place WHERE log_id = ?", (log,)).fetchone()
    raw = server.ask(f"/api/v1/logs/{log}/raw", session)
    expect("the log itself", (raw[0], raw[2]), (200, open("/".join(place), "rb").read()))
    os.rename("/".join(place), "/".join(place) + ".away")
    os.symlink("/etc/passwd", "/".join(place))
    expect("a link in place of the log", server.ask(f"/api/v1/logs/{log}/raw", session)[0], 404)
    expect("its report", server.ask(f"/logs/{log}/report", session)[0], 404)
    os.unlink("/".join(place))
    os.rename("/".join(place) + ".away", "/".join(place))


def check_box(server, session):
    """166 s, 590.3 + 597.6 MB and 355.52 MB/s are 2.01 % of the time in I/O. What is large has a larger unit."""
    database = sqlite3.connect(f"{work}/index.db", timeout=60)
    cluster, job = database.execute("SELECT cluster, jobid FROM job WHERE logs > 0 ORDER BY start, jobid LIMIT 1").fetchone()

    def change(read, written, seconds):
        with database:
            database.execute("UPDATE job SET ended = start + 166000000, bytes_read = ?, bytes_written = ?, io_time = ? WHERE "
                             "cluster = ? AND jobid = ?", (read, written, round(seconds * 1e6), cluster, job))

    change(151552 * 10**9, 2**50, 100)
    page = server.ask(f"/jobs/{cluster}/{job}", session)[2].decode()
    for text in ("138 TiB", "1 PiB", "11.6 TiB/s"):
        if f">{text}</strong>" not in page:
            fail(f"no {text} among the key figures: {page[page.find('p-strip'):][:1500]}")
    change(590300000, 597600000, 1187.9 / 355.52)
    database.close()
    page = server.ask(f"/jobs/{cluster}/{job}", session)[2].decode()
    for text in ("166 s", "590.3 MB", "597.6 MB", "355.52 MB/s", "2.01 %"):
        if f">{text}</strong>" not in page:
            fail(f"no {text} among the key figures")
    box = json.loads(server.ask(f"/api/v1/jobs/{cluster}/{job}", session)[2])["box"]
    expect("the box", (box["wall_s"], round(box["rate_mbs"], 2), round(box["io_pct"], 2)), (166, 355.52, 2.01))


def bundled():
    """A log that was moved into a bundle is read as before, as long as the bundle is the one that was indexed."""
    tree, store = f"{work}/archived", f"{work}/archived.db"
    name = "ana_heat_id77_3-4-7-99_1.darshan"
    index = [iolite, "index", "-q", "--store", store, tree]
    os.mkdir(tree)
    shutil.copy(sys.argv[3], f"{tree}/{name}")
    subprocess.run(index, check=True)
    subprocess.run([iolite, "archive", "pack", "-q", "--remove", "-o", f"{tree}/day.bundle", f"{tree}/{name}"], check=True)
    subprocess.run(index, check=True)
    server = Server(store=store, state=f"{work}/archived.state")
    session = {"Authorization": "Bearer " + server.token}
    expect("archived: the log itself", server.ask("/api/v1/logs/1/raw", session)[2], open(sys.argv[3], "rb").read())
    for path in ("/api/v1/logs/1/page", "/logs/1/report", "/api/v1/logs/1/files?module=POSIX"):
        expect(f"archived: {path}", server.ask(path, session)[0], 200)
    shutil.copy(f"{tree}/day.bundle", f"{tree}/other")
    os.rename(f"{tree}/other", f"{tree}/day.bundle")
    expect("another bundle under its name", server.ask("/api/v1/logs/1/raw", session)[0], 404)
    server.stop()


def empty():
    """The first page of somebody who has recorded nothing yet says what to do; a question without an answer says that."""
    os.mkdir(f"{work}/nothing")
    server = Server("--logs", f"{work}/nothing", store=f"{work}/nothing.db", state=f"{work}/nothing.state")
    session = {"Authorization": "Bearer " + server.token}
    expect("nothing yet", b"iolite run PROGRAM" in server.ask("/", session)[2], True)
    page = server.ask("/jobs?q=x", session)[2]
    expect("no answer", (b"iolite run" in page, b"No jobs match" in page), (False, True))
    server.stop()


def stop_under_way():
    """What was asked before SIGTERM is answered to the end, also if the client takes its time."""
    server = Server("--listen", "127.0.0.1:0")
    token = make_token("staff")
    server.process.send_signal(signal.SIGHUP)
    for attempt in range(600):
        if server.ask("/", bearer(token))[0] == 200:
            break
        time.sleep(0.1)
    host, port = server.host.split(":")
    with socket.socket() as to:
        to.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        to.settimeout(60)
        to.connect((host, int(port)))
        to.sendall("GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        first = to.recv(1)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        rest = first
        while True:
            piece = to.recv(65536)
            if not piece:
                break
            rest += piece
    if not rest.rstrip().endswith(b"}"):
        fail("an answer was cut by SIGTERM")
    expect("end", server.process.wait(60), 0)


def behind_proxy():
    path = f"{work}/serve.sock"
    server = Server("--listen", "unix:" + path, "--prefix", "/portal", "--proxy-header", "X-Remote-User", "--staff", "boss")
    me = json.loads(server.ask("/portal/api/v1/me", {"X-Remote-User": "user000"})[2])
    expect("a proxy's user", (me["user"], me["role"], me["prefix"]), ("user000", "user", "/portal"))
    expect("staff", json.loads(server.ask("/portal/api/v1/me", {"X-Remote-User": "boss"})[2])["role"], "staff")
    expect("without the prefix", server.ask("/api/v1/me", {"X-Remote-User": "boss"})[0], 404)
    expect("beside the prefix", server.ask("/portalx/api/v1/me", {"X-Remote-User": "boss"})[0], 404)
    expect("without the header", server.ask("/portal/api/v1/me")[0], 401)
    for name in ("", "a b", "uid:0", "x" * 200, "\xff"):
        expect(f"the name {name!r:.20}", server.ask("/portal/api/v1/me", {"X-Remote-User": name.encode("latin-1")})[0], 401)
    connection = Unix(path)
    connection.putrequest("GET", "/portal/api/v1/me")
    connection.putheader("X-Remote-User", "user000")
    connection.putheader("X-Remote-User", "boss")
    connection.endheaders()
    expect("two names", connection.getresponse().status, 401)
    connection.close()
    page = server.ask("/portal/jobs", {"X-Remote-User": "user000"})[2].decode()
    if 'href="/jobs' in page or 'href="/portal/jobs/' not in page:
        fail("links without the prefix")
    if oct(os.stat(path).st_mode & 0o777) != "0o660":
        fail("the socket is open to all")
    expect("end", server.stop(signal.SIGINT), 0)
    expect("the socket is gone", os.path.exists(path), False)
    server = Server("--listen", "127.0.0.1:0", "--proxy-header", "X-Remote-User", "--proxy-from", "192.0.2.1")
    expect("a header from a stranger's address", server.ask("/", {"X-Remote-User": "boss"})[0], 401)
    expect("end", server.stop(), 0)
    server = Server("--listen", "127.0.0.1:0", "--proxy-header", "X-Remote-User", "--proxy-from", "127.0.0.1")
    expect("a header from the proxy's address", server.ask("/", {"X-Remote-User": "boss"})[0], 200)
    expect("end", server.stop(), 0)
    if "can be any user" not in open(f"{work}/serve.err", errors="replace").read():
        fail("no warning that a local proxy lets every process be anybody")


def tokens():
    server = Server("--listen", "127.0.0.1:0", "--request-log", f"{work}/requests.json")
    expect("no token of its own", server.token, None)
    token = make_token("user:user000")
    expect("a new token", json.loads(server.ask("/api/v1/me", bearer(token))[2])["user"], "user000")
    expect("a route for staff", server.ask("/api/v1/fleet", bearer(token))[0], 403)
    if token in open(f"{work}/state/tokens").read():
        fail("the token itself is on disk")
    another = make_token("user:user001")
    with open(f"{work}/state/tokens", encoding="ascii") as file:
        lines = file.readlines()
    with open(f"{work}/state/tokens", "w", encoding="ascii") as file:
        file.writelines(lines[:-1])
    expect("a token that was taken back", server.ask("/", bearer(another))[0], 401)
    expect("mode of tokens", oct(os.stat(f"{work}/state/tokens").st_mode & 0o777), "0o600")
    server.ask("/?token=" + token)
    lines = [json.loads(line) for line in open(f"{work}/requests.json")]
    if not lines or token in open(f"{work}/requests.json").read():
        fail("the request log is empty, or has the token in it")
    expect("keys of the log", set(lines[-1]), {"time", "peer", "user", "role", "method", "path", "route", "status", "bytes",
                                               "ms"})
    # The store goes away and comes back.
    os.rename(f"{work}/index.db", f"{work}/index.away")
    server.process.send_signal(signal.SIGHUP)
    for attempt in range(600):
        status, headers, body = server.ask("/api/v1/jobs", bearer(token))
        if status == 503:
            break
        time.sleep(0.1)
    expect("without a store", (status, work.encode() in body), (503, False))
    os.rename(f"{work}/index.away", f"{work}/index.db")
    expect("with it again", server.ask("/api/v1/jobs", bearer(token))[0], 200)
    os.chmod(f"{work}/state/tokens", 0o644)
    server.process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    expect("tokens that others can read change nothing", server.ask("/", bearer(token))[0], 200)
    os.chmod(f"{work}/state/tokens", 0o600)
    expect("end", server.stop(), 0)
    refused = subprocess.run([iolite, "serve", "--state", f"{work}/state", "--make-token", "king"], capture_output=True)
    expect("no such role", refused.returncode, 2)


def laptop():
    """Nothing is configured: the user's own logs, one address."""
    home = f"{work}/home"
    logs = f"{home}/.local/share/iolite/logs/2026/3/4"
    os.makedirs(logs)
    shutil.copy(sys.argv[3], f"{logs}/me_prog_id918273_3-4-7-99_1.darshan")
    environment = {**os.environ, "HOME": home, "TZ": "UTC"}
    environment.pop("XDG_DATA_HOME", None)
    environment.pop("IOLITE_STORE", None)
    server = Server.__new__(Server)
    server.process = subprocess.Popen([iolite, "serve"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                      env=environment)
    started.append(server.process)
    server.url = server.process.stdout.readline().strip()
    server.host, server.token = server.url.split("//")[-1].split("/")[0], server.url.split("token=")[-1]
    expect("loopback", server.host.split(":")[0], "127.0.0.1")
    for attempt in range(600):
        jobs = json.loads(server.ask("/api/v1/jobs", bearer(server.token))[2])["items"]
        if jobs:
            break
        time.sleep(0.1)
    expect("the user's own log", [(job["jobid"], job["user"]) for job in jobs], [("918273", "me")])
    expect("secrets of the user alone", oct(os.stat(f"{home}/.local/share/iolite/serve").st_mode & 0o777), "0o700")
    expect("end", server.stop(), 0)


loopback()
laptop()
empty()
bundled()
stop_under_way()
behind_proxy()
tokens()
print(f"{failures} failures")
sys.exit(1 if failures else 0)
