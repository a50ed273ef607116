// The whole run as running sums, row by row: what a pixel covers is then the difference of two of them, so that
// looking at all or most of a long trace costs as much as its pixels, not as its requests. Closer views read the
// requests themselves (timeline-raster.ts).
import { Raster, VISIBLE, type ColourBy, type Lanes, type Painted } from "./timeline-raster";
import type { Filter, TraceIndex } from "./timeline-trace";

const CELLS = 4096;
/** Below this the requests themselves are fast enough. */
const MANY = 150_000;

/** Requests added, and rows summed up, between two looks at the clock. */
const SLICE = 50_000;
const ROWS = 48;

export class RasterCache implements Painted {
    columns = 0;
    rows = 0;
    drawn = 0;
    private key = "";
    private making = "";
    private readonly raster = new Raster();
    private sums: [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];
    private end = 0;
    private t0 = 0;
    private t1 = 0;

    /** `later` repeats a small piece of work, whenever there is time for it, until it says that there is no more. */
    constructor(private readonly later: (work: () => boolean) => void) {}

    /** Can it serve this view? If not yet, it is made in small pieces; the frames until then read the requests. */
    prepare(
        index: TraceIndex,
        filter: Filter,
        t0: number,
        t1: number,
        end: number,
        columns: number,
        lanes: Lanes,
        by: ColourBy,
        fileClass: Uint8Array | null,
        version: number,
    ): boolean {
        if (index.count < MANY || columns > ((t1 - t0) / end) * CELLS * 1.5) return false;
        const key = [lanes.first, lanes.rows, lanes.group, lanes.perRank, by, version, end].join();
        if (key !== this.key) {
            if (key !== this.making) this.make(key, end, this.steps(index, { ...filter }, end, lanes, by, fileClass));
            return false;
        }
        this.columns = columns;
        this.rows = lanes.rows;
        this.t0 = t0;
        this.t1 = t1;
        this.drawn = this.raster.drawn;
        return true;
    }

    private make(key: string, end: number, steps: Generator<void>): void {
        this.making = key;
        this.key = "";
        this.later(() => {
            if (this.making !== key) return false;
            if (!steps.next().done) return true;
            this.key = key;
            this.end = end;
            return false;
        });
    }

    private *steps(
        index: TraceIndex,
        filter: Filter,
        end: number,
        lanes: Lanes,
        by: ColourBy,
        fileClass: Uint8Array | null,
    ): Generator<void> {
        this.raster.begin(index, filter, 0, end, CELLS, lanes, by, fileClass);
        yield;
        for (const [from, to] of index.touching(0, end)) {
            for (let at = from; at < to; at += SLICE) {
                this.raster.add(at, Math.min(to, at + SLICE));
                yield;
            }
        }
        for (const side of [0, 1] as const) {
            const cells = (CELLS + 1) * lanes.rows;
            if (this.sums[side].length < cells) this.sums[side] = new Float64Array(cells);
            for (let row = 0; row < lanes.rows; row += ROWS) {
                this.addUp(side, row, Math.min(lanes.rows, row + ROWS));
                yield;
            }
        }
    }

    private addUp(side: 0 | 1, from: number, to: number): void {
        const pitch = CELLS + 1;
        const sums = this.sums[side];
        for (let row = from; row < to; row++) {
            let sum = 0;
            let cover = 0;
            for (let c = 0; c < CELLS; c++) {
                sums[row * pitch + c] = sum;
                cover += this.raster.difference(side, row, c);
                sum += cover;
            }
            sums[row * pitch + CELLS] = sum;
        }
    }

    paint(out: Uint32Array, pairs: Uint32Array, classColours: Uint32Array | null, alphas: Uint32Array): void {
        const { columns, rows, raster } = this;
        const pitch = CELLS + 1;
        const step = ((this.t1 - this.t0) / this.end) * (CELLS / columns);
        const origin = (this.t0 / this.end) * CELLS;
        const share = 1 / (raster.group * step);
        const [first, second] = this.sums;
        for (let row = 0; row < rows; row++) {
            const line = (rows - 1 - row) * columns;
            if (!raster.busy(row)) {
                out.fill(0, line, line + columns);
                continue;
            }
            const base = row * pitch;
            let a = at(first, base, origin);
            let b = at(second, base, origin);
            for (let c = 0; c < columns; c++) {
                const edge = origin + (c + 1) * step;
                const a1 = at(first, base, edge);
                const b1 = at(second, base, edge);
                const sum = a1 - a + b1 - b;
                if (sum < VISIBLE) out[line + c] = 0;
                else {
                    const busy = sum * share;
                    const alpha = alphas[busy >= 1 ? 255 : (busy * 255) | 0]!;
                    const colour = classColours
                        ? classColours[raster.topOf(row, edge - step, edge)]!
                        : pairs[(((b1 - b) / sum) * 16 + 0.5) | 0]!;
                    out[line + c] = (colour | alpha) >>> 0;
                }
                a = a1;
                b = b1;
            }
        }
    }
}

/** The running sum at a place between two cells. */
function at(sums: Float64Array, base: number, place: number): number {
    const cell = place >= CELLS ? CELLS - 1 : place | 0;
    const low = sums[base + cell]!;
    return low + (sums[base + cell + 1]! - low) * (place - cell);
}
