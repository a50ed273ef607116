// Made-up jobs for tests and measurements of the canvas views: the same seed gives the same job. The program reads its
// input on all ranks, then writes checkpoints: every rank through MPI-IO, every sixteenth as an aggregator through
// POSIX; one rank lags.
import type { Page } from "../../src/page/document";

export function random(seed: number): () => number {
    let state = seed >>> 0 || 1;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

export interface Request {
    start: number;
    duration: number;
    offset: number;
    length: number;
    rank: number;
    file: number;
    kind: number;
}

export interface Job {
    requests: number;
    ranks: number;
    files?: number;
    runTime?: number;
    checkpoints?: number;
    seed?: number;
}

export const COLUMNS = ["start:u32", "duration:u32", "offset:f64", "length:f64", "rank:u32", "file:u32", "kind:u8"];

/** The columns one after the other, each at a multiple of eight bytes. */
export function encodeTrace(requests: Request[]): ArrayBuffer {
    const n = requests.length;
    const sizes = COLUMNS.map((column) => ({ u8: 1, u32: 4, f64: 8 })[column.split(":")[1] as "u8"]! * n);
    const total = sizes.reduce((at, size) => Math.ceil(at / 8) * 8 + size, 0);
    const buffer = new ArrayBuffer(total);
    let at = 0;
    COLUMNS.forEach((column, index) => {
        at = Math.ceil(at / 8) * 8;
        const [name, type] = column.split(":") as [keyof Request, string];
        const view =
            type === "u8"
                ? new Uint8Array(buffer, at, n)
                : type === "u32"
                  ? new Uint32Array(buffer, at, n)
                  : new Float64Array(buffer, at, n);
        for (let i = 0; i < n; i++) view[i] = requests[i]![name];
        at += sizes[index]!;
    });
    return buffer;
}

export function makeRequests(job: Job, tick: number): Request[] {
    const next = random(job.seed ?? 7);
    const { ranks } = job;
    const run = job.runTime ?? 120;
    const checkpoints = job.checkpoints ?? 6;
    const files = job.files ?? 12;
    const out: Request[] = [];
    const position = new Float64Array(ranks * files);
    const put = (t: number, last: number, rank: number, file: number, length: number, kind: number): void => {
        const offset = position[rank * files + file]! + (rank / ranks) * 2 ** 34;
        position[rank * files + file]! += length;
        out.push({ start: Math.floor(t / tick), duration: Math.floor(last / tick), offset, length, rank, file, kind });
    };
    const share = Math.floor(job.requests / (checkpoints + 1));
    for (let i = 0; i < job.requests; i++) {
        const phase = Math.min(checkpoints, Math.floor(i / Math.max(1, share)));
        const rank = Math.floor(next() * ranks);
        const begin = phase === 0 ? 0.01 * run : (run * (phase - 0.2)) / (checkpoints + 0.3);
        const lag = rank === Math.floor(ranks / 3) ? 1.8 : 1;
        const t = begin + next() * run * 0.07 * lag;
        const last = run * 2e-5 * (0.2 + next() * next() * 8) * lag;
        if (phase === 0) put(t, last, rank, Math.floor(next() * 3), 2 ** Math.floor(9 + next() * 8), 0);
        else if (rank % 16 === 0 && next() < 0.7) put(t, last * 2, rank, 3 + ((phase - 1) % (files - 3)), 2 ** 20, 1);
        else put(t, last * 3, rank, 3 + ((phase - 1) % (files - 3)), 2 ** Math.floor(14 + next() * 7), 3);
    }
    return out.sort((a, b) => a.start - b.start);
}

interface Binned {
    read: { row: number[]; bin: number[]; count: number[]; bytes: number[]; busy: number[] };
    write: { row: number[]; bin: number[]; count: number[]; bytes: number[]; busy: number[] };
}

function bin(
    requests: Request[],
    tick: number,
    width: number,
    bins: number,
    perRow: number,
    keep: (r: Request) => boolean,
): Binned {
    const side = (write: boolean): Binned["read"] => {
        const cells = new Map<number, [number, number, number]>();
        for (const r of requests) {
            if (!keep(r) || (r.kind & 1) !== Number(write)) continue;
            const at = Math.floor(r.rank / perRow) * bins + Math.min(bins - 1, Math.floor((r.start * tick) / width));
            const cell = cells.get(at) ?? [0, 0, 0];
            cells.set(at, [cell[0] + 1, cell[1] + r.length, cell[2] + r.duration * tick]);
        }
        const keys = [...cells.keys()].sort((a, b) => a - b);
        return {
            row: keys.map((k) => Math.floor(k / bins)),
            bin: keys.map((k) => k % bins),
            count: keys.map((k) => cells.get(k)![0]),
            bytes: keys.map((k) => cells.get(k)![1]),
            busy: keys.map((k) => cells.get(k)![2]),
        };
    };
    return { read: side(false), write: side(true) };
}

function heatmap(
    requests: Request[],
    job: Job,
    module: string,
    tick: number,
    run: number,
): NonNullable<Page["heatmaps"]>[number] {
    const bins = 200;
    const perRow = Math.ceil(job.ranks / 512);
    const cells = bin(requests, tick, run / bins, bins, perRow, (r) => ((r.kind & 2) !== 0) === (module === "MPI-IO"));
    const side = (part: Binned["read"]) => ({
        row: part.row,
        bin: part.bin,
        sum: part.bytes,
        max: part.bytes.map((b) => b / perRow),
    });
    return {
        source: "HEATMAP",
        module,
        bin_width: run / bins,
        bins,
        ranks: job.ranks,
        per_row: perRow,
        rows: Math.ceil(job.ranks / perRow),
        read: side(cells.read),
        write: side(cells.write),
    };
}

function rankTable(requests: Request[], job: Job, tick: number): NonNullable<Page["ranks"]> {
    const perRow = Math.ceil(job.ranks / 1024);
    const rows = Math.ceil(job.ranks / perRow);
    const zero = (): number[] => new Array<number>(rows).fill(0);
    const columns = {
        first: zero().map((_, i) => i * perRow),
        last: zero().map((_, i) => Math.min(job.ranks, (i + 1) * perRow) - 1),
        read_time: zero(),
        write_time: zero(),
        meta_time: zero(),
        time: zero(),
        time_max: zero(),
        bytes_read: zero(),
        bytes_written: zero(),
        ops: zero(),
        files: zero().map(() => 4),
    };
    const byRank = new Float64Array(job.ranks);
    const bytesByRank = new Float64Array(job.ranks);
    for (const r of requests) {
        const row = Math.floor(r.rank / perRow);
        const time = r.duration * tick;
        columns[r.kind & 1 ? "write_time" : "read_time"][row]! += time;
        columns[r.kind & 1 ? "bytes_written" : "bytes_read"][row]! += r.length;
        columns.meta_time[row]! += time * 0.05;
        columns.ops[row]! += 1;
        byRank[r.rank]! += time * 1.05;
        bytesByRank[r.rank]! += r.length;
        columns.time[row] = columns.read_time[row]! + columns.write_time[row]! + columns.meta_time[row]!;
        columns.time_max[row] = Math.max(columns.time_max[row]!, byRank[r.rank]!);
    }
    const box = (values: Float64Array): number[] => {
        const sorted = Float64Array.from(values).sort();
        return [0, 0.25, 0.5, 0.75, 1].map((q) => sorted[Math.round(q * (sorted.length - 1))]!);
    };
    const worst = byRank.indexOf(Math.max(...byRank));
    return {
        count: job.ranks,
        per_row: perRow,
        rows,
        columns,
        box: { time: box(byRank), bytes: box(bytesByRank) },
        outliers: [
            { rank: worst, time: byRank[worst]!, bytes: bytesByRank[worst]!, why: "its time is far above the others'" },
        ],
        attributed_share: 0.83,
    };
}

function phaseTable(job: Job, run: number): NonNullable<Page["phases"]> {
    const checkpoints = job.checkpoints ?? 6;
    const begin = [...Array(checkpoints + 1).keys()].map((p) =>
        p === 0 ? 0.01 * run : (run * (p - 0.2)) / (checkpoints + 0.3),
    );
    const each = (value: (p: number) => number): number[] => begin.map((_, p) => value(p));
    return {
        source: "DXT POSIX",
        resolution_s: 0.01,
        table: {
            rows: begin.length,
            columns: {
                t0: begin,
                t1: begin.map((t, p) => t + run * (p === 0 ? 0.07 : 0.12)),
                bytes_read: each((p) => (p === 0 ? 3e9 : 0)),
                bytes_written: each((p) => (p === 0 ? 0 : 8e9 + p * 1e9)),
                requests: each(() => Math.floor(job.requests / (checkpoints + 1))),
                ranks: each((p) => (p === 0 ? job.ranks : job.ranks / 2)),
                effective_ranks: each((p) => (p === 0 ? job.ranks * 0.9 : job.ranks / 16)),
                rate: each((p) => (p === 0 ? 4e8 : 6e8 + p * 4e7)),
            },
        },
    };
}

/** The parts of a page document that the canvas views draw, and the trace that belongs to it. */
export function makePage(job: Job): { page: Page; trace: ArrayBuffer } {
    const run = job.runTime ?? 120;
    const tick = run / 2 ** 31;
    const files = job.files ?? 12;
    const requests = makeRequests(job, tick);
    const perRow = Math.ceil(job.ranks / 512);
    const names = [...Array(files).keys()].map((i) =>
        i < 3 ? `/scratch/input/part-${i}.nc` : `/scratch/run/checkpoint-${i - 2}.h5`,
    );
    const columns: Record<string, unknown> = { id: names.map((_, i) => String(9e15 + i)), name: names };
    const page = {
        schema: "iolite.page/1",
        job: { run_time: run, processes: job.ranks, program: "synthetic" },
        modules: [],
        diagnosis: { findings: [] },
        files: { total: files, rows: files, columns, layer_names: [] },
        heatmaps: [heatmap(requests, job, "MPI-IO", tick, run), heatmap(requests, job, "POSIX", tick, run)],
        phases: phaseTable(job, run),
        ranks: rankTable(requests, job, tick),
        spans: {
            reads: {
                rows: 32,
                columns: {
                    rank_first: [...Array(32).keys()],
                    rank_last: [...Array(32).keys()],
                    t0: [...Array(32).keys()].map((i) => 1 + i * 0.05),
                    t1: [...Array(32).keys()].map((i) => 9 + (i % 5)),
                },
            },
            writes: {
                rows: 32,
                columns: {
                    rank_first: [...Array(32).keys()],
                    rank_last: [...Array(32).keys()],
                    t0: [...Array(32).keys()].map((i) => 16 + (i % 7)),
                    t1: [...Array(32).keys()].map((i) => 100 + (i % 11)),
                },
            },
            shared: {
                rows: 5,
                columns: {
                    file: [0, 1, 3, 4, 5],
                    read_t0: [1, 1.2, null, null, 50],
                    read_t1: [9, 8, null, null, 60],
                    write_t0: [null, null, 15, 34, 53],
                    write_t1: [null, null, 26, 45, 64],
                },
            },
        },
        lustre: {
            osts: {
                rows: 24,
                columns: {
                    ost: [...Array(24).keys()],
                    oss: [...Array(24).keys()].map((i) => `oss${Math.floor(i / 6)}`),
                    files: [...Array(24).keys()].map((i) => 1 + (i % 4)),
                    bytes: [...Array(24).keys()].map((i) => (i === 7 ? 9e9 : 2e9 + (i % 5) * 1e8)),
                    io_time: [...Array(24).keys()].map((i) => (i === 7 ? 60 : 12 + (i % 5))),
                },
            },
            files: {
                rows: 4,
                columns: {
                    file: [0, 3, 4, 4],
                    component: [0, 0, 0, 1],
                    start: [0, 0, 0, 2 ** 30],
                    end: [null, null, 2 ** 30, null],
                    stripe_size: [2 ** 20, 2 ** 20, 2 ** 20, 2 ** 24],
                    stripe_count: [1, 4, 1, 8],
                    pool: [null, null, "flash", "disk"],
                    osts: [[7], [0, 6, 12, 18], [3], [1, 2, 3, 4, 8, 9, 10, 11]],
                },
            },
            ost_count: 48,
            mdt_count: 2,
            note: "Bytes of a file are divided evenly over its stripes; the log does not say which request went where.",
        },
        trace: {
            requests: requests.length,
            embedded: requests.length,
            modules: ["POSIX", "MPI-IO"],
            files: names.map((_, i) => i),
            names,
            tick,
            hosts: [],
            columns: COLUMNS,
            binned: {
                bins: 400,
                bin_width: run / 400,
                rows: Math.ceil(job.ranks / perRow),
                per_row: perRow,
                ...bin(requests, tick, run / 400, 400, perRow, () => true),
            },
        },
    };
    return { page: page as unknown as Page, trace: encodeTrace(requests) };
}
