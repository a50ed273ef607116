"""A server that answers like Prometheus and Elasticsearch with what was recorded: replay.py PORT-FILE [PAGES]. Paths begin
with how to behave. PAGES is a file of Elasticsearch's pages, which are given one by one to those who ask for disks.
The variable CERTIFICATE names a file with one and its key: it speaks HTTPS then."""
import gzip
import json
import os
import sys
import time
import urllib.parse

from listen import Quiet, listen

POINTS = [(0, "1000"), (15, "1150"), (30, "1150"), (60, "1400"), (75, "25"), (90, "75"), (105, "NaN")]


PAGES = []
if len(sys.argv) > 2:
    with gzip.open(sys.argv[2]) if sys.argv[2].endswith(".gz") else open(sys.argv[2], "rb") as file:
        PAGES = json.load(file)


class Server(Quiet):
    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        asked = {key: value[0] for key, value in urllib.parse.parse_qs(url.query).items()}
        how = url.path.split("/")[1]
        if how == "hang":
            time.sleep(60)
        if how in ("closed", "moved"):
            self.send_response(401 if how == "closed" else 302)
            self.send_header("Location", "/good")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = b"{ " if how == "drip" else b"<html>not JSON</html>"
        if how == "one-refused" and asked["query"] == "bytes_total":
            body = b'{"status":"error","errorType":"bad_data","error":"no such metric"}'
        elif how == "token" and self.headers.get("Authorization") != "Bearer secret-word":
            body = b'{"status":"error","error":"who are you?"}'
        elif how in ("good", "token", "cut", "slow", "one-refused"):
            start, end, step = (int(asked[key]) for key in ("start", "end", "step"))
            assert (end - start) // step < 11000
            metric = {"__name__": "bytes_total", "target": "fs-OST0000", "asked": asked["query"]}
            values = [[1770134400 + at, text] for at, text in POINTS if start <= 1770134400 + at <= end]
            body = json.dumps({"status": "success", "data": {"resultType": "matrix",
                                                             "result": [{"metric": metric, "values": values}]}}).encode()
        if how in ("cut", "slow"):
            whole = json.loads(body)
            whole["data"]["result"] *= 2
            body = json.dumps(whole).encode()
            body = body[:-40]
        self.send_response(200)
        if how == "cut":
            self.send_header("Content-Length", str(len(body) + 40))
        self.end_headers()
        try:
            self.wfile.write(body)
            if how in ("slow", "drip"):
                self.wfile.flush()
                time.sleep(60)
            while how == "endless":
                self.wfile.write(b"[" * (1 << 20))
        except OSError:
            pass

    def answer(self, code, document):
        body = json.dumps(document).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        how, *path = urllib.parse.urlparse(self.path).path.strip("/").split("/")
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if how == "es-closed" and self.headers.get("Authorization") != "Basic cmVhZGVyOnNlY3JldC13b3Jk":  # reader:secret-word
            self.answer(401, {"error": {"reason": "who are you?"}})
            return
        number = 0
        if path[-1] == "scroll":
            number = int(asked["scroll_id"].split("-")[1])
        else:
            must = asked["query"]["constant_score"]["filter"]["bool"]["must"]
            times = must[0]["range"]["@timestamp"]
            assert times["format"] == "epoch_second" and times["gte"] < times["lt"] and asked["size"] == 10000
            assert path[-2:] == ["cori-collectd-2026", "_search"], path
            if {"term": {"plugin": "disk"}} not in must:
                number = len(PAGES)
        if how == "es-broken" and number == 1:
            self.answer(500, {"error": {"reason": "no more memory"}})
            return
        hits = PAGES[number] if number < len(PAGES) else []
        self.answer(200, {"_scroll_id": f"page-{number + 1}", "timed_out": how == "es-late" and number == 0,
                          "_shards": {"failed": 0}, "hits": {"hits": hits}})


listen(sys.argv[1], Server, os.environ.get("CERTIFICATE"))
