// The protocol's conformance suite against /mcp of `iolite serve`: the scenarios that need no tools made for the suite. The suite sends
// no token, so that requests to it go through a forwarder that adds one and changes nothing else but its own address.
// Usage: node conformance.mjs ADDRESS TOKEN; the package is found from the current directory.
import { spawn } from "node:child_process";
import http from "node:http";

const [address, token] = process.argv.slice(2);
const portal = new URL(address);
const scenarios = ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"];

const forwarder = http.createServer((request, response) => {
    const own = `localhost:${forwarder.address().port}`;
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    if (headers.host === own) headers.host = portal.host;
    if (headers.origin === `http://${own}`) headers.origin = portal.origin;
    const onward = http.request({ host: portal.hostname, port: portal.port, method: request.method, path: request.url, headers }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
    });
    onward.on("error", () => response.writeHead(502).end());
    request.pipe(onward);
});

const run = (scenario) =>
    new Promise((resolve) => {
        const url = `http://localhost:${forwarder.address().port}/mcp`;
        const child = spawn(process.execPath, ["node_modules/@modelcontextprotocol/conformance/dist/index.js", "server", "--url", url, "--scenario", scenario]);
        let said = "";
        child.stdout.on("data", (text) => (said += text));
        child.stderr.on("data", (text) => (said += text));
        child.on("close", (status) => resolve([status, said]));
    });

await new Promise((resolve) => forwarder.listen(0, "localhost", resolve));
let failures = 0;
for (const scenario of scenarios) {
    const [status, said] = await run(scenario);
    console.log(`${scenario}: ${status === 0 ? "passed" : "failed\n" + said.slice(-1500)}`);
    if (status !== 0) failures++;
}
forwarder.close();
forwarder.closeAllConnections();
process.exitCode = failures ? 1 : 0;
