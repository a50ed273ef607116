// What the browser tests share: Debian's Chromium without a network, reports made by the built `iolite`, and a page
// that keeps every complaint of the console.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { reportHtml } from "./page.mjs";

const web = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const bundle = process.env.IOLITE_WEB_DIST ?? join(web, "dist");
export const iolite = process.env.IOLITE ?? join(web, "..", "build", "bin", "iolite");
export const corpus = join(process.env.IOLITE_CORPUS ?? join(web, "..", "..", "shared", "corpus"), "logs");
const shots = process.env.IOLITE_WEB_SHOTS;

export const folder = mkdtempSync(join(tmpdir(), "iolite-web-browser-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Chromium of the system, by name; null if there is none. */
export function chromiumPath() {
    const found = spawnSync("sh", ["-c", "command -v chromium || command -v chromium-browser"], { encoding: "utf8" });
    return found.stdout.trim() || null;
}

/** A real log of the corpus, or null. */
export function corpusLog(name) {
    const path = join(corpus, name);
    return existsSync(path) ? path : null;
}

/** A log that Iolite itself writes now: a shell that starts a few programs, traced. */
export function ownLog() {
    const logs = join(folder, "logs");
    const script = "for i in 1 2 3; do head -c 300000 /dev/zero >f$i; cat f$i >>all; done; sort all >sorted";
    execFileSync(iolite, ["run", "--trace", "--log-dir", logs, "--", "sh", "-c", script], {
        cwd: folder,
        stdio: "ignore",
    });
    const name = readdirSync(logs).find((entry) => entry.endsWith(".darshan"));
    return join(logs, name);
}

/** A log of a program that marks regions; null without Python. */
/** A program that was recorded with the lines that did its I/O; null where there is no Python, or no line is known. */
export function linedLog() {
    if (spawnSync("python3", ["--version"]).status !== 0) return null;
    const script = `def put(name, n):
    with open(name, "wb", buffering=0) as out:
        for i in range(n):
            out.write(bytes(1000))
def main():
    put("first<b>", 50)
    put("second", 200)
main()
`;
    writeFileSync(join(folder, "lines.py"), script);
    const log = join(folder, "lines.darshan");
    execFileSync(iolite, ["run", "--where", "--output", log, "--", "python3", "lines.py"], {
        cwd: folder,
        stdio: "ignore",
    });
    const told = execFileSync(iolite, ["where", log], { stdio: ["ignore", "pipe", "ignore"] });
    return String(told).includes("lines.py:4") ? log : null;
}

export function markedLog() {
    if (spawnSync("python3", ["--version"]).status !== 0) return null;
    const logs = join(folder, "marked");
    const script = `import sys
sys.path.insert(0, sys.argv[1])
import iolite
for step in range(3):
    with iolite.region("checkpoint"):
        open("state", "wb").write(bytes(5000000))
    with iolite.region("check <b>"):
        open("state", "rb").read()`;
    const run = [
        "run",
        "--trace",
        "--log-dir",
        logs,
        "--",
        "python3",
        "-c",
        script,
        join(web, "..", "packaging", "python"),
    ];
    execFileSync(iolite, run, { cwd: folder, stdio: "ignore" });
    return join(
        logs,
        readdirSync(logs).find((entry) => entry.endsWith(".darshan")),
    );
}

/** The report of a log, by the command itself. */
export function reportOf(log, name) {
    const path = join(folder, `${name}.html`);
    execFileSync(iolite, ["report", "-o", path, log], { stdio: ["ignore", "ignore", "pipe"] });
    return path;
}

/** The report of a document that no log gives. */
export function reportOfDocument(document, name) {
    const path = join(folder, `${name}.html`);
    writeFileSync(path, reportHtml(document, bundle));
    return path;
}

export async function launch() {
    return chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
}

/** Opens a report from disk, without a network. Whatever the console complains of is in `complaints`. */
export async function open(browser, path, options = {}) {
    const { hash = "", ready = true, ...rest } = options;
    const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        reducedMotion: "reduce",
        offline: true,
        ...rest,
    });
    const page = await context.newPage();
    const complaints = [];
    page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
        if (!/^(file|data|blob):/.test(request.url())) complaints.push(`request to ${request.url()}`);
    });
    await page.goto(pathToFileURL(path).href + hash);
    if (ready) await page.waitForSelector("[data-ready=true]");
    return { page, complaints, close: () => context.close() };
}

/** For people to look at: only where a folder was named. */
export async function screenshot(page, name) {
    if (!shots) return;
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

/** A visitor of the portal behind `url`; what the console says, and requests that go elsewhere, are kept in `said`. */
export async function visitor(browser, url, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const said = [];
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", (error) => said.push(error.message));
    page.on("request", (request) => {
        const asked = new URL(request.url());
        if (asked.protocol !== "data:" && asked.origin !== new URL(url).origin) said.push(`asks ${asked}`);
    });
    await page.goto(url);
    return { page, said, close: () => context.close() };
}

/** The first line that a server prints: where it listens. */
export function started(server) {
    return new Promise((resolve, reject) => {
        let text = "";
        server.stdout.on("data", (piece) => {
            text += piece;
            if (text.includes("\n")) resolve(text.split("\n")[0]);
        });
        server.on("exit", (code) => reject(new Error(`the server ended: ${code}`)));
    });
}

/** Numbers of a PDF that lie beyond the margin at the right, cut off or not; null without poppler. */
export function numbersBeyond(pdf, marginMm) {
    const found = spawnSync("pdftotext", ["-bbox", pdf, "-"], { encoding: "utf8" });
    if (found.error) return null;
    const beyond = [];
    let edge = 0;
    for (const line of found.stdout.split("\n")) {
        const page = /<page width="([\d.]+)"/.exec(line);
        if (page) edge = Number(page[1]) - (marginMm * 72) / 25.4 + 1;
        const word = /xMax="([\d.]+)"[^>]*>([\d.,]+)</.exec(line);
        if (word && Number(word[1]) > edge) beyond.push(word[2]);
    }
    return beyond;
}
