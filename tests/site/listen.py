"""How the servers of these tests start: on a free port of the loopback, whose number a file holds as soon as they answer."""
import http.server
import os
import ssl


class Quiet(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Connections(http.server.ThreadingHTTPServer):
    """Says goodbye at the end of an encrypted connection, as servers do: without that, its end is an attack to OpenSSL 3."""

    def shutdown_request(self, request):
        if isinstance(request, ssl.SSLSocket):
            try:
                request.unwrap()
            except OSError:  # whoever asked may be gone
                pass
        super().shutdown_request(request)


def listen(port_file, handler, certificate=None):
    server = Connections(("127.0.0.1", 0), handler)
    if certificate:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate)
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    with open(port_file + ".new", "w") as file:
        file.write(str(server.server_address[1]))
    os.rename(port_file + ".new", port_file)
    server.serve_forever()
