// Columns of a trace and the index over them: every search must find exactly what looking at all requests finds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { collect, decodeTrace, everything, sizeClass, TraceIndex } from "../../src/views/timeline-trace";
import { COLUMNS, encodeTrace, makeRequests, random, type Request } from "../support/synthetic";

function indexOf(requests: Request[], ranks = 0): TraceIndex {
    return new TraceIndex(decodeTrace(encodeTrace(requests), requests.length, COLUMNS), ranks);
}

/** Durations from nothing to the whole run. */
function wild(count: number, seed: number): Request[] {
    const next = random(seed);
    const requests = Array.from({ length: count }, () => ({
        start: Math.floor(next() * 1e6),
        duration: Math.floor(next() < 0.1 ? 0 : 2 ** (next() * 20)),
        offset: Math.floor(next() * 1e9),
        length: Math.floor(2 ** (next() * 24)),
        rank: Math.floor(next() * 16),
        file: Math.floor(next() * 5),
        kind: Math.floor(next() * 4),
    }));
    return requests.sort((a, b) => a.start - b.start);
}

test("columns come back as they were written, whatever their number", () => {
    for (const count of [0, 1, 3, 8, 101]) {
        const requests = wild(count, 5);
        const trace = decodeTrace(encodeTrace(requests), count, COLUMNS);
        assert.deepEqual(
            [...trace.offset],
            requests.map((r) => r.offset),
        );
        assert.deepEqual(
            [...trace.kind],
            requests.map((r) => r.kind),
        );
        assert.deepEqual(
            [...trace.file],
            requests.map((r) => r.file),
        );
    }
});

test("a trace that is cut short or strange is refused", () => {
    const buffer = encodeTrace(wild(10, 1));
    assert.throws(() => decodeTrace(buffer.slice(0, 200), 10, COLUMNS), /ends within column/);
    assert.throws(() => decodeTrace(buffer, 10, ["start:u99"]), /unknown type/);
    assert.throws(() => decodeTrace(buffer, 10, COLUMNS.slice(1)), /no column start/);
});

test("a search finds what looking at all requests finds", () => {
    const requests = wild(3000, 11);
    const index = indexOf(requests);
    const next = random(3);
    for (let round = 0; round < 60; round++) {
        const t0 = next() * 1e6;
        const t1 = t0 + next() ** 4 * 1e6;
        const rank0 = Math.floor(next() * 16);
        const found = collect(index, everything(), t0, t1, rank0, rank0 + 3, 1e9)!
            .map((i) => index.row[i]!)
            .sort((a, b) => a - b);
        const expected = requests.flatMap((r, row) =>
            r.start <= t1 && r.start + r.duration >= t0 && r.rank >= rank0 && r.rank < rank0 + 3 ? [row] : [],
        );
        assert.deepEqual(found, expected);
    }
});

test("one request of the whole run does not make every search long", () => {
    const requests = [
        { start: 0, duration: 1_000_000, offset: 0, length: 1, rank: 0, file: 0, kind: 0 },
        ...Array.from({ length: 10_000 }, (_, i) => ({
            start: 100 * i,
            duration: 50,
            offset: 0,
            length: 1,
            rank: 1,
            file: 0,
            kind: 0,
        })),
    ];
    const index = indexOf(requests);
    const looked = index.touching(900_000, 900_100).reduce((sum, [from, to]) => sum + to - from, 0);
    assert.ok(looked < 10, `${looked} requests`);
});

test("filters by kind and file, and the limit", () => {
    const requests = wild(500, 2);
    const index = indexOf(requests);
    const files = new Uint8Array(5);
    files[3] = 1;
    const filter = { kinds: Uint8Array.of(0, 1, 0, 1), files };
    const found = collect(index, filter, 0, 2e6, 0, 99, 1e9)!;
    assert.equal(found.length, requests.filter((r) => r.file === 3 && r.kind & 1).length);
    assert.equal(collect(index, filter, 0, 2e6, 0, 99, found.length - 1), null);
});

test("a trace out of order is put in order", () => {
    const requests = wild(200, 9).reverse();
    const index = indexOf(requests);
    assert.equal(collect(index, everything(), 0, 5e6, 0, 99, 1e9)!.length, 200);
    for (const [from, to] of index.touching(0, 5e6))
        for (let i = from + 1; i < to; i++) assert.ok(index.start[i - 1]! <= index.start[i]!);
});

test("ranks that the job does not have are shown too", () => {
    assert.equal(indexOf(wild(100, 4), 2).ranks, 16);
    assert.equal(indexOf([], 4).ranks, 4);
});

test("classes of sizes", () => {
    assert.deepEqual([0, 1, 2, 3, 4, 1024, 2 ** 60].map(sizeClass), [0, 1, 2, 2, 3, 11, 61]);
});

test("made-up jobs are the same every time", () => {
    const job = { requests: 200, ranks: 8 };
    assert.deepEqual(makeRequests(job, 1e-6), makeRequests(job, 1e-6));
});
