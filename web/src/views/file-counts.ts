// How many files were read, written or both, and how large they were.
import { h } from "../lib/dom";
import { bytes, count } from "../lib/format";
import { table } from "../lib/table";
import type { Page } from "../page/document";
import type { View } from "../page/view";

const kinds: Record<string, string> = {
    total: "All",
    read_only: "Only read",
    write_only: "Only written",
    read_write: "Read and written",
    created: "Created",
};

function mount(element: HTMLElement, page: Page): { destroy?(): void } {
    const grid = h("div", { class: "io-grid" });
    element.append(grid);
    for (const layer of page.file_counts ?? [])
        table(grid, {
            caption: layer.module,
            name: `file-counts-${layer.module}`,
            rows: layer.rows,
            columns: [
                { label: "Files", value: (row) => row.kind, text: (row) => kinds[row.kind] ?? row.kind },
                { label: "Number", value: (row) => row.count, text: (row) => count(row.count), number: true },
                {
                    label: "Mean size",
                    title: "highest byte that was used",
                    value: (row) => row.mean_bytes,
                    text: (row) => bytes(row.mean_bytes === null ? null : Math.round(row.mean_bytes)),
                    number: true,
                },
                { label: "Largest", value: (row) => row.max_bytes, text: (row) => bytes(row.max_bytes), number: true },
            ],
        });
    return {};
}

export const view: View = {
    id: "file-counts",
    title: "Number and size of files",
    short: "File counts",
    applies: (page) => Boolean(page.file_counts?.length),
    mount,
};
