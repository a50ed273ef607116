#!/usr/bin/env python3
"""hostile.py URL TOKEN PID LOGS...: requests that are none, clients that dawdle, bodies that are not logs.

The server is started with a short --timeout. After each, it must still answer; nothing may be a 500.
"""
import http.client
import os
import random
import socket
import sys
import urllib.parse

url, token, pid, logs = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
parts = urllib.parse.urlsplit(url)
where = (parts.hostname, parts.port)
failures = 0
random.seed(7)


def fail(text):
    global failures
    failures += 1
    print("FAIL:", text, file=sys.stderr)


def alive(what):
    for attempt in range(5):  # a busy machine may take longer than the server waits
        try:
            connection = http.client.HTTPConnection(*where, timeout=60)
            connection.request("GET", "/api/v1/me", headers={"Authorization": "Bearer " + token})
            status = connection.getresponse().status
            connection.close()
        except (OSError, http.client.HTTPException) as error:
            status = error
        if status == 200:
            return
    fail(f"after {what}: {status}")


def raw(what, data, statuses=None):
    """Bytes as they are; the answer, which may be none at all. One that was cut off is sent again."""
    for attempt in range(5):
        status, line, answer = send(data)
        if status or not statuses or 0 in statuses:
            break
    if status >= 500 and status != 505 or (statuses and status not in statuses):
        fail(f"{what}: {line}")
    alive(what)
    return answer


def send(data):
    with socket.create_connection(where, timeout=60) as to:
        try:
            to.sendall(data)
            to.shutdown(socket.SHUT_WR)
            answer = b""
            while len(answer) < 65536:
                piece = to.recv(65536)
                if not piece:
                    break
                answer += piece
        except OSError:
            answer = b""
    line = answer.split(b"\r\n")[0].split(b" ")
    return (int(line[1]) if len(line) > 1 and line[1].isdigit() else 0), line, answer


auth = b"Authorization: Bearer " + token.encode() + b"\r\n"


def get(path, extra=b""):
    return b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + auth + extra + b"\r\n"


raw("nothing", b"")
raw("noise", bytes(random.randrange(256) for _ in range(5000)))
raw("no version", b"GET /\r\n\r\n")
raw("a method of noise", b"\x00\xff\x80 / HTTP/1.1\r\nHost: localhost\r\n\r\n")
raw("another version", b"GET / HTTP/9.9\r\n\r\n")
raw("a long address", get(b"/" + b"a" * 100000), {0, 400, 413, 414, 431})
raw("a long header", get(b"/", b"X-Long: " + b"a" * 200000 + b"\r\n"), {0, 400, 413, 431})
raw("many headers", get(b"/", b"".join(b"X-%d: y\r\n" % i for i in range(20000))), {0, 400, 413, 431})
raw("many parameters", get(b"/api/v1/jobs?" + b"&".join(b"limit=1" for _ in range(2000))), {0, 400, 413, 414, 431})
raw("a negative length", b"POST /api/v1/diagnose HTTP/1.1\r\nHost: localhost\r\n" + auth + b"Content-Length: -5\r\n\r\nabc", {0, 400, 413})
raw("two lengths", b"POST /api/v1/diagnose HTTP/1.1\r\nHost: localhost\r\n" + auth + b"Content-Length: 3\r\nContent-Length: 9\r\n\r\nabc")
raw("a huge length", b"POST /api/v1/logs HTTP/1.1\r\nHost: localhost\r\n" + auth + b"Content-Length: 99999999999999\r\n\r\nabc", {413})
raw("a body for a stranger", b"POST /api/v1/logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\nabc", {401})
raw("pieces of noise", b"POST /api/v1/diagnose HTTP/1.1\r\nHost: localhost\r\n" + auth + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc")
raw("a huge piece", b"POST /api/v1/diagnose HTTP/1.1\r\nHost: localhost\r\n" + auth +
    b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc")
raw("a body for GET", get(b"/api/v1/jobs", b"Content-Length: 10\r\n")[:-2] + b"\r\n0123456789", {200, 400})
for trick in (b"/../../etc/passwd", b"/assets/../../../etc/passwd", b"/assets/%2e%2e/%2e%2e/etc/passwd", b"//etc/passwd",
              b"/api/v1/logs/..%2f..%2fetc", b"/api/v1/logs/1%00", b"/api/v1/jobs/%c0%af/x", b"/%", b"/%zz", b"/api/v1/fs/%ff",
              b"/api/v1/logs/-1", b"/api/v1/logs/00000000000000000000000000001", b"http://elsewhere/api/v1/jobs", b"*"):
    answer = raw(trick.decode("latin-1"), get(trick), {0, 400, 404})
    if b"root:" in answer:
        fail(f"{trick}: a file of the system")
for query in (b"limit=1%27", b"q=%27%20OR%201%3D1--", b"q=" + b"%25" * 600, b"user=%00", b"cursor=" + b"A" * 3000, b"start=1e999",
              b"start=nan", b"min_bytes=99999999999999999999", b"sort=start;DROP", b"q=\xc3\x28", b"&&&&", b"=", b"limit"):
    raw(query.decode("latin-1"), get(b"/api/v1/jobs?" + query), {200, 400})

# Bodies that are not logs, halves of logs, logs with bytes changed.
bodies = [b"", b"x", b"\0" * 100000, bytes(random.randrange(256) for _ in range(20000)), b"[" * 100000]
for path in logs:
    whole = open(path, "rb").read()[:2000000]
    bodies += [whole[: len(whole) // 2], whole[:400]]
    for _ in range(4):
        changed = bytearray(whole)
        for _ in range(20):
            changed[random.randrange(len(changed))] = random.randrange(256)
        bodies.append(bytes(changed))
for number, body in enumerate(bodies):
    for path in (b"/api/v1/diagnose", b"/api/v1/logs"):
        raw(f"body {number}", b"POST " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + auth +
            b"Content-Length: %d\r\n\r\n" % len(body) + body, {0, 200, 400, 409})
for name in ("../x.darshan", "x", ".darshan", "a/b.darshan", "x" * 300 + ".darshan"):
    raw(name, b"POST /api/v1/logs?name=" + urllib.parse.quote(name, safe="").encode() + b" HTTP/1.1\r\nHost: localhost\r\nConnection: "
        b"close\r\n" + auth + b"Content-Length: 3\r\n\r\nabc", {400})

# Clients that dawdle are cut; meanwhile others are served.
dawdlers = []
for start in (b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"POST /api/v1/diagnose HTTP/1.1\r\nHost: localhost\r\n" + auth +
              b"Content-Length: 1000\r\n\r\n"):
    for _ in range(10):
        to = socket.create_connection(where, timeout=60)
        to.sendall(start)
        dawdlers.append(to)
alive("clients that dawdle")
for to in dawdlers:
    closed = False
    try:
        while not closed:
            to.settimeout(0.4)
            try:
                closed = to.recv(4096) == b""
            except socket.timeout:
                to.sendall(b"x")
    except OSError:
        closed = True
    to.close()
alive("all that")
resident = int(open(f"/proc/{pid}/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE")
print(f"{failures} failures, {resident >> 20} MiB resident")
sys.exit(1 if failures else 0)
