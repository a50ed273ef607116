"""/metrics of `iolite live` over HTTP: what it answers, and clients that do not behave.

Usage: live_door.py URL
"""
import socket
import sys
import urllib.error
import urllib.parse
import urllib.request

URL = sys.argv[1]
PLACE = urllib.parse.urlsplit(URL)


def connect():
    client = socket.create_connection((PLACE.hostname, PLACE.port), timeout=30)
    return client


def answer_to(sent):
    """All that comes back; the server ends the connection."""
    with connect() as client:
        client.sendall(sent)
        got = b""
        while part := client.recv(65536):
            got += part
        return got


def check_answers():
    with urllib.request.urlopen(URL) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4"), answer.headers
        assert b"\niolite_live_processes " in answer.read()
    head = answer_to(b"HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200") and head.endswith(b"\r\n\r\n"), head
    assert answer_to(b"GET / HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 404")
    assert answer_to(b"GET /metricsandmore HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 404")
    assert answer_to(b"POST /metrics HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 405")


def check_odd_clients():
    idle = [connect() for _ in range(40)]  # more than it keeps
    for client in idle[:3]:
        client.sendall(b"GET /met")
    try:
        answer_to(b"\0" * 100 + b"\r\n\r\n")
        answer_to(b"A" * 100000)
    except ConnectionError:
        pass  # it need not listen to the end
    for client in idle:
        client.close()
    for _ in range(600):  # those that are gone give their places back
        try:
            with urllib.request.urlopen(URL, timeout=30) as answer:
                assert answer.status == 200
            return
        except (ConnectionError, urllib.error.URLError):
            continue
    raise AssertionError("it answers nobody any more")


check_answers()
check_odd_clients()
