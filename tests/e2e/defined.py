"""Every number in an answer of `iolite mcp` has a unit and a definition. Usage: defined.py IOLITE STORE LOG..."""

import json
import os
import subprocess
import sys

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


def calls_of_logs(logs):
    for log in logs:
        for tool in ("show", "diagnose", "where"):
            yield tool, {"log": log}
        yield "compare", {"a": log, "b": logs[0]}
        yield "dump", {"log": log, "limit": 200}
        yield "trace", {"log": log, "limit": 5}
    yield "list_logs", {}
    yield "explain", {"names": ["io_time", "POSIX_BYTES_READ", "posix.small.write", "mean_write", "posix.small.ratio"]}


def calls_of_store():
    yield "jobs", {}
    yield "jobs", {"sort": "lost", "limit": 5}
    yield "fleet", {}
    for per in ("user", "fs", "program", "account", "job", "finding", "triple"):
        for by in ("bytes", "time", "ops", "opens", "meta_time", "cost", "lost", "redundant", "logs", "files"):
            yield "rank", {"per": per, "by": by}


def talk(iolite, store, logs, calls):
    lines = [{"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments, "_meta": META}}
             for number, (name, arguments) in enumerate(calls)]
    folders = sorted({os.path.dirname(log) for log in logs})
    done = subprocess.run([iolite, "mcp", *folders, *(["--store", store] if store else [])], check=True, stdout=subprocess.PIPE,
                          input="".join(json.dumps(line) + "\n" for line in lines).encode())
    return [json.loads(line)["result"] for line in done.stdout.splitlines()]


def name_fits(name, keys):
    """The keys of a name are those on the way to a value, any but the last left out; * is any key."""
    parts = name.split(".")
    if parts[-1] not in ("*", keys[-1]):
        return False
    rest = iter(reversed(keys[:-1]))
    return all(any(part in ("*", key) for key in rest) for part in reversed(parts[:-1]))


def numbers(value, keys=()):
    if isinstance(value, dict):
        for key, inside in value.items():
            yield from numbers(inside, (*keys, key))
    elif isinstance(value, list):
        for inside in value:
            yield from numbers(inside, keys)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield keys


def main(iolite, store, *logs):
    calls = [*calls_of_logs(logs), *(calls_of_store() if store else ())]
    answers = talk(iolite, store, logs, calls)
    if store:
        job = answers[[name for name, _ in calls].index("jobs")]["structuredContent"]["data"][0]["job"]
        calls.append(("jobs", {"job": job}))
        answers += talk(iolite, store, logs, calls[-1:])
    wrong, seen, answered = {}, 0, {}
    for (tool, arguments), answer in zip(calls, answers):
        if answer["isError"]:
            continue
        answered[tool] = answered.get(tool, 0) + 1
        definitions = answer["structuredContent"]["definitions"]
        for name, meaning in definitions.items():
            if not (isinstance(meaning["unit"], str) and meaning["unit"] and meaning["definition"]):
                wrong[tool, name] = "has an empty definition"
        for keys in set(numbers(answer["structuredContent"]["data"])):
            seen += 1
            if not keys or not any(name_fits(name, keys) for name in definitions):
                wrong[tool, ".".join(keys)] = "is a number without a definition"
        if len(json.dumps(definitions)) > 200000:
            wrong[tool, str(arguments)] = "has more definitions than fit"
    for (tool, name), what in sorted(wrong.items()):
        print("%s: %s %s" % (tool, name, what))
    silent = [tool for tool in {name for name, _ in calls} if tool not in answered]
    print("%d kinds of numbers in %d answers; tools without an answer: %s" % (seen, sum(answered.values()), silent))
    return bool(wrong or silent or not seen)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
