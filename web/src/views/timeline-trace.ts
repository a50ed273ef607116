// The traced requests as typed arrays over one buffer, and an index of them by duration and start. The index answers
// "which requests can touch this time range" by a binary search in each class of durations: requests of a class last
// at most twice as long as its shortest, so a search need not look back further than that. One request that lasts the
// whole run then does not make every search scan from the beginning.

export interface Trace {
    count: number;
    /** Ticks since job start, and ticks. */
    start: Uint32Array;
    duration: Uint32Array;
    offset: Float64Array;
    length: Float64Array;
    rank: Uint32Array;
    file: Uint32Array;
    /** Bit 0: a write. Bit 1: MPI-IO. */
    kind: Uint8Array;
}

export const WRITE = 1;
export const MPIIO = 2;

const BYTES = { u8: 1, u32: 4, f64: 8 } as const;

/** Reads the columns that the page names, each aligned to eight bytes. */
export function decodeTrace(buffer: ArrayBuffer, count: number, columns: readonly string[]): Trace {
    const views: Record<string, Uint8Array | Uint32Array | Float64Array> = {};
    let at = 0;
    for (const column of columns) {
        const [name = "", type = ""] = column.split(":");
        if (!(type in BYTES)) throw new Error(`the trace has a column of unknown type: ${column}`);
        const size = BYTES[type as keyof typeof BYTES];
        at = Math.ceil(at / 8) * 8;
        if (at + count * size > buffer.byteLength) throw new Error(`the trace ends within column ${name}`);
        if (type === "u8") views[name] = new Uint8Array(buffer, at, count);
        else if (type === "u32") views[name] = new Uint32Array(buffer, at, count);
        else views[name] = new Float64Array(buffer, at, count);
        at += count * size;
    }
    for (const name of ["start", "duration", "offset", "length", "rank", "file", "kind"]) {
        if (!views[name]) throw new Error(`the trace has no column ${name}`);
    }
    return { count, ...(views as unknown as Omit<Trace, "count">) };
}

const CLASSES = 33;

/** 0 for no time at all, else one more than the power of two below. */
const durationClass = (ticks: number): number => 32 - Math.clz32(ticks);

/** Log2 of the length, 0..63; what colours requests by size. */
export const sizeClass = (length: number): number => (length < 1 ? 0 : Math.min(63, Math.floor(Math.log2(length)) + 1));

export class TraceIndex {
    readonly count: number;
    readonly ranks: number;
    /**
     * Requests in the order of the index: the same facts once more, side by side, because a frame reads them all in
     * turn.
     */
    readonly start: Uint32Array;
    readonly duration: Uint32Array;
    readonly rank: Uint32Array;
    readonly file: Uint32Array;
    readonly kind: Uint8Array;
    readonly size: Uint8Array;
    /** Row in the trace. */
    readonly row: Uint32Array;
    /** End of the last request, in ticks. */
    readonly end: number;
    private readonly bounds = new Uint32Array(CLASSES + 1);

    constructor(
        readonly trace: Trace,
        ranks: number,
    ) {
        const n = trace.count;
        this.count = n;
        this.start = new Uint32Array(n);
        this.duration = new Uint32Array(n);
        this.rank = new Uint32Array(n);
        this.file = new Uint32Array(n);
        this.kind = new Uint8Array(n);
        this.size = new Uint8Array(n);
        this.row = new Uint32Array(n);
        const order = inStartOrder(trace.start);
        for (let i = 0; i < n; i++) this.bounds[durationClass(trace.duration[i]!) + 1]!++;
        for (let c = 0; c < CLASSES; c++) this.bounds[c + 1]! += this.bounds[c]!;
        const next = this.bounds.slice(0, CLASSES);
        let end = 0;
        let highest = 0;
        for (let i = 0; i < n; i++) {
            const from = order ? order[i]! : i;
            const duration = trace.duration[from]!;
            const to = next[durationClass(duration)]!++;
            this.row[to] = from;
            this.start[to] = trace.start[from]!;
            this.duration[to] = duration;
            this.rank[to] = trace.rank[from]!;
            this.file[to] = trace.file[from]!;
            this.kind[to] = trace.kind[from]!;
            this.size[to] = sizeClass(trace.length[from]!);
            end = Math.max(end, trace.start[from]! + duration);
            highest = Math.max(highest, trace.rank[from]!);
        }
        this.end = end;
        this.ranks = Math.max(ranks, n > 0 ? highest + 1 : 0);
    }

    /** Ranges of index positions that hold every request touching t0..t1 (ticks), and few others. */
    touching(t0: number, t1: number): [number, number][] {
        const ranges: [number, number][] = [];
        for (let c = 0; c < CLASSES; c++) {
            const lo = this.bounds[c]!;
            const hi = this.bounds[c + 1]!;
            if (lo === hi) continue;
            const longest = c === 0 ? 0 : 2 ** c - 1;
            const from = lowerBound(this.start, t0 - longest, lo, hi);
            const to = lowerBound(this.start, t1, from, hi, true);
            if (from < to) ranges.push([from, to]);
        }
        return ranges;
    }
}

/** First position in lo..hi whose value is at least `value` (`after`: above it). */
export function lowerBound(sorted: Uint32Array, value: number, lo: number, hi: number, after = false): number {
    let from = lo;
    let to = hi;
    while (from < to) {
        const middle = (from + to) >>> 1;
        const found = sorted[middle]!;
        if (after ? found <= value : found < value) from = middle + 1;
        else to = middle;
    }
    return from;
}

/** The writer sorts by start; a trace that is not sorted is put in order rather than drawn wrongly. */
function inStartOrder(start: Uint32Array): Uint32Array | null {
    let sorted = true;
    for (let i = 1; i < start.length && sorted; i++) sorted = start[i - 1]! <= start[i]!;
    if (sorted) return null;
    return Uint32Array.from(start.keys()).sort((a, b) => start[a]! - start[b]! || a - b);
}

/** What may be shown: by kind (four combinations of the bits), and by file. */
export interface Filter {
    kinds: Uint8Array;
    /** One flag a file, or null for all. */
    files: Uint8Array | null;
}

export const everything = (): Filter => ({ kinds: Uint8Array.of(1, 1, 1, 1), files: null });

/** Positions of the requests that touch the rectangle and pass the filter; null if there are more than `most`. */
export function collect(
    index: TraceIndex,
    filter: Filter,
    t0: number,
    t1: number,
    rank0: number,
    rank1: number,
    most: number,
): number[] | null {
    const found: number[] = [];
    for (const [from, to] of index.touching(t0, t1)) {
        for (let i = from; i < to; i++) {
            const rank = index.rank[i]!;
            if (rank < rank0 || rank >= rank1 || index.start[i]! + index.duration[i]! < t0) continue;
            if (filter.kinds[index.kind[i]! & 3] === 0 || (filter.files && filter.files[index.file[i]!] === 0))
                continue;
            if (found.length === most) return null;
            found.push(i);
        }
    }
    return found;
}
