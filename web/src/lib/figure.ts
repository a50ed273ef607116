// The frame of every picture: title, a sentence that says what is to be seen (also for screen readers), the data as a
// table behind a button, and the buttons that export it.
import { count } from "./format";
import { h, clear, uniqueId } from "./dom";
import { canvasToPng, csv, download, fileName, svgText, svgToPng, type Cell } from "./export";
import { palette } from "./theme";

export interface FigureTable {
    columns: string[];
    rows: Cell[][];
}

export interface FigureOptions {
    title: string;
    /** One or two sentences: what the picture shows, with the figures that matter. */
    summary: string;
    /** Stem of exported files. */
    name: string;
    /** The data behind the picture. */
    table?: () => FigureTable;
    /** The picture itself, once it is drawn. */
    picture?: () => SVGSVGElement | HTMLCanvasElement | null;
    /** The picture is an <svg>, and can be saved as such. */
    vector?: boolean;
    /** SVG text, for canvas views that can draw themselves as SVG too. */
    svg?: () => string;
    /** Interactive pictures are a group for screen readers, not one image. */
    interactive?: boolean;
    /** Buttons, selects and other controls of the view, left of the export buttons. */
    controls?: Node[];
}

export interface Figure {
    element: HTMLElement;
    /** Where the picture goes. */
    body: HTMLElement;
    setSummary(text: string): void;
}

const shownRows = 500;

function plainTable({ columns, rows }: FigureTable, caption: string): HTMLElement {
    const isNumber = columns.map((_, index) => rows.some((row) => typeof row[index] === "number"));
    return h(
        "div",
        { class: "io-scroll", tabindex: 0, role: "region", "aria-label": caption },
        h(
            "table",
            { class: "io-table" },
            h("caption", { class: "io-hidden" }, caption),
            h(
                "thead",
                {},
                h(
                    "tr",
                    {},
                    columns.map((label, index) =>
                        h("th", { scope: "col", class: isNumber[index] ? "io-number" : null }, label),
                    ),
                ),
            ),
            h(
                "tbody",
                {},
                rows.slice(0, shownRows).map((row) =>
                    h(
                        "tr",
                        {},
                        row.map((cell, index) =>
                            h("td", { class: isNumber[index] ? "io-number" : null }, cell === null ? "" : String(cell)),
                        ),
                    ),
                ),
            ),
        ),
        rows.length > shownRows
            && h(
                "p",
                { class: "io-note" },
                `The first ${shownRows} of ${count(rows.length)} rows; the CSV file has all.`,
            ),
    );
}

function button(label: string, title: string, action: () => void): HTMLButtonElement {
    return h("button", { type: "button", class: "io-tool", title, "aria-label": title, onclick: action }, label);
}

async function savePng(options: FigureOptions): Promise<void> {
    const picture = options.picture?.();
    if (!picture) return;
    const background = palette().surface;
    const box = picture.getBoundingClientRect();
    const blob =
        picture instanceof HTMLCanvasElement
            ? await canvasToPng(picture)
            : await svgToPng(svgText(picture, background), box.width, box.height, background);
    download(fileName(options.name, "png"), blob);
}

function saveSvg(options: FigureOptions): void {
    const picture = options.picture?.();
    const text = options.svg?.() ?? (picture instanceof SVGSVGElement ? svgText(picture, palette().surface) : null);
    if (text) download(fileName(options.name, "svg"), text, "image/svg+xml");
}

function tools(options: FigureOptions, place: HTMLElement): HTMLElement[] {
    const result: HTMLElement[] = [];
    const data = options.table;
    if (data) {
        const toggle = button("Table", `Show as table: ${options.title}`, () => {
            const open = place.hidden;
            place.hidden = !open;
            toggle.setAttribute("aria-expanded", String(open));
            clear(place);
            if (open) place.append(plainTable(data(), options.title));
        });
        toggle.setAttribute("aria-expanded", "false");
        toggle.setAttribute("aria-controls", place.id);
        result.push(toggle);
        result.push(
            button("CSV", `Save as CSV: ${options.title}`, () => {
                const { columns, rows } = data();
                download(fileName(options.name, "csv"), csv(columns, rows), "text/csv");
            }),
        );
    }
    if (options.svg || options.vector)
        result.push(button("SVG", `Save as SVG: ${options.title}`, () => saveSvg(options)));
    if (options.picture) result.push(button("PNG", `Save as PNG: ${options.title}`, () => void savePng(options)));
    return result;
}

export function figure(parent: HTMLElement, options: FigureOptions): Figure {
    const titleId = uniqueId("title");
    const summary = h("p", { class: "io-summary", id: uniqueId("summary") }, options.summary);
    const place = h("div", { class: "io-figure-table", id: uniqueId("table"), hidden: true });
    const body = h("div", {
        class: "io-figure-body",
        role: options.interactive ? "group" : "img",
        "aria-labelledby": titleId,
        "aria-describedby": summary.id,
    });
    const element = h(
        "figure",
        { class: "io-figure" },
        h(
            "figcaption",
            { class: "io-figure-head" },
            h("h3", { id: titleId }, options.title),
            h(
                "div",
                { class: "io-tools", role: "toolbar", "aria-label": `Controls of: ${options.title}` },
                options.controls ?? [],
                tools(options, place),
            ),
        ),
        summary,
        body,
        place,
    );
    parent.append(element);
    return { element, body, setSummary: (text) => void (summary.textContent = text) };
}
