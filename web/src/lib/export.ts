// Everything on the page can be taken away: tables as CSV, pictures as SVG or PNG. No server is asked.

export type Cell = string | number | boolean | null | undefined;

function csvCell(cell: Cell): string {
    if (cell === null || cell === undefined) return "";
    const text = String(cell);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180, figures unrounded. */
export function csv(columns: string[], rows: Iterable<Cell[]>): string {
    const lines = [columns.map(csvCell).join(",")];
    for (const row of rows) lines.push(row.map(csvCell).join(","));
    return lines.join("\r\n") + "\r\n";
}

/** A file name that every system takes. */
export function fileName(stem: string, extension: string): string {
    const clean = stem
        .replace(/[^\p{L}\p{N}._-]+/gu, "-")
        .replace(/^[-.]+|-+$/g, "")
        .slice(0, 120);
    return `${clean || "iolite"}.${extension}`;
}

export function download(name: string, content: Blob | string, type = "text/plain"): void {
    const blob = typeof content === "string" ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
    const address = URL.createObjectURL(blob);
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    document.body.appendChild(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A drawn <svg> as a document of its own, on the page's background. */
export function svgText(drawing: SVGSVGElement, background: string): string {
    const box = drawing.getBoundingClientRect();
    const copy = drawing.cloneNode(true) as SVGSVGElement;
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", String(Math.round(box.width)));
    copy.setAttribute("height", String(Math.round(box.height)));
    copy.setAttribute("style", `background:${background}`);
    return new XMLSerializer().serializeToString(copy);
}

async function load(address: string): Promise<HTMLImageElement> {
    const image = new Image();
    image.src = address;
    await image.decode();
    return image;
}

/** Twice the size on screen, so that it holds on a slide. */
export async function svgToPng(text: string, width: number, height: number, background: string): Promise<Blob> {
    const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    try {
        const image = await load(address);
        const canvas = document.createElement("canvas");
        canvas.width = Math.round(width * 2);
        canvas.height = Math.round(height * 2);
        const context = canvas.getContext("2d");
        if (!context) throw new Error("no canvas");
        context.fillStyle = background;
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        return await canvasToPng(canvas);
    } finally {
        URL.revokeObjectURL(address);
    }
}

export function canvasToPng(canvas: HTMLCanvasElement): Promise<Blob> {
    return new Promise((resolve, reject) =>
        canvas.toBlob(
            (blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be made"))),
            "image/png",
        ),
    );
}
