// Every counter of the log, added up, with its meaning.
import { clear, h } from "../lib/dom";
import { byUnit, count } from "../lib/format";
import { csvButton } from "../lib/table";
import { csv, download, fileName } from "../lib/export";
import type { Page } from "../page/document";
import type { Shell, View } from "../page/view";

interface Row {
    module: string;
    counter: string;
    value: number | null;
    meaning: string;
    unit: string;
}

export function counterRows(page: Page): Row[] {
    return page.modules.flatMap((module) =>
        Object.entries(module.totals ?? {}).map(([counter, value]) => ({
            module: module.name ?? `slot ${module.slot}`,
            counter,
            value,
            meaning: page.counters?.[counter]?.meaning ?? "",
            unit: page.counters?.[counter]?.unit ?? "",
        })),
    );
}

function readable(row: Row): string {
    if (row.value === null || row.value === -1) return "not known";
    return byUnit(row.value, row.unit);
}

function mount(element: HTMLElement, page: Page, shell: Shell): { destroy?(): void } {
    const rows = counterRows(page);
    let words = "";
    let zeros = false;
    const body = h("tbody");
    const status = h("span", { class: "io-muted" });
    const wanted = (row: Row): boolean =>
        (zeros || row.value !== 0)
        && words
            .split(/\s+/)
            .every((word) => `${row.module} ${row.counter} ${row.meaning}`.toLowerCase().includes(word));
    const draw = (): void => {
        const shown = rows.filter(wanted);
        clear(body);
        body.append(
            ...shown.map((row) =>
                h(
                    "tr",
                    { "data-counter": row.counter },
                    h("th", { scope: "row" }, row.counter),
                    h("td", { class: "io-number", title: row.value === null ? "" : String(row.value) }, readable(row)),
                    h("td", { class: "io-number io-muted io-exact" }, row.value === null ? "" : count(row.value)),
                    h("td", { class: "io-meaning" }, row.meaning),
                ),
            ),
        );
        status.textContent = `${count(shown.length)} of ${count(rows.length)} counters`;
    };
    const search = h("input", {
        type: "search",
        placeholder: "Search counters and meanings",
        "aria-label": "Search counters",
        oninput: () => {
            words = search.value.toLowerCase().trim();
            draw();
        },
    });
    const zero = h("input", {
        type: "checkbox",
        onchange: () => {
            zeros = zero.checked;
            draw();
        },
    });
    element.append(
        h(
            "div",
            { class: "io-filter" },
            search,
            h("label", { class: "io-checkbox" }, zero, h("span", {}, "Also those that are zero")),
            status,
            h(
                "div",
                { class: "io-tools" },
                csvButton("Counters", () =>
                    download(
                        fileName("counters", "csv"),
                        csv(
                            ["module", "counter", "value", "unit", "meaning"],
                            rows.map((row) => [row.module, row.counter, row.value, row.unit, row.meaning]),
                        ),
                        "text/csv",
                    ),
                ),
            ),
        ),
        h(
            "div",
            { class: "io-scroll io-tall", tabindex: 0, role: "region", "aria-label": "Counters" },
            h(
                "table",
                { class: "io-table" },
                h("caption", { class: "io-hidden" }, "Counters of all records together"),
                h(
                    "thead",
                    {},
                    h(
                        "tr",
                        {},
                        h("th", { scope: "col" }, "Counter"),
                        h("th", { scope: "col", class: "io-number" }, "Total"),
                        h("th", { scope: "col", class: "io-number io-exact" }, "Exactly"),
                        h("th", { scope: "col" }, "Meaning"),
                    ),
                ),
                body,
            ),
        ),
    );
    draw();
    shell.onTarget((target) => {
        if (target.kind !== "counter") return false;
        search.value = target.name;
        words = target.name.toLowerCase();
        zeros = zero.checked = true;
        draw();
        return true;
    });
    return {};
}

export const view: View = {
    id: "counters",
    title: "Raw counters",
    short: "Counters",
    applies: (page) => counterRows(page).length > 0,
    mount,
};
