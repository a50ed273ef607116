"""An exporter: what a file holds, over HTTP: exporter.py PORT-FILE STATS."""
import http.server
import os
import sys


class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open(sys.argv[2], "rb") as stats:
            body = stats.read()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(server.server_address[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
