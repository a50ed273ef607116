// Shared files whose ranks differed most: the fastest and the slowest, and the spread between them.
import { h } from "../lib/dom";
import { bytes, count, idText, seconds, visible } from "../lib/format";
import { table } from "../lib/table";
import type { Page } from "../page/document";
import type { Shell, View } from "../page/view";

function mount(element: HTMLElement, page: Page, shell: Shell): { destroy?(): void } {
    table(element, {
        caption: "Variance in shared files",
        name: "variance",
        quiet: true,
        limit: 10,
        rows: page.variance ?? [],
        columns: [
            {
                label: "File",
                path: true,
                value: (row) => row.name,
                render: (row) =>
                    h(
                        "button",
                        {
                            type: "button",
                            class: "io-link",
                            title: visible(row.name),
                            onclick: () => shell.openFile(row.id),
                        },
                        visible(row.name),
                    ),
            },
            { label: "Processes", value: (row) => row.processes, text: (row) => count(row.processes), number: true },
            {
                label: "Fastest rank",
                value: (row) => row.fastest.rank,
                text: (row) => idText(row.fastest.rank),
                number: true,
            },
            {
                label: "its time",
                value: (row) => row.fastest.time,
                text: (row) => seconds(row.fastest.time),
                number: true,
            },
            {
                label: "its bytes",
                value: (row) => row.fastest.bytes,
                text: (row) => bytes(row.fastest.bytes),
                number: true,
            },
            {
                label: "Slowest rank",
                value: (row) => row.slowest.rank,
                text: (row) => idText(row.slowest.rank),
                number: true,
            },
            {
                label: "its time",
                value: (row) => row.slowest.time,
                text: (row) => seconds(row.slowest.time),
                number: true,
            },
            {
                label: "its bytes",
                value: (row) => row.slowest.bytes,
                text: (row) => bytes(row.slowest.bytes),
                number: true,
            },
            {
                label: "\u03c3 time",
                title: "standard deviation over the ranks",
                value: (row) => row.sigma_time,
                text: (row) => seconds(row.sigma_time),
                number: true,
            },
            {
                label: "\u03c3 bytes",
                title: "standard deviation over the ranks",
                value: (row) => row.sigma_bytes,
                text: (row) => bytes(row.sigma_bytes === null ? null : Math.round(row.sigma_bytes)),
                number: true,
            },
        ],
    });
    return {};
}

export const view: View = {
    id: "variance",
    title: "Variance in shared files",
    short: "Variance",
    applies: (page) => Boolean(page.variance?.length),
    mount,
};
