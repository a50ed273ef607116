// Requests of one file by time and offset: who read or wrote where, when. As in timeline-raster.ts a request costs the
// same whatever its size: it is added to the four corners of a table of differences, and two running sums give for
// every pixel how many requests cover it and the mean of their values (rank, or direction).
import type { Filter, TraceIndex } from "./timeline-trace";

/** Index positions of the requests of a file. */
export function positionsOf(index: TraceIndex, file: number): Uint32Array {
    let count = 0;
    for (let i = 0; i < index.count; i++) if (index.file[i] === file) count++;
    const positions = new Uint32Array(count);
    let at = 0;
    for (let i = 0; i < index.count; i++) if (index.file[i] === file) positions[at++] = i;
    return positions;
}

export interface Area {
    t0: number;
    t1: number;
    offset0: number;
    offset1: number;
}

/** Positions in sight; null if there are more than `most`. */
export function collectArea(
    index: TraceIndex,
    positions: Uint32Array,
    filter: Filter,
    area: Area,
    most: number,
): number[] | null {
    const found: number[] = [];
    const { offset, length } = index.trace;
    for (const i of positions) {
        const row = index.row[i]!;
        if (filter.kinds[index.kind[i]! & 3] === 0 || index.start[i]! > area.t1) continue;
        if (index.start[i]! + index.duration[i]! < area.t0) continue;
        if (offset[row]! > area.offset1 || offset[row]! + length[row]! < area.offset0) continue;
        if (found.length === most) return null;
        found.push(i);
    }
    return found;
}

export class OffsetRaster {
    columns = 0;
    rows = 0;
    drawn = 0;
    private count = new Float64Array(0);
    private sum = new Float64Array(0);

    fill(
        index: TraceIndex,
        positions: Uint32Array,
        filter: Filter,
        area: Area,
        columns: number,
        rows: number,
        byRank: boolean,
    ): void {
        const pitch = columns + 1;
        const cells = pitch * (rows + 1);
        this.columns = columns;
        this.rows = rows;
        for (const name of ["count", "sum"] as const) {
            if (this[name].length < cells) this[name] = new Float64Array(cells);
            else this[name].fill(0, 0, cells);
        }
        const { count, sum } = this;
        const { offset, length } = index.trace;
        const across = columns / (area.t1 - area.t0);
        const up = rows / (area.offset1 - area.offset0);
        let drawn = 0;
        for (let p = 0; p < positions.length; p++) {
            const i = positions[p]!;
            const kind = index.kind[i]! & 3;
            if (filter.kinds[kind] === 0) continue;
            const row = index.row[i]!;
            const x0 = (index.start[i]! - area.t0) * across;
            const x1 = x0 + index.duration[i]! * across;
            const y0 = (offset[row]! - area.offset0) * up;
            const y1 = y0 + length[row]! * up;
            if (x1 < 0 || x0 >= columns || y1 < 0 || y0 >= rows) continue;
            const c0 = Math.max(0, Math.floor(x0));
            const c1 = Math.min(columns, Math.max(c0 + 1, Math.ceil(x1)));
            const r0 = Math.max(0, Math.floor(y0));
            const r1 = Math.min(rows, Math.max(r0 + 1, Math.ceil(y1)));
            const value = byRank ? index.rank[i]! : kind & 1;
            const low = r0 * pitch;
            const high = r1 * pitch;
            count[low + c0]! += 1;
            count[low + c1]! -= 1;
            count[high + c0]! -= 1;
            count[high + c1]! += 1;
            sum[low + c0]! += value;
            sum[low + c1]! -= value;
            sum[high + c0]! -= value;
            sum[high + c1]! += value;
            drawn++;
        }
        this.drawn = drawn;
    }

    /** Pixels, offset 0 at the bottom. `colours` cover values from 0 to `largest`. */
    paint(out: Uint32Array, colours: Uint32Array, largest: number): void {
        const { columns, rows } = this;
        const pitch = columns + 1;
        const counts = new Float64Array(columns);
        const sums = new Float64Array(columns);
        const scale = (colours.length - 1) / Math.max(1, largest);
        for (let row = 0; row < rows; row++) {
            const line = (rows - 1 - row) * columns;
            let count = 0;
            let sum = 0;
            for (let c = 0; c < columns; c++) {
                count += this.count[row * pitch + c]!;
                sum += this.sum[row * pitch + c]!;
                counts[c]! += count;
                sums[c]! += sum;
                out[line + c] = counts[c]! > 0 ? colours[((sums[c]! / counts[c]!) * scale + 0.5) | 0]! : 0;
            }
        }
    }
}
