#!/usr/bin/env bash
# iolite mcp: both revisions of the protocol, wrong and hostile requests, and that nobody gets out of the directories that were
# named or sees another user's jobs.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
command -v python3 >/dev/null || skip "no python3"
mkdir -p "$work/logs/inside" "$work/outside"
cp "$demo" "$work/logs/inside/job.darshan"
cp "$demo" "$work/outside/secret.darshan"
cp "$seeds/hostile-names.darshan" "$work/logs/hostile.darshan"
head -c 3000 "$demo" >"$work/logs/cut.darshan"
ln -s "$work/outside/secret.darshan" "$work/logs/link.darshan"
ln -s "$work/outside" "$work/logs/folder"
mkfifo "$work/logs/pipe.darshan"
status 2 "$iolite" mcp
status 2 "$iolite" mcp "$work/nowhere"

store=
if "$tools/make-centre" --logs 40 --large 0 --broken 0 --months 1 "$work/centre" 2>/dev/null &&
    "$iolite" index --store "$work/index.db" "$work/centre" >/dev/null 2>&1; then store=$work/index.db; fi
python3 - "$iolite" "$work/logs" "$work/outside/secret.darshan" "$store" <<'END' || fail "the protocol"
import json, subprocess, sys
iolite, logs, secret, store = sys.argv[1:5]
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}

def talk(*lines, options=()):
    data = b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    done = subprocess.run([iolite, "mcp", logs, *options], input=data, stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]

def ask(method, params=None, options=(), **how):
    return talk({"jsonrpc": "2.0", "id": 7, "method": method, "params": {"_meta": how.get("meta", META), **(params or {})}}, options=options)[0]

def call(name, options=(), **arguments):
    return ask("tools/call", {"name": name, "arguments": arguments}, options)["result"]

# The current revision: no session, every request stands for itself
found = ask("server/discover")["result"]
assert found["supportedVersions"] == ["2026-07-28", "2025-11-25"] and found["resultType"] == "complete" and found["ttlMs"] >= 0
assert found["cacheScope"] in ("public", "private") and set(found["capabilities"]) == {"tools", "resources", "prompts"}
for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
    result = ask(method)["result"]
    assert result["resultType"] == "complete" and result["ttlMs"] > 0 and result["cacheScope"] == "public", method
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "iolite"
wrong = ask("tools/list", meta={**META, "io.modelcontextprotocol/protocolVersion": "1900-01-01"})["error"]
assert wrong["code"] == -32022 and wrong["data"] == {"supported": ["2026-07-28", "2025-11-25"], "requested": "1900-01-01"}
assert ask("tools/list", meta={"io.modelcontextprotocol/protocolVersion": "2026-07-28"})["error"]["code"] == -32602
assert ask("tools/list", meta={})["error"]["code"] == -32602
assert ask("ping")["error"]["code"] == -32601 and ask("initialize")["error"]["code"] == -32601
assert ask("subscriptions/listen")["error"]["code"] == -32601
assert ask("resources/read", {"uri": "file:///etc/passwd"})["error"]["code"] == -32602

# The one before: a session
begin = {"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
answers = talk(begin, {"jsonrpc": "2.0", "method": "notifications/initialized"}, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
               {"jsonrpc": "2.0", "id": 3, "method": "ping"}, {"jsonrpc": "2.0", "id": 4, "method": "resources/read", "params": {"uri": "iolite://no"}})
assert [answer.get("id") for answer in answers] == ["a", 2, 3, 4], answers
assert answers[0]["result"]["protocolVersion"] == "2025-11-25" and answers[0]["result"]["instructions"]
assert "resultType" not in answers[1]["result"] and answers[2]["result"] == {} and answers[3]["error"]["code"] == -32002
assert talk({**begin, "params": {**begin["params"], "protocolVersion": "2024-11-05"}})[0]["result"]["protocolVersion"] == "2025-11-25"

# Requests that are none
codes = [answer["error"]["code"] for answer in talk(b"{", b"[]", b"7", b'{"jsonrpc":"1.0","id":1,"method":"ping"}', b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
                                                     b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
                                                     b"\xff\xfe", b"[" * 100, b'{"jsonrpc":"2.0","id":1,"method":"no/such","params":{}}', b"", b'{"jsonrpc":"2.0","id":9,"result":{}}')]
assert codes[0] == -32700 and codes[1] == -32600 and all(code in (-32700, -32600, -32602) for code in codes) and len(codes) == 10, codes
long = talk(b'"' + b"x" * (5 << 20) + b'"', {"jsonrpc": "2.0", "id": 1, "method": "ping"})
assert long[0]["error"]["code"] == -32600 and long[1] == {"jsonrpc": "2.0", "id": 1, "result": {}}

# Tools
shown = call("show", log="inside/job.darshan")
assert not shown["isError"] and json.loads(shown["content"][0]["text"]) == shown["structuredContent"]
assert shown["structuredContent"]["data"]["path"] == "inside/job.darshan" and "instructions" in shown["structuredContent"]["note"]
numbers = set()
def collect(value):
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if isinstance(key, str) and isinstance(item, float): numbers.add(key)
        collect(item)
collect(shown["structuredContent"]["data"]["figures"])
assert numbers and numbers <= set(shown["structuredContent"]["definitions"]), numbers - set(shown["structuredContent"]["definitions"])
theirs = json.loads(subprocess.run([iolite, "show", "--json", logs + "/inside/job.darshan"], stdout=subprocess.PIPE).stdout)
assert shown["structuredContent"]["data"]["figures"] == theirs["figures"]
rows = call("dump", log="inside/job.darshan", module="POSIX", limit=2)["structuredContent"]
assert len(rows["data"]) == 2 and rows["incomplete"]
assert not call("show", log="hostile.darshan")["isError"]
for arguments in ({}, {"log": 7}, {"log": "inside/job.darshan", "more": 1}, {"log": "nowhere"}, {"log": ""}, {"log": "inside/job.darshan\0x"}):
    assert call("show", **arguments)["isError"], arguments
for arguments in ({"limit": 0}, {"limit": 1001}, {"limit": "x"}, {"module": "NOSUCH"}, {"module": "--json"}, {"file": "--output=/tmp/x"}):
    assert call("dump", log="inside/job.darshan", **arguments)["isError"], arguments
assert ask("tools/call", {"name": "nothing"})["error"]["code"] == -32602

# Nobody gets out
for path in (secret, "../outside/secret.darshan", "inside/../../outside/secret.darshan", "link.darshan", "folder/secret.darshan", "/dev/stdin", "/proc/self/fd/0",
             "pipe.darshan", "-", "/etc/passwd"):
    assert call("show", log=path)["isError"], path
listed = [log["path"] for log in call("list_logs")["structuredContent"]["data"]["logs"]]
assert sorted(path.rsplit("/", 1)[1] for path in listed) == ["cut.darshan", "hostile.darshan", "job.darshan"], listed

# Another's jobs
if store:
    everything = call("jobs", ("--store", store))["structuredContent"]["data"]
    users = sorted({job["user"] for job in everything if job["user"]})
    mine, job = users[0], next(job for job in everything if job["user"] == users[1])
    own = ("--store", store, "--user", mine)
    seen = call("jobs", own)["structuredContent"]["data"]
    assert seen and all(row["user"] == mine for row in seen)
    for arguments in ({"job": job["job"]}, {"user": job["user"]}, {"user": "%"}):
        answer = call("jobs", own, **arguments)
        assert answer["isError"] or all(row["user"] == mine for row in answer["structuredContent"]["data"]), arguments
    ranking = call("rank", own, per="user")["structuredContent"]["data"]["entries"]
    assert {row["user"] for row in ranking} <= {mine}, ranking
    assert call("fleet", own)["isError"] and not call("fleet", ("--store", store))["isError"]
else:
    assert "jobs" not in [tool["name"] for tool in ask("tools/list")["result"]["tools"]]
END

# Every number comes with its unit and definition: logs of all modules, damaged ones, one with regions and lines of code, and an index
mkdir "$work/defined" "$work/home"
cp "$seeds"/{demo,every-module-none-be-3.41,processes,trailer,lustre-v2-be-3.41,heatmap-v1-be-3.41,apmpi-v1-be-3.41,apxc-v1-3.21,mdhim-v1-3.41,daos-v1-3.41,incomplete,invalid-module-versions}.darshan "$work/defined"
cat >"$work/marked.py" <<'MARKED'
import sys
sys.path.insert(0, sys.argv[1])
import iolite
for _ in range(3):
    with iolite.region("checkpoint"), open(sys.argv[2], "wb", buffering=0) as file:
        for _ in range(50):
            file.write(bytes(100))
MARKED
HOME=$work/home "$iolite" run --where -o "$work/defined/marked.darshan" -- /usr/bin/python3 -S "$work/marked.py" packaging/python "$work/written" >/dev/null 2>&1
python3 tests/e2e/defined.py "$iolite" "$store" "$work"/defined/*.darshan >"$work/out" 2>&1 || fail "numbers: $(tail -n 8 "$work/out")"
status 0 "$iolite" diagnose --list-rules --json
python3 - "$work/out" <<'END' || fail "a figure of a rule has no unit"
import json, sys
figures = [(rule["id"], figure) for rule in json.load(open(sys.argv[1])) for figure in rule["figures"]]
without = [(rule, figure["name"]) for rule, figure in figures if not figure["unit"] or not figure["meaning"]]
assert len(figures) > 300 and not without, without
END

# The session of the documentation
sed -n '/^## A session/,$s/^> //p' docs/mcp.md >"$work/asked"
sed -n '/^## A session/,$p' docs/mcp.md | grep '^{"jsonrpc' >"$work/told"
"$iolite" mcp "$seeds" <"$work/asked" >"$work/out" || fail "the session of docs/mcp.md"
while IFS= read -r told <&3 && IFS= read -r said <&4; do
    case $said in "$told"*) ;; *) fail "docs/mcp.md says ${told:0:200}, and it is ${said:0:200}" ;; esac
done 3<"$work/told" 4<"$work/out"
[ "$(wc -l <"$work/told")" = "$(wc -l <"$work/out")" ] || fail "the session of docs/mcp.md has other answers"
finish
