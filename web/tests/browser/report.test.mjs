// Reports of real logs and of one that Iolite writes here, in a real browser: everything is drawn, nothing complains.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";
import {
    corpusLog,
    folder,
    launch,
    linedLog,
    markedLog,
    numbersBeyond,
    open,
    ownLog,
    reportOf,
    screenshot,
} from "../support/browser.mjs";

const logs = {
    "mpi-io": "treddy_mpi-io-test_id4373053_6-2-60198-9815401321915095332_1.darshan",
    stragglers: "skew-autobench-ior.darshan",
    lustre: "sample-badost.darshan",
    hdf5: "ior_hdf5_example.darshan",
    traced: "nonmpi_dxt_anonymized.darshan",
    "stdio-only": "noposix.darshan",
    partial: "partial_data_dxt.darshan",
    empty: "empty_log.darshan",
    "odd-times": "dxt.darshan",
};

let browser;
before(async () => void (browser = await launch()));
after(() => browser.close());

async function check(path, name) {
    const { page, complaints, close } = await open(browser, path);
    assert.equal(await page.locator("#iolite-static").count(), 0, "the static part is replaced");
    assert.ok((await page.locator(".io-section").count()) >= 5);
    const empty = await page.$$eval(
        ".io-figure-body",
        (bodies) =>
            bodies.filter((body) => {
                const drawing = body.querySelector("svg");
                return drawing
                    ? drawing.querySelectorAll("path").length < 2
                    : !body.querySelector("canvas") && body.childElementCount === 0;
            }).length,
    );
    assert.equal(empty, 0, "every figure has a picture");
    const unnamed = await page.$$eval(
        ".io-figure",
        (figures) =>
            figures.filter(
                (figure) =>
                    !figure.querySelector("h3")?.textContent || !figure.querySelector(".io-summary")?.textContent,
            ).length,
    );
    assert.equal(unnamed, 0, "every figure has a title and a summary");
    assert.ok(!/\b(NaN|undefined|Infinity|\[object)\b/.test(await page.innerText("body")), "no figure that is none");
    assert.ok(!(await page.innerText("body")).includes("could not be drawn"));
    for (const width of [320, 900, 1600]) {
        await page.setViewportSize({ width, height: 900 });
        await page.waitForTimeout(100);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(over <= 0, `nothing sticks out at ${width} pixels (${over})`);
        const beyond = await page.$$eval(".io-section select, .io-section input", (controls) =>
            controls
                .filter((control) => control.offsetWidth > 0)
                .filter((control) => {
                    const card = control.closest(".io-section").getBoundingClientRect();
                    return control.getBoundingClientRect().right > card.right;
                })
                .map((control) => control.closest("label")?.textContent.slice(0, 20)),
        );
        assert.deepEqual(beyond, [], `controls stay in their box at ${width} pixels`);
        for (const scheme of ["light", "dark"]) {
            await page.emulateMedia({ colorScheme: scheme });
            await screenshot(page, `${name}-${width}-${scheme}`);
        }
    }
    assert.deepEqual(complaints, []);
    await close();
}

for (const [name, file] of Object.entries(logs)) {
    const log = corpusLog(file);
    test(`report of ${name}`, { skip: log ? false : "no corpus" }, () => check(reportOf(log, name), name));
}

const wide = corpusLog(logs["mpi-io"]);
test("labels of charts are whole on paper", { skip: wide ? false : "no corpus" }, async () => {
    const { page, close } = await open(browser, reportOf(wide, "paper"));
    await page.setViewportSize({ width: 1400, height: 900 });
    await page.waitForTimeout(300);
    const pdf = join(folder, "paper.pdf");
    await page.pdf({ path: pdf, format: "A4" });
    assert.deepEqual(numbersBeyond(pdf, 14) ?? [], []);
    await close();
});

const odd = corpusLog(logs["odd-times"]);
test("a report does not tell times that it calls impossible", { skip: odd ? false : "no corpus" }, async () => {
    const { page, close } = await open(browser, reportOf(odd, "odd"));
    const text = await page.innerText("body");
    assert.match(text, /I\/O share of run time\s+unknown/);
    assert.ok(!/\b\d{3,}% of the run\b/.test(text), "no share above the whole");
    assert.ok(!/24 m 29 s of 24 m 29 s/.test(text), "not all of the run");
    await close();
});

test("report of a run that was recorded just now", () => check(reportOf(ownLog(), "own"), "own"));

test("report of a program whose lines were recorded", async (context) => {
    const log = linedLog();
    if (!log) return context.skip("no lines of Python");
    const path = reportOf(log, "lines");
    await check(path, "lines");
    const { page, close } = await open(browser, path);
    const section = page.locator("#where");
    const label = (text) => section.locator(`.io-icicle-cell[aria-label^="${text}"]`);
    assert.match(await section.locator(".io-summary").innerText(), /^Most time is in \S+/);
    await section.locator('input[value="calls"]').check({ force: true });
    assert.match(await label("lines.py:4 put").first().getAttribute("aria-label"), /: 200 calls/);
    const [wide, narrow] = await Promise.all(
        ["lines.py:7 main", "lines.py:6 main"].map(async (text) => (await label(text).first().boundingBox()).width),
    );
    assert.ok(wide > 2.5 * narrow, `widths are calls: ${wide} and ${narrow}`);
    await section
        .locator("select")
        .first()
        .selectOption({ label: await option(section, "first<b>") });
    assert.match(await label("lines.py:4 put").first().getAttribute("aria-label"), /: 50 calls/);
    assert.equal(await label("lines.py:7 main").count(), 0);
    await section.locator('input[type="search"]').fill("put");
    assert.ok((await section.locator(".io-icicle-hit").count()) >= 1);
    assert.match(await section.locator(".io-note").last().innerText(), /^Found: /);
    await label("lines.py:6 main").first().click();
    assert.match(await section.locator(".io-icicle-cell").first().getAttribute("aria-label"), /^lines\.py:6 main/);
    await section.locator(".io-icicle-cell").first().click();
    assert.ok((await section.locator(".io-icicle-cell").count()) > 2);
    await close();
});

async function option(section, text) {
    const all = await section.locator("select").first().locator("option").allInnerTexts();
    return all.find((one) => one.includes(text));
}

test("report of a program that marks regions", async (context) => {
    const log = markedLog();
    if (!log) return context.skip("no Python");
    const path = reportOf(log, "marked");
    await check(path, "marked");
    const { page, close } = await open(browser, path);
    assert.match(await page.innerText("#regions .io-tablebox tbody"), /checkpoint\s+3\s/);
    assert.match(await page.innerText("#regions .io-tablebox tbody"), /check <b>\s+3\s/);
    await page.click("#regions tbody .io-link >> nth=0");
    await page.waitForFunction(() =>
        ["heatmap", "timeline"].some((id) => {
            const box = document.getElementById(id)?.getBoundingClientRect();
            return box && box.top < innerHeight / 2 && box.bottom > 0;
        }),
    );
    await close();
});

test("the essential figures are there without script", async () => {
    const { page, complaints, close } = await open(browser, reportOf(ownLog(), "static"), {
        javaScriptEnabled: false,
        ready: false,
    });
    const text = await page.innerText("#iolite-static");
    for (const word of ["Findings", "Run time", "POSIX", "sorted"])
        assert.ok(text.includes(word), `"${word}" is in the static part`);
    await screenshot(page, "static");
    assert.deepEqual(complaints, []);
    await close();
});
