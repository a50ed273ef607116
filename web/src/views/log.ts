// The log itself: where the figures come from, module by module, and what else it says of the job.
import { h } from "../lib/dom";
import { bytes, count, date, seconds, visible } from "../lib/format";
import { logState, moduleState } from "../lib/quality";
import { table } from "../lib/table";
import type { Page } from "../page/document";
import type { View } from "../page/view";
import { mountColumns } from "./mounts";

function pairs(rows: [string, string][]): HTMLElement {
    return h(
        "dl",
        { class: "io-pairs" },
        rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    );
}

function modules(element: HTMLElement, page: Page): void {
    table(element, {
        caption: "Modules",
        name: "modules",
        rows: page.modules,
        columns: [
            { label: "Module", value: (row) => row.name ?? `slot ${row.slot}` },
            { label: "Version", value: (row) => row.version, number: true },
            { label: "Records", value: (row) => row.records, text: (row) => count(row.records), number: true },
            {
                label: "In the log",
                title: "compressed",
                value: (row) => row.bytes,
                text: (row) => bytes(row.bytes),
                number: true,
            },
            {
                label: "Read",
                value: (row) => row.bytes_read,
                text: (row) => (row.bytes_read === undefined ? "" : bytes(row.bytes_read)),
                number: true,
            },
            {
                label: "Written",
                value: (row) => row.bytes_written,
                text: (row) => (row.bytes_written === undefined ? "" : bytes(row.bytes_written)),
                number: true,
            },
            {
                label: "Time",
                title: "of the slowest",
                value: (row) => row.time,
                text: (row) => (row.time === undefined ? "" : seconds(row.time)),
                number: true,
            },
            {
                label: "State",
                value: (row) => moduleState(row).word,
                render: (row) =>
                    h("span", { class: "io-badge", "data-level": moduleState(row).level }, moduleState(row).word),
            },
        ],
    });
}

function mount(element: HTMLElement, page: Page): { destroy?(): void } {
    const { log, job } = page;
    element.append(
        h(
            "div",
            { class: "io-two" },
            h(
                "div",
                {},
                h("h3", {}, "Job"),
                pairs([
                    ["Command line", visible(job.exe)],
                    ["Job id", String(job.job_id)],
                    ["User id", String(job.uid)],
                    ["Processes", count(job.processes)],
                    ["Start", date(job.start_time)],
                    ["End", date(job.end_time)],
                    ["Run time", seconds(job.run_time)],
                ]),
            ),
            h(
                "div",
                {},
                h("h3", {}, "Log"),
                pairs([
                    ["File", visible(log.name)],
                    ["Format", log.version],
                    ["Runtime library", job.metadata["lib_ver"] ?? "not recorded"],
                    ["Compression", log.compression],
                    ["Size", bytes(log.file_bytes)],
                    ["Byte order", log.foreign_order ? "other than this machine's" : "this machine's"],
                    ["State", logState(page)],
                    ...Object.entries(job.metadata)
                        .filter(([name]) => name !== "lib_ver")
                        .map(([name, value]): [string, string] => [
                            name === "h" ? "MPI-IO hints for the log" : visible(name),
                            visible(value),
                        ]),
                ]),
            ),
        ),
    );
    if (page.modules.length === 0)
        element.append(h("p", { class: "io-note" }, "The log holds no module: nothing was recorded."));
    else modules(element, page);
    if (page.mounts?.length)
        table(element, {
            caption: "Mount table",
            name: "mounts",
            limit: 5,
            rows: page.mounts,
            columns: mountColumns(),
        });
    return {};
}

export const view: View = { id: "log", title: "Job and log", applies: () => true, mount };
