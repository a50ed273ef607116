"""A server that answers like Prometheus with what was recorded: replay.py PORT-FILE. Paths begin with how to behave."""
import http.server
import json
import os
import sys
import time
import urllib.parse

POINTS = [(0, "1000"), (15, "1150"), (30, "1150"), (60, "1400"), (75, "25"), (90, "75"), (105, "NaN")]


class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        asked = {key: value[0] for key, value in urllib.parse.parse_qs(url.query).items()}
        how = url.path.split("/")[1]
        if how == "hang":
            time.sleep(60)
        body = b"<html>not JSON</html>"
        if how == "token" and self.headers.get("Authorization") != "Bearer secret-word":
            body = b'{"status":"error","error":"who are you?"}'
        elif how in ("good", "token"):
            start, end, step = (int(asked[key]) for key in ("start", "end", "step"))
            assert (end - start) // step < 11000
            metric = {"__name__": "bytes_total", "target": "fs-OST0000", "asked": asked["query"]}
            values = [[1770134400 + at, text] for at, text in POINTS if start <= 1770134400 + at <= end]
            body = json.dumps({"status": "success", "data": {"resultType": "matrix",
                                                             "result": [{"metric": metric, "values": values}]}}).encode()
        self.send_response(200)
        self.end_headers()
        try:
            self.wfile.write(body)
            while how == "endless":
                self.wfile.write(b"[" * (1 << 20))
        except OSError:
            pass

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(server.server_address[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
