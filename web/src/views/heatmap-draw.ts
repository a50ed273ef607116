// The picture of a heat map: cells, bars with the sums of what is shown above and beside them, phases, axes, colour
// bar.
import type { Heatmap } from "../page/document";
import { bytes } from "../lib/format";
import { colourBar, crisp, fontOf, frame, line, rankAxis, xAxis } from "./canvas/axes";
import type { Box, Brush, Layout } from "./canvas/brush";
import type { Direction } from "./canvas/choices";
import type { Colours } from "./canvas/colours";
import type { Range } from "./canvas/range";
import { byteLogTicks, byteTicks, timeTicks, type Tick } from "./canvas/ticks";
import {
    marginSums,
    paintShades,
    shadePart,
    window,
    type HeatGrid,
    type Measure,
    type ShadeScale,
    type Window,
} from "./heatmap-grid";

export interface HeatPicture {
    map: Heatmap;
    grid: HeatGrid;
    /** Sums by direction, for the margins and the cursor. */
    read: HeatGrid;
    write: HeatGrid;
    scale: ShadeScale;
    shades: Uint8Array;
    direction: Direction;
    measure: Measure;
    phases: [number, number][];
    /** How cells were grouped in the last frame. */
    windows?: { horizontal: Window; vertical: Window };
}

const STRIP = 7;

export function heatLayout(width: number, picture: HeatPicture): Layout {
    const narrow = width < 560;
    const { rows, ranks } = picture.map;
    const strip = picture.phases.length > 0 ? STRIP + 5 : 4;
    const top = (narrow ? 40 : 52) + strip;
    const right = ranks > 1 ? (narrow ? 60 : 84) : 12;
    const left = 60;
    const height = ranks > 1 ? Math.min(narrow ? 280 : 380, Math.max(120, rows * 16)) : 64;
    return {
        width,
        height: top + height + 92,
        plot: { x: left, y: top, width: Math.max(80, width - left - right), height },
    };
}

let buffer: HTMLCanvasElement | null = null;

function cellImage(picture: HeatPicture, colours: Colours, horizontal: Window, vertical: Window): HTMLCanvasElement {
    buffer ??= document.createElement("canvas");
    buffer.width = Math.max(1, horizontal.count);
    buffer.height = Math.max(1, vertical.count);
    const context = buffer.getContext("2d");
    if (!context || horizontal.count === 0 || vertical.count === 0) return buffer;
    const image = context.createImageData(horizontal.count, vertical.count);
    const { rows, bins } = picture.grid;
    paintShades(
        picture.shades,
        rows,
        bins,
        vertical,
        horizontal,
        colours.ramp.pixels,
        new Uint32Array(image.data.buffer),
    );
    context.putImageData(image, 0, 0);
    return buffer;
}

function drawCells(brush: Brush, plot: Box, colours: Colours, picture: HeatPicture, x: Range, y: Range): void {
    const { map, grid } = picture;
    const horizontal = window(x.lo / map.bin_width, x.hi / map.bin_width, grid.bins, plot.width);
    const vertical = window(y.lo / map.per_row, y.hi / map.per_row, grid.rows, plot.height);
    picture.windows = { horizontal, vertical };
    const px = (cell: number): number => plot.x + x.part(cell * horizontal.group * map.bin_width) * plot.width;
    const py = (cell: number): number => plot.y + (1 - y.part(cell * vertical.group * map.per_row)) * plot.height;
    const left = px(horizontal.first);
    const top = py(vertical.first + vertical.count);
    brush.save();
    brush.beginPath();
    brush.rect(plot.x, plot.y, plot.width, plot.height);
    brush.clip();
    brush.imageSmoothingEnabled = false;
    brush.drawImage(
        cellImage(picture, colours, horizontal, vertical),
        left,
        top,
        px(horizontal.first + horizontal.count) - left,
        py(vertical.first) - top,
    );
    brush.restore();
}

interface Bars {
    read: Float64Array;
    write: Float64Array;
    largest: number;
}

/** The sums of what is shown, `group` cells to a bar. */
function bars(read: Float64Array, write: Float64Array, part: Window, direction: Direction): Bars {
    const take = (values: Float64Array, on: boolean): Float64Array => {
        const out = new Float64Array(part.count);
        if (!on) return out;
        for (let i = 0; i < part.count; i++) {
            const from = (part.first + i) * part.group;
            for (let k = from; k < Math.min(values.length, from + part.group); k++) out[i]! += values[k]!;
        }
        return out;
    };
    const result = { read: take(read, direction !== "write"), write: take(write, direction !== "read"), largest: 0 };
    for (let i = 0; i < part.count; i++) result.largest = Math.max(result.largest, result.read[i]! + result.write[i]!);
    return result;
}

function drawMargins(brush: Brush, layout: Layout, colours: Colours, picture: HeatPicture, x: Range, y: Range): void {
    const { plot } = layout;
    const { map, windows } = picture;
    if (!windows) return;
    const { horizontal, vertical } = windows;
    const ends = (part: Window, all: number): [number, number] => [
        part.first * part.group,
        Math.min(all, (part.first + part.count) * part.group),
    ];
    const [row0, row1] = ends(vertical, picture.grid.rows);
    const [bin0, bin1] = ends(horizontal, picture.grid.bins);
    const read = marginSums(picture.read, row0, row1, bin0, bin1);
    const write = marginSums(picture.write, row0, row1, bin0, bin1);
    const above: Box = {
        x: plot.x,
        y: 10,
        width: plot.width,
        height: plot.y - 14 - (picture.phases.length > 0 ? STRIP + 1 : 0),
    };
    const overTime = bars(read.byBin, write.byBin, horizontal, picture.direction);
    const across = (cell: number): number =>
        plot.x
        + Math.min(1, Math.max(0, x.part((horizontal.first + cell) * horizontal.group * map.bin_width))) * plot.width;
    stack(brush, colours, overTime, (i, from, to) => {
        const left = Math.round(across(i));
        const scale = above.height / (overTime.largest || 1);
        brush.fillRect(
            left,
            above.y + above.height - to * scale,
            gap(Math.round(across(i + 1)) - left),
            (to - from) * scale,
        );
    });
    line(
        brush,
        colours.line,
        [above.x, crisp(above.y + above.height)],
        [above.x + above.width, crisp(above.y + above.height)],
    );
    label(brush, colours, bytes(overTime.largest), above.x - 7, above.y + 1, "right", "middle");
    if (map.ranks < 2) return;
    const beside: Box = {
        x: plot.x + plot.width + 6,
        y: plot.y,
        width: layout.width - plot.x - plot.width - 12,
        height: plot.height,
    };
    const overRanks = bars(read.byRow, write.byRow, vertical, picture.direction);
    const up = (cell: number): number =>
        plot.y
        + (1 - Math.min(1, Math.max(0, y.part((vertical.first + cell) * vertical.group * map.per_row)))) * plot.height;
    stack(brush, colours, overRanks, (i, from, to) => {
        const top = Math.round(up(i + 1));
        const scale = beside.width / (overRanks.largest || 1);
        brush.fillRect(beside.x + from * scale, top, (to - from) * scale, gap(Math.round(up(i)) - top));
    });
    line(brush, colours.line, [crisp(beside.x), beside.y], [crisp(beside.x), beside.y + beside.height]);
    label(brush, colours, bytes(overRanks.largest), layout.width - 4, plot.y - 8, "right", "middle");
}

/** Wide bars stand apart, narrow ones touch. */
const gap = (size: number): number => (size > 5 ? size - 1 : Math.max(1, size));

function stack(
    brush: Brush,
    colours: Colours,
    values: Bars,
    bar: (index: number, from: number, to: number) => void,
): void {
    for (const part of ["read", "write"] as const) {
        brush.fillStyle = colours[part];
        for (let i = 0; i < values.read.length; i++) {
            const base = part === "read" ? 0 : values.read[i]!;
            const size = part === "read" ? values.read[i]! : values.write[i]!;
            if (size > 0) bar(i, base, base + size);
        }
    }
}

function label(
    brush: Brush,
    colours: Colours,
    text: string,
    x: number,
    y: number,
    align: CanvasTextAlign,
    base: CanvasTextBaseline,
): void {
    brush.font = fontOf(colours);
    brush.fillStyle = colours.muted;
    brush.textAlign = align;
    brush.textBaseline = base;
    brush.fillText(text, x, y);
}

/** Phases as a band over the map, so that bursts have an edge to be named by. */
export function drawPhases(brush: Brush, plot: Box, colours: Colours, phases: [number, number][], x: Range): void {
    brush.save();
    brush.beginPath();
    brush.rect(plot.x, plot.y - STRIP - 3, plot.width, STRIP);
    brush.clip();
    brush.fillStyle = colours.line;
    brush.globalAlpha = 0.5;
    brush.fillRect(plot.x, plot.y - STRIP - 3, plot.width, STRIP);
    brush.globalAlpha = 1;
    brush.fillStyle = colours.muted;
    for (const [t0, t1] of phases) {
        if (t1 < x.lo || t0 > x.hi) continue;
        const left = plot.x + x.part(t0) * plot.width;
        const right = plot.x + x.part(t1) * plot.width;
        brush.fillRect(left, plot.y - STRIP - 3, Math.max(1, right - left - (right - left > 4 ? 1 : 0)), STRIP);
    }
    brush.restore();
    label(brush, colours, "phases", plot.x - 7, plot.y - 3 - STRIP / 2, "right", "middle");
}

function barTicks(scale: ShadeScale, room: number): Tick[] {
    const most = Math.max(2, Math.floor(room / 62));
    if (scale.log) return byteLogTicks(scale.lo, scale.hi, most);
    const { ticks, unit } = byteTicks(0, scale.hi, most);
    return ticks.map((tick) => ({ value: tick.value, label: `${tick.label} ${unit}` }));
}

export function drawHeatmap(
    brush: Brush,
    layout: Layout,
    colours: Colours,
    picture: HeatPicture,
    x: Range,
    y: Range,
): void {
    const { plot } = layout;
    const { map, scale } = picture;
    brush.fillStyle = colours.background;
    brush.fillRect(plot.x, plot.y, plot.width, plot.height);
    drawCells(brush, plot, colours, picture, x, y);
    drawMargins(brush, layout, colours, picture, x, y);
    if (picture.phases.length > 0) drawPhases(brush, plot, colours, picture.phases, x);
    frame(brush, plot, colours);
    xAxis(brush, plot, x, timeTicks(x.lo, x.hi, Math.max(2, Math.floor(plot.width / 75))), colours, { title: "time" });
    if (map.ranks > 1) rankAxis(brush, plot, y, colours);
    const what = picture.measure === "max" && map.per_row > 1 ? "largest rank" : "bytes";
    const room = Math.min(320, layout.width - 130);
    const bar: Box = { x: layout.width - room - 12, y: plot.y + plot.height + 54, width: room - 14, height: 9 };
    colourBar(brush, bar, colours.ramp, barTicks(scale, room), (value) => shadePart(scale, value), colours, what);
}
