// Figures behind the views by rank, by phase and by storage target.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Lustre, Page, Ranks } from "../../src/page/document";
import * as storage from "../../src/views/lustre-data";
import { busyTime, fileSpans, phaseAt, phasesOf, rankSpans } from "../../src/views/phases-data";
import { groupBars, rankBars, sortBars, spread } from "../../src/views/ranks-data";

const ranks = {
    count: 8,
    per_row: 2,
    rows: 4,
    columns: {
        first: [0, 2, 4, 6],
        last: [1, 3, 5, 7],
        read_time: [2, 0, 0, 0],
        write_time: [2, 4, 4, 40],
        meta_time: [0, 0, 0, 2],
        time: [4, 4, 4, 42],
        time_max: [3, 2, 2, 40],
        bytes_read: [10, 0, 0, 0],
        bytes_written: [0, 20, 20, 20],
        ops: [1, 1, 1, 1],
        files: [1, 1, 1, 1],
    },
    box: { time: [1, 2, 2, 2.5, 40], bytes: [0, 5, 10, 10, 10] },
    outliers: [],
    attributed_share: 1,
} as unknown as Ranks;

test("a bar is the mean of its ranks, with the slowest beside it", () => {
    const bars = rankBars(ranks, "time");
    assert.deepEqual(bars[0], { first: 0, last: 1, parts: [1, 1, 0], total: 2, worst: 3 });
    assert.equal(rankBars(ranks, "bytes")[1]!.total, 10);
    assert.equal(rankBars(ranks, "bytes")[1]!.worst, null);
});

test("sorting puts the slowest first and keeps the order of equals", () => {
    assert.deepEqual(
        sortBars(rankBars(ranks, "time")).map((bar) => bar.first),
        [6, 0, 2, 4],
    );
});

test("imbalance, and outliers that would hide the rest", () => {
    const facts = spread(rankBars(ranks, "time"), ranks.box.time);
    assert.equal(facts.largest, 40);
    assert.equal(facts.mean, 54 / 8);
    assert.equal(facts.whisker, 3.25);
    assert.ok(facts.cut);
    assert.ok(!spread(rankBars(ranks, "bytes"), ranks.box.bytes).cut);
    assert.deepEqual(spread([], null), { largest: 0, mean: 0, imbalance: 1, whisker: 0, cut: false });
});

test("bars that share a pixel keep the worst", () => {
    const grouped = groupBars(rankBars(ranks, "time"), 0, 4, 2);
    assert.equal(grouped.group, 2);
    assert.deepEqual(
        grouped.bars.map((bar) => [bar.first, bar.last, bar.worst]),
        [
            [0, 3, 3],
            [4, 7, 40],
        ],
    );
});

const page = {
    job: { run_time: 100, processes: 4 },
    phases: {
        source: "HEATMAP",
        resolution_s: 1,
        table: {
            rows: 3,
            columns: {
                t0: [0, 20, 25],
                t1: [10, 30, 40],
                bytes_read: [100, 0, 0],
                bytes_written: [0, 50, 70],
                requests: [null, null, null],
                ranks: [4, 1, 1],
                effective_ranks: [3.5, 1, 1],
                rate: [null, 5, 4],
            },
        },
    },
    spans: {
        reads: { rows: 1, columns: { rank_first: [2], rank_last: [3], t0: [1], t1: [2] } },
        shared: {
            rows: 3,
            columns: {
                file: [5, 6, 7],
                read_t0: [1, null, null],
                read_t1: [2, null, null],
                write_t0: [null, 3, 5],
                write_t1: [null, 4, 6],
            },
        },
    },
} as unknown as Page;

test("phases, and a rate where none was given", () => {
    const phases = phasesOf(page);
    assert.equal(phases[0]!.rate, 10);
    assert.equal(phases[1]!.rate, 5);
    assert.equal(busyTime(phases), 30, "overlapping phases count once");
    assert.deepEqual(phasesOf({ job: {} } as Page), []);
});

test("the phase under the pointer, or just beside it", () => {
    const phases = phasesOf(page);
    assert.equal(phaseAt(phases, 5, 1), 0);
    assert.equal(phaseAt(phases, 10.5, 1), 0);
    assert.equal(phaseAt(phases, 15, 1), -1);
    assert.equal(phaseAt(phases, 35, 1), 2);
});

test("spans by rank and by file", () => {
    assert.deepEqual(rankSpans(page.spans!.reads, false)[0], {
        y0: 2,
        y1: 4,
        t0: 1,
        t1: 2,
        write: false,
        label: "Ranks 2\u20133",
    });
    assert.deepEqual(rankSpans(undefined, true), []);
    const { spans, names } = fileSpans(page, 2, (row) => `file ${row}`);
    assert.deepEqual(names, ["file 6", "file 5"], "the first file at the top");
    assert.equal(spans.length, 2);
});

const lustre = {
    osts: {
        rows: 4,
        columns: {
            ost: [3, 4, 10, 11],
            oss: ["b", "b", "a10", "a9"],
            files: [1, 1, 2, 1],
            bytes: [10, 20, 30, 0],
            io_time: [1, 1, null, 1],
        },
    },
    note: "",
} as unknown as Lustre;

test("targets and servers", () => {
    assert.deepEqual(storage.targetsByOst(lustre)[2], { name: "OST 10", osts: [10], files: 2, bytes: 30, time: 0 });
    assert.deepEqual(
        storage.targetsByServer(lustre)!.map((server) => [server.name, server.bytes]),
        [
            ["a9", 0],
            ["a10", 30],
            ["b", 30],
        ],
    );
    const unknown = {
        ...lustre,
        osts: { rows: 1, columns: { ...lustre.osts!.columns, oss: [null, null, null, null] } },
    } as Lustre;
    assert.equal(storage.targetsByServer(unknown), null);
});

test("a crowded target stands out; idle ones do not count", () => {
    const facts = storage.unevenness(storage.targetsByOst(lustre), "bytes")!;
    assert.deepEqual([facts.worst.name, facts.median, facts.times], ["OST 10", 20, 1.5]);
    assert.equal(storage.unevenness([], "bytes"), null);
});

test("lists of targets in short", () => {
    assert.equal(storage.ostList([3, 1, 2, 7, 9, 10, 7]), "1\u20133, 7, 9\u201310");
    assert.equal(storage.ostList([]), "");
});

test("boxes of time by OST and by server, without those of which nothing is known", () => {
    const five = (values: (number | null)[]) => ({
        time_min: values,
        time_q1: values,
        time_median: values,
        time_q3: values,
        time_max: values.map((value) => value && value + 1),
    });
    const timed = {
        osts: {
            rows: 3,
            columns: { ost: [3, 1, 2], oss: [], files: [], bytes: [], io_time: [], ...five([4, 2, null]) },
        },
        servers: { rows: 2, columns: { oss: ["oss10", "oss2"], ...five([7, 1]) } },
    } as unknown as Lustre;
    assert.deepEqual(
        storage.boxesByOst(timed).map((box) => [box.name, box.five[4]]),
        [
            ["OST 3", 5],
            ["OST 1", 3],
        ],
    );
    assert.deepEqual(
        storage.boxesByServer(timed).map((box) => box.name),
        ["oss2", "oss10"],
    );
    assert.deepEqual(
        [
            storage.slowest(storage.boxesByServer(timed))!.worst.name,
            storage.slowest(storage.boxesByServer(timed))!.median,
        ],
        ["oss10", 1],
    );
    assert.equal(storage.slowest([]), null);
    assert.deepEqual(storage.boxesByOst({} as Lustre), []);
});
