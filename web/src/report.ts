// Entry of the report: the blocks of its own HTML file are inflated, and the page is put in place of the static part.
import "./style/index.css";
import { mountJobPage } from "./page/job-page";
import type { Page } from "./page/document";

// The portal loads this script for the page alone, and finds no blocks.
export { mountJobPage };

function block(id: string): string | null {
    return document.getElementById(id)?.textContent?.trim() || null;
}

/** Base64 of a zlib stream, inflated by the browser itself. */
async function inflate(text: string): Promise<ArrayBuffer> {
    const signs = atob(text);
    const packed = new Uint8Array(signs.length);
    for (let at = 0; at < signs.length; at += 1) packed[at] = signs.charCodeAt(at);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
}

async function start(): Promise<void> {
    const text = block("iolite-page");
    if (!text) return;
    const page = JSON.parse(new TextDecoder().decode(await inflate(text))) as Page;
    if (!page.schema?.startsWith("iolite.page/1")) throw new Error(`a document of another kind: ${page.schema}`);
    const trace = block("iolite-trace");
    const place = document.createElement("div");
    document.body.append(place);
    let inflated: Promise<ArrayBuffer> | undefined;
    try {
        mountJobPage(place, page, trace ? { trace: () => (inflated ??= inflate(trace)) } : {});
    } catch (error) {
        place.remove();
        throw error;
    }
    document.getElementById("iolite-static")?.remove();
}

// The static part stays if anything goes wrong, and says so.
start().catch((error: unknown) => {
    console.error(error);
    const note = document.createElement("p");
    note.className = "io-note";
    note.textContent = `The interactive page could not start (${String(error)}); what follows is the static part.`;
    document.getElementById("iolite-static")?.prepend(note);
});
