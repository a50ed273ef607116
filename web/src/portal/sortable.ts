// Tables that the server drew become sortable by a click on a heading, or by Enter on it.
import { compareCells } from "../lib/table";

/** What a cell says as a number, if it is one: units are those that the server writes. */
const units: Record<string, number> = {
    B: 1,
    KiB: 2 ** 10,
    MiB: 2 ** 20,
    GiB: 2 ** 30,
    TiB: 2 ** 40,
    PiB: 2 ** 50,
    EiB: 2 ** 60,
    k: 1e3,
    M: 1e6,
    G: 1e9,
    T: 1e12,
    ns: 1e-9,
    us: 1e-6,
    ms: 1e-3,
    s: 1,
    m: 60,
    h: 3600,
    d: 86400,
    "%": 1,
};

export function valueOf(text: string): number | string | null {
    const clean = text.trim();
    if (clean === "" || clean === "-") return null;
    const parts = [...clean.matchAll(/([<>]?)([\d,]+(?:\.\d+)?)\s*([a-zA-Z%]*)(?:\/s)?\s*/g)];
    if (!parts.length || parts.map((part) => part[0]).join("") !== clean) return clean;
    let sum = 0;
    for (const [, , digits, unit] of parts) {
        const factor = unit ? units[unit] : 1;
        if (factor === undefined) return clean;
        sum += Number(digits!.replaceAll(",", "")) * factor;
    }
    return sum;
}

export function sortable(table: HTMLTableElement): void {
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
    const body = table.tBodies[0];
    if (!body) return;
    heads.forEach((head, index) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "io-sort";
        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => {
            const before = head.getAttribute("aria-sort");
            const descending = before ? before === "ascending" : head.classList.contains("n");
            for (const other of heads) other.removeAttribute("aria-sort");
            head.setAttribute("aria-sort", descending ? "descending" : "ascending");
            const rows = [...body.rows].map((row) => ({ row, value: valueOf(row.cells[index]?.textContent ?? "") }));
            rows.sort((a, b) => compareCells(a.value, b.value, descending));
            body.append(...rows.map(({ row }) => row));
        });
    });
}
