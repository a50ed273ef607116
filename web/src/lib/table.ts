// Tables of a few hundred rows: sorted by any column, saved as CSV. Longer ones are grids (grid.ts).
import { count } from "./format";
import { append, clear, h, type Child } from "./dom";
import { csv, download, fileName, type Cell } from "./export";

export interface Column<Row> {
    label: string;
    /** The exact value: for sorting and for CSV. */
    value: (row: Row) => Cell;
    /** As people read it; the value itself if absent. */
    text?: (row: Row) => string;
    /** Elements in place of text. */
    render?: (row: Row) => Child;
    number?: boolean;
    /** Explains the column. */
    title?: string;
    /** Long text that may be cut at the start of the line: paths. */
    path?: boolean;
}

/** A date is a number too, to whoever sorts by it: it stays on one line. */
const kindOf = <Row>(column: Column<Row>, cell: Cell): string | null =>
    column.number ? "io-number" : column.path ? "io-path" : typeof cell === "number" ? "io-figure" : null;

export interface TableOptions<Row> {
    caption: string;
    /** Stem of the CSV file. */
    name: string;
    columns: Column<Row>[];
    rows: Row[];
    /** Column to sort by at first, descending; the order given if absent. */
    sort?: number;
    /** At first this many rows; a button shows the rest, and paper has all. */
    limit?: number;
    /** No caption on screen, because a heading says it. */
    quiet?: boolean;
    /** Attributes of a row, such as an id to jump to. */
    rowAttributes?: (row: Row) => Record<string, string>;
}

/** Numbers by value, text by the alphabet with numbers in it, what is not known last either way. */
export function compareCells(a: Cell, b: Cell, descending: boolean): number {
    const absent = (cell: Cell): boolean => cell === null || cell === undefined || cell === "";
    if (absent(a) || absent(b)) return Number(absent(a)) - Number(absent(b));
    const order =
        typeof a === "number" && typeof b === "number"
            ? a - b
            : String(a).localeCompare(String(b), "en", { numeric: true });
    return descending ? -order : order;
}

export function saveCsv<Row>(options: Pick<TableOptions<Row>, "name" | "columns">, rows: Row[]): void {
    const { name, columns } = options;
    const text = csv(
        columns.map((column) => column.label),
        rows.map((row) => columns.map((column) => column.value(row))),
    );
    download(fileName(name, "csv"), text, "text/csv");
}

export function csvButton(caption: string, action: () => void): HTMLElement {
    const label = `Save as CSV: ${caption}`;
    return h("button", { type: "button", class: "io-tool", title: label, "aria-label": label, onclick: action }, "CSV");
}

export function table<Row>(parent: HTMLElement, options: TableOptions<Row>): HTMLElement {
    const { columns } = options;
    let rows = [...options.rows];
    let by = -1;
    let descending = false;
    const body = h("tbody");
    const heads = columns.map((column, index) =>
        h(
            "th",
            { scope: "col", class: column.number ? "io-number" : null, title: column.title },
            h("button", { type: "button", class: "io-sort", onclick: () => sortBy(index) }, column.label),
        ),
    );

    const most = options.limit ?? Infinity;
    const element = h("div", { class: "io-tablebox" });
    const more = h(
        "button",
        {
            type: "button",
            class: "io-tool io-rest",
            onclick: () => {
                element.dataset["open"] = "true";
                more.remove();
            },
        },
        `Show all ${count(rows.length)}`,
    );

    function draw(): void {
        clear(body);
        append(
            body,
            rows.map((row, at) =>
                h(
                    "tr",
                    { ...options.rowAttributes?.(row), class: at >= most ? "io-extra" : null },
                    columns.map((column) => {
                        const cell = column.value(row);
                        const content =
                            column.render?.(row)
                            ?? column.text?.(row)
                            ?? (cell === null || cell === undefined ? "" : String(cell));
                        return h("td", { class: kindOf(column, cell) }, content);
                    }),
                ),
            ),
        );
    }

    function sortBy(index: number): void {
        descending = by === index ? !descending : Boolean(columns[index]?.number);
        by = index;
        rows = [...options.rows].sort((a, b) => compareCells(columns[by]?.value(a), columns[by]?.value(b), descending));
        heads.forEach((head, at) => {
            if (at === by) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
            else head.removeAttribute("aria-sort");
        });
        draw();
    }

    if (options.sort === undefined) draw();
    else sortBy(options.sort);
    // Few columns on a wide screen would be far apart.
    if (columns.length <= 5 && columns.some((column) => column.number)) element.classList.add("io-narrow");
    append(
        element,
        h(
            "div",
            { class: "io-table-head" },
            options.quiet ? h("span") : h("h3", {}, options.caption),
            h(
                "div",
                { class: "io-tools" },
                csvButton(options.caption, () => saveCsv(options, rows)),
            ),
        ),
        h(
            "div",
            { class: "io-scroll", tabindex: 0, role: "region", "aria-label": options.caption },
            h(
                "table",
                { class: "io-table" },
                h("caption", { class: "io-hidden" }, options.caption),
                h("thead", {}, h("tr", {}, heads)),
                body,
            ),
        ),
        rows.length > most && more,
    );
    parent.append(element);
    return element;
}
