// The processes of a run without MPI: who started whom, when they ran, and what each of them did.
import { h } from "../lib/dom";
import { bytes, count, idText, plural, seconds, unknown, visible } from "../lib/format";
import { csvButton } from "../lib/table";
import { csv, download, fileName } from "../lib/export";
import type { Page, Process } from "../page/document";
import type { Shell, View } from "../page/view";

export interface Branch {
    process: Process;
    depth: number;
}

/** Children behind their parents, in order of start. A pid that came twice counts as the earlier process. */
export function processTree(processes: Process[]): Branch[] {
    const start = (process: Process): number => process.start ?? Number.MAX_VALUE;
    const ordered = [...processes].sort((a, b) => start(a) - start(b) || a.rank - b.rank);
    const byPid = new Map<number, Process>();
    for (const process of ordered) if (!byPid.has(process.pid)) byPid.set(process.pid, process);
    const children = new Map<Process | null, Process[]>();
    for (const process of ordered) {
        const parent = process.parent === null ? undefined : byPid.get(process.parent);
        const key = parent && parent !== process && start(parent) <= start(process) ? parent : null;
        const siblings = children.get(key);
        if (siblings) siblings.push(process);
        else children.set(key, [process]);
    }
    const result: Branch[] = [];
    const placed = new Set<Process>();
    const place = (process: Process, depth: number): void => {
        if (placed.has(process)) return;
        placed.add(process);
        result.push({ process, depth });
        for (const child of children.get(process) ?? []) place(child, depth + 1);
    };
    for (const root of children.get(null) ?? []) place(root, 0);
    for (const process of ordered) place(process, 0);
    return result;
}

const endings: Record<string, string> = { exit: "ended", exec: "ran another program" };
const limit = 2000;

/** What the rank view knows of a process, where it has a row of its own. */
function rowOf(page: Page, rank: number): number {
    return page.ranks?.per_row === 1 ? page.ranks.columns.first.indexOf(rank) : -1;
}

function life(process: Process, runTime: number): HTMLElement {
    const total = runTime > 0 ? runTime : 1;
    const left = Math.max(0, Math.min(100, ((process.start ?? 0) / total) * 100));
    const width = Math.max(
        0.5,
        Math.min(100 - left, (((process.end ?? runTime) - (process.start ?? 0)) / total) * 100),
    );
    return h(
        "span",
        {
            class: "io-life",
            title: `${seconds(process.start)} to ${process.end === null ? "not known" : seconds(process.end)}`,
        },
        h("i", { style: `left:${left}%;width:${width}%` }),
    );
}

function treeRow(page: Page, shell: Shell, { process, depth }: Branch): HTMLElement {
    const at = rowOf(page, process.rank);
    const ranks = page.ranks?.columns;
    const show = (values: number[] | undefined, text: (value: number | undefined) => string): string =>
        at < 0 || !values ? unknown : text(values[at]);
    const images =
        process.images && process.images.length > 1 ? process.images.map(visible).join("\n") : visible(process.command);
    return h(
        "tr",
        {},
        h(
            "td",
            { class: "io-path", style: `padding-left:${0.6 + Math.min(depth, 12) * 1.1}rem` },
            depth > 0 ? h("span", { class: "io-muted", "aria-hidden": "true" }, "\u2514 ") : null,
            h("span", { title: images }, visible(process.command)),
        ),
        h(
            "td",
            { class: "io-number" },
            h(
                "button",
                { type: "button", class: "io-link", onclick: () => shell.show({ kind: "rank", rank: process.rank }) },
                idText(process.rank),
            ),
        ),
        h("td", { class: "io-number" }, String(process.pid)),
        h("td", {}, life(process, page.job.run_time)),
        h(
            "td",
            { class: "io-number" },
            process.end === null || process.start === null ? unknown : seconds(process.end - process.start),
        ),
        h("td", {}, process.ended === null ? "killed, or not known" : (endings[process.ended] ?? process.ended)),
        h("td", { class: "io-number" }, show(ranks?.time, seconds)),
        h("td", { class: "io-number" }, show(ranks?.bytes_read, bytes)),
        h("td", { class: "io-number" }, show(ranks?.bytes_written, bytes)),
    );
}

const heads: [string, boolean][] = [
    ["Command", false],
    ["Rank", true],
    ["Process id", true],
    ["Life", false],
    ["Ran", true],
    ["End", false],
    ["I/O time", true],
    ["Read", true],
    ["Written", true],
];

function mount(element: HTMLElement, page: Page, shell: Shell): { destroy?(): void } {
    const tree = processTree(page.processes ?? []);
    const save = (): void => {
        const columns = ["rank", "pid", "parent", "start", "end", "ended", "command"];
        download(
            fileName("processes", "csv"),
            csv(
                columns,
                tree.map(({ process }) => [
                    process.rank,
                    process.pid,
                    process.parent,
                    process.start,
                    process.end,
                    process.ended,
                    process.command,
                ]),
            ),
            "text/csv",
        );
    };
    element.append(
        h(
            "div",
            { class: "io-table-head" },
            h(
                "p",
                { class: "io-summary" },
                `${plural(tree.length, "process", "processes")}; each is a rank of this log, in order of start. `,
                "The bar is its life within the run.",
            ),
            h("div", { class: "io-tools" }, csvButton("Processes", save)),
        ),
        h(
            "div",
            { class: "io-scroll io-tall", tabindex: 0, role: "region", "aria-label": "Processes" },
            h(
                "table",
                { class: "io-table" },
                h("caption", { class: "io-hidden" }, "Processes"),
                h(
                    "thead",
                    {},
                    h(
                        "tr",
                        {},
                        heads.map(([label, number]) =>
                            h("th", { scope: "col", class: number ? "io-number" : null }, label),
                        ),
                    ),
                ),
                h(
                    "tbody",
                    {},
                    tree.slice(0, limit).map((branch) => treeRow(page, shell, branch)),
                ),
            ),
        ),
    );
    if (tree.length > limit)
        element.append(h("p", { class: "io-note" }, `The first ${count(limit)} are shown; the CSV file has all.`));
    return {};
}

export const view: View = {
    id: "processes",
    title: "Processes",
    applies: (page) => Boolean(page.processes?.length),
    mount,
};
