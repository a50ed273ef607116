// The portal as a person uses it: a server with a few logs, every page of it, no complaint in the console, nothing that
// sticks out of a narrow screen.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { folder, iolite, launch, started, visitor as visit } from "../support/browser.mjs";

const pages = [
    "/",
    "/jobs",
    "/running",
    "/programs",
    "/programs/sh",
    "/scoreboard",
    "/fleet",
    "/fs",
    "/screens",
    "/compare",
    "/benchmarks",
    "/admin",
    "/api",
];
let server, url, base, browser;
// Without libmicrohttpd there is no server.
const skip = /no HTTP server|not on this machine/.test(
    spawnSync(iolite, ["serve", "--listen", "nowhere"], { encoding: "utf8" }).stderr,
);

before(async () => {
    if (skip) return;
    const logs = join(folder, "portal-logs");
    for (let run = 0; run < 3; run += 1)
        execFileSync(
            iolite,
            [
                "run",
                "--log-dir",
                logs,
                "--",
                "sh",
                "-c",
                "head -c 3000000 /dev/zero >portal; cat portal >copy; sort copy >/dev/null",
            ],
            { cwd: folder, stdio: "ignore" },
        );
    const store = join(folder, "portal.db");
    execFileSync(iolite, ["index", "--store", store, logs], { stdio: "ignore" });
    server = spawn(iolite, ["serve", "--store", store, "--state", join(folder, "portal-state")], {
        stdio: ["ignore", "pipe", "ignore"],
    });
    url = await started(server);
    base = url.replace(/\/\?.*/, "");
    browser = await launch();
});

after(async () => {
    await browser?.close();
    server?.kill("SIGTERM");
});

const visitor = (options) => visit(browser, url, options);

test("the token leaves the address at once", { skip }, async () => {
    const { page, close } = await visitor();
    assert.doesNotMatch(page.url(), /token/);
    await close();
});

test("every page has content and the console stays silent", { skip }, async () => {
    const { page, said, close } = await visitor();
    for (const path of pages) {
        await page.goto(base + path);
        await page.waitForFunction(() => !document.querySelector("[aria-busy]"));
        await page.locator("main table, main form, main dl, main p").first().waitFor();
    }
    assert.deepEqual(said, []);
    await close();
});

test("jobs are found while typing, and the address says how", { skip }, async () => {
    const { page, close } = await visitor();
    await page.goto(base + "/jobs");
    await page.locator("tbody svg").first().waitFor();
    assert.equal(await page.locator("tbody tr").count(), 3);
    await page.fill("main input[name=q]", "no such job");
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 0);
    assert.match(page.url(), /q=no/);
    await page.fill("main input[name=q]", "sh");
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 3);
    await close();
});

test("the page of a job holds the report of its log", { skip }, async () => {
    const { page, said, close } = await visitor();
    await page.goto(base + "/jobs");
    await page.locator("tbody a").first().click();
    await page.locator(".p-report h2").first().waitFor();
    assert.match(await page.locator(".p-strip").first().textContent(), /Estimated time in I\/O/);
    await page.getByRole("tab", { name: "Log and report" }).click();
    assert.match(page.url(), /#tab=logs$/);
    await page.locator("#panel-logs details summary").click();
    await page.locator("#panel-logs .p-report .io-strip").waitFor();
    assert.deepEqual(said, []);
    await close();
});

test("nothing sticks out of a narrow screen", { skip }, async () => {
    for (const width of [390, 768, 1600]) {
        const { page, close } = await visitor({ viewport: { width, height: 800 } });
        for (const path of pages) {
            await page.goto(base + path);
            await page.waitForFunction(() => !document.querySelector("[aria-busy]"));
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(wide <= width, `${path} is ${wide} wide on ${width}`);
        }
        await close();
    }
});

test("jobs, rankings and the fleet are there without script", { skip }, async () => {
    const { page, close } = await visitor({ javaScriptEnabled: false });
    for (const path of ["/jobs", "/scoreboard", "/fleet"]) {
        await page.goto(base + path);
        assert.ok((await page.locator("tbody tr").count()) > 0, path);
    }
    await close();
});
