// A report made of a page document and the built bundle, as `iolite report` makes it: for documents that no log gives.
import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

const packed = (content) => deflateSync(content, { level: 6 }).toString("base64");

const loader = `
const inflate = async (id) => {
    const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (sign) => sign.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
};
inflate("iolite-app").then((text) => {
    const script = document.createElement("script");
    script.textContent = text;
    document.body.append(script);
});`;

export function reportHtml(document, bundle, trace = null) {
    const policy =
        "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; img-src data: blob:";
    return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>Iolite report</title>
<style>${readFileSync(`${bundle}/report.css`, "utf8")}</style></head><body>
<main id="iolite-static"><header class="io-header"><h1>Static part</h1></header></main>
<script type="text/plain" id="iolite-page">${packed(JSON.stringify(document))}</script>
${trace ? `<script type="text/plain" id="iolite-trace">${packed(trace)}</script>` : ""}
<script type="text/plain" id="iolite-app">${packed(readFileSync(`${bundle}/report.js`))}</script>
<script>${loader}</script></body></html>`;
}
