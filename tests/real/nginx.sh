#!/usr/bin/env bash
# nginx with two workers, plain and recorded: every file it serves, by sendfile and without, its log of requests and its
# exit status are the same.
# shellcheck source=tests/real/real.bash
. "$(dirname "$0")/real.bash"
export PATH=$PATH:/usr/sbin
command -v nginx >/dev/null || skip "there is no nginx"
command -v python3 >/dev/null || skip "there is no python3"
chmod 755 "$work"

given() {
    mkdir files
    for i in 1 2 3 4 5 6 7 8; do head -c $((i * 70001)) /dev/zero | tr '\0' "$i" >"files/$i"; done
    cat >conf <<END
$([ "$(id -u)" != 0 ] || echo "user root;")
worker_processes 2;
daemon off;
pid $here/pid;
error_log $here/errors;
events {}
http {
    log_format plain '\$request \$status \$body_bytes_sent';
    access_log $here/requests plain;
    client_body_temp_path $here/body;
    proxy_temp_path $here/proxy;
    fastcgi_temp_path $here/fastcgi;
    uwsgi_temp_path $here/uwsgi;
    scgi_temp_path $here/scgi;
    server {
        listen unix:$work/socket;
        root $here/files;
        location / { sendfile on; }
        location /slow/ { alias $here/files/; sendfile off; aio threads; }
        location /put/ { client_max_body_size 10m; proxy_pass http://unix:$work/socket:/; }
    }
}
END
}

# fetch: all of it, with four connections at a time; sums of what came.
fetch() {
    timeout 100 python3 - "$work/socket" <<'END'
import concurrent.futures, hashlib, http.client, socket, sys

def get(path, body=None):
    connection = http.client.HTTPConnection("localhost")
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.settimeout(60)
    connection.sock.connect(sys.argv[1])
    connection.request("GET" if body is None else "POST", path, body)
    answer = connection.getresponse()
    return path, answer.status, hashlib.sha256(answer.read()).hexdigest()

paths = [f"{kind}{i % 9}" for i in range(90) for kind in ("/", "/slow/")]
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    for line in pool.map(get, paths): print(*line)
print(get("/put/1", b"x" * 500000)[:2])
END
}

# session HOW
session() {
    local how=$1
    rm -f "$work/socket"
    fresh
    serve "$how" nginx -e "$here/errors" -p "$here" -c "$here/conf"
    until_true test -S "$work/socket" || give_up "$label, $how: the server does not start: $(tail -n 3 "$work/server.out")"
    fetch >"$work/$how.output" || fail "$label, $how: not all could be fetched"
    kill -QUIT "$(cat "$here/pid")"
    ended 0
    sort "$here/requests" >>"$work/$how.output"
    grep -c . "$here/errors" >>"$work/$how.output"
}

label=nginx
session plain
session recorded
the_same
done_with
