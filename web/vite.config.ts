// One classic script and one style sheet, the same bytes on every machine: no hashes in names, no source map, no paths.
import { defineConfig } from "vite";

const banner =
    "/* Iolite, BSD-3-Clause. Contains Apache ECharts (Apache-2.0, Copyright The Apache Software Foundation), "
    + "ZRender (BSD-3-Clause, Copyright Baidu Inc.) and tslib (0BSD, Copyright Microsoft Corporation). */";

export default defineConfig({
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: {
        target: "es2022",
        outDir: "dist",
        emptyOutDir: true,
        sourcemap: false,
        minify: "terser",
        terserOptions: { compress: { passes: 2 }, format: { ascii_only: true, comments: false, preamble: banner } },
        cssMinify: "esbuild",
        reportCompressedSize: false,
        lib: {
            entry: "src/report.ts",
            name: "iolite",
            formats: ["iife"],
            fileName: () => "report.js",
            cssFileName: "report",
        },
    },
});
