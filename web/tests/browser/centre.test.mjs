// A made-up centre, every page of the portal as staff see it: first content, search while typing, the console, axe-core,
// widths, light and dark, paper, and without script. IOLITE_PORTAL_LOGS=100000 makes it as large as a real one, with 30 days
// of series and 200 targets, and then times count; IOLITE_PORTAL_CENTRE names one that was made before.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { folder, iolite, launch, screenshot, started, visitor as visit } from "../support/browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const tools = join(dirname(dirname(iolite)), "tests");
const logs = Number(process.env.IOLITE_PORTAL_LOGS ?? 60);
const large = logs >= 10000;
const centre = process.env.IOLITE_PORTAL_CENTRE ?? join(folder, "centre");
const noServer = /no HTTP server|not on this machine/.test(
    spawnSync(iolite, ["serve", "--listen", "nowhere"], { encoding: "utf8" }).stderr,
);
const skip = noServer || !existsSync(join(tools, "make-series")) ? "no server, or no made-up centre" : false;
let server, url, base, browser, pages;

function make() {
    if (existsSync(join(centre, "index.db"))) return;
    const run = (tool, ...options) => execFileSync(tool, options, { stdio: "ignore" });
    run(join(tools, "make-centre"), "--logs", String(logs), "--large", "0", "--months", "2", centre);
    const [days, targets] = large ? ["30", "200"] : ["2", "12"];
    const series = join(centre, "series");
    const made = spawnSync(join(tools, "make-series"), ["--days", days, "--targets", targets, series]);
    const site = readFileSync(join(centre, "site.json"), "utf8");
    const more = made.status === 0 ? readFileSync(join(series, "series.json"), "utf8") : ""; // there may be no HDF5
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

async function ask(path) {
    const token = url.replace(/.*token=/, "");
    const answer = await fetch(base + path, { headers: { Authorization: `Bearer ${token}` } });
    return answer.json();
}

before(async () => {
    if (skip) return;
    make();
    server = spawn(
        iolite,
        [
            "serve",
            "--store",
            join(centre, "index.db"),
            "--site",
            join(centre, "site.json"),
            "--state",
            join(folder, "centre-state"),
        ],
        { stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, IOLITE_STORE: "" } },
    );
    url = await started(server);
    base = url.replace(/\/\?.*/, "");
    browser = await launch();
    const [job] = (await ask("/api/v1/jobs?has_log=1&sort=-bytes&limit=1")).items;
    const latest = (await ask("/api/v1/jobs?limit=1")).items[0].start + 1;
    const [silent] = (await ask("/api/v1/jobs?has_log=0&limit=1")).items;
    pages = {
        home: `/?days=60&end=${latest}`,
        jobs: "/jobs",
        job: `/jobs/${job.cluster}/${job.jobid}`,
        "no-log": `/jobs/${silent.cluster}/${silent.jobid}`,
        user: `/users/${job.user}`,
        programs: "/programs",
        program: `/programs/${job.exe}`,
        scoreboard: "/scoreboard?days=90",
        triples: "/scoreboard?days=90&by=user_exe_fs",
        fleet: "/fleet",
        systems: "/fs",
        system: "/fs/scratch",
        screens: "/screens",
        benchmarks: `/benchmarks?exe=${job.exe}`,
        compare: `/compare?a=${job.cluster}/${job.jobid}&b=${job.cluster}/${job.jobid}`,
        admin: "/admin",
        api: "/api",
    };
});

after(async () => {
    await browser?.close();
    server?.kill("SIGTERM");
});

const visitor = (options) => visit(browser, url, options);

const settled = (page) =>
    page.waitForFunction(() => document.readyState === "complete" && !document.querySelector("[aria-busy]"), null, {
        timeout: 120000,
    });

/** In the page: a small one may be complete before it is painted. */
const firstContent = () =>
    new Promise((resolve) => {
        setTimeout(() => resolve(Infinity), 10000);
        new PerformanceObserver((list) => {
            const paint = list.getEntriesByName("first-contentful-paint")[0];
            if (paint) resolve(paint.startTime);
        }).observe({ type: "paint", buffered: true });
    });

test("first content comes at once, and the console stays silent", { skip, timeout: 300000 }, async (t) => {
    const { page, said, close } = await visitor();
    for (const [name, path] of Object.entries(pages)) {
        const paints = [];
        for (let round = 0; round < (large ? 3 : 1); round += 1) {
            await page.goto(base + path);
            await settled(page);
            paints.push(await page.evaluate(firstContent));
        }
        const paint = paints.sort((a, b) => a - b)[Math.floor(paints.length / 2)];
        t.diagnostic(`${name}: first content after ${paint.toFixed(0)} ms`);
        if (large) assert.ok(paint < 500, `${name}: first content after ${paint} ms`);
        assert.equal(await page.locator("main > h1").count(), 1, name);
        await screenshot(page, `portal-${name}-light`);
    }
    assert.deepEqual(said, []);
    await close();
});

test(
    "a job opens with its findings, of all its logs together, and has the rest in tabs",
    { skip, timeout: 300000 },
    async () => {
        const { items } = await ask("/api/v1/jobs?sort=-findings&limit=100");
        const job = items.find((one) => one.logs > 1 && one.findings > 1);
        const detail = await ask(`/api/v1/jobs/${job.cluster}/${job.jobid}`);
        const rules = new Map(); // one may be high in a log and a warning in another
        for (const one of detail.findings.filter(({ level }) => level === "high" || level === "warn")) {
            const before = rules.get(one.rule) ?? { logs: 0, lost_s: 0 };
            rules.set(one.rule, { logs: before.logs + one.logs, lost_s: before.lost_s + one.lost_s });
        }
        const [worst] = [...rules.values()].sort((a, b) => b.lost_s - a.lost_s);
        const { page, said, close } = await visitor();
        await page.goto(`${base}/jobs/${job.cluster}/${job.jobid}#tab=accounting`);
        await settled(page);
        const order = await page.evaluate(() =>
            ["#findings .io-finding", ".p-strip", ".p-tabs"].map(
                (one) => document.querySelector(one).getBoundingClientRect().top,
            ),
        );
        assert.deepEqual(
            order,
            [...order].sort((a, b) => a - b),
        );
        const card = await page.locator("#findings .io-finding").first().textContent();
        assert.match(card, new RegExp(`In (all )?${worst.logs}( of ${detail.logs.length})? logs`));
        assert.equal(await page.locator("#findings table").count(), 0); // the server's, which the cards replace
        assert.match(await page.locator("#panel-accounting").textContent(), /Account/);
        for (const name of ["Over time", "Files", "Ranks", "History", "Servers", "Other jobs", /^Logs/]) {
            await page.getByRole("tab", { name }).click();
            await settled(page);
            assert.ok((await page.locator("[role=tabpanel]:visible").innerText()).trim().length > 10, String(name));
        }
        await page.getByRole("tab", { name: /^Logs/ }).press("ArrowRight");
        assert.match(page.url(), /#tab=accounting$/);
        assert.deepEqual(said, []);
        await close();
    },
);

test(
    "the list of jobs is narrowed down, sorted, compared from, and kept by Back",
    { skip, timeout: 300000 },
    async () => {
        const { page, said, close } = await visitor();
        await page.goto(base + "/jobs");
        await settled(page);
        const first = page.locator(".p-facets section", { hasText: "State" }).locator("button").first();
        const [name, count] = await first.locator("span").allTextContents();
        await first.click();
        await page.waitForURL(new RegExp(`state=${name}`));
        await page.locator(".p-chips .io-chip").waitFor();
        assert.match(
            await page.locator(".p-list-rows [role=status]").first().textContent(),
            new RegExp(`^${count} jobs?$`),
        );
        assert.deepEqual([...new Set(await page.locator(".p-jobs .p-state").allTextContents())], [name]);

        await page.locator(".p-jobs th", { hasText: "Lost" }).getByRole("button").click();
        await page.waitForURL(/sort=-lost_s/);
        const most = (await ask(`/api/v1/jobs?state=${name}&sort=-lost_s&limit=1`)).items[0];
        await page.waitForFunction((id) => document.querySelector(".p-jobs tbody a").textContent === id, most.jobid);
        assert.equal(await page.locator(".p-jobs th[aria-sort]").getAttribute("aria-sort"), "descending");

        const boxes = page.locator(".p-jobs tbody input:enabled");
        await boxes.nth(0).check();
        await boxes.nth(1).check();
        assert.match(await page.locator(".p-compare-bar a").getAttribute("href"), /\/compare\?a=.*&b=/);

        await page.getByText("Columns", { exact: true }).click();
        await page.getByLabel("Account").check();
        await page.locator(".p-jobs th", { hasText: "Account" }).waitFor();
        assert.match(page.url(), /columns=/);
        await page.getByText("Views", { exact: true }).click();
        await page.getByLabel("Name of this view").fill("mine");
        await page.getByRole("button", { name: "Save" }).click();
        assert.match(await page.getByRole("link", { name: "mine" }).getAttribute("href"), /state=.*columns=/);

        const address = page.url();
        await page.locator("h1").click();
        await page.keyboard.press("j");
        await page.keyboard.press("j");
        const chosen = await page.locator("tr.p-chosen a").first().textContent();
        await page.keyboard.press("Enter");
        await page.waitForURL(new RegExp(`/jobs/[^/]+/${chosen}$`));
        await settled(page);
        await page.goBack();
        await page.locator(".p-jobs tbody a").first().waitFor();
        assert.equal(page.url(), address);
        assert.equal(await page.locator(".p-jobs tbody a").first().textContent(), most.jobid);

        await page.getByLabel("Go to a job id").fill(most.jobid);
        await page.keyboard.press("Enter");
        await page.waitForURL(new RegExp(`/jobs/[^/]+/${most.jobid}$`));
        assert.deepEqual(said, []);
        await close();
    },
);

test(
    "a finding is mailed after a look, and a chart is saved as picture and as values",
    { skip, timeout: 300000 },
    async () => {
        const { page, said, close } = await visitor();
        await page.goto(base + pages.system);
        await settled(page);
        const figure = page.locator(".p-figure").first();
        for (const [kind, start] of [
            ["SVG", "<svg"],
            ["PNG", "PNG"],
            ["CSV", "series,x,y"],
            ["JSON", '[{"series"'],
        ]) {
            const saved = page.waitForEvent("download");
            await figure.getByRole("button", { name: kind, exact: true }).click();
            assert.ok(readFileSync(await (await saved).path(), "latin1").includes(start), kind);
        }
        const [job] = (await ask("/api/v1/jobs?sort=-lost_s&limit=1")).items;
        await page.goto(`${base}/jobs/${job.cluster}/${job.jobid}`);
        await page.locator(".p-mail button").first().click();
        assert.match(await page.locator(".p-letter textarea").inputValue(), new RegExp(`^Job ${job.jobid} [^]*/jobs/`));
        assert.deepEqual(said, []);
        await close();
    },
);

test(
    "a long list has few rows in the document, and all of them while scrolling",
    { skip, timeout: 300000 },
    async () => {
        const { page, close } = await visitor();
        const rows = Array.from({ length: 1200 }, (_, index) => ({
            cluster: "c",
            jobid: String(index),
            user: "u",
            account: null,
            name: null,
            exe: null,
            state: "COMPLETED",
            start: 1e9,
            end: 1e9,
            nprocs: 1,
            nnodes: 1,
            bytes_read: 1,
            bytes_written: 1,
            run_s: 1,
            io_s: 1,
            perf_mibs: 1,
            io_pct: 1,
            lost_s: 1,
            selected: 0,
            findings: 0,
            logs: 1,
        }));
        await page.route(/api\/v1\/jobs\?/, (route) => {
            const at = Number(new URL(route.request().url()).searchParams.get("cursor") ?? 0);
            const items = rows.slice(at, at + 200);
            void route.fulfill({
                json: { items, next: at + 200 < rows.length ? String(at + 200) : null, total: null },
            });
        });
        await page.goto(base + "/jobs");
        for (let round = 0; round < 200; round += 1) {
            await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
            await page.waitForTimeout(30);
            if ((await page.locator(".p-jobs tbody a", { hasText: /^1199$/ }).count()) > 0) break;
        }
        await page.locator(".p-jobs tbody a", { hasText: /^1199$/ }).waitFor();
        assert.ok((await page.locator(".p-jobs tbody tr").count()) < 150);
        await page.evaluate(() => scrollTo(0, 0));
        await page.locator(".p-jobs tbody a", { hasText: /^0$/ }).waitFor();
        await close();
    },
);

/** What `iolite serve --make-token` prints is the token. */
const tokenOf = (user) =>
    execFileSync(iolite, ["serve", "--state", join(folder, "centre-state"), "--make-token", `user:${user}`], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
    }).trim();

test("the first page says what was lost and how to win it back", { skip, timeout: 300000 }, async () => {
    const overview = await ask("/api/v1/overview" + pages.home.slice(1));
    const { page, said, close } = await visitor();
    await page.goto(base + pages.home);
    await settled(page);
    assert.match(await page.locator(".p-lead").first().textContent(), /Nothing new has come/); // the centre is a made-up past
    const card = page.locator("#worst-finding .io-finding").first();
    assert.ok((await card.locator(".io-advice").count()) > 0);
    assert.match(
        await page.locator("#worst-finding").textContent(),
        new RegExp(`Seen in job ${overview.worst.in.jobid}`),
    );
    await close();

    const mine = await visit(browser, `${base}/?token=${tokenOf(overview.worst.in.user)}`);
    await mine.page.goto(base + pages.home);
    await settled(mine.page);
    assert.match(await mine.page.locator(".p-lead").textContent(), /^\d+ of your \d+ jobs? lost /);
    const users = await mine.page.locator("main .p-columns td:nth-child(2)").allTextContents();
    assert.deepEqual([...new Set(users)], [overview.worst.in.user]);
    assert.equal(await mine.page.locator("#worst-finding h2").first().textContent(), "This fixes most of it");
    assert.deepEqual([...said, ...mine.said], []);
    await mine.close();
});

test("jobs are found while typing", { skip, timeout: 300000 }, async (t) => {
    const { page, close } = await visitor();
    await page.goto(base + "/jobs");
    await settled(page);
    await page.evaluate(() => {
        window.keyTimes = [];
        let since = 0;
        document.querySelector("main input[name=q]").addEventListener("input", () => (since = performance.now()));
        new MutationObserver(() => {
            if (since) window.keyTimes.push(performance.now() - since);
            since = 0;
        }).observe(document.querySelector("main"), { childList: true, subtree: true });
    });
    await page.focus("main input[name=q]");
    for (const [index, letter] of [..."vasp_std"].entries()) {
        await page.keyboard.press(letter);
        await page.waitForFunction((count) => window.keyTimes.length >= count, index + 1, { timeout: 20000 });
    }
    const times = await page.evaluate(() => window.keyTimes);
    times.sort((a, b) => a - b);
    t.diagnostic(`per key: ${times.map((one) => one.toFixed(0)).join(" ")} ms`);
    if (large) assert.ok(times[Math.floor(times.length / 2)] < 100, `a key took ${times} ms`);
    assert.match(page.url(), /q=vasp_std/);
    await close();
});

test("axe-core finds nothing of any impact, light and dark", { skip, timeout: 300000 }, async () => {
    for (const colorScheme of ["light", "dark"]) {
        const { page, close } = await visitor({ colorScheme, bypassCSP: true });
        const all = [];
        for (const [name, path] of Object.entries(pages)) {
            await page.goto(base + path);
            await settled(page);
            await page.addScriptTag({ path: axe });
            const found = await page.evaluate(async () => {
                // Reports have tests of their own.
                const { violations } = await window.axe.run({ exclude: [".p-report"] });
                return violations.map(
                    (one) => `${one.id}: ${one.nodes[0].target.join(" ")}: ${one.nodes[0].failureSummary}`,
                );
            });
            all.push(...found.map((one) => `${name}, ${colorScheme}: ${one}`));
            if (colorScheme === "dark") await screenshot(page, `portal-${name}-dark`);
        }
        assert.deepEqual(all, []);
        await close();
    }
});

test("nothing sticks out, from a phone to a wide screen", { skip, timeout: 300000 }, async () => {
    for (const width of [390, 768, 1024, 1600]) {
        const { page, close } = await visitor({ viewport: { width, height: 800 } });
        for (const [name, path] of Object.entries(pages)) {
            await page.goto(base + path);
            await settled(page);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(wide <= width, `${name} is ${wide} wide on ${width}`);
            if (width === 390 || width === 1600) await screenshot(page, `portal-${name}-${width}`);
        }
        await close();
    }
});

test("paper has the same", { skip, timeout: 300000 }, async () => {
    const { page, close } = await visitor();
    for (const name of ["home", "jobs", "job", "scoreboard", "system"]) {
        await page.goto(base + pages[name]);
        await settled(page);
        const pdf = await page.pdf({ format: "A4" });
        assert.equal(pdf.subarray(0, 5).toString(), "%PDF-", name);
        assert.ok(pdf.length > 10000, `${name}: ${pdf.length} bytes`);
    }
    await close();
});

test("tables are there without script", { skip, timeout: 300000 }, async () => {
    const { page, close } = await visitor({ javaScriptEnabled: false });
    for (const name of ["home", "jobs", "job", "scoreboard", "fleet"]) {
        await page.goto(base + pages[name]);
        assert.ok((await page.locator("main tbody tr").count()) > 0, name);
        await screenshot(page, `portal-${name}-plain`);
    }
    await page.goto(base + pages["no-log"]);
    assert.match(await page.locator("main").textContent(), /This job left no log: /);
    await close();
});
