// What a reader does with the page: search, sort, filter, follow evidence, switch the theme, print, save. The document
// is made up, so that twenty thousand files with hostile names among them are there.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { hostileNames, syntheticDocument } from "../support/document.mjs";
import { launch, open, reportOfDocument, screenshot } from "../support/browser.mjs";

let browser;
let path;
before(async () => {
    browser = await launch();
    path = reportOfDocument(syntheticDocument(), "synthetic");
});
after(() => browser.close());

/** A page for one test; it fails if the console complained. */
function onPage(name, body, options) {
    test(name, async () => {
        const opened = await open(browser, path, options);
        try {
            await body(opened.page, opened);
            assert.deepEqual(opened.complaints, []);
        } finally {
            await opened.close();
        }
    });
}

const fileNames = (page) =>
    page.$$eval("#files .io-grid-row .io-filename b", (cells) => cells.map((cell) => cell.textContent));
const saved = async (page, action) => {
    const [download] = await Promise.all([page.waitForEvent("download"), action()]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path()) };
};

/** What all buttons of a kind would save. Chromium lets ten downloads through at a time, so the files stay in the page. */
const savedByAll = (page, label) =>
    page.evaluate(async (wanted) => {
        const files = [];
        let blob;
        URL.createObjectURL = (content) => {
            blob = content;
            return "blob:kept";
        };
        HTMLAnchorElement.prototype.click = function () {
            files.push({ name: this.download, blob });
        };
        for (const button of document.querySelectorAll("button.io-tool"))
            if (button.textContent === wanted) button.click();
        return Promise.all(files.map(async ({ name, blob: content }) => ({ name, text: await content.text() })));
    }, label);

onPage("only the rows in sight are in the document, and scrolling brings the rest", async (page) => {
    assert.ok((await page.locator("#files .io-grid-row").count()) < 60);
    assert.equal(await page.getAttribute("#files .io-bigtable", "aria-rowcount"), "20001");
    await page.$eval("#files .io-bigtable", (box) => (box.scrollTop = box.scrollHeight));
    await page.waitForSelector("#files .io-grid-row[aria-rowindex='20001']");
});

onPage("files are found by name", async (page) => {
    await page.fill("#files input[type=search]", "output dat 0123");
    assert.match(await page.innerText("#files .io-filter"), /12 of 20,000 files/);
    assert.ok((await fileNames(page)).every((name) => name.includes("0123")));
    await page.fill("#files input[type=search]", "no such file");
    assert.equal((await fileNames(page)).length, 0);
});

onPage("files are sorted by any column, both ways", async (page) => {
    await page.fill("#files input[type=search]", "output");
    const head = page.locator("#files [role=columnheader]", { hasText: "File" }).first();
    await head.locator("button").click();
    assert.equal(await head.getAttribute("aria-sort"), "ascending");
    await head.locator("button").click();
    assert.equal(await head.getAttribute("aria-sort"), "descending");
    assert.equal((await fileNames(page))[0], "output-19999.dat");
});

onPage("files are filtered by layer, sharing, mount and findings", async (page) => {
    const status = () => page.innerText("#files [role=status]");
    await page.selectOption("#files select >> nth=0", { label: "MPI-IO" });
    assert.equal(await status(), "5,000 of 20,000 files");
    await page.selectOption("#files select >> nth=1", { label: "one process" });
    assert.equal(await status(), "1,667 of 20,000 files");
    await page.selectOption("#files select >> nth=0", "");
    await page.selectOption("#files select >> nth=1", "");
    await page.check("#files input[type=checkbox]");
    assert.equal(await status(), "1 of 20,000 files");
});

onPage("arrow keys move in the files, and Enter opens one", async (page) => {
    await page.focus("#files .io-bigtable");
    for (let step = 0; step < 7; step += 1) await page.keyboard.press("ArrowDown");
    assert.equal(await page.getAttribute("#files .io-grid-row[aria-selected=true]", "data-at"), "7");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".io-filepage h2");
    assert.match(page.url(), /#file=1007$/);
    const text = await page.innerText(".io-filepage");
    for (const word of ["output-00007.dat", "files opened", "rank 3", "Finding 0"])
        assert.ok(text.includes(word), word);
    await screenshot(page, "file-page");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".io-filepage", { state: "hidden" });
    assert.ok(await page.isVisible("#files"));
});

onPage(
    "a file page can be linked to",
    async (page) => {
        assert.ok(await page.isVisible(".io-filepage"));
        assert.ok((await page.innerText(".io-filepage h2")).includes("output-00009.dat"));
        await page.click("text=Back to the job");
        assert.ok(await page.isVisible("#findings"));
    },
    { hash: "#file=1009" },
);

onPage("evidence leads to the file, even if a filter hides it", async (page) => {
    await page.fill("#files input[type=search]", "no such file");
    await page.click("#findings .io-chip-link >> nth=0");
    const row = page.locator("#files .io-grid-row[data-lit]");
    assert.ok((await row.innerText()).includes("output-00007.dat"));
    await page.waitForFunction(() => {
        const box = document.querySelector("#files .io-grid-row[data-lit]").getBoundingClientRect();
        return box.top >= 0 && box.bottom <= innerHeight;
    });
    assert.equal(await page.inputValue("#files input[type=search]"), "");
});

onPage(
    "the theme follows the system until the button is used",
    async (page) => {
        const ground = () => page.$eval("body", (body) => getComputedStyle(body).backgroundColor);
        const dark = await ground();
        await page.click("button.io-theme");
        const light = await ground();
        assert.notEqual(light, dark);
        assert.equal(await page.getAttribute("html", "data-theme"), "light");
        await page.click("button.io-theme");
        assert.equal(await ground(), dark);
    },
    { colorScheme: "dark" },
);

onPage(
    "on paper everything is open, light and without controls",
    async (page) => {
        await page.emulateMedia({ media: "print" });
        await page.waitForSelector("html[data-theme=light]");
        assert.equal(await page.locator("details:not([open]):not(.io-reference)").count(), 0);
        assert.ok(!(await page.isVisible("#counters"))); // to look things up in, which paper is not for
        assert.equal(await page.locator(".io-reference:visible").count(), 0);
        assert.ok(!(await page.isVisible(".io-nav")));
        assert.ok(!(await page.isVisible(".io-filter")));
        await screenshot(page, "print");
        await page.emulateMedia({ media: "screen" });
        await page.waitForSelector("html[data-theme=dark]");
        assert.ok((await page.locator("details:not([open])").count()) > 0);
    },
    { colorScheme: "dark" },
);

onPage("every table is saved as CSV, with the figures unrounded", async (page) => {
    await page.fill("#files input[type=search]", "quotes");
    const files = await saved(page, () => page.click("#files .io-tools button"));
    assert.equal(files.name, "files.csv");
    assert.match(files.text.toString(), /^id,name,time/);
    assert.ok(files.text.toString().includes(`"${hostileNames[1].replaceAll('"', '""')}"`));
    const counters = await saved(page, () => page.click("#counters .io-tools button"));
    assert.match(counters.text.toString(), /POSIX,POSIX_F_READ_TIME,30\.5,seconds,time in reads/);
    const all = await savedByAll(page, "CSV");
    assert.ok(all.length >= 15);
    for (const { name, text } of all) {
        assert.match(name, /\.csv$/);
        assert.ok(text.trim().split("\r\n").length > 1, `${name} has rows`);
    }
});

onPage("every chart is saved as SVG and as PNG", async (page) => {
    const { text: png } = await saved(page, () => page.click("#sizes button.io-tool:text-is('PNG') >> nth=0"));
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    const charts = await savedByAll(page, "SVG");
    assert.ok(charts.length >= 6);
    for (const { text } of charts) assert.match(text, /^<svg[^>]* xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
});

onPage("a figure shows its data as a table", async (page) => {
    const button = page.locator("#layers button", { hasText: "Table" });
    await button.click();
    assert.equal(await button.getAttribute("aria-expanded"), "true");
    assert.ok((await page.innerText("#layers .io-figure-table")).includes("MPI-IO"));
    await button.click();
    assert.ok(!(await page.isVisible("#layers .io-figure-table")));
});

onPage("counters are searched by name and by meaning", async (page) => {
    await page.fill("#counters input[type=search]", "streams opened");
    assert.ok((await page.innerText("#counters tbody")).includes("STDIO_OPENS"));
    assert.equal(await page.locator("#counters tbody tr").count(), 1);
});

onPage("regions are listed, drawn and saved", async (page) => {
    const section = page.locator("#regions");
    const summary = await section.locator(".io-summary >> nth=0").innerText();
    assert.ok(summary.includes("3 regions; most I/O is in checkpoint: 72 s, 80% of the I/O time"), summary);
    assert.ok(summary.includes("12 times a region had not ended"));
    assert.equal(await section.locator(".io-tablebox tbody tr").count(), 3);
    assert.ok((await section.locator(".io-tablebox").innerText()).includes(hostileNames[0]));
    assert.ok((await section.locator(".io-figure .io-summary").innerText()).startsWith("36 spans of 4 ranks"));
    const painted = await section.locator("canvas.io-plot-base").evaluate((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const accent = getComputedStyle(document.documentElement).getPropertyValue("--io-accent").trim();
        const probe = document.createElement("canvas").getContext("2d");
        probe.fillStyle = accent;
        probe.fillRect(0, 0, 1, 1);
        const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
        let count = 0;
        for (let i = 0; i < data.length; i += 4) count += data[i] === r && data[i + 1] === g && data[i + 2] === b;
        return count / (data.length / 4);
    });
    assert.ok(painted > 0.08, `bars are drawn (${painted})`);
    const table = await saved(page, () => section.locator(".io-tablebox button.io-tool").click());
    assert.match(
        table.text.toString(),
        /^Region,Times,Ranks,Time,.*\r\ncheckpoint,12,4,100,9,72,0\.8,0,6000000000\r\n/,
    );
    const spans = await saved(page, () => section.locator("button.io-tool:text-is('CSV') >> nth=1").click());
    assert.equal(spans.text.toString().trim().split("\r\n").length, 37);
    await section.locator("button.io-tool:text-is('Table')").click();
    assert.ok((await section.locator(".io-figure-table").innerText()).includes("checkpoint"));
    assert.equal(await page.evaluate(() => window.broken), undefined);
});

onPage("records of modules of others are shown with what their counters mean", async (page) => {
    const text = await page.innerText("#added");
    for (const word of [
        "traffic over sockets, by peer",
        "3 more records",
        "SOCKETS_BYTES_SENT",
        "1 MiB",
        "at 2.5 s",
        "sends to this peer",
    ])
        assert.ok(text.includes(word), `"${word}" in: ${text}`);
    assert.ok(text.includes(hostileNames[0]));
    assert.equal(
        await page.getAttribute("#added th:has-text('SOCKETS_SENDS')", "title"),
        "sends to this peer, in calls",
    );
    assert.equal(await page.locator("#added canvas.io-plot-base").count(), 1);
    const { text: csv } = await saved(page, () => page.click("#added button.io-tool:text-is('CSV') >> nth=0"));
    assert.match(csv.toString(), /^Record,Rank,SOCKETS_SENDS,.*\r\n10\.0\.0\.1 port 80,0,30,1048576,2\.5\r\n/);
});

onPage("words of the summary are never cut, and a table that is wider than its place shows it", async (page) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    const cut = () =>
        page.$$eval(".io-card-value a.io-link, .io-card-detail", (words) =>
            words.filter((word) => word.scrollWidth > word.clientWidth + 1).map((word) => word.textContent),
        );
    await page.$eval('.io-strip a[href="#findings"]', (link) => (link.textContent = "nothing serious"));
    await page.$eval('.io-strip a[href="#quality"]', (link) => (link.lastChild.textContent = "with reservations"));
    for (const width of [1280, 1440, 900, 420]) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await cut(), [], `at ${width} pixels`);
    }
    const shadows = await page.$eval("#variance .io-scroll", (box) => {
        const style = getComputedStyle(box);
        return { more: box.scrollWidth > box.clientWidth, kinds: style.backgroundAttachment.split(", ") };
    });
    assert.ok(shadows.more);
    assert.deepEqual(shadows.kinds, ["local", "local", "scroll", "scroll"]);
});

onPage("the page works with the keyboard alone", async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "io-skip");
    const names = await page.$$eval(
        "button, input, select, a[href]",
        (controls) =>
            controls.filter(
                (control) =>
                    !(control.getAttribute("aria-label") || control.textContent.trim() || control.closest("label")),
            ).length,
    );
    assert.equal(names, 0, "every control has a name");
});

onPage("names with markup stay text", async (page) => {
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("img").count(), 0);
    assert.ok((await fileNames(page))[0].startsWith("<img src=x"));
});
