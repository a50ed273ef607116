// Requests to pixels. Each request adds its exact share to the pixels that it covers, at a fixed price: four additions
// to a table of differences, whatever its length; one pass over the table then gives the coverage. So a frame costs
// (requests in sight) + (pixels), a million requests stay far below the time of a frame, and nothing is sampled away.
import { type Filter, type TraceIndex, WRITE } from "./timeline-trace";

export type ColourBy = "direction" | "layer" | "size" | "file";

/** Raster rows are groups of lanes, aligned to the whole, so that moving up or down does not flicker. */
export interface Lanes {
    /** Lanes per rank: two if both interfaces are shown apart. */
    perRank: number;
    /** Lanes that share a raster row. */
    group: number;
    first: number;
    rows: number;
}

export function planLanes(rank0: number, rank1: number, ranks: number, perRank: number, most: number): Lanes {
    const lo = Math.max(0, Math.floor(rank0)) * perRank;
    const hi = Math.min(ranks, Math.ceil(rank1)) * perRank;
    const group = Math.max(1, Math.ceil((hi - lo) / Math.max(1, most)));
    const first = Math.floor(lo / group);
    return { perRank, group, first, rows: Math.max(0, Math.ceil(hi / group) - first) };
}

/** Something that turns into pixels: a raster, or the sums of one. */
export interface Painted {
    columns: number;
    rows: number;
    /** Requests that were counted. */
    drawn: number;
    paint(out: Uint32Array, pairs: Uint32Array, classColours: Uint32Array | null, alphas: Uint32Array): void;
}

/**
 * Even a request of no length must be seen: each covers at least this part of a pixel. Sums are exact enough to see
 * it.
 */
const LEAST = 2 ** -16;
export const VISIBLE = 2 ** -18;

interface Job {
    index: TraceIndex;
    filter: Filter;
    t0: number;
    t1: number;
    by: ColourBy;
    fileClass: Uint8Array | null;
    split: boolean;
}

export class Raster implements Painted {
    columns = 0;
    rows = 0;
    group = 1;
    /** Requests that were drawn into the last frame. */
    drawn = 0;
    private pitch = 0;
    private cover: [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];
    private top = new Uint8Array(0);
    private touched = new Uint8Array(0);
    private laneRow = new Int32Array(0);

    private job: Job | null = null;

    /**
     * Clears the table for requests in t0..t1 (ticks); `fileClass` says for each file its class (1..255), where colour
     * needs one.
     */
    begin(
        index: TraceIndex,
        filter: Filter,
        t0: number,
        t1: number,
        columns: number,
        lanes: Lanes,
        by: ColourBy,
        fileClass: Uint8Array | null,
    ): void {
        this.job = { index, filter, t0, t1, by, fileClass, split: lanes.perRank === 2 };
        this.drawn = 0;
        this.columns = columns;
        this.rows = lanes.rows;
        this.group = lanes.group;
        this.pitch = columns + 2;
        const cells = this.pitch * lanes.rows;
        for (const side of [0, 1] as const) {
            if (this.cover[side].length < cells) this.cover[side] = new Float64Array(cells);
            else this.cover[side].fill(0, 0, cells);
        }
        if (by === "size" || by === "file") {
            if (this.top.length < cells) this.top = new Uint8Array(cells);
            else this.top.fill(0, 0, cells);
        }
        this.touched = new Uint8Array(lanes.rows);
        const all = index.ranks * lanes.perRank;
        if (this.laneRow.length < all) this.laneRow = new Int32Array(all);
        for (let lane = 0; lane < all; lane++) {
            const row = Math.floor(lane / lanes.group) - lanes.first;
            this.laneRow[lane] = row >= 0 && row < lanes.rows ? row : -1;
        }
    }

    /** Adds the requests at index positions from..to. */
    add(from: number, to: number): void {
        const { index, filter, t0, t1, by, fileClass, split } = this.job!;
        const { start, duration, rank, file, kind, size } = index;
        const { kinds, files } = filter;
        const { laneRow, touched, pitch, top, columns, cover } = this;
        const [first, second] = cover;
        const classed = by === "size" || by === "file";
        const scale = columns / (t1 - t0);
        const bit = by === "layer" ? 1 : 0;
        let drawn = 0;
        for (let i = from; i < to; i++) {
            const k = kind[i]! & 3;
            if (kinds[k] === 0 || (files !== null && files[file[i]!] === 0)) continue;
            const row = laneRow[split ? rank[i]! * 2 + (k >> 1) : rank[i]!]!;
            if (row < 0) continue;
            let x0 = (start[i]! - t0) * scale;
            let x1 = x0 + duration[i]! * scale;
            if (x1 < 0 || x0 >= columns) continue;
            if (x1 - x0 < LEAST) x1 = x0 + LEAST;
            if (x0 < 0) x0 = 0;
            if (x1 > columns) x1 = columns;
            const line = row * pitch;
            const c0 = x0 | 0;
            const c1 = x1 | 0;
            const f0 = x0 - c0;
            const f1 = x1 - c1;
            const side = classed || ((k >> bit) & 1) === 0 ? first : second;
            side[line + c0]! += 1 - f0;
            side[line + c0 + 1]! += f0;
            side[line + c1]! -= 1 - f1;
            side[line + c1 + 1]! -= f1;
            touched[row] = 1;
            drawn++;
            if (!classed) continue;
            const value = by === "size" ? size[i]! + 1 : fileClass![file[i]!]!;
            const last = c1 < columns ? c1 : columns - 1;
            for (let c = c0; c <= last; c++) if (value > top[line + c]!) top[line + c] = value;
        }
        this.drawn += drawn;
    }

    /** All requests in t0..t1 at once. */
    fill(...what: Parameters<Raster["begin"]>): void {
        const [index, , t0, t1] = what;
        this.begin(...what);
        for (const [from, to] of index.touching(t0, t1)) this.add(from, to);
    }

    /** Change of the coverage at a cell of a row, for one of the two kinds. */
    difference(side: 0 | 1, row: number, column: number): number {
        return this.cover[side][row * this.pitch + column]!;
    }

    busy(row: number): boolean {
        return this.touched[row] !== 0;
    }

    /** The highest class in the columns from..to (fractions count). */
    topOf(row: number, from: number, to: number): number {
        const line = row * this.pitch;
        const end = Math.min(this.columns, Math.ceil(to));
        let best = 0;
        for (let c = Math.max(0, from | 0); c < end; c++) if (this.top[line + c]! > best) best = this.top[line + c]!;
        return best;
    }

    /**
     * Pixels, rank 0 at the bottom. `pairs` are 17 colours from the first kind alone to the second alone;
     * `classColours` the colours by class. The alpha says how busy a pixel is: never nothing where there is a request.
     */
    paint(out: Uint32Array, pairs: Uint32Array, classColours: Uint32Array | null, alphas: Uint32Array): void {
        const { columns, rows, pitch, touched, top } = this;
        const [first, second] = this.cover;
        const share = 1 / this.group;
        for (let row = 0; row < rows; row++) {
            const line = (rows - 1 - row) * columns;
            if (touched[row] === 0) {
                out.fill(0, line, line + columns);
                continue;
            }
            let a = 0;
            let b = 0;
            const from = row * pitch;
            for (let c = 0; c < columns; c++) {
                a += first[from + c]!;
                b += second[from + c]!;
                const sum = a + b;
                if (sum < VISIBLE) {
                    out[line + c] = 0;
                    continue;
                }
                const busy = sum * share;
                const alpha = alphas[busy >= 1 ? 255 : (busy * 255) | 0]!;
                const colour = classColours ? classColours[top[from + c]!]! : pairs[((b / sum) * 16 + 0.5) | 0]!;
                out[line + c] = (colour | alpha) >>> 0;
            }
        }
    }
}

/** Alpha by busyness: a root, because one request among a thousand ranks must still be seen. */
export function alphaTable(): Uint32Array {
    const table = new Uint32Array(256);
    for (let i = 0; i < 256; i++) table[i] = (Math.round(255 * (0.42 + 0.58 * Math.sqrt((i + 0.5) / 256))) << 24) >>> 0;
    return table;
}

/** The two interfaces get a lane each if both are in sight and a rank is high enough to tell them apart. */
export function lanesPerRank(filter: Filter, present: number, pixelsPerRank: number): number {
    const posix = filter.kinds[0] || filter.kinds[WRITE] ? 1 : 0;
    const mpiio = filter.kinds[2] || filter.kinds[2 | WRITE] ? 2 : 0;
    return ((posix | mpiio) & present) === 3 && pixelsPerRank >= 8 ? 2 : 1;
}
