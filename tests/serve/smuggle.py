#!/usr/bin/env python3
"""smuggle.py URL TOKEN [NGINX WORK]: heads with two meanings are refused, as the first and as a later request of a connection.

Each case is sent with raw sockets, and through nginx where it is given: what nginx passes on must not be read as more requests
than nginx saw. Also hosts, half-sent requests, and what logging in and out does to cookies.
"""
import http.client
import os
import re
import socket
import subprocess
import sys
import time
import urllib.parse

from processes import started

url, token = sys.argv[1], sys.argv[2]
nginx, work = (sys.argv + ["", ""])[3:5]
parts = urllib.parse.urlsplit(url)
where = (parts.hostname, parts.port)
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAIL:", text, file=sys.stderr)


def expect(what, got, wanted):
    if got != wanted:
        fail(f"{what}: {got!r:.300} instead of {wanted!r}")


auth = f"Authorization: Bearer {token}\r\n".encode()
host = f"Host: {parts.hostname}:{parts.port}\r\n".encode()
get = b"GET /api/v1/me HTTP/1.1\r\n" + host + auth
post = b"POST /api/v1/diagnose HTTP/1.1\r\n" + host + auth
hidden = b"GET /api/v1/health HTTP/1.1\r\n" + host + b"\r\n"
cases = {
    "a length and chunks": post + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
    "chunks and a length": post + b"Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n" + hidden,
    "two lengths": post + b"Content-Length: 3\r\nContent-Length: 9\r\n\r\nabc" + hidden,
    "the same length twice": post + b"Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
    "a list of lengths": post + b"Content-Length: 3, 3\r\n\r\nabc",
    "a signed length": post + b"Content-Length: +3\r\n\r\nabc",
    "a hexadecimal length": post + b"Content-Length: 0x3\r\n\r\nabc",
    "two hosts": get + b"Host: elsewhere\r\n\r\n",
    "the same host twice": get + host + b"\r\n",
    "no host": b"GET /api/v1/me HTTP/1.1\r\n" + auth + b"\r\n",
    "a host with a path": b"GET /api/v1/me HTTP/1.1\r\nHost: localhost/x\r\n" + auth + b"\r\n",
    "bare LF after a field": get + b"X-A: b\n\r\n",
    "bare LF at the end": get + b"X-A: b\r\n\n",
    "bare LF everywhere": get.replace(b"\r\n", b"\n") + b"\n",
    "bare CR in a value": get + b"X-A: b\rX-B: c\r\n\r\n",
    "a folded field": get + b"X-A: b\r\n c\r\n\r\n",
    "a field folded with a tab": get + b"X-A: b\r\n\tc\r\n\r\n",
    "a field before the first": b"GET /api/v1/me HTTP/1.1\r\n X-A: b\r\n" + host + auth + b"\r\n",
    "NUL in a value": get + b"X-A: b\0c\r\n\r\n",
    "NUL in a name": get + b"X\0A: b\r\n\r\n",
    "NUL in an address": b"GET /api/v1/me\0 HTTP/1.1\r\n" + host + auth + b"\r\n",
    "a space before the colon": get + b"Content-Length : 3\r\n\r\n",
    "no colon": get + b"X-A\r\n\r\n",
    "no name": get + b": b\r\n\r\n",
    "an unknown encoding": post + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "two encodings": post + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "a list of encodings": post + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "chunks in HTTP/1.0": post.replace(b"HTTP/1.1", b"HTTP/1.0") + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "two spaces": b"GET  /api/v1/me HTTP/1.1\r\n" + host + auth + b"\r\n",
    "a tab in the address": b"GET /api/v1/me\tx HTTP/1.1\r\n" + host + auth + b"\r\n",
    "two authorizations": get + auth + b"\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
}
chunks = {
    "a chunk with a sign": b"+3\r\nabc\r\n0\r\n\r\n",
    "a chunk with a prefix": b"0x3\r\nabc\r\n0\r\n\r\n",
    "a chunk that ends with LF": b"3\nabc\r\n0\r\n\r\n",
    "a chunk that is longer than it says": b"3\r\nabcd\r\n0\r\n\r\n",
    "a chunk with an extension": b"3;a=b\r\nabc\r\n0\r\n\r\n",
    "a chunk of all memory": b"ffffffffffffffff\r\nabc\r\n0\r\n\r\n",
}


def talk(data, to=where, patience=60, ends=True):
    """Statuses of all answers on one connection, and all bytes."""
    with socket.create_connection(to, timeout=patience) as s:
        s.sendall(data)
        if ends:
            s.shutdown(socket.SHUT_WR)
        got = b""
        try:
            while piece := s.recv(65536):
                got += piece
        except (ConnectionResetError, TimeoutError):
            pass
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", got)], got


def check_heads():
    expect("two requests at once", talk(get + b"\r\n" + get + b"Connection: close\r\n\r\n")[0], [200, 200])
    expect("HTTP/1.0 without a host", talk(b"GET /api/v1/me HTTP/1.0\r\n" + auth + b"\r\n")[0], [200])
    whole = post + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" + get + b"Connection: close\r\n\r\n"
    expect("chunks, then a request", talk(whole)[0], [400, 200])  # no log; the connection goes on
    for what, data in cases.items():
        expect(what, talk(data)[0], [400])
        statuses, got = talk(get + b"\r\n" + data)
        expect(f"{what}, as the second request", statuses, [200, 400])
        if b'"version"' in got:
            fail(f"{what}: the hidden request was answered")
    for what, body in chunks.items():
        statuses, got = talk(post + b"Transfer-Encoding: chunked\r\n\r\n" + body + hidden)
        if 200 in statuses or b'"version"' in got:
            fail(f"{what}: {statuses}")
    # A byte at a time
    with socket.create_connection(where, timeout=60) as s:
        for byte in get + b"Connection: close\r\n\r\n":
            s.sendall(bytes([byte]))
        expect("a byte at a time", s.recv(12), b"HTTP/1.1 200")


def check_hosts():
    def status(name):
        return talk(b"GET /api/v1/me HTTP/1.1\r\nHost: " + name + b"\r\nConnection: close\r\n" + auth + b"\r\n")[0]
    for name in (b"127.0.0.1", b"localhost:1234", b"[::1]:9", b"127.0.0.53", b"LOCALHOST", b"portal.example"):
        expect(f"host {name}", status(name), [200])
    for name in (b"evil.example", b"localhost.evil.example", b"127.0.0.1.evil.example", b"128.0.0.1", b"", b"[::2]"):
        expect(f"host {name}", status(name), [421])


def check_dawdlers():
    """600 requests that were begun: others are answered, and those are cut."""
    begun = []
    for _ in range(600):
        s = socket.create_connection(where, timeout=60)
        s.sendall(b"GET /api/v1/me HTTP/1.1\r\nX-Slow: ")
        begun.append(s)
    expect("while others dawdle", talk(get + b"Connection: close\r\n\r\n")[0], [200])
    for s in begun:
        try:
            while s.recv(4096):
                pass
        except OSError:
            pass
        s.close()


def form(path, fields, **headers):
    connection = http.client.HTTPConnection(*where, timeout=60)
    connection.request("POST", path, urllib.parse.urlencode(fields), headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.getheader("Set-Cookie") or ""


def page(path, cookie=""):
    connection = http.client.HTTPConnection(*where, timeout=60)
    connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


def check_login():
    if b'action="/login"' not in page("/")[1] or page("/login")[0] != 200:
        fail("no form to log in with")
    expect("a wrong token", form("/login", {"token": "0" * 40})[0], 401)
    expect("no token", form("/login", {})[0], 401)
    expect("a form from elsewhere", form("/login", {"token": token}, **{"Sec-Fetch-Site": "cross-site"})[0], 403)
    status, cookie = form("/login", {"token": f"  {token} "})
    expect("a token in the form", status, 303)
    session = cookie.split(";")[0]
    if f"iolite_{parts.port}=" not in cookie or "Secure" in cookie:
        fail(f"the cookie is {cookie}")
    expect("with the session", page("/", session)[0], 200)
    if b'action="/logout"' not in page("/", session)[1]:
        fail("nothing to log out with")
    expect("logging out from elsewhere", form("/logout", {}, Cookie=session, **{"Sec-Fetch-Site": "cross-site"})[0], 403)
    status, cookie = form("/logout", {}, Cookie=session)
    expect("logging out", (status, "Max-Age=0" in cookie), (303, True))
    expect("the session after that", page("/", session)[0], 401)


def check_nginx():
    """The server sees from nginx as many requests as nginx saw from the client."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with open(f"{work}/nginx.conf", "w", encoding="ascii") as conf:
        conf.write(f"""worker_processes 1; daemon off; pid {work}/nginx.pid; error_log {work}/nginx.log;
{'user root;' if os.geteuid() == 0 else ''} events {{ worker_connections 64; }}
http {{ access_log off; client_body_temp_path {work}/n1; proxy_temp_path {work}/n2; fastcgi_temp_path {work}/n3;
 uwsgi_temp_path {work}/n4; scgi_temp_path {work}/n5;
 upstream iolite {{ server {where[0]}:{where[1]}; keepalive 4; }}
 server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://iolite; proxy_http_version 1.1;
   proxy_set_header Connection ""; proxy_set_header Host localhost; proxy_request_buffering off; }} }} }}
""")
    server = subprocess.Popen([nginx, "-c", f"{work}/nginx.conf", "-p", work], stderr=subprocess.DEVNULL)
    started.append(server)
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
            break
        except OSError:
            time.sleep(0.05)
    for what, data in list(cases.items()) + [(k, post + b"Transfer-Encoding: chunked\r\n\r\n" + v) for k, v in chunks.items()]:
        talk(data, ("127.0.0.1", port), 0.1, False)  # what nginx makes of it is its own business
        statuses, got = talk(get + b"Connection: close\r\n\r\n", ("127.0.0.1", port), ends=False)
        if statuses != [200] or b'"role"' not in got:
            fail(f"{what}, through nginx: the next client got {got[:200]}")
    server.terminate()
    server.wait(60)


check_heads()
check_hosts()
check_login()
check_dawdlers()
if nginx:
    check_nginx()
print(f"{len(cases) + len(chunks)} heads, {failures} failures")
sys.exit(1 if failures else 0)
