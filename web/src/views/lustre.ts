// Where the files lie on Lustre: what each target (OST) or server (OSS) carried, and the stripes of every file.
import { axis, chart, tip, type Chart } from "../lib/chart";
import { segmented } from "../lib/controls";
import { h } from "../lib/dom";
import { axisBytes, axisSeconds, bytes, count, plural, seconds } from "../lib/format";
import { table } from "../lib/table";
import type { Lustre, Page } from "../page/document";
import type { Shell, View } from "../page/view";
import { roundAxis } from "./canvas/ticks";
import {
    boxesByOst,
    boxesByServer,
    ostList,
    slowest,
    targetsByOst,
    targetsByServer,
    unevenness,
    type Box,
    type Target,
    type Value,
} from "./lustre-data";

const SHOWN_STRIPES = 500;
/** So many times the median is worth a colour of its own. */
const CROWDED = 2;

const LOOK: Record<Value, { title: string; text: (value: number) => string; noun: string }> = {
    time: { title: "I/O time", text: seconds, noun: "I/O time" },
    bytes: { title: "Bytes", text: bytes, noun: "bytes" },
    files: { title: "Files with stripes", text: count, noun: "files" },
};

function sentence(targets: Target[], value: Value, kind: string, lustre: Lustre): string {
    const used = targets.filter((target) => target[value] > 0).length;
    const known = kind === "OST" && lustre.ost_count ? ` of the file system's ${count(lustre.ost_count)}` : "";
    const facts = unevenness(targets, value);
    if (!facts) return `${plural(targets.length, kind)}${known} hold stripes; no ${LOOK[value].noun} fell on them.`;
    if (used === 1 && targets.length > 1)
        return (
            `All ${LOOK[value].noun} fell on ${facts.worst.name}; `
            + `${plural(targets.length, kind)}${known} hold stripes.`
        );
    const text = LOOK[value].text;
    const even =
        facts.times < 1.3 ? "The load is even" : `${facts.worst.name} has most, ${count(facts.times)} times the median`;
    const figures = `${text(facts.worst[value])} against ${text(facts.median)}`;
    return `${plural(used, kind)}${known} carried ${LOOK[value].noun}. ${even} (${figures}).`;
}

const largestOf = (targets: Target[], value: Value): number =>
    targets.reduce((most, target) => Math.max(most, target[value]), 0);

/** Labels of one unit. */
function axisText(targets: Target[], value: Value): (at: number) => string {
    const largest = largestOf(targets, value);
    return value === "bytes" ? axisBytes(largest) : value === "time" ? axisSeconds(largest) : LOOK[value].text;
}

function targetChart(parent: HTMLElement, lustre: Lustre, value: Value, stem: string): Chart {
    const byOst = targetsByOst(lustre);
    const byServer = targetsByServer(lustre);
    let targets = byOst;
    let kind = "OST";
    const controls = byServer
        ? [
              segmented(
                  "Bars",
                  [
                      ["ost", "By OST"],
                      ["oss", "By server"],
                  ] as const,
                  "ost",
                  (choice) => {
                      targets = choice === "oss" ? byServer : byOst;
                      kind = choice === "oss" ? "server" : "OST";
                      drawn.figure.setSummary(sentence(targets, value, kind, lustre));
                      drawn.redraw();
                  },
              ),
          ]
        : [];
    const { title } = LOOK[value];
    const drawn = chart(parent, {
        title: byServer ? `${title} by storage target` : `${title} by OST`,
        summary: sentence(targets, value, kind, lustre),
        name: `${stem}-lustre-${value}`,
        height: 240,
        controls,
        table: () => ({
            columns: [kind === "OST" ? "ost" : "oss", "osts", "files", "bytes", "io_time_s"],
            rows: targets.map((t) => [t.name, ostList(t.osts), t.files, t.bytes, t.time]),
        }),
        option: (colours) => {
            const median = unevenness(targets, value)?.median ?? 0;
            return {
                grid: { left: 8, right: 12, top: 14, bottom: 4 },
                legend: { show: false },
                xAxis: axis(colours, {
                    type: "category",
                    data: targets.map((t) => t.name.replace(/^OST /, "")),
                    axisLabel: { hideOverlap: true },
                }),
                yAxis: axis(colours, {
                    type: "value",
                    ...(value === "files" ? {} : roundAxis(largestOf(targets, value), value)),
                    axisLabel: { formatter: axisText(targets, value) },
                }),
                tooltip: {
                    formatter: (items: { dataIndex: number }[]) => {
                        const t = targets[items[0]?.dataIndex ?? -1];
                        if (!t) return "";
                        const lines = [
                            { label: "I/O time", value: seconds(t.time) },
                            { label: "bytes", value: bytes(t.bytes) },
                            { label: "stripes of files", value: count(t.files) },
                        ];
                        return tip(
                            t.name,
                            t.osts.length > 1 ? [{ label: "OSTs", value: ostList(t.osts) }, ...lines] : lines,
                        );
                    },
                },
                series: [
                    {
                        type: "bar",
                        name: title,
                        barCategoryGap: targets.length > 60 ? "5%" : "20%",
                        data: targets.map((t) => ({
                            value: t[value],
                            itemStyle: {
                                color: median > 0 && t[value] > CROWDED * median ? colours.warn : colours.read,
                                borderRadius: targets.length > 60 ? 0 : [2, 2, 0, 0],
                            },
                        })),
                    },
                    {
                        type: "line",
                        name: "median",
                        silent: true,
                        symbol: "none",
                        lineStyle: { color: colours.text, type: "dashed", width: 1, opacity: 0.7 },
                        data: median > 0 ? targets.map(() => median) : [],
                        endLabel: {
                            show: true,
                            formatter: "median",
                            color: colours.muted,
                            fontSize: 11,
                            offset: [-44, -8],
                        },
                    },
                ],
            };
        },
    });
    return drawn;
}

function boxSentence(boxes: Box[], kind: string): string {
    const facts = slowest(boxes);
    if (!facts || !(facts.median > 0)) return `No time in I/O is known by ${kind}.`;
    const times = facts.worst.five[2] / facts.median;
    return times < 1.3
        ? `Files took about as long on every ${kind}: ${seconds(facts.median)}.`
        : `Files on ${facts.worst.name} took longest: ${seconds(facts.worst.five[2])} against ${seconds(facts.median)}.`;
}

/** Boxes from stacked bars: nothing up to the first quartile, then the two halves of the box; marks for the extremes. */
function boxChart(parent: HTMLElement, lustre: Lustre, stem: string): Chart {
    const byOst = boxesByOst(lustre);
    const byServer = boxesByServer(lustre);
    let boxes = byOst;
    let kind = "OST";
    const choose = (choice: string): void => {
        boxes = choice === "oss" ? byServer : byOst;
        kind = choice === "oss" ? "server" : "OST";
        drawn.figure.setSummary(boxSentence(boxes, kind));
        drawn.redraw();
    };
    const choices = [
        ["ost", "By OST"],
        ["oss", "By server"],
    ] as const;
    const drawn = chart(parent, {
        title: "Time that files took",
        summary: boxSentence(boxes, kind),
        name: `${stem}-lustre-spread`,
        height: 240,
        controls: byServer.length > 0 ? [segmented("Boxes", choices, "ost", choose)] : [],
        table: () => ({
            columns: [kind === "OST" ? "ost" : "oss", "min_s", "q1_s", "median_s", "q3_s", "max_s"],
            rows: boxes.map((box) => [box.name, ...box.five]),
        }),
        option: (colours) => {
            const facts = slowest(boxes);
            const slow = (box: Box): boolean => !!facts && box.five[2] > CROWDED * facts.median;
            const part = (from: (box: Box) => number, opacity: number): object => ({
                type: "bar",
                stack: "box",
                silent: true,
                barCategoryGap: "30%",
                data: boxes.map((box) => ({
                    value: from(box),
                    itemStyle: { color: slow(box) ? colours.warn : colours.read, opacity },
                })),
            });
            const most = Math.max(0, ...boxes.map((box) => box.five[4]));
            const mark = (which: 0 | 4, name: string): object => ({
                type: "line",
                name,
                symbol: "rect",
                symbolSize: [8, 2],
                lineStyle: { opacity: 0 },
                itemStyle: { color: colours.text },
                data: boxes.map((box) => box.five[which]),
            });
            return {
                grid: { left: 8, right: 12, top: 14, bottom: 4 },
                legend: { show: false },
                xAxis: axis(colours, {
                    type: "category",
                    data: boxes.map((box) => box.name.replace(/^OST /, "")),
                    axisLabel: { hideOverlap: true },
                }),
                yAxis: axis(colours, {
                    type: "value",
                    ...roundAxis(most, "time"),
                    axisLabel: { formatter: axisSeconds(most) },
                }),
                tooltip: {
                    formatter: (items: { dataIndex: number }[]) => {
                        const box = boxes[items[0]?.dataIndex ?? -1];
                        if (!box) return "";
                        const labels = ["minimum", "first quartile", "median", "third quartile", "maximum"];
                        return tip(
                            box.name,
                            box.five.map((value, i) => ({ label: labels[i]!, value: seconds(value) })),
                        );
                    },
                },
                series: [
                    part((box) => box.five[1], 0),
                    part((box) => box.five[2] - box.five[1], 0.55),
                    part((box) => box.five[3] - box.five[2], 0.9),
                    mark(0, "minimum"),
                    mark(4, "maximum"),
                ],
            };
        },
    });
    return drawn;
}

interface StripeRow {
    file: number;
    component: number;
    start: number | null;
    end: number | null;
    size: number | null;
    stripes: number | null;
    pool: string | null;
    osts: number[];
}

function stripeRows(lustre: Lustre): StripeRow[] {
    const columns = lustre.files?.columns;
    if (!columns) return [];
    return columns.file.map((file, i) => ({
        file,
        component: columns.component[i] ?? 0,
        start: columns.start[i] ?? null,
        end: columns.end[i] ?? null,
        size: columns.stripe_size[i] ?? null,
        stripes: columns.stripe_count[i] ?? null,
        pool: columns.pool?.[i] ?? null,
        osts: columns.osts[i] ?? [],
    }));
}

function stripeTable(element: HTMLElement, page: Page, shell: Shell, lustre: Lustre): void {
    const all = stripeRows(lustre);
    if (all.length === 0) return;
    const rows = all.slice(0, SHOWN_STRIPES);
    const parts = rows.some((row) => row.component > 0);
    const pools = rows.some((row) => row.pool);
    const extent = (row: StripeRow): string =>
        `${bytes(row.start ?? 0)} \u2013 ${row.end === null ? "end" : bytes(row.end)}`;
    const box = h("div", { class: "io-long" });
    element.append(box);
    table(box, {
        caption: "Stripes of files",
        name: "lustre-stripes",
        rows,
        columns: [
            {
                label: "File",
                value: (row) => shell.fileName(row.file),
                path: true,
                render: (row) => {
                    const id = page.files?.columns.id[row.file];
                    return id === undefined
                        ? shell.fileName(row.file)
                        : h(
                              "button",
                              { type: "button", class: "io-link", onclick: () => shell.openFile(id) },
                              shell.fileName(row.file),
                          );
                },
            },
            ...(parts ? [{ label: "Extent", value: (row: StripeRow) => row.start, text: extent }] : []),
            {
                label: "Stripes",
                value: (row) => row.stripes,
                number: true,
                title: "number of OSTs that the file (or this part of it) lies on",
            },
            { label: "Stripe size", value: (row) => row.size, text: (row) => bytes(row.size), number: true },
            ...(pools ? [{ label: "Pool", value: (row: StripeRow) => row.pool ?? "" }] : []),
            { label: "OSTs", value: (row) => ostList(row.osts) },
        ],
    });
    if (all.length > rows.length)
        element.append(
            h(
                "p",
                { class: "io-note" },
                `The first ${count(rows.length)} of ${plural(all.length, "layout")}, most costly files first.`,
            ),
        );
}

function mount(element: HTMLElement, page: Page, shell: Shell): { destroy(): void } {
    const lustre = page.lustre!;
    const targets = targetsByOst(lustre);
    const values = (["time", "bytes"] as const).filter((value) => targets.some((target) => target[value] > 0));
    const charts: Chart[] = [];
    const stem = page.job.program ?? "job";
    if (lustre.note) element.append(h("p", { class: "io-note" }, lustre.note));
    if (targets.length > 0) {
        const grid = h("div", { class: "io-plot-grid" });
        element.append(grid);
        for (const value of values.length > 0 ? values : (["files"] as const))
            charts.push(targetChart(grid, lustre, value, stem));
        if (boxesByOst(lustre).some((box) => box.five[4] > 0)) charts.push(boxChart(grid, lustre, stem));
    }
    stripeTable(element, page, shell, lustre);
    return { destroy: () => charts.forEach((drawn) => drawn.destroy()) };
}

export const view: View = {
    id: "lustre",
    title: "Lustre",
    applies: (page) => (page.lustre?.osts?.rows ?? 0) > 0 || (page.lustre?.files?.rows ?? 0) > 0,
    mount,
};
