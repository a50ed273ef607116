// The sizes and strides that occurred most often, exactly.
import { h } from "../lib/dom";
import { bytes, count } from "../lib/format";
import { table } from "../lib/table";
import type { Page, ValueCount } from "../page/document";
import type { View } from "../page/view";

function list(element: HTMLElement, caption: string, name: string, label: string, rows: ValueCount[]): void {
    if (rows.length === 0) return;
    table(element, {
        caption,
        name,
        rows,
        limit: 6,
        columns: [
            {
                label,
                value: (row) => row.value,
                text: (row) =>
                    Math.abs(row.value) >= 1024 ? `${count(row.value)} (${bytes(row.value)})` : `${count(row.value)} B`,
                number: true,
            },
            { label: "Requests", value: (row) => row.count, text: (row) => count(row.count), number: true },
        ],
    });
}

function mount(element: HTMLElement, page: Page): { destroy?(): void } {
    const grid = h("div", { class: "io-grid" });
    element.append(grid);
    for (const layer of page.common ?? []) {
        list(grid, `${layer.module}: common sizes`, `common-sizes-${layer.module}`, "Size", layer.sizes);
        list(grid, `${layer.module}: common strides`, `common-strides-${layer.module}`, "Stride", layer.strides ?? []);
    }
    if (page.quality?.common_accesses_unreliable)
        element.append(h("p", { class: "io-note" }, "Logs of version 3.20 mix these values up; take them as hints."));
    return {};
}

export const view: View = {
    id: "common",
    title: "Common sizes and strides",
    short: "Common sizes",
    applies: (page) => Boolean(page.common?.some((layer) => layer.sizes.length + (layer.strides?.length ?? 0) > 0)),
    mount,
};
