// How long a frame of the timeline takes with many requests, in real Chromium: wheel zoom and drag at several depths,
// by each colouring, on a plain and on a dense screen. Prints a table; the time is that of the drawing callback,
// without the browser's own work.
// Usage: node bench/timeline.mjs [requests [ranks]]
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const requests = Number(process.argv[2] ?? 1_000_000);
const ranks = Number(process.argv[3] ?? 512);
const folder = mkdtempSync(join(tmpdir(), "iolite-bench-"));
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

async function prepare() {
    await build({
        entryPoints: [here("stage.ts")],
        bundle: true,
        format: "iife",
        target: "es2022",
        outfile: join(folder, "stage.js"),
        logLevel: "error",
    });
    writeFileSync(
        join(folder, "stage.html"),
        "<!doctype html><meta charset=utf-8><link rel=stylesheet href=stage.css><body><script src=stage.js></script>",
    );
}

/** Times every animation callback of the page. */
function spy() {
    const plain = globalThis.requestAnimationFrame;
    globalThis.frames_ms = [];
    globalThis.requestAnimationFrame = (callback) =>
        plain((now) => {
            const from = performance.now();
            callback(now);
            globalThis.frames_ms.push(performance.now() - from);
        });
}

const figures = (values) => {
    const sorted = [...values].sort((a, b) => a - b);
    const at = (part) => (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0).toFixed(1);
    return { frames: sorted.length, median: at(0.5), p95: at(0.95), max: at(1) };
};

async function interact(page, box, zooms) {
    const middle = { x: box.x + box.width * 0.22, y: box.y + 200 };
    await page.evaluate(() => void (globalThis.frames_ms.length = 0));
    await page.mouse.move(middle.x, middle.y);
    for (let i = 0; i < zooms; i++) {
        await page.mouse.wheel(0, -120);
        await page.waitForTimeout(40);
    }
    await page.mouse.down();
    for (let i = 1; i <= 25; i++) {
        await page.mouse.move(middle.x + i * 6, middle.y + i);
        await page.waitForTimeout(20);
    }
    await page.mouse.up();
    return figures(await page.evaluate(() => globalThis.frames_ms));
}

async function measure(browser, ratio, report) {
    const page = await browser.newPage({ viewport: { width: 1600, height: 900 }, deviceScaleFactor: ratio });
    await page.addInitScript(spy);
    await page.goto(`file://${join(folder, "stage.html")}`);
    await page.evaluate(([n, r]) => globalThis.stageJob(["timeline"], { requests: n, ranks: r }), [requests, ranks]);
    const plot = page.locator("#timeline .io-plot-top");
    await page.locator("#timeline select").first().waitFor();
    await plot.focus();
    const box = await plot.boundingBox();
    for (const by of ["direction", "size", "file"]) {
        await page.locator("#timeline select").first().selectOption(by);
        await page.waitForTimeout(200);
        for (const zooms of [2, 8, 16]) {
            report.push({ ratio, by, zooms, ...(await interact(page, box, zooms)) });
            await plot.press("0");
        }
    }
    await page.getByText("Offsets of a file").click();
    await page.waitForTimeout(300);
    await plot.focus();
    report.push({ ratio, by: "offsets", zooms: 6, ...(await interact(page, box, 6)) });
    await page.close();
}

await prepare();
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
});
try {
    const report = [];
    for (const ratio of [1, 2]) await measure(browser, ratio, report);
    console.log(`${requests} requests, ${ranks} ranks; milliseconds a frame`);
    console.table(report);
} finally {
    await browser.close();
    rmSync(folder, { recursive: true });
}
