// One classic script and one style sheet for the report, and with --mode portal for the portal: the same bytes on every
// machine, no hashes in names, no source map, no paths. The portal shows reports with the report's own script.
import { defineConfig } from "vite";

const contents =
    "/* Iolite, BSD-3-Clause. Contains Apache ECharts (Apache-2.0, Copyright The Apache Software Foundation), "
    + "ZRender (BSD-3-Clause, Copyright Baidu Inc.) and tslib (0BSD, Copyright Microsoft Corporation). */";

export default defineConfig(({ mode }) => {
    const name = mode === "portal" ? "portal" : "report";
    const banner = name === "portal" ? "/* Iolite, BSD-3-Clause. */" : contents;
    return {
        define: { "process.env.NODE_ENV": JSON.stringify("production") },
        build: {
            target: "es2022",
            outDir: "dist",
            emptyOutDir: name === "report",
            sourcemap: false,
            minify: "terser",
            terserOptions: { compress: { passes: 2 }, format: { ascii_only: true, comments: false, preamble: banner } },
            cssMinify: "esbuild",
            reportCompressedSize: false,
            lib: {
                entry: `src/${name}.ts`,
                name: name === "report" ? "iolite" : "portal",
                formats: ["iife"],
                fileName: () => `${name}.js`,
                cssFileName: name,
            },
        },
    };
});
