// Unit tests are TypeScript and run under Node's own test runner: esbuild, which Vite brings along, translates them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const tests = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
const out = mkdtempSync(join(tmpdir(), "iolite-web-unit-"));
try {
    await build({
        entryPoints: tests.map((name) => join(here, name)),
        outdir: out,
        outExtension: { ".js": ".mjs" },
        bundle: true,
        platform: "node",
        format: "esm",
        loader: { ".def": "text" }, // tables that C is tested with too
        logLevel: "warning",
    });
    const files = tests.map((name) => join(out, basename(name).replace(/\.ts$/, ".mjs")));
    const { status } = spawnSync(process.execPath, ["--test", "--test-reporter=spec", ...files], { stdio: "inherit" });
    process.exitCode = status ?? 1;
} finally {
    rmSync(out, { recursive: true });
}
