// The pictures on canvases, as a reader uses them: heat map, timeline, phases and ranks are drawn, zoomed, read by
// pointer and keyboard, exported, and redrawn for the other theme and for paper.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { syntheticDocument } from "../support/document.mjs";
import { bundle, folder, launch, open, screenshot } from "../support/browser.mjs";
import { reportHtml } from "../support/page.mjs";

const here = dirname(fileURLToPath(import.meta.url));
let browser;
let path;

/** The made-up job is TypeScript, because the unit tests use it too. */
async function synthetic() {
    const outfile = join(folder, "synthetic.mjs");
    const entry = join(here, "../support/synthetic.ts");
    await build({ entryPoints: [entry], bundle: true, format: "esm", outfile, logLevel: "warning" });
    return import(outfile);
}

before(async () => {
    const { makePage } = await synthetic();
    const { page, trace } = makePage({ requests: 30_000, ranks: 32 });
    const { heatmaps, phases, ranks, spans, lustre, trace: info } = page;
    const document = syntheticDocument({ files: 60 });
    Object.assign(document, { heatmaps, phases, ranks, spans, lustre, trace: info });
    Object.assign(document.job, { run_time: 120, processes: 32 });
    path = join(folder, "canvas.html");
    writeFileSync(path, reportHtml(document, bundle, Buffer.from(trace)));
    browser = await launch();
});
after(() => browser?.close());

function onPage(name, body, options) {
    test(name, async () => {
        const opened = await open(browser, path, options);
        try {
            await body(opened.page);
            assert.deepEqual(opened.complaints, []);
        } finally {
            await opened.close();
        }
    });
}

/** The picture of a view: how many colours it has (one or two mean that nothing was drawn), and a digest of it. */
const picture = (page, view) =>
    page
        .locator(`section#${view} .io-plot-base`)
        .first()
        .evaluate((canvas) => {
            const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", {
                willReadFrequently: true,
            });
            copy.drawImage(canvas, 0, 0);
            const pixels = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
            let digest = 0;
            for (const pixel of pixels) digest = (Math.imul(digest, 31) + pixel) | 0;
            return { colours: new Set(pixels).size, digest };
        });
const colours = async (page, view) => (await picture(page, view)).colours;
const image = async (page, view) => (await picture(page, view)).digest;
const tip = (page, view) => page.locator(`section#${view} .io-plot-tip`).first();

async function surface(page, view) {
    const top = page.locator(`section#${view} .io-plot-top`).first();
    await top.scrollIntoViewIfNeeded();
    await page.waitForTimeout(50);
    return { top, box: await top.boundingBox() };
}

async function loaded(page) {
    await page.locator("section#timeline").scrollIntoViewIfNeeded();
    await page.locator("section#timeline select").first().waitFor();
}

async function saved(page, view, kind) {
    const button = page
        .locator(`section#${view}`)
        .getByRole("button", { name: `Save as ${kind}` })
        .first();
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    return readFileSync(await download.path());
}

onPage("all pictures are drawn", async (page) => {
    await loaded(page);
    for (const view of ["heatmap", "timeline", "phases", "ranks"])
        assert.ok((await colours(page, view)) > 8, `${view} has ${await colours(page, view)} colours`);
    assert.ok((await page.locator("section#lustre svg path").count()) > 24);
    await screenshot(page, "canvas");
});

onPage("the pointer reads a cell, and a drag zooms into a part", async (page) => {
    const { top, box } = await surface(page, "heatmap");
    const whole = await image(page, "heatmap");
    await page.mouse.move(box.x + 250, box.y + 200);
    await tip(page, "heatmap").waitFor();
    assert.match(await tip(page, "heatmap").innerText(), /Rank \d+[\s\S]*Read[\s\S]*Written/);
    await page.mouse.down();
    await page.mouse.move(box.x + 420, box.y + 320, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(60);
    assert.notEqual(await image(page, "heatmap"), whole);
    await top.dblclick({ position: { x: 300, y: 200 } });
    await page.waitForTimeout(60);
    assert.equal(await image(page, "heatmap"), whole, "a double click shows all");
});

onPage("the keyboard moves, zooms and is answered aloud", async (page) => {
    const { top } = await surface(page, "heatmap");
    const whole = await image(page, "heatmap");
    await top.focus();
    for (const key of ["ArrowRight", "ArrowRight", "ArrowUp"]) await page.keyboard.press(key);
    await tip(page, "heatmap").waitFor();
    await page.waitForFunction(() =>
        [...document.querySelectorAll("[aria-live]")].some((place) => /Rank \d+.*written/.test(place.textContent)),
    );
    await page.keyboard.press("+");
    await page.waitForTimeout(60);
    assert.notEqual(await image(page, "heatmap"), whole);
    await page.keyboard.press("0");
    await page.waitForTimeout(60);
    assert.equal(await image(page, "heatmap"), whole);
});

onPage("layer, direction and scale change the heat map and its sentence", async (page) => {
    const section = page.locator("section#heatmap");
    const sentence = section.locator(".io-summary").first();
    const first = await sentence.innerText();
    await section.getByText("POSIX", { exact: true }).click();
    assert.notEqual(await sentence.innerText(), first);
    for (const choice of ["Linear", "Read"]) {
        const before = await image(page, "heatmap");
        await section.getByText(choice, { exact: true }).click();
        assert.notEqual(await image(page, "heatmap"), before, choice);
    }
});

onPage("a plain wheel scrolls the page; with the focus it zooms", async (page) => {
    const { top, box } = await surface(page, "heatmap");
    const whole = await image(page, "heatmap");
    await page.mouse.move(box.x + 250, box.y + 200);
    await page.mouse.wheel(0, -100);
    await page.waitForTimeout(120);
    assert.equal(await image(page, "heatmap"), whole);
    await top.focus();
    const now = await top.boundingBox();
    await page.mouse.move(now.x + 250, now.y + 200);
    await page.mouse.wheel(0, -300);
    await page.waitForTimeout(120);
    assert.notEqual(await image(page, "heatmap"), whole);
});

onPage("single requests are read, and lead to their file", async (page) => {
    await loaded(page);
    const { box } = await surface(page, "timeline");
    const middle = { x: box.x + 60 + (18 / 120) * (box.width - 80), y: box.y + box.height / 2 };
    await page.mouse.click(middle.x, middle.y);
    for (let i = 0; i < 14; i++) await page.mouse.wheel(0, -200);
    await page.waitForTimeout(200);
    let at = null;
    for (let x = 150; x < 800 && at === null; x += 5) {
        await page.mouse.move(box.x + x, middle.y);
        if (await tip(page, "timeline").isVisible()) at = x;
    }
    assert.notEqual(at, null, "a request is found");
    assert.match(await tip(page, "timeline").innerText(), /(POSIX|MPI-IO) (read|write)[\s\S]*Offset[\s\S]*Rate/);
    await page.mouse.click(box.x + at, middle.y);
    await page.waitForFunction(() => location.hash.startsWith("#file="));
});

onPage("offsets of a file, colours and filters", async (page) => {
    await loaded(page);
    const section = page.locator("section#timeline");
    const byRank = await image(page, "timeline");
    for (const by of ["size", "file", "layer"]) {
        await section.locator("select").first().selectOption(by);
        await page.waitForTimeout(60);
        assert.notEqual(await image(page, "timeline"), byRank, by);
    }
    await section.getByText("Offsets of a file").click();
    assert.match(await section.locator(".io-summary").first().innerText(), /by time and offset/);
    assert.ok((await colours(page, "timeline")) > 8);
    await section.getByText("Ranks", { exact: true }).click();
    assert.match(await section.locator(".io-summary").first().innerText(), /30,000 traced requests/);
});

onPage("a phase leads to its part of the heat map", async (page) => {
    const whole = await image(page, "heatmap");
    const { top, box } = await surface(page, "phases");
    await top.focus();
    await page.mouse.click(box.x + 64 + (20 / 120) * (box.width - 80), box.y + 100);
    await page.waitForTimeout(500);
    assert.notEqual(await image(page, "heatmap"), whole);
});

onPage("a rank that stands out is shown in the heat map", async (page) => {
    const whole = await image(page, "heatmap");
    await page.locator("section#ranks table .io-link").first().click();
    await page.waitForTimeout(200);
    assert.notEqual(await image(page, "heatmap"), whole);
});

onPage("pictures and their data are saved", async (page) => {
    await loaded(page);
    for (const view of ["heatmap", "timeline", "phases", "ranks"]) {
        const svg = (await saved(page, view, "SVG")).toString();
        assert.ok(svg.startsWith("<svg ") && svg.endsWith("</svg>"), view);
        assert.ok(!/NaN|undefined/.test(svg.replace(/base64,[^"]*/g, "")), view);
        const valid = await page.evaluate(
            (text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror") === null,
            svg,
        );
        assert.ok(valid, view);
        assert.equal((await saved(page, view, "PNG")).subarray(1, 4).toString(), "PNG");
    }
    assert.match((await saved(page, "heatmap", "CSV")).toString(), /^from_s,to_s,first_rank,last_rank,bytes_read/);
    assert.match((await saved(page, "timeline", "CSV")).toString(), /^start_s,duration_s,rank,module,op,offset/);
});

onPage("the other theme and paper have colours of their own", async (page) => {
    const light = await image(page, "heatmap");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForSelector("html[data-theme=dark]");
    const dark = await image(page, "heatmap");
    assert.notEqual(dark, light);
    await page.emulateMedia({ media: "print" });
    await page.waitForSelector("html[data-theme=light]");
    assert.notEqual(await image(page, "heatmap"), dark);
});

/** The colours of every picture in a PDF, by poppler; null without it. */
function picturesOf(pdf) {
    const prefix = join(folder, "printed");
    if (spawnSync("pdfimages", [pdf, prefix]).error) return null;
    return readdirSync(folder)
        .filter((name) => name.startsWith("printed-") && name.endsWith(".ppm"))
        .map((name) => {
            const pixels = readFileSync(join(folder, name)).subarray(20);
            const colours = new Set();
            for (let i = 0; i + 2 < pixels.length; i += 3) colours.add(pixels.readUIntBE(i, 3));
            return { bytes: pixels.length, colours: colours.size };
        });
}

onPage("a printed page has every picture", async (page) => {
    await loaded(page);
    const plots = await page.locator(".io-plot:visible").count();
    const pdf = join(folder, "printed.pdf");
    await page.pdf({ path: pdf, format: "A4" });
    const pictures = picturesOf(pdf)?.filter((picture) => picture.bytes > 100_000);
    if (!pictures) return; // no poppler to look at it
    assert.ok(plots > 4, `only ${plots} pictures on screen`);
    assert.ok(pictures.length >= plots, `${pictures.length} of ${plots} pictures on paper`);
    for (const { colours } of pictures) assert.ok(colours > 4, `a picture on paper has ${colours} colours`);
    assert.equal(await page.locator(".io-plot-paper").count(), 0, "images stay behind");
});

onPage(
    "a narrow screen is enough",
    async (page) => {
        await loaded(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${wide} pixels too wide`);
        await screenshot(page, "canvas-narrow");
    },
    { viewport: { width: 320, height: 900 } },
);
