// What made this page, how its figures are to be read, and whose work is in it.
import { h } from "../lib/dom";
import { figureText } from "../lib/figures";
import { date } from "../lib/format";
import { table } from "../lib/table";
import type { Page } from "../page/document";
import type { View } from "../page/view";

const definitions: [string, string][] = [
    [
        "I/O time",
        "How long the job waited for I/O: each file counts once, in its highest layer; for a shared file, its slowest rank counts.",
    ],
    ["Time of a file", "The time that its slowest rank spent in calls on it."],
    [
        "Lost time",
        "An estimate of how much shorter the run would be without the cause. All findings together are charged at most the time that was measured.",
    ],
    ["Metadata", "Opening, closing, seeking, asking for sizes and times, syncing."],
    ["Shared", "A file that several processes used, some of them or all."],
    ["Sizes", "KiB, MiB and GiB are powers of 1024. CSV files and JSON hold bytes and seconds, unrounded."],
];

function mount(element: HTMLElement, page: Page): { destroy?(): void } {
    element.append(
        h(
            "p",
            {},
            `Made by ${page.tool.name} ${page.tool.version} on ${date(page.made)}. `,
            "This page needs no network and sends nothing anywhere.",
        ),
        h(
            "dl",
            { class: "io-definitions" },
            definitions.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text))),
        ),
    );
    const place = h("details", { class: "io-more io-reference" }, h("summary", {}, "Thresholds in force"));
    table(place, {
        caption: "Thresholds in force",
        name: "thresholds",
        quiet: true,
        rows: Object.entries(page.diagnosis.thresholds),
        columns: [
            { label: "Threshold", value: ([name]) => name },
            {
                label: "Value",
                value: ([, value]) => value,
                text: ([name, value]) => figureText(name.replaceAll(".", "_"), value),
                number: true,
            },
        ],
    });
    element.append(
        place,
        h(
            "p",
            { class: "io-paper io-note" },
            "Not on paper: raw counters, thresholds, and figures of rules. The page has them, and so have iolite dump and iolite diagnose --json.",
        ),
        h(
            "p",
            { class: "io-note" },
            "Charts by Apache ECharts (Apache License 2.0) with ZRender (BSD 3-Clause License).",
        ),
    );
    return {};
}

export const view: View = { id: "about", title: "About this page", short: "About", applies: () => true, mount };
