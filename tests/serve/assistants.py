"""/mcp: what an assistant gets over HTTP, and what nobody gets.

    assistants.py ADDRESS STAFF-TOKEN INGEST-TOKEN USER=TOKEN...
"""
import http.client
import json
import os
import sys
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from defined import name_fits, numbers  # noqa: E402

address, staff, ingest = sys.argv[1:4]
people = dict(word.split("=", 1) for word in sys.argv[4:])
where = urllib.parse.urlsplit(address)
OWN = where.netloc
MODERN, LEGACY = "2026-07-28", "2025-11-25"
META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}


def send(body, token, headers=None, method="POST", path="/mcp"):
    """Status, headers and body of the answer."""
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=60)
    head = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    if token:
        head["Authorization"] = "Bearer " + token
    head.update(headers or {})
    head = {name: value for name, value in head.items() if value is not None}
    connection.request(method, where.path + path, body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode(), head)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, answer.headers, json.loads(text) if text else None


def modern(method, token, params=None, name=None, headers=None):
    head = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
    if name:
        head["Mcp-Name"] = name
    head.update(headers or {})
    return send({"jsonrpc": "2.0", "id": 7, "method": method, "params": {"_meta": META, **(params or {})}}, token, head)


def call(tool, token, **arguments):
    status, _, answer = modern("tools/call", token, {"name": tool, "arguments": arguments}, tool)
    assert status == 200, (tool, status, answer)
    return answer["result"]


def data(tool, token, **arguments):
    result = call(tool, token, **arguments)
    assert not result["isError"], (tool, arguments, result)
    assert "never" in result["structuredContent"]["note"] and json.loads(result["content"][0]["text"]) == result["structuredContent"]
    names = result["structuredContent"]["definitions"]
    for keys in set(numbers(result["structuredContent"]["data"])):
        assert keys and any(name_fits(name, keys) for name in names), (tool, keys)
    return result["structuredContent"]["data"]


def code(answer):
    return answer[2]["error"]["code"]


# Both revisions; nothing is kept between requests
status, _, answer = modern("server/discover", staff)
assert status == 200 and answer["result"]["supportedVersions"] == [MODERN, LEGACY]
begin = {"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
status, head, answer = send(begin, staff)
assert status == 200 and answer["result"]["protocolVersion"] == LEGACY and head["Mcp-Session-Id"] is None
assert head["Content-Type"] == "application/json" and head["Cache-Control"] == "no-store"
status, _, answer = send({"jsonrpc": "2.0", "method": "notifications/initialized"}, staff, {"MCP-Protocol-Version": LEGACY})
assert (status, answer) == (202, None)
status, _, answer = send({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, staff, {"MCP-Protocol-Version": LEGACY})
assert status == 200 and {"list_logs", "show", "diagnose", "explain", "compare", "dump", "trace", "where", "jobs", "rank", "fleet"} == {tool["name"] for tool in answer["result"]["tools"]}
assert send({"jsonrpc": "2.0", "id": 3, "method": "ping"}, staff)[2] == {"jsonrpc": "2.0", "id": 3, "result": {}}
for method in ("GET", "DELETE"):
    status, head, _ = send(None, staff, method=method)
    assert status == 405 and "POST" in head["Allow"], (method, status)

# Headers repeat the message, or it is refused
assert send({"jsonrpc": "2.0", "id": 1, "method": "ping"}, staff, {"MCP-Protocol-Version": "1900-01-01"})[0] == 400
assert code(send({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, staff, {"MCP-Protocol-Version": MODERN})) == -32602
for wrong in ({"MCP-Protocol-Version": None}, {"MCP-Protocol-Version": LEGACY}, {"Mcp-Method": None}, {"Mcp-Method": "ping"}):
    answer = modern("tools/list", staff, headers=wrong)
    assert answer[0] == 400 and code(answer) == -32020, (wrong, answer)
for name in (None, "dump", "=?base64?c2hvdx=?=x", "=?base64?!!?="):
    answer = modern("tools/call", staff, {"name": "explain", "arguments": {"names": ["io_time"]}}, headers={"Mcp-Name": name})
    assert answer[0] == 400 and code(answer) == -32020, (name, answer)
assert modern("tools/call", staff, {"name": "explain", "arguments": {"names": ["io_time"]}}, "=?base64?ZXhwbGFpbg==?=")[0] == 200
assert code(modern("tools/list", staff, {"_meta": {**META, "io.modelcontextprotocol/protocolVersion": "1900-01-01"}})) == -32022
answer = modern("no/such", staff)
assert answer[0] == 404 and code(answer) == -32601

# Messages that are none
for body, expected in ((b"{", -32700), (b"", -32700), (b"\xff\xfe", -32700), (b"[" * 100, -32700), (b"7", -32600), (b"[]", -32600),
                       (json.dumps([begin, begin]).encode(), -32600), (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600), (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600)):
    answer = send(body, staff)
    assert answer[0] == 400 and code(answer) == expected, (body, answer)
assert send(b'"' + b"x" * (1 << 20) + b'"', staff)[0] == 413
assert send(begin, staff, {"Content-Type": "text/plain"})[0] == 415 and send(begin, staff, {"Accept": "text/html"})[0] == 406

# Pages of others, and other names of this server
for origin in ("http://evil.example", "null", "http://" + OWN + ".evil.example", "http://evil.example/" + OWN, "http://localhost:1", "file://", ""):
    for token in (staff, None):
        assert send(begin, token, {"Origin": origin})[0] == 403, origin
for origin in ("http://" + OWN, "https://portal.example"):
    assert send(begin, staff, {"Origin": origin})[0] == 200, origin
assert send(begin, staff, {"Host": "evil.example"})[0] == 421
assert send(begin, staff, {"Host": "evil.example", "Origin": "http://evil.example"})[0] in (403, 421)
assert send(begin, staff, {"Host": "portal.example", "Origin": "https://portal.example"})[0] == 200

# Who asks
assert send(begin, None)[0] == 401 and send(begin, "nobody")[0] == 401 and send(begin, ingest)[0] == 403

# What staff and users see
everything = data("list_logs", staff, limit=1000)
assert everything["total"] == len(everything["logs"]) > 10
log = everything["logs"][0]
assert data("list_logs", staff, contains=log["job"])["total"] >= 1 and data("list_logs", staff, contains="no such % text")["total"] == 0
shown = data("show", staff, log=log["log"])
assert shown["path"] == log["log"] and shown["figures"]
assert data("diagnose", staff, log=log["log"])["findings"] is not None
assert len(data("dump", staff, log=log["log"], limit=1)) == 1
data("compare", staff, a=log["log"], b=everything["logs"][1]["log"])
assert data("fleet", staff)["logs"] == everything["total"] and data("explain", staff, names=["io_time"])
assert data("jobs", staff, limit=5) and data("rank", staff, per="user")["entries"]
status, _, page = send(None, staff, method="GET", path="/api/v1/logs/" + log["log"])
assert status == 200 and page["exe"] == log["program"] and page["user"] == log["user"]
compared = 0
for user, token in people.items():
    own = data("list_logs", token, limit=1000)
    assert all(row["user"] == user for row in own["logs"]) and own["total"] == sum(row["user"] == user for row in everything["logs"])
    api = send(None, token, method="GET", path="/api/v1/jobs?limit=1000")[2]["items"]
    jobs = data("jobs", token, limit=1000)
    assert sorted(row["job"] for row in jobs) == sorted(row["jobid"] for row in api) and all(row["user"] == user for row in jobs)
    assert all(row["user"] == user for row in data("rank", token, per="user")["entries"])
    assert call("fleet", token)["isError"]
    for row in everything["logs"]:
        mine = row["user"] == user
        compared += not mine
        if mine or compared % 7 == 1:
            assert call("show", token, log=row["log"])["isError"] != mine, (user, row)
            assert (send(None, token, method="GET", path="/api/v1/logs/" + row["log"])[0] == 200) == mine
    other = next(row for row in everything["logs"] if row["user"] != user)
    for tool in ("show", "diagnose", "dump", "trace", "where"):
        told, nothing = call(tool, token, log=other["log"]), call(tool, token, log="999999999")
        assert told["isError"] and told["content"][0]["text"].replace(other["log"], "N") == nothing["content"][0]["text"].replace("999999999", "N"), tool
    if own["logs"]:
        assert call("compare", token, a=own["logs"][0]["log"], b=other["log"])["isError"]
    for arguments in ({"job": other["job"]}, {"user": other["user"]}, {"user": "%"}):
        result = call("jobs", token, **arguments)
        assert result["isError"] or all(row["user"] == user for row in result["structuredContent"]["data"]), arguments
assert compared > 3

# Nobody reads files
for name in ("/etc/passwd", "../../etc/passwd", "1;2", "-1", "0", "1 OR 1=1", "'", "%", "", "1" * 40, "--help", "/dev/stdin"):
    assert call("show", staff, log=name)["isError"], name
assert code(modern("resources/read", staff, {"uri": "file:///etc/passwd"}, "file:///etc/passwd")) == -32602
