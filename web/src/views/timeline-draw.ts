// The picture of the timeline: many requests as a raster, few as boxes of their own, none loaded yet as the binned
// overview.
import { frame, rankAxis, xAxis, yAxis } from "./canvas/axes";
import type { Box, Brush, Layout } from "./canvas/brush";
import { css, mix, pack, type Rgb } from "./canvas/colour";
import type { Colours } from "./canvas/colours";
import type { Range } from "./canvas/range";
import { byteTicks, timeTicks } from "./canvas/ticks";
import { drawPhases } from "./heatmap-draw";
import { RasterCache } from "./timeline-cache";
import { drawLegend, FIRST_SHADE, legendHeight } from "./timeline-legend";
import { collectArea, OffsetRaster } from "./timeline-offsets";
import { lanesPerRank, planLanes, Raster } from "./timeline-raster";
import { makePaints, type Paints, type Scene } from "./timeline-scene";
import { collect } from "./timeline-trace";

/** Up to this many requests in sight are drawn one by one. */
const SINGLE = 2500;
/**
 * A raster has at most this many pixels, whatever the screen: beyond it a frame would get slow and nobody would see it.
 */
const PIXELS = 900_000;

export interface View {
    x: Range;
    y: Range;
}

/** What the last frame did, for the cursor and for measurements. */
export interface FrameFacts {
    mode: "overview" | "raster" | "single" | "offsets";
    drawn: number;
    perRank: number;
    group: number;
}

export class TimelinePainter {
    facts: FrameFacts = { mode: "overview", drawn: 0, perRank: 1, group: 1 };
    positions: Uint32Array = new Uint32Array(0);
    phases: [number, number][] = [];
    private readonly raster = new Raster();
    private readonly cache = new RasterCache(whenIdle);
    private readonly offsets = new OffsetRaster();
    private readonly buffer = document.createElement("canvas");
    private image: ImageData | null = null;
    private paints: { scene: Scene; by: string; colours: Colours; sizes: string; made: Paints } | null = null;

    layout(scene: Scene, width: number): Layout {
        const narrow = width < 560;
        const left = scene.file >= 0 ? 64 : 60;
        const rows =
            scene.ranks > 1 || scene.file >= 0 ? Math.min(narrow ? 300 : 420, Math.max(120, scene.ranks * 22)) : 70;
        const top = this.phases.length > 0 ? 16 : 8;
        const height = scene.file >= 0 ? (narrow ? 300 : 420) : rows;
        return {
            width,
            height: top + height + 50 + legendHeight(scene, width - left),
            plot: { x: left, y: top, width: Math.max(80, width - left - 20), height },
        };
    }

    private paintsFor(scene: Scene, colours: Colours): Paints {
        const sizes = scene.sizes.join();
        const old = this.paints;
        if (old && old.scene === scene && old.by === scene.by && old.colours === colours && old.sizes === sizes)
            return old.made;
        const made = makePaints(scene, colours);
        this.paints = { scene, by: scene.by, colours, sizes, made };
        return made;
    }

    draw(brush: Brush, layout: Layout, colours: Colours, scene: Scene, view: View): void {
        const { plot } = layout;
        const { x, y } = view;
        brush.fillStyle = colours.background;
        brush.fillRect(plot.x, plot.y, plot.width, plot.height);
        brush.save();
        brush.beginPath();
        brush.rect(plot.x, plot.y, plot.width, plot.height);
        brush.clip();
        const paints = this.paintsFor(scene, colours);
        if (!scene.index) this.drawOverview(brush, plot, scene, paints, view);
        else if (scene.file >= 0) this.drawOffsets(brush, plot, colours, scene, view);
        else this.drawRanks(brush, plot, colours, scene, paints, view);
        brush.restore();
        if (this.phases.length > 0) drawPhases(brush, plot, colours, this.phases, x);
        frame(brush, plot, colours);
        xAxis(brush, plot, x, timeTicks(x.lo, x.hi, Math.max(2, Math.floor(plot.width / 75))), colours, {
            title: "time",
        });
        if (scene.file >= 0)
            yAxis(brush, plot, y, byteTicks(y.lo, y.hi - 0.02 * y.span, Math.floor(plot.height / 44)), colours, {
                title: "offset",
            });
        else if (scene.ranks > 1) rankAxis(brush, plot, y, colours);
        drawLegend(brush, layout, colours, scene, paints, this.facts.perRank === 2);
    }

    private pixels(columns: number, rows: number): Uint32Array {
        if (this.buffer.width !== columns || this.buffer.height !== rows || !this.image) {
            this.buffer.width = columns;
            this.buffer.height = rows;
            this.image = new ImageData(columns, rows);
        }
        return new Uint32Array(this.image.data.buffer);
    }

    private blit(brush: Brush, x: number, y: number, width: number, height: number): void {
        if (!this.image) return;
        this.buffer.getContext("2d")?.putImageData(this.image, 0, 0);
        brush.imageSmoothingEnabled = false;
        brush.drawImage(this.buffer, x, y, width, height);
    }

    private columnsFor(plot: Box, rows: number): number {
        const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
        const wanted = Math.round(plot.width * ratio);
        return Math.max(
            1,
            Math.min(wanted, Math.max(Math.round(plot.width / 2), Math.floor(PIXELS / Math.max(1, rows)))),
        );
    }

    private drawRanks(brush: Brush, plot: Box, colours: Colours, scene: Scene, paints: Paints, { x, y }: View): void {
        const index = scene.index!;
        const { tick } = scene.info;
        const [t0, t1] = [x.lo / tick, x.hi / tick];
        const perRank = lanesPerRank(scene.filter, scene.present, plot.height / y.span);
        const few = collect(index, scene.filter, t0, t1, Math.floor(y.lo), Math.ceil(y.hi), SINGLE);
        if (few) {
            this.facts = { mode: "single", drawn: few.length, perRank, group: 1 };
            this.drawSingle(brush, plot, scene, paints, { x, y }, few, perRank);
            return;
        }
        const lanes = planLanes(y.lo, y.hi, index.ranks, perRank, plot.height);
        const columns = this.columnsFor(plot, lanes.rows);
        const cached = this.cache.prepare(
            index,
            scene.filter,
            t0,
            t1,
            x.max / tick,
            columns,
            lanes,
            scene.by,
            scene.fileClass,
            scene.version,
        );
        if (!cached) this.raster.fill(index, scene.filter, t0, t1, columns, lanes, scene.by, scene.fileClass);
        const painted = cached ? this.cache : this.raster;
        painted.paint(this.pixels(columns, lanes.rows), paints.pairs, paints.classes, paints.alphas);
        this.facts = { mode: "raster", drawn: painted.drawn, perRank, group: lanes.group };
        const low = (lanes.first * lanes.group) / perRank;
        const high = ((lanes.first + lanes.rows) * lanes.group) / perRank;
        const top = plot.y + (1 - y.part(high)) * plot.height;
        this.blit(brush, plot.x, top, plot.width, plot.y + (1 - y.part(low)) * plot.height - top);
        this.separate(brush, plot, colours, y, lanes.group);
    }

    /** Rows that are high enough get a line of background between them. */
    private separate(brush: Brush, plot: Box, colours: Colours, y: Range, group: number): void {
        const each = plot.height / y.span;
        if (group > 1 || each < 5) return;
        const thickness = each >= 10 ? 2 : 1;
        brush.fillStyle = colours.background;
        for (let rank = Math.ceil(y.lo); rank <= y.hi; rank++)
            brush.fillRect(plot.x, plot.y + (1 - y.part(rank)) * plot.height - thickness / 2, plot.width, thickness);
    }

    private requestColour(scene: Scene, paints: Paints, i: number): Rgb {
        const index = scene.index!;
        const kind = index.kind[i]! & 3;
        if (scene.by === "size") return paints.classRgb(index.size[i]! + 1);
        if (scene.by === "file") return paints.classRgb(scene.fileClass[index.file[i]!] ?? 1);
        return paints.ends[(scene.by === "layer" ? kind >> 1 : kind) & 1]!;
    }

    private drawSingle(
        brush: Brush,
        plot: Box,
        scene: Scene,
        paints: Paints,
        { x, y }: View,
        few: number[],
        perRank: number,
    ): void {
        const index = scene.index!;
        const { tick } = scene.info;
        const lane = plot.height / y.span / perRank;
        const space = lane > 24 ? 3 : lane > 8 ? 1.5 : lane > 3 ? 0.5 : 0;
        for (const i of few) {
            const left = plot.x + x.part(index.start[i]! * tick) * plot.width;
            const width = (index.duration[i]! * tick * plot.width) / x.span;
            const base = index.rank[i]! + (perRank === 2 ? ((index.kind[i]! >> 1) & 1) / 2 : 0);
            const bottom = plot.y + (1 - y.part(base)) * plot.height;
            brush.fillStyle = css(this.requestColour(scene, paints, i), 0.9);
            const from = Math.max(plot.x - 2, left);
            const to = Math.min(plot.x + plot.width + 2, left + Math.max(1, width > 4 ? width - 0.75 : width));
            brush.fillRect(from, bottom - lane + space, to - from, Math.max(1, lane - 2 * space));
        }
    }

    private drawOverview(brush: Brush, plot: Box, scene: Scene, paints: Paints, { x, y }: View): void {
        const { binned } = scene.info;
        const busy = [
            new Float32Array(binned.rows * binned.bins),
            new Float32Array(binned.rows * binned.bins),
        ] as const;
        [binned.read, binned.write].forEach((cells, side) => {
            if (!scene.filter.kinds[side] && !scene.filter.kinds[side + 2]) return;
            cells.row.forEach((row, i) => {
                const at = row * binned.bins + cells.bin[i]!;
                if (at < busy[0].length)
                    busy[side as 0 | 1][at] = Math.max(1e-6, cells.busy[i]! / (binned.bin_width * binned.per_row));
            });
        });
        const out = this.pixels(binned.bins, binned.rows);
        let drawn = 0;
        for (let row = 0; row < binned.rows; row++) {
            for (let bin = 0; bin < binned.bins; bin++) {
                const at = row * binned.bins + bin;
                const sum = busy[0][at]! + busy[1][at]!;
                if (sum > 0) drawn++;
                const alpha = paints.alphas[Math.min(255, Math.floor(sum * 255))]!;
                out[(binned.rows - 1 - row) * binned.bins + bin] =
                    sum > 0 ? (paints.pairs[Math.round((busy[1][at]! / sum) * 16)]! | alpha) >>> 0 : 0;
            }
        }
        this.facts = { mode: "overview", drawn, perRank: 1, group: binned.per_row };
        const left = plot.x + x.part(0) * plot.width;
        const top = plot.y + (1 - y.part(binned.rows * binned.per_row)) * plot.height;
        this.blit(
            brush,
            left,
            top,
            plot.x + x.part(binned.bins * binned.bin_width) * plot.width - left,
            plot.y + (1 - y.part(0)) * plot.height - top,
        );
    }

    private drawOffsets(brush: Brush, plot: Box, colours: Colours, scene: Scene, { x, y }: View): void {
        const index = scene.index!;
        const { tick } = scene.info;
        const area = { t0: x.lo / tick, t1: x.hi / tick, offset0: y.lo, offset1: y.hi };
        const byRank = scene.by !== "direction";
        const largest = byRank ? Math.max(1, index.ranks - 1) : 1;
        const table = byRank
            ? colours.ramp.pixels.subarray(FIRST_SHADE)
            : Uint32Array.from({ length: 17 }, (_, i) => pack(mix(colours.readRgb, colours.writeRgb, i / 16)));
        const few = collectArea(index, this.positions, scene.filter, area, SINGLE);
        if (few) {
            this.facts = { mode: "offsets", drawn: few.length, perRank: 1, group: 1 };
            for (const i of few) {
                const value = byRank ? index.rank[i]! : index.kind[i]! & 1;
                this.offsetBox(
                    brush,
                    plot,
                    scene,
                    { x, y },
                    i,
                    table[Math.round((value / largest) * (table.length - 1))]!,
                );
            }
            return;
        }
        const columns = Math.round(plot.width);
        const rows = Math.round(plot.height);
        this.offsets.fill(index, this.positions, scene.filter, area, columns, rows, byRank);
        this.offsets.paint(this.pixels(columns, rows), table, largest);
        this.facts = { mode: "offsets", drawn: this.offsets.drawn, perRank: 1, group: 1 };
        this.blit(brush, plot.x, plot.y, plot.width, plot.height);
    }

    private offsetBox(brush: Brush, plot: Box, scene: Scene, { x, y }: View, i: number, colour: number): void {
        const index = scene.index!;
        const { tick } = scene.info;
        const row = index.row[i]!;
        const left = plot.x + x.part(index.start[i]! * tick) * plot.width;
        const width = Math.max(2, (index.duration[i]! * tick * plot.width) / x.span);
        const high = Math.max(2, (index.trace.length[row]! * plot.height) / y.span);
        const top = plot.y + (1 - y.part(index.trace.offset[row]!)) * plot.height - high;
        brush.fillStyle = css([colour & 255, (colour >> 8) & 255, (colour >> 16) & 255]);
        brush.fillRect(
            Math.max(plot.x - 2, left),
            Math.max(plot.y - 2, top),
            Math.min(width, plot.width + 4),
            Math.min(high, plot.height + 4),
        );
    }
}

/** As many pieces as the browser has time for, and a few even if it has none. Safari has no idle callback. */
function whenIdle(work: () => boolean): void {
    const run = (deadline?: IdleDeadline): void => {
        const until = performance.now() + Math.max(8, (deadline?.timeRemaining() ?? 0) - 2);
        let more = true;
        while (more && performance.now() < until) more = work();
        if (more) next();
    };
    const next = (): void => {
        if (typeof requestIdleCallback === "function") requestIdleCallback(run, { timeout: 40 });
        else setTimeout(run, 16);
    };
    next();
}
