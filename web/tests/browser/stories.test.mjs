// What people come to the portal for, as they do it, on a made-up centre whose servers' series end with its latest jobs: a
// scientist finds a slow job, its fix and a better run; staff find who used a file system at a time, and handle an alert; an
// administrator sees that nothing comes any more.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { folder, iolite, launch, screenshot, started, visitor as visit } from "../support/browser.mjs";

const tools = join(dirname(dirname(iolite)), "tests");
const centre = join(folder, "stories");
const state = join(folder, "stories-state");
const end = Date.UTC(2026, 10, 1) / 1000; // the last job of a made-up centre began before
const noServer = /no HTTP server|not on this machine/.test(
    spawnSync(iolite, ["serve", "--listen", "nowhere"], { encoding: "utf8" }).stderr,
);
const skip = noServer || !existsSync(join(tools, "make-series")) ? "no server, or no made-up centre" : false;
let server, base, browser, staff, other, series;

const tokenOf = (who) =>
    execFileSync(iolite, ["serve", "--state", state, "--make-token", who], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
    }).trim();

/** As somebody else than the one who looks at pages: the audit tells them apart. */
async function ask(path, token = other) {
    const answer = await fetch(`${base}/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal(answer.status, 200, path);
    return answer.json();
}

function make() {
    const run = (tool, ...options) => execFileSync(join(tools, tool), options, { stdio: "ignore" });
    run("make-centre", "--logs", "600", "--large", "0", "--months", "1", centre);
    const made = spawnSync(join(tools, "make-series"), [
        "--days",
        "4",
        "--targets",
        "12",
        "--end",
        String(end),
        join(centre, "series"),
    ]);
    series = made.status === 0; // there may be no HDF5
    const site = readFileSync(join(centre, "site.json"), "utf8");
    const more = series ? readFileSync(join(centre, "series", "series.json"), "utf8") : "";
    writeFileSync(join(centre, "site.json"), site.replace('"cluster"', `${more}"cluster"`));
    const lists = ["sacct.txt", "entries.txt"].flatMap((name) => ["--accounting", join(centre, name)]);
    spawnSync(iolite, [
        "index",
        "-q",
        "--store",
        join(centre, "index.db"),
        "--site",
        join(centre, "site.json"),
        ...lists,
    ]);
}

before(async () => {
    if (skip) return;
    make();
    staff = tokenOf("staff:ben");
    other = tokenOf("staff:asker");
    const options = ["--store", join(centre, "index.db"), "--site", join(centre, "site.json"), "--state", state];
    server = spawn(iolite, ["serve", ...options], {
        stdio: ["ignore", "pipe", "ignore"],
        env: { ...process.env, IOLITE_STORE: "" },
    });
    base = (await started(server)).replace(/\/\?.*/, "");
    browser = await launch();
});

after(async () => {
    await browser?.close();
    server?.kill("SIGTERM");
});

const settled = (page) =>
    page.waitForFunction(() => document.readyState === "complete" && !document.querySelector("[aria-busy]"), null, {
        timeout: 120000,
    });
const visitor = (token) => visit(browser, `${base}/?token=${token}`);

/** A user one of whose costly jobs has a fix and earlier runs that were faster. */
async function scientist() {
    const { items } = await ask("/jobs?has_log=1&sort=-lost_s&limit=200");
    for (const job of items) {
        if (job.logs !== 1 || !job.findings) continue;
        const { history } = await ask(`/jobs/${job.cluster}/${job.jobid}/context`);
        const others = history.filter((run) => run.jobid !== job.jobid);
        const best = Math.max(...others.map((run) => run.perf_mibs ?? 0));
        if (best > (job.perf_mibs ?? 0)) return { job, others };
    }
    return null;
}

test(
    "a scientist finds a slow job, its fix and its previous good run in three clicks",
    { skip, timeout: 300000 },
    async () => {
        const found = await scientist();
        assert.ok(found, "no such job in the centre");
        const { job, others } = found;
        const best = others.reduce((most, one) => ((one.perf_mibs ?? 0) > (most.perf_mibs ?? 0) ? one : most));
        const { page, said, close } = await visitor(tokenOf(`user:${job.user}`));
        await page.goto(`${base}/?days=60&end=${job.start + 1}`);
        await settled(page);
        // One: the job, which is among those that lost most.
        await page.locator(".p-columns").getByRole("link", { name: job.jobid, exact: true }).first().click();
        await page.waitForURL(new RegExp(`/jobs/[^/]+/${job.jobid}$`));
        await settled(page);
        const card = page.locator("#findings .io-finding").first();
        assert.ok((await card.locator(".io-advice").first().innerText()).length > 20); // the fix, with no click
        assert.ok(
            await card.evaluate((one) => one.getBoundingClientRect().top < innerHeight),
            "the finding is below the fold",
        );
        // Two: its history.
        await page.getByRole("tab", { name: "History" }).click();
        await settled(page);
        // Three: the best run.
        await page.getByRole("link", { name: best === others[0] ? /its previous run/ : /its best run/ }).click();
        await page.waitForURL(/\/compare\?/);
        await settled(page);
        assert.ok(new URL(page.url()).searchParams.get("a").endsWith(`/${best.jobid}`));
        assert.match(await page.locator("main .p-lead").innerText(), /\w+ \w+/);
        assert.deepEqual(said, []);
        await close();
    },
);

test("staff find who used a file system at a time", { skip, timeout: 300000 }, async (t) => {
    if (!series) return t.skip("no series of servers");
    const jobs = (await ask(`/jobs?fs=scratch&has_log=1&start=${end - 2 * 86400}&end=${end}&sort=-bytes&limit=1`))
        .items;
    assert.ok(jobs.length, "no job in the time of the series");
    const at = Math.round((jobs[0].start + jobs[0].end) / 120) * 60;
    const then = (await ask(`/jobs?fs=scratch&has_log=1&start=${at - 300}&end=${at + 300}&sort=-bytes&limit=200`))
        .items;
    const rates = new Map();
    for (const one of then)
        rates.set(one.user, (rates.get(one.user) ?? 0) + (one.bytes_read + one.bytes_written) / (one.end - one.start));
    const [[worst]] = [...rates].sort((a, b) => b[1] - a[1]);

    const { page, said, close } = await visitor(staff);
    await page.goto(`${base}/fs/scratch`);
    await settled(page);
    await page.getByLabel("At", { exact: true }).fill(new Date(at * 1000).toISOString().slice(0, 16)); // the centre is in UTC
    await page.getByRole("button", { name: "Who used it?" }).click();
    await settled(page);
    await page.locator(".p-traffic .p-lead").waitFor();
    assert.match(await page.locator(".p-traffic .p-lead").innerText(), new RegExp(`^${worst} moved most`));
    const address = page.url();
    assert.match(address, new RegExp(`at=${at}`));
    await screenshot(page, "story-who");

    // A click in the chart is another time, a drag another period; both are in the address, and Back undoes them.
    const chart = page.locator(".p-asks").first();
    const box = await chart.boundingBox();
    await chart.hover({ position: { x: box.width / 2, y: 60 } });
    assert.match(await page.locator(".p-readout").first().innerText(), /^20\d\d-.*read .*written /);
    await chart.click({ position: { x: box.width / 2, y: 60 } });
    await page.waitForURL((url) => url.href !== address);
    await settled(page);
    assert.equal(new URL(page.url()).searchParams.has("at"), true);
    await page.mouse.move(box.x + box.width * 0.4, box.y + 60);
    await page.locator(".p-asks").first().scrollIntoViewIfNeeded();
    const again = await page.locator(".p-asks").first().boundingBox();
    const before = new URL(page.url()).searchParams;
    await page.mouse.move(again.x + again.width * 0.4, again.y + 60);
    await page.mouse.down();
    await page.mouse.move(again.x + again.width * 0.6, again.y + 60, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL((url) => url.searchParams.has("start") && url.search !== `?${before}`);
    await settled(page);
    const closer = new URL(page.url()).searchParams;
    assert.ok(Number(closer.get("end")) - Number(closer.get("start")) < 86400 / 2);
    await page.goBack();
    await page.goBack();
    await settled(page);
    assert.equal(page.url(), address);
    assert.match(await page.locator(".p-traffic .p-lead").innerText(), new RegExp(`^${worst} moved most`));
    assert.deepEqual(said, []);
    await close();
});

test("an administrator sees that nothing comes any more", { skip, timeout: 300000 }, async () => {
    const { page, said, close } = await visitor(staff);
    await page.goto(`${base}/`);
    await settled(page);
    assert.match(await page.locator(".p-lead .p-late").innerText(), /Nothing new has come/);
    await page.getByRole("link", { name: "Look", exact: true }).click();
    await page.waitForURL(/\/admin$/);
    await settled(page);
    const late = (await page.locator(".p-late").allInnerTexts()).join("; ");
    assert.match(late, /late: nothing new has come/);
    assert.match(late, / ago, late/);
    if (series) assert.match(await page.locator("main dl").first().innerText(), /scratch\s+\d+ d .*ago, late/);
    assert.deepEqual(said, []);
    await close();
});

test(
    "an alert is muted, given to somebody and written about, and the page knows who did it",
    { skip, timeout: 300000 },
    async () => {
        const { page, said, close } = await visitor(staff);
        await page.goto(`${base}/screens?days=3660`);
        await settled(page);
        await page
            .getByRole("button", { name: /^Handle / })
            .first()
            .click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Reason").fill("talked to her <b>");
        await dialog.getByRole("button", { name: "Mute", exact: true }).click();
        await dialog.locator(".p-notes li", { hasText: "muted it until" }).waitFor();
        await dialog.getByLabel("Assigned to").fill("eva");
        await dialog.getByRole("button", { name: "Assign" }).click();
        await dialog.locator(".p-notes li", { hasText: "gave it to eva" }).waitFor();
        await dialog.getByLabel("Comment").fill("she tries larger blocks");
        await dialog.getByRole("button", { name: "Comment" }).click();
        await dialog.locator(".p-notes li", { hasText: "she tries larger blocks" }).waitFor();
        assert.match(
            await dialog.locator(".p-notes").innerText(),
            /ben wrote[^]*ben gave it to eva[^]*ben muted it[^]*<b>/,
        );
        await dialog.getByRole("button", { name: "Close" }).click();
        const row = page.locator("tr", { has: page.getByRole("button", { name: /^Handle / }) }).first();
        assert.match(await row.innerText(), /^muted[^]*assigned to eva[^]*muted by ben/);
        await page.reload();
        await settled(page);
        assert.match(await row.innerText(), /^muted[^]*assigned to eva/);
        assert.deepEqual(said, []);
        await close();
    },
);

test("users and staff see which staff looked at a job", { skip, timeout: 300000 }, async () => {
    const [job] = (await ask("/jobs?has_log=1&sort=-bytes&limit=1")).items;
    const { page, said, close } = await visitor(staff);
    await page.goto(`${base}/jobs/${job.cluster}/${job.jobid}`);
    await settled(page);
    await page.goto(`${base}/admin`);
    await settled(page);
    const looks = page.locator("section", { hasText: "Staff who looked" }).last();
    assert.match(await looks.innerText(), new RegExp(`ben\\s+${job.user}\\s+${job.jobid}`));
    assert.deepEqual(said, []);
    await close();
    const owner = await visitor(tokenOf(`user:${job.user}`));
    await owner.page.goto(`${base}/users/${job.user}`);
    await settled(owner.page);
    assert.match(
        await owner.page.locator("section", { hasText: "Staff who looked" }).last().innerText(),
        new RegExp(`ben[^]*${job.jobid}`),
    );
    await owner.close();
});
