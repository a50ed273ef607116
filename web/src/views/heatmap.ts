// Who moved bytes when: a map of time and ranks. The picture is in heatmap-draw.ts, the numbers in heatmap-grid.ts;
// here are the choices, the cursor and the words.
import { tip, type TipLine } from "../lib/chart";
import { segmented, select } from "../lib/controls";
import { h } from "../lib/dom";
import { figure, type Figure } from "../lib/figure";
import { bytes, count, idText, plural, seconds } from "../lib/format";
import type { Heatmap, Page } from "../page/document";
import type { Shell, Target, View } from "../page/view";
import { DIRECTIONS, usage, type Direction } from "./canvas/choices";
import { Plot, zoomButtons, type Point, type Reading } from "./canvas/plot";
import { Range } from "./canvas/range";
import { drawHeatmap, heatLayout, type HeatPicture } from "./heatmap-draw";
import { heatFacts, makeGrid, makeShades, measureCells, shadeScale, type Measure } from "./heatmap-grid";

interface Choice {
    source: number;
    direction: Direction;
    measure: Measure;
    log: boolean;
}

const MEASURES = [
    ["sum", "Sum"],
    ["max", "Largest rank"],
] as const;
const SCALES = [
    ["log", "Log"],
    ["linear", "Linear"],
] as const;

const layerName = (map: Heatmap): string => (map.source === "DXT" ? `${map.module} (traced)` : map.module);

/** The run, or longer if a log holds times that lie after its end. */
function endOfTime(page: Page, map: Heatmap): number {
    let last = 0;
    for (const cells of [map.read, map.write]) for (const bin of cells?.bin ?? []) if (bin > last) last = bin;
    return Math.max(page.job.run_time || 0, last * map.bin_width) || map.bins * map.bin_width || 1;
}

function prepare(page: Page, map: Heatmap, choice: Choice): HeatPicture {
    const read = makeGrid(map, "read", "sum");
    const write = makeGrid(map, "write", "sum");
    const grid = makeGrid(map, choice.direction, choice.measure);
    const scale = shadeScale(grid, choice.log);
    const phases = page.phases?.table;
    return {
        map,
        grid,
        scale,
        read,
        write,
        shades: makeShades(grid, scale),
        direction: choice.direction,
        measure: choice.measure,
        phases: phases ? phases.columns.t0.map((t0, i) => [t0, phases.columns.t1[i]!] as [number, number]) : [],
    };
}

function rankText(first: number, last: number): string {
    return first === last ? `Rank ${idText(first)}` : `Ranks ${idText(first)}\u2013${idText(last)}`;
}

function sentence(picture: HeatPicture, page: Page): string {
    const { map, grid, read, write } = picture;
    if (grid.total === 0)
        return `No bytes were ${picture.direction === "read" ? "read" : "written"} at the ${map.module} layer.`;
    const facts = heatFacts(grid);
    const run = page.job.run_time || map.bins * map.bin_width;
    const parts = [
        `${layerName(map)}: ${bytes(read.total)} read and ${bytes(write.total)} written.`,
        `Half of the bytes moved within ${seconds(facts.halfBins * map.bin_width)} of ${seconds(run)};`,
        `the peak is at ${seconds(facts.peakBin * map.bin_width)}.`,
    ];
    if (map.ranks > 1) {
        parts.push(
            map.per_row > 1
                ? `${count(facts.busyRows)} of ${count(grid.rows)} groups of ${count(map.per_row)} ranks moved data.`
                : `${count(facts.busyRows)} of ${plural(map.ranks, "rank")} moved data.`,
        );
    }
    return parts.join(" ");
}

function readCell(
    picture: HeatPicture,
    plot: Plot,
    at: Point,
    colours: { read: string; write: string },
): Reading | null {
    const { map, grid, read, write, windows } = picture;
    if (!windows) return null;
    const { horizontal, vertical } = windows;
    const bin = Math.floor(at.x / map.bin_width / horizontal.group) * horizontal.group;
    const row = Math.floor(at.y / map.per_row / vertical.group) * vertical.group;
    if (bin < 0 || bin >= grid.bins || row < 0 || row >= grid.rows) return null;
    const first = row * map.per_row;
    const last = Math.min(map.ranks, (row + vertical.group) * map.per_row) - 1;
    const from = bin * map.bin_width;
    const to = Math.min(plot.x.max, (bin + horizontal.group) * map.bin_width);
    const sum = (part: typeof read): number => measureCells(part, "sum", row, vertical.group, bin, horizontal.group);
    const [got, put] = [sum(read), sum(write)];
    const lines: TipLine[] = [
        { colour: colours.read, label: "Read", value: bytes(got) },
        { colour: colours.write, label: "Written", value: bytes(put) },
    ];
    if (picture.measure === "max" && map.per_row > 1)
        lines.push({
            label: "Largest rank",
            value: bytes(measureCells(grid, "max", row, vertical.group, bin, horizontal.group)),
        });
    const phase = picture.phases.findIndex(([t0, t1]) => t0 < to && t1 > from);
    const when = `${seconds(from)} \u2013 ${seconds(to)}`;
    const who = rankText(first, last);
    return {
        content: tip(who, [{ label: "Time", value: when }, ...lines], phase >= 0 ? `In phase ${phase + 1}` : undefined),
        text: `${who}, ${when}: ${bytes(got)} read, ${bytes(put)} written`,
        region: { x0: from, x1: to, y0: first, y1: last + 1 },
    };
}

function tableOf(picture: HeatPicture): { columns: string[]; rows: (string | number)[][] } {
    const { map, read, write } = picture;
    const rows: (string | number)[][] = [];
    for (let row = 0; row < read.rows; row++) {
        for (let bin = 0; bin < read.bins; bin++) {
            const at = row * read.bins + bin;
            const [got, put] = [read.values[at]!, write.values[at]!];
            if (got === 0 && put === 0) continue;
            const last = Math.min(map.ranks, (row + 1) * map.per_row) - 1;
            rows.push([bin * map.bin_width, (bin + 1) * map.bin_width, row * map.per_row, last, got, put]);
        }
    }
    return { columns: ["from_s", "to_s", "first_rank", "last_rank", "bytes_read", "bytes_written"], rows };
}

class HeatmapFigure {
    private readonly maps: Heatmap[];
    private readonly choice: Choice;
    private readonly frame: Figure;
    private readonly plot: Plot;
    private picture: HeatPicture;
    private colours = { read: "", write: "" };

    constructor(
        element: HTMLElement,
        private readonly page: Page,
        shell: Shell,
    ) {
        this.maps = page.heatmaps ?? [];
        const busy = this.maps.findIndex((map) => (map.read?.row.length ?? 0) + (map.write?.row.length ?? 0) > 0);
        this.choice = { source: Math.max(0, busy), direction: "both", measure: "sum", log: true };
        this.picture = prepare(page, this.maps[this.choice.source]!, this.choice);
        this.frame = figure(element, {
            title: "Bytes over time and ranks",
            summary: sentence(this.picture, page),
            name: `${page.job.program ?? "job"}-heatmap`,
            interactive: true,
            controls: this.controls(),
            table: () => tableOf(this.picture),
            picture: () => this.plot.picture(),
            svg: () => this.plot.svg(),
        });
        this.plot = new Plot(this.frame.body, {
            ...this.ranges(),
            label: "Heat map of bytes over time and ranks",
            layout: (width) => heatLayout(width, this.picture),
            draw: (brush, layout, colours, view) => {
                this.colours = colours;
                drawHeatmap(brush, layout, colours, this.picture, view.x, view.y);
            },
            read: (at) => readCell(this.picture, this.plot, at, this.colours),
            step: () => ({
                x: this.picture.map.bin_width * (this.picture.windows?.horizontal.group ?? 1),
                y: this.picture.map.per_row * (this.picture.windows?.vertical.group ?? 1),
            }),
            announce: (text) => shell.announce(text),
        });
        this.frame.element.append(h("p", { class: "io-plot-hint" }, usage()));
        shell.onTarget((target) => this.target(target));
    }

    private ranges(): { x: Range; y: Range } {
        const { map } = this.picture;
        return {
            x: new Range(0, endOfTime(this.page, map), 4 * map.bin_width),
            y: new Range(0, Math.max(1, map.ranks), Math.min(map.ranks, 4 * map.per_row)),
        };
    }

    private controls(): HTMLElement[] {
        const result: HTMLElement[] = [];
        if (this.maps.length > 1) {
            const names = this.maps.map((map, index) => [String(index), layerName(map)] as const);
            const pick = this.maps.length <= 4 ? segmented : select;
            result.push(pick("Layer", names, String(this.choice.source), (value) => this.setSource(Number(value))));
        }
        result.push(segmented("Direction", DIRECTIONS, "both", (direction) => this.change({ direction })));
        if (this.maps.some((map) => map.per_row > 1))
            result.push(segmented("Value of a group of ranks", MEASURES, "sum", (measure) => this.change({ measure })));
        result.push(segmented("Colour scale", SCALES, "log", (scale) => this.change({ log: scale === "log" })));
        result.push(zoomButtons(() => this.plot, "heat map"));
        return result;
    }

    private change(part: Partial<Choice>): void {
        Object.assign(this.choice, part);
        this.picture = prepare(this.page, this.maps[this.choice.source]!, this.choice);
        this.frame.setSummary(sentence(this.picture, this.page));
        this.plot.point(null);
        this.plot.resize();
    }

    /** Another layer, the same part of the run. */
    private setSource(source: number): void {
        const old = { x: this.plot.x, y: this.plot.y };
        this.picture = prepare(this.page, this.maps[source]!, this.choice);
        const { x, y } = this.ranges();
        x.show(old.x.lo, old.x.hi);
        y.show(old.y.lo, old.y.hi);
        this.plot.x = x;
        this.plot.y = y;
        this.change({ source });
    }

    private target(target: Target): boolean {
        if (target.kind === "time") {
            const { t0, t1, ranks } = target;
            this.plot.show({ x0: t0, x1: t1, ...(ranks ? { y0: ranks[0], y1: ranks[1] + 1 } : {}) });
            return true;
        }
        if (target.kind !== "rank" || target.rank < 0 || target.rank >= this.picture.map.ranks) return false;
        const { min, max } = this.plot.x;
        this.plot.show({ x0: min, x1: max, y0: target.rank, y1: target.rank + 1 });
        return true;
    }

    destroy(): void {
        this.plot.destroy();
    }
}

export const view: View = {
    id: "heatmap",
    title: "Heat map",
    applies: (page) => (page.heatmaps ?? []).some((map) => map.rows > 0 && map.bins > 0),
    missing: () =>
        "There is no heat map: the log has neither HEATMAP records nor a trace. Iolite records one by default; "
        + "logs of Darshan before 3.4 have none.",
    mount: (element, page, shell) => {
        const drawn = new HeatmapFigure(element, page, shell);
        return { destroy: () => drawn.destroy() };
    },
};
