// A heat map as numbers: sparse cells become a dense grid, the grid becomes shades (one byte per cell), and shades become
// pixels. Shades are made once for each choice of scale, so that a frame while zooming only copies bytes.
import type { Heatmap } from "../page/document";
import type { Direction } from "./canvas/choices";

export interface Cells {
    row: number[];
    bin: number[];
    sum: number[];
    /** Absent where a row is one rank: the sum is it. */
    max?: number[];
}

export interface HeatSource extends Omit<Heatmap, "source" | "read" | "write"> {
    source: string;
    read?: Cells;
    write?: Cells;
}

export type Measure = "sum" | "max";

export interface HeatGrid {
    rows: number;
    bins: number;
    /** Bytes by row and bin, row after row. */
    values: Float64Array;
    /** Bytes of all ranks by bin, and of the whole run by row; sums, whatever the cells show. */
    byBin: Float64Array;
    byRow: Float64Array;
    largest: number;
    /** The smallest value above zero. */
    smallest: number;
    total: number;
}

/**
 * `both` adds reads and writes. For the largest single rank of a row that sum is not known (it may be two ranks), so
 * there the larger of the two stands.
 */
export function makeGrid(source: HeatSource, direction: Direction, measure: Measure): HeatGrid {
    const { rows, bins } = source;
    const values = new Float64Array(rows * bins);
    const byBin = new Float64Array(bins);
    const byRow = new Float64Array(rows);
    const pick = measure === "max" && source.per_row > 1;
    let total = 0;
    const add = (cells: Cells | undefined): void => {
        if (!cells) return;
        for (let i = 0; i < cells.row.length; i++) {
            const row = cells.row[i]!;
            const bin = cells.bin[i]!;
            const sum = cells.sum[i]!;
            if (!(row >= 0 && row < rows && bin >= 0 && bin < bins) || !(sum > 0)) continue;
            const at = row * bins + bin;
            values[at] = pick ? Math.max(values[at]!, cells.max?.[i] ?? sum) : values[at]! + sum;
            byBin[bin]! += sum;
            byRow[row]! += sum;
            total += sum;
        }
    };
    if (direction !== "write") add(source.read);
    if (direction !== "read") add(source.write);
    let largest = 0;
    let smallest = Infinity;
    for (const value of values) {
        if (value > largest) largest = value;
        if (value > 0 && value < smallest) smallest = value;
    }
    return { rows, bins, values, byBin, byRow, largest, smallest: largest > 0 ? smallest : 0, total };
}

export interface ShadeScale {
    log: boolean;
    lo: number;
    hi: number;
}

/**
 * The ends of the colour bar. A logarithmic one covers at most nine powers of ten, so that one stray byte does not
 * flatten it.
 */
export function shadeScale(grid: HeatGrid, log: boolean): ShadeScale {
    if (!log) return { log, lo: 0, hi: grid.largest || 1 };
    const hi = Math.max(grid.largest, 2);
    return { log, lo: Math.max(1, Math.min(grid.smallest || 1, hi / 2), hi / 1e9), hi };
}

/** Part of the colour bar for a value above zero, 0..1. */
export function shadePart(scale: ShadeScale, value: number): number {
    const part = scale.log
        ? Math.log(Math.max(value, scale.lo) / scale.lo) / Math.log(scale.hi / scale.lo)
        : value / scale.hi;
    return Math.min(1, Math.max(0, part));
}

/** 0 for nothing, 1..255 for the colours. */
export function makeShades(grid: HeatGrid, scale: ShadeScale): Uint8Array {
    const shades = new Uint8Array(grid.values.length);
    for (let i = 0; i < shades.length; i++) {
        const value = grid.values[i]!;
        if (value > 0) shades[i] = 1 + Math.round(254 * shadePart(scale, value));
    }
    return shades;
}

export interface Window {
    /** First cell and number of cells shown, in blocks of `group` cells. */
    first: number;
    count: number;
    group: number;
}

/**
 * The cells that lo..hi touches (in cells, fractions allowed), grouped so that there are at most `pixels` of them.
 * Groups are aligned to the whole map: a map that is moved does not flicker.
 */
export function window(lo: number, hi: number, cells: number, pixels: number): Window {
    const group = Math.max(1, Math.ceil((hi - lo) / Math.max(1, pixels)));
    const first = Math.max(0, Math.floor(lo / group));
    const end = Math.min(Math.ceil(cells / group), Math.ceil(hi / group));
    return { first, count: Math.max(0, end - first), group };
}

/**
 * Pixels of a window, row 0 at the bottom. Where several cells share a pixel the strongest shows: a burst must not
 * vanish by looking from afar.
 */
export function paintShades(
    shades: Uint8Array,
    rows: number,
    bins: number,
    vertical: Window,
    horizontal: Window,
    colours: Uint32Array,
    out: Uint32Array,
): void {
    const width = horizontal.count;
    const best = new Uint8Array(width);
    for (let y = 0; y < vertical.count; y++) {
        best.fill(0);
        const fromRow = (vertical.first + y) * vertical.group;
        const toRow = Math.min(rows, fromRow + vertical.group);
        for (let row = fromRow; row < toRow; row++) strongest(shades, row * bins, bins, horizontal, best);
        const line = (vertical.count - 1 - y) * width;
        for (let x = 0; x < width; x++) {
            const shade = best[x]!;
            out[line + x] = shade === 0 ? 0 : colours[shade]!;
        }
    }
}

function strongest(shades: Uint8Array, line: number, bins: number, horizontal: Window, best: Uint8Array): void {
    const { first, group } = horizontal;
    for (let x = 0; x < best.length; x++) {
        const from = (first + x) * group;
        const to = Math.min(bins, from + group);
        for (let bin = from; bin < to; bin++) {
            const shade = shades[line + bin]!;
            if (shade > best[x]!) best[x] = shade;
        }
    }
}

/** Bytes of the cells in a window part, for the cursor: sums over the cells, or their largest. */
export function measureCells(
    grid: HeatGrid,
    measure: Measure,
    row: number,
    rows: number,
    bin: number,
    bins: number,
): number {
    let result = 0;
    for (let r = Math.max(0, row); r < Math.min(grid.rows, row + rows); r++) {
        for (let b = Math.max(0, bin); b < Math.min(grid.bins, bin + bins); b++) {
            const value = grid.values[r * grid.bins + b]!;
            result = measure === "max" ? Math.max(result, value) : result + value;
        }
    }
    return result;
}

/** How evenly the bytes lie in time and over rows, for the sentence beside the picture. */
export function heatFacts(grid: HeatGrid): { busyBins: number; busyRows: number; peakBin: number; halfBins: number } {
    let busyBins = 0;
    let peakBin = 0;
    grid.byBin.forEach((value, bin) => {
        if (value > 0) busyBins++;
        if (value > grid.byBin[peakBin]!) peakBin = bin;
    });
    const busyRows = grid.byRow.reduce((n, value) => n + (value > 0 ? 1 : 0), 0);
    const sorted = Float64Array.from(grid.byBin).sort().reverse();
    let halfBins = 0;
    for (let sum = 0; halfBins < sorted.length && sum < grid.total / 2; halfBins++) sum += sorted[halfBins]!;
    return { busyBins, busyRows, peakBin, halfBins };
}

/**
 * Sums of the cells in rows row0..row1 and bins bin0..bin1, by bin and by row: the bars at the margins of what is
 * shown.
 */
export function marginSums(
    grid: HeatGrid,
    row0: number,
    row1: number,
    bin0: number,
    bin1: number,
): { byBin: Float64Array; byRow: Float64Array } {
    if (row0 <= 0 && row1 >= grid.rows && bin0 <= 0 && bin1 >= grid.bins)
        return { byBin: grid.byBin, byRow: grid.byRow };
    const byBin = new Float64Array(grid.bins);
    const byRow = new Float64Array(grid.rows);
    for (let row = row0; row < row1; row++) {
        for (let bin = bin0; bin < bin1; bin++) {
            const value = grid.values[row * grid.bins + bin]!;
            byBin[bin]! += value;
            byRow[row]! += value;
        }
    }
    return { byBin, byRow };
}
