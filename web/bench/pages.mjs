// Pages of a portal in Chromium: when they have their first content and their last, how much moves while they load (layout
// shift), and how long a task of the script holds the browser up; and rows of the list of jobs while it is scrolled.
//   node web/bench/pages.mjs URL_WITH_TOKEN
// Exit status is 1 if a first content takes over 0.5 s, a last one over 2 s, or a task over 0.2 s.
import { launch, visitor } from "../tests/support/browser.mjs";

const url = process.argv[2];
const base = url.replace(/\/\?.*/, "");
const token = url.replace(/.*token=/, "");
const rounds = 3;
const ask = async (path) => (await fetch(base + path, { headers: { Authorization: `Bearer ${token}` } })).json();
const [job] = (await ask("/api/v1/jobs?has_log=1&sort=-lost_s&limit=1")).items;
const [latest] = (await ask("/api/v1/jobs?limit=1")).items;
const pages = {
    home: `/?days=7&end=${latest.start + 1}`,
    jobs: "/jobs",
    "jobs, a search": "/jobs?q=zzzz",
    job: `/jobs/${job.cluster}/${job.jobid}`,
    user: `/users/${job.user}`,
    programs: "/programs",
    program: `/programs/${job.exe}`,
    scoreboard: "/scoreboard?days=90",
    fleet: "/fleet",
    "file systems": "/fs",
    "file system": "/fs/scratch",
    screens: "/screens",
    benchmarks: `/benchmarks?exe=${job.exe}`,
    admin: "/admin",
};
let status = 0;

/** In the page, before its script: what the browser says of it. */
const watch = () => {
    window.seen = { shift: 0, task: 0 };
    new PerformanceObserver((list) => {
        for (const one of list.getEntries()) if (!one.hadRecentInput) window.seen.shift += one.value;
    }).observe({ type: "layout-shift", buffered: true });
    new PerformanceObserver((list) => {
        for (const one of list.getEntries()) window.seen.task = Math.max(window.seen.task, one.duration);
    }).observe({ type: "longtask", buffered: true });
};
const settled = (page) =>
    page.waitForFunction(() => document.readyState === "complete" && !document.querySelector("[aria-busy]"), null, {
        timeout: 120000,
    });
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function figures(page, path) {
    await page.goto(base + path);
    await settled(page);
    return page.evaluate(async () => {
        const last = performance.now();
        const paint = await new Promise((resolve) => {
            setTimeout(() => resolve(Infinity), 10000);
            new PerformanceObserver((list) => {
                const first = list.getEntriesByName("first-contentful-paint")[0];
                if (first) resolve(first.startTime);
            }).observe({ type: "paint", buffered: true });
        });
        return { first: paint, last, ...window.seen };
    });
}

const browser = await launch();
const { page, close } = await visitor(browser, url);
await page.addInitScript(watch);
for (const [name, path] of Object.entries(pages)) {
    const all = [];
    for (let round = 0; round < rounds; round += 1) all.push(await figures(page, path));
    const of = (key) => median(all.map((one) => one[key]));
    const bad = of("first") > 500 || of("last") > 2000 || of("task") > 200;
    if (bad) status = 1;
    console.log(
        `${name.padEnd(16)} first ${of("first").toFixed(0).padStart(5)} ms   last ${of("last").toFixed(0).padStart(6)} ms   shift ${of("shift").toFixed(3)}   longest task ${of("task").toFixed(0).padStart(4)} ms${bad ? "   TOO SLOW" : ""}`,
    );
}
await page.goto(base + "/jobs");
await settled(page);
await page.locator(".p-jobs tbody a").first().waitFor();
const rows = await page.evaluate(async () => {
    window.seen.task = 0;
    for (let step = 0; step < 60; step += 1) {
        scrollBy(0, 2000);
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const text = (name) => Number(document.querySelector(".p-jobs")?.getAttribute(name) ?? -1);
    return {
        task: window.seen.task,
        drawn: document.querySelectorAll(".p-jobs tbody tr").length,
        all: text("aria-rowcount"),
    };
});
console.log(`scrolled: ${rows.drawn} rows in the document, longest task ${rows.task.toFixed(0)} ms`);
if (rows.task > 200) status = 1;
await close();
await browser.close();
process.exit(status);
