"""An exporter: what a file holds, over HTTP: exporter.py PORT-FILE STATS."""
import sys

from listen import Quiet, listen


class Server(Quiet):
    def do_GET(self):
        with open(sys.argv[2], "rb") as stats:
            body = stats.read()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.end_headers()
        self.wfile.write(body)


listen(sys.argv[1], Server)
