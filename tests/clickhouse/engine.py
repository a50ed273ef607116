"""A server of ClickHouse's HTTP interface around the engine of a current release, as libchdb.so has it in one process.
usage: engine.py LIBCHDB DIRECTORY PORT

It has one server's worth of what Iolite asks for: databases, settings in the address, statements and rows in the body. It has
no cluster and no users.
"""
import ctypes
import http.server
import os
import sys
import threading
import urllib.parse

library, directory, port = sys.argv[1:]
chdb = ctypes.CDLL(library)
chdb.chdb_connect.restype = ctypes.c_void_p
chdb.chdb_connect.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
chdb.chdb_query_n.restype = ctypes.c_void_p
chdb.chdb_query_n.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
for name, kind in (("buffer", ctypes.c_void_p), ("length", ctypes.c_size_t), ("error", ctypes.c_char_p)):
    function = getattr(chdb, "chdb_result_" + name)
    function.restype, function.argtypes = kind, [ctypes.c_void_p]
chdb.chdb_destroy_query_result.argtypes = [ctypes.c_void_p]
words = [b"clickhouse", b"--path=" + os.fsencode(directory)]
connection = ctypes.c_void_p.from_address(chdb.chdb_connect(len(words), (ctypes.c_char_p * len(words))(*words))).value
one_at_a_time = threading.Lock()
rows = os.path.join(directory, "rows")  # that are to be inserted
not_settings = ("query", "database", "wait_end_of_query")  # the last is the server's, not the engine's


class Refused(Exception):
    pass


def ask(text):
    form = b"TabSeparated"
    result = chdb.chdb_query_n(connection, text, len(text), form, len(form))
    error, length = chdb.chdb_result_error(result), chdb.chdb_result_length(result)
    answer = ctypes.string_at(chdb.chdb_result_buffer(result), length) if length else b""
    chdb.chdb_destroy_query_result(result)
    if error:
        raise Refused(error)
    return answer


def answer(parameters, body):
    settings = [f"{name}='{value}'" for name, value in parameters.items() if name not in not_settings]
    ask(b"USE " + parameters.get("database", "default").encode())
    if settings:
        ask(("SET " + ", ".join(settings)).encode())
    if "query" not in parameters:
        return ask(body)
    with open(rows, "wb") as file:
        file.write(body)
    return ask(parameters["query"].replace(" FORMAT ", f" FROM INFILE '{rows}' FORMAT ").encode())


class Requests(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parameters = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query, keep_blank_values=True))
        try:
            with one_at_a_time:
                status, text = 200, answer(parameters, body)
        except Refused as refused:
            status, text = 500, refused.args[0] + b"\n"
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


Server(("127.0.0.1", int(port)), Requests).serve_forever()
