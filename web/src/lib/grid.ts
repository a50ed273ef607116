// A grid for tens of thousands of rows: only those in sight are in the document. Rows are numbers (positions in the
// column arrays of the page document), so that sorting moves integers and nothing is copied.
import { clear, h, uniqueId, type Child } from "./dom";

export interface GridColumn {
    label: string;
    title?: string;
    /** Width in pixels; the first column takes what is left. */
    width: number;
    number?: boolean;
    value: (row: number) => number | string | null;
    text: (row: number) => string;
    render?: (row: number) => Child;
}

export interface GridOptions {
    label: string;
    columns: GridColumn[];
    rows: number[];
    height: number;
    sort: { column: number; descending: boolean };
    onOpen: (row: number) => void;
    /** After sorting and filtering. */
    onChange?: (rows: number[]) => void;
}

export interface Grid {
    element: HTMLElement;
    /** The rows to show, in any order; the grid sorts them. */
    setRows(rows: number[]): void;
    /** In the order shown. */
    shown(): number[];
    /** Scrolls to a row and lights it up; false if it is filtered out. */
    reveal(row: number): boolean;
    destroy(): void;
}

const rowHeight = 34;
const around = 8;

/** Sorts positions by a column: equal values keep their order, unknown ones go last. */
export function sortRows(
    rows: number[],
    value: (row: number) => number | string | null,
    descending: boolean,
): number[] {
    const keys = new Map(rows.map((row) => [row, value(row)]));
    const sign = descending ? -1 : 1;
    const collator = new Intl.Collator("en", { numeric: true });
    return [...rows].sort((a, b) => {
        const x = keys.get(a) ?? null;
        const y = keys.get(b) ?? null;
        if (x === null || y === null) return Number(x === null) - Number(y === null) || a - b;
        const order = typeof x === "number" && typeof y === "number" ? x - y : collator.compare(String(x), String(y));
        return sign * order || a - b;
    });
}

export function grid(parent: HTMLElement, options: GridOptions): Grid {
    const { columns } = options;
    let rows: number[] = [];
    let { column: by, descending } = options.sort;
    let active = 0;
    let lit = -1;
    let drawn = { from: -1, to: -1 };

    const first = columns[0]?.width ?? 200;
    const template = `minmax(${first}px, 1fr) ${columns
        .slice(1)
        .map((column) => `${column.width}px`)
        .join(" ")}`;
    const least = columns.reduce((sum, column) => sum + column.width, 0);
    const heads = columns.map((column, index) =>
        h(
            "div",
            { role: "columnheader", class: column.number ? "io-number" : null, title: column.title },
            h("button", { type: "button", class: "io-sort", onclick: () => sortBy(index) }, column.label),
        ),
    );
    const head = h(
        "div",
        {
            class: "io-grid-head",
            role: "row",
            "aria-rowindex": 1,
            style: `grid-template-columns:${template};min-width:${least}px`,
        },
        heads,
    );
    const canvas = h("div", {
        class: "io-grid-rows",
        role: "rowgroup",
        id: uniqueId("rows"),
        style: `min-width:${least}px`,
    });
    const element = h(
        "div",
        {
            class: "io-bigtable",
            role: "grid",
            tabindex: 0,
            "aria-label": options.label,
            "aria-colcount": columns.length,
            style: `max-height:${options.height}px`,
        },
        h("div", { role: "rowgroup", class: "io-grid-top" }, head),
        canvas,
    );
    parent.append(element);

    function rowElement(at: number): HTMLElement {
        const row = rows[at] as number;
        return h(
            "div",
            {
                role: "row",
                class: "io-grid-row",
                id: `${canvas.id}-${at}`,
                "data-at": at,
                "data-row": row,
                "aria-rowindex": at + 2,
                "aria-selected": at === active ? "true" : "false",
                "data-lit": row === lit ? "true" : null,
                style: `grid-template-columns:${template};top:${at * rowHeight}px`,
            },
            columns.map((column) =>
                h(
                    "div",
                    { role: "gridcell", class: column.number ? "io-number" : null },
                    column.render?.(row) ?? column.text(row),
                ),
            ),
        );
    }

    function draw(force = false): void {
        const view = element.clientHeight || options.height;
        const top = Math.floor(element.scrollTop / rowHeight);
        const from = Math.max(0, top - around);
        const to = Math.min(rows.length, top + Math.ceil(view / rowHeight) + around);
        if (!force && from === drawn.from && to === drawn.to) return;
        drawn = { from, to };
        clear(canvas);
        for (let at = from; at < to; at += 1) canvas.append(rowElement(at));
        const current = canvas.querySelector(`[data-at="${active}"]`);
        if (current) element.setAttribute("aria-activedescendant", current.id);
        else element.removeAttribute("aria-activedescendant");
    }

    function order(): void {
        const column = columns[by];
        if (column) rows = sortRows(rows, column.value, descending);
        heads.forEach((cell, index) => {
            if (index === by) cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
            else cell.removeAttribute("aria-sort");
        });
        canvas.style.height = `${rows.length * rowHeight}px`;
        element.setAttribute("aria-rowcount", String(rows.length + 1));
        options.onChange?.(rows);
        draw(true);
    }

    function sortBy(index: number): void {
        descending = by === index ? !descending : Boolean(columns[index]?.number);
        by = index;
        active = 0;
        element.scrollTop = 0;
        order();
    }

    function move(to: number): void {
        active = Math.max(0, Math.min(rows.length - 1, to));
        const top = active * rowHeight;
        const space = element.clientHeight - head.offsetHeight - rowHeight;
        if (top < element.scrollTop) element.scrollTop = top;
        else if (top > element.scrollTop + space) element.scrollTop = top - space;
        draw(true);
    }

    const keys: Record<string, () => void> = {
        ArrowDown: () => move(active + 1),
        ArrowUp: () => move(active - 1),
        PageDown: () => move(active + 10),
        PageUp: () => move(active - 10),
        Home: () => move(0),
        End: () => move(rows.length - 1),
        Enter: () => {
            const row = rows[active];
            if (row !== undefined) options.onOpen(row);
        },
    };
    element.addEventListener("keydown", (event) => {
        const action = keys[event.key];
        if (!action || event.target !== element) return;
        event.preventDefault();
        action();
    });
    element.addEventListener("scroll", () => draw(), { passive: true });
    canvas.addEventListener("click", (event) => {
        const hit = (event.target as Element).closest<HTMLElement>("[data-at]");
        if (!hit) return;
        active = Number(hit.dataset["at"]);
        const row = rows[active];
        if (row !== undefined) options.onOpen(row);
    });
    const observer = new ResizeObserver(() => draw());
    observer.observe(element);

    rows = options.rows;
    order();
    return {
        element,
        setRows: (next) => {
            rows = next;
            active = 0;
            element.scrollTop = 0;
            order();
        },
        shown: () => rows,
        reveal: (row) => {
            const at = rows.indexOf(row);
            if (at < 0) return false;
            lit = row;
            active = at;
            element.scrollTop = Math.max(0, (at - 3) * rowHeight);
            draw(true);
            return true;
        },
        destroy: () => observer.disconnect(),
    };
}
