// Running jobs in a browser: figures that change by themselves, an order that stays, a page that can be made to stand still.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { folder, iolite, launch, screenshot, started, visitor as visit } from "../support/browser.mjs";

let server, url, base, browser, program;
const home = join(folder, "running-home");
const environment = { ...process.env, HOME: home, XDG_DATA_HOME: "", IOLITE_MMAP_DIR: home };
const skip = /no HTTP server|not on this machine/.test(
    spawnSync(iolite, ["serve", "--listen", "nowhere"], { encoding: "utf8" }).stderr,
);

before(async () => {
    if (skip) return;
    mkdirSync(home);
    const script = `while [ -e "${home}" ]; do head -c 100000 /dev/zero; sleep 0.05; done`;
    program = spawn(iolite, ["run", "--quiet", "--", "dd", `of=${join(home, "written")}`, "bs=1000"], {
        env: environment,
        stdio: ["pipe", "ignore", "ignore"],
    });
    const feed = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
    feed.stdout.pipe(program.stdin);
    program.on("exit", () => feed.kill());
    program.stdin.on("error", () => feed.kill());
    while (!existsSync(join(home, "written"))) await new Promise((resolve) => setTimeout(resolve, 50));
    server = spawn(iolite, ["serve"], { env: environment, stdio: ["ignore", "pipe", "ignore"] });
    url = await started(server);
    base = url.replace(/\/\?.*/, "");
    browser = await launch();
});

after(async () => {
    await browser?.close();
    program?.kill("SIGKILL");
    server?.kill("SIGTERM");
});

const looked = (page, times) =>
    page.waitForFunction((n) => Number(document.querySelector("main").dataset.looks ?? 0) >= n, times, {
        timeout: 60000,
    });

test("figures change, the order of rows stays, and the page can be made to stand still", { skip }, async () => {
    const { page, said } = await visit(browser, url);
    await page.goto(base + "/running");
    const link = page.locator("#running tbody a").first();
    assert.match(await link.textContent(), /^\d+$/);
    await page.locator("#running th button", { hasText: "Program" }).click();
    await screenshot(page, "running");
    await link.focus();
    await looked(page, 1);
    assert.equal(await page.locator("#running th[aria-sort]").textContent(), "Program");
    assert.equal(
        await page.evaluate(() => document.activeElement?.getAttribute("href")),
        await link.getAttribute("href"),
    );
    await link.click();
    await page.waitForURL(/\/running\/local\/\d+$/);
    assert.match(await page.locator("#running-job").textContent(), /written/);
    await page.locator("#ask-findings a").click();
    await page.waitForSelector("#running-job h2");
    await screenshot(page, "running-job");
    await page.getByRole("button", { name: "Pause" }).click();
    assert.match(await page.locator("#fresh").textContent(), /stands still/);
    assert.deepEqual(said, []);
});
