// `iolite mcp`, and /mcp of `iolite serve`, through public clients of the protocol, which check every answer against its schema.
// Usage: node mcp.mjs IOLITE DIRECTORY-WITH-LOGS STORE [ADDRESS TOKEN]; packages are found from the current directory.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import assert from "node:assert";

const [iolite, logs, store, address, token] = process.argv.slice(2);
const here = createRequire(pathToFileURL(process.cwd() + "/"));
const load = (name) => import(pathToFileURL(here.resolve(name)).href);
const server = { command: iolite, args: ["mcp", logs, "--store", store] };

// Logs go by their path, or over HTTP by their number in the index.
async function use(client, era, called = "path") {
    const tools = (await client.listTools()).tools;
    const names = tools.map((tool) => tool.name);
    for (const name of ["list_logs", "show", "diagnose", "explain", "compare", "dump", "trace", "jobs", "rank", "fleet"])
        assert(names.includes(name), `${era}: no tool ${name}`);
    assert(tools.every((tool) => tool.annotations.readOnlyHint));
    const call = async (name, args) => {
        const answer = await client.callTool({ name, arguments: args });
        assert(!answer.isError, `${era}: ${name}: ${answer.content[0].text}`);
        assert.deepStrictEqual(JSON.parse(answer.content[0].text), answer.structuredContent);
        return answer.structuredContent;
    };
    const listed = (await call("list_logs", called === "path" ? { contains: "demo" } : {})).data.logs;
    const log = listed[0][called];
    const shown = await call("show", { log });
    assert.strictEqual(shown.data.path, log);
    assert.strictEqual(shown.definitions.io_time.unit, "s");
    assert((await call("diagnose", { log })).data.findings.length > 0);
    assert.strictEqual((await call("explain", { names: ["POSIX_BYTES_READ"] })).data[0].unit, "bytes");
    await call("compare", { a: log, b: log });
    const dumped = await call("dump", { log, module: "POSIX", limit: 3 });
    assert.strictEqual(dumped.data.length, 3);
    assert(dumped.incomplete && dumped.definitions.POSIX_OPENS.definition);
    await call("trace", { log, limit: 5 });
    assert((await call("jobs", { limit: 5 })).data.length > 0);
    assert((await call("rank", { per: "program" })).data.entries.length > 0);
    assert((await call("fleet", {})).data.logs > 0);
    const outside = await client.callTool({ name: "show", arguments: { log: "/etc/passwd" } });
    assert(outside.isError);
    await assert.rejects(client.callTool({ name: "format_disk", arguments: {} }));
    const resources = (await client.listResources()).resources;
    assert(resources.some((resource) => resource.uri === "iolite://figures"));
    for (const resource of resources.slice(0, 4)) JSON.parse((await client.readResource({ uri: resource.uri })).contents[0].text);
    assert((await client.listResourceTemplates()).resourceTemplates.length === 1);
    JSON.parse((await client.readResource({ uri: "iolite://explain/io_time" })).contents[0].text);
    await assert.rejects(client.readResource({ uri: "file:///etc/passwd" }));
    assert((await client.listPrompts()).prompts.length >= 3);
    const prompt = await client.getPrompt({ name: "diagnose_log", arguments: { log } });
    assert(prompt.messages[0].content.text.includes(log));
    console.log(`${era}: ${names.length} tools, ${resources.length} resources`);
}

const { Client: Old } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport: OldTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
const old = new Old({ name: "test", version: "1" });
await old.connect(new OldTransport(server));
await old.ping();
await use(old, "2025-11-25");
await old.close();

const { Client, } = await load("@modelcontextprotocol/client");
const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");
for (const mode of ["legacy", "auto", { pin: "2026-07-28" }]) {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport(server));
    await use(client, JSON.stringify(mode));
    await client.close();
}

if (address) {
    const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
    const url = new URL(address + "/mcp");
    const { StreamableHTTPClientTransport: OldHttp } = await load("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const before = new Old({ name: "test", version: "1" });
    await before.connect(new OldHttp(url, options));
    await before.ping();
    await use(before, "2025-11-25 over HTTP", "log");
    await before.close();

    const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client");
    for (const mode of ["legacy", "auto", { pin: "2026-07-28" }]) {
        const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
        await client.connect(new StreamableHTTPClientTransport(url, options));
        await use(client, JSON.stringify(mode) + " over HTTP", "log");
        await client.close();
    }
    const stranger = new Old({ name: "test", version: "1" });
    await assert.rejects(stranger.connect(new OldHttp(url, { requestInit: { headers: { Authorization: "Bearer none" } } })));
    await assert.rejects(stranger.connect(new OldHttp(url, { requestInit: { headers: { ...options.requestInit.headers, Origin: "http://evil.example" } } })));
}
