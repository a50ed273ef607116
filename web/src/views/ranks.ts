// Time and bytes by rank: is the work even, and who is behind? Ranks have figures of their own only where records were
// not reduced over all ranks; how much that is, is said first.
import { tip } from "../lib/chart";
import { segmented } from "../lib/controls";
import { h } from "../lib/dom";
import { figure } from "../lib/figure";
import { bytes, count, idText, percent, plural, seconds, unknown } from "../lib/format";
import { table } from "../lib/table";
import type { Page, Ranks } from "../page/document";
import type { Shell, View } from "../page/view";
import { Plot, zoomButtons, type Point, type Reading } from "./canvas/plot";
import { Range } from "./canvas/range";
import { groupBars, rankBars, sortBars, spread, type Measure } from "./ranks-data";
import { drawRankBars, partColours, partNames, rankLayout, valueText, type RankPicture } from "./ranks-draw";

const TITLES: Record<Measure, string> = { time: "I/O time by rank", bytes: "Bytes by rank" };

function attribution(ranks: Ranks): string {
    const share = ranks.attributed_share;
    if (share === null || share === undefined || share > 0.99) return "";
    return (
        `${share < 0.9 ? "Only " : ""}${percent(share)} of the I/O time has a rank; the rest is in records of files `
        + "that all ranks shared, which the log holds reduced. "
        + "Take the ranks below for that part alone."
    );
}

function sentence(picture: RankPicture, ranks: Ranks): string {
    const facts = spread(picture.bars, picture.box);
    if (facts.largest === 0) return `No rank has ${picture.measure === "time" ? "I/O time" : "bytes"} of its own.`;
    const value = (v: number): string => valueText(picture.measure, v);
    const words = [`The largest rank has ${value(facts.largest)}, the mean is ${value(facts.mean)}`];
    if (picture.box) words.push(`, the median ${value(picture.box[2]!)}`);
    const judgement = facts.imbalance < 1.2 ? "evenly spread" : facts.imbalance < 2 ? "somewhat uneven" : "uneven";
    words.push(`: ${judgement} (largest is ${count(facts.imbalance)} times the mean). `);
    if (ranks.per_row > 1) words.push(`A bar is the mean of ${count(ranks.per_row)} neighbouring ranks.`);
    return words.join("").trim();
}

class RankChart {
    private picture: RankPicture;
    private readonly plot: Plot;
    private colours = ["", "", ""];
    private sorted = false;
    private cut = true;

    constructor(
        parent: HTMLElement,
        private readonly ranks: Ranks,
        private readonly measure: Measure,
        shell: Shell,
        stem: string,
    ) {
        this.picture = this.prepare();
        const facts = spread(this.picture.bars, this.picture.box);
        const controls: HTMLElement[] = [
            segmented(
                "Order",
                [
                    ["rank", "By rank"],
                    ["sorted", "Sorted"],
                ] as const,
                "rank",
                (order) => {
                    this.sorted = order === "sorted";
                    this.update();
                },
            ),
        ];
        if (facts.cut) {
            controls.push(
                segmented(
                    "Axis",
                    [
                        ["cut", "Cut outliers"],
                        ["all", "Show all"],
                    ] as const,
                    "cut",
                    (axis) => {
                        this.cut = axis === "cut";
                        this.update();
                    },
                ),
            );
        }
        controls.push(zoomButtons(() => this.plot, TITLES[measure]));
        const frame = figure(parent, {
            title: TITLES[measure],
            summary: sentence(this.picture, ranks),
            name: `${stem}-ranks-${measure}`,
            interactive: true,
            controls,
            table: () => rankRows(ranks),
            picture: () => this.plot.picture(),
            svg: () => this.plot.svg(),
        });
        const bars = this.picture.bars.length;
        const top = this.picture.top;
        this.plot = new Plot(frame.body, {
            x: new Range(0, bars, Math.min(bars, 8)),
            y: new Range(0, top, top),
            label: TITLES[measure],
            layout: rankLayout,
            draw: (brush, layout, colours, view) => {
                this.colours = partColours(colours);
                drawRankBars(brush, layout, colours, this.picture, view.x, view.y);
            },
            read: (at) => this.read(at),
            step: () => ({ x: this.picture.group, y: this.picture.top / 20 }),
            announce: (text) => shell.announce(text),
        });
    }

    private prepare(): RankPicture {
        const { ranks, measure } = this;
        const bars = rankBars(ranks, measure);
        const box = ranks.box?.[measure] ?? null;
        const facts = spread(bars, box);
        const top = (facts.cut && this.cut ? 1.6 * facts.whisker : 1.04 * facts.largest) || 1;
        return {
            measure,
            bars: this.sorted ? sortBars(bars) : bars,
            box,
            sorted: this.sorted,
            perRow: ranks.per_row,
            top,
            group: 1,
        };
    }

    private update(): void {
        this.picture = this.prepare();
        this.plot.y = new Range(0, this.picture.top, this.picture.top);
        this.plot.highlight = null;
        this.plot.point(null);
        this.plot.redraw();
    }

    private read(at: Point): Reading | null {
        const { picture, plot } = this;
        const grouped = groupBars(picture.bars, Math.floor(plot.x.lo), Math.ceil(plot.x.hi), plot.layout.plot.width);
        const index = Math.floor((at.x - grouped.first) / grouped.group);
        const bar = grouped.bars[index];
        if (!bar) return null;
        const several = picture.sorted && grouped.group > 1;
        const who = several
            ? plural(grouped.group * picture.perRow, "rank")
            : bar.first === bar.last
              ? `Rank ${idText(bar.first)}`
              : `Ranks ${idText(bar.first)}\u2013${idText(bar.last)}`;
        const lines = bar.parts.map((value, i) => ({
            colour: this.colours[i]!,
            label: partNames(this.measure)[i]!,
            value: valueText(this.measure, value),
        }));
        const mean = bar.first !== bar.last;
        const all = [
            ...lines,
            { label: mean ? "mean of the ranks" : "in all", value: valueText(this.measure, bar.total) },
        ];
        if (mean && bar.worst !== null && this.measure === "time")
            all.push({ label: "slowest rank", value: seconds(bar.worst) });
        const x0 = grouped.first + index * grouped.group;
        return {
            content: tip(who, all),
            text: `${who}: ${all.map((entry) => `${entry.label} ${entry.value}`).join(", ")}`,
            region: { x0, x1: x0 + grouped.group },
        };
    }

    showRank(rank: number): boolean {
        const row = this.picture.bars.findIndex((bar) => rank >= bar.first && rank <= bar.last);
        if (row < 0) return false;
        this.plot.x.reset();
        this.plot.highlight = { x0: row, x1: row + 1 };
        this.plot.moved();
        return true;
    }

    destroy(): void {
        this.plot.destroy();
    }
}

function rankRows(ranks: Ranks): { columns: string[]; rows: number[][] } {
    const names = Object.keys(ranks.columns) as (keyof Ranks["columns"])[];
    return {
        columns: names.map((name) => ({ first: "first_rank", last: "last_rank" })[name as string] ?? name),
        rows: ranks.columns.first.map((_, i) => names.map((name) => ranks.columns[name][i]!)),
    };
}

function outliers(parent: HTMLElement, ranks: Ranks, shell: Shell): void {
    const rows = ranks.outliers ?? [];
    if (rows.length === 0) return;
    const median = ranks.box?.time?.[2] ?? 0;
    const box = h("div", { class: "io-long" });
    parent.append(box);
    table(box, {
        caption: rows.length === 1 ? "A rank that stands out" : "Ranks that stand out",
        name: "rank-outliers",
        rows,
        columns: [
            {
                label: "Rank",
                value: (row) => row.rank,
                number: true,
                render: (row) =>
                    h(
                        "button",
                        {
                            type: "button",
                            class: "io-link",
                            onclick: () => shell.show({ kind: "rank", rank: row.rank }),
                        },
                        idText(row.rank),
                    ),
            },
            { label: "I/O time", value: (row) => row.time, text: (row) => seconds(row.time), number: true },
            {
                label: "Times the median",
                value: (row) => (median > 0 ? row.time / median : null),
                text: (row) => (median > 0 ? count(row.time / median) : unknown),
                number: true,
            },
            { label: "Bytes", value: (row) => row.bytes, text: (row) => bytes(row.bytes), number: true },
            { label: "Why", value: (row) => row.why },
        ],
    });
}

function mount(element: HTMLElement, page: Page, shell: Shell): { destroy(): void } {
    const ranks = page.ranks!;
    const note = attribution(ranks);
    if (note) element.append(h("p", { class: "io-note" }, note));
    const grid = h("div", { class: "io-plot-grid" });
    element.append(grid);
    const stem = page.job.program ?? "job";
    const charts = (["time", "bytes"] as const).map((measure) => new RankChart(grid, ranks, measure, shell, stem));
    outliers(element, ranks, shell);
    shell.onTarget(
        (target) => target.kind === "rank" && charts.map((chart) => chart.showRank(target.rank)).some((shown) => shown),
    );
    return { destroy: () => charts.forEach((chart) => chart.destroy()) };
}

export const view: View = {
    id: "ranks",
    title: "Ranks",
    applies: (page) => (page.ranks?.count ?? 0) > 1 && (page.ranks?.rows ?? 0) > 0,
    missing: (page) =>
        (page.ranks?.count ?? 0) > 1
            ? "No figures by rank: all files of this job were shared by all ranks, and the log holds their records "
              + "reduced. "
              + "A trace (`iolite run --trace`) keeps the ranks apart."
            : null,
    mount,
};
