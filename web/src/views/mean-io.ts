// Average I/O of a process: on files of its own and on files it shared.
import { h } from "../lib/dom";
import { bytes, seconds } from "../lib/format";
import { table } from "../lib/table";
import type { Page } from "../page/document";
import type { View } from "../page/view";

const kinds: Record<string, string> = { independent: "Files of one process", shared: "Shared files" };
const ops: Record<string, string> = { read: "Reads", write: "Writes", meta: "Metadata" };

const BELOW_MPI =
    "Counted where calls reach the file system, in POSIX or stdio; locks and waiting inside MPI-IO are not in it.";

function mount(element: HTMLElement, page: Page): { destroy?(): void } {
    table(element, {
        caption: "Average I/O per process",
        name: "mean-io",
        quiet: true,
        rows: page.mean_io ?? [],
        columns: [
            { label: "Files", value: (row) => kinds[row.kind] ?? row.kind },
            { label: "Operation", value: (row) => ops[row.op] ?? row.op },
            { label: "Time", value: (row) => row.seconds, text: (row) => seconds(row.seconds), number: true },
            {
                label: "Data",
                value: (row) => row.bytes,
                text: (row) => (row.op === "meta" ? "" : bytes(row.bytes)),
                number: true,
            },
        ],
    });
    if (["MPI-IO", "POSIX"].every((name) => page.bandwidth?.some((layer) => layer.module === name)))
        element.append(h("p", { class: "io-note" }, BELOW_MPI));
    return {};
}

export const view: View = {
    id: "mean-io",
    title: "Average I/O of a process",
    short: "Average I/O",
    applies: (page) => Boolean(page.mean_io?.some((row) => row.seconds > 0 || (row.bytes ?? 0) > 0)),
    mount,
};
