// Pixels of the timeline against a plain count: every request is in the picture with its exact share, and nothing else
// is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RasterCache } from "../../src/views/timeline-cache";
import { collectArea, OffsetRaster, positionsOf } from "../../src/views/timeline-offsets";
import { alphaTable, lanesPerRank, planLanes, Raster } from "../../src/views/timeline-raster";
import { kindsOf, makeScene, setIndex } from "../../src/views/timeline-scene";
import { decodeTrace, everything, TraceIndex, type Filter } from "../../src/views/timeline-trace";
import { COLUMNS, encodeTrace, makePage, makeRequests, type Request } from "../support/synthetic";

const indexOf = (requests: Request[], ranks: number): TraceIndex =>
    new TraceIndex(decodeTrace(encodeTrace(requests), requests.length, COLUMNS), ranks);
const request = (start: number, duration: number, rank: number, more: Partial<Request> = {}): Request => ({
    start,
    duration,
    rank,
    offset: 0,
    length: 1,
    file: 0,
    kind: 0,
    ...more,
});

/** Alpha 0..255 is the index, so that coverage can be read back from the pixels. */
const plainAlphas = Uint32Array.from({ length: 256 }, (_, i) => (i << 24) >>> 0);
const pairs = Uint32Array.from({ length: 17 }, (_, i) => i);

function paint(
    index: TraceIndex,
    t0: number,
    t1: number,
    columns: number,
    rows = 100,
    perRank = 1,
): { out: Uint32Array; raster: Raster } {
    const raster = new Raster();
    const lanes = planLanes(0, index.ranks, index.ranks, perRank, rows);
    raster.fill(index, everything(), t0, t1, columns, lanes, "direction", null);
    const out = new Uint32Array(columns * lanes.rows);
    raster.paint(out, pairs, null, plainAlphas);
    return { out, raster };
}

const alpha = (pixel: number): number => pixel >>> 24;
/** Does all work, a piece of each in turn. */
function finish(queue: (() => boolean)[]): void {
    for (let work = queue.shift(); work; work = queue.shift()) if (work()) queue.push(work);
}
const meanDifference = (a: Uint32Array, b: Uint32Array): number =>
    a.reduce((sum, pixel, i) => sum + Math.abs(alpha(pixel) - alpha(b[i]!)), 0) / a.length;

test("coverage is the part of the pixel in which the rank was busy", () => {
    const { out } = paint(indexOf([request(5, 10, 0)], 1), 0, 40, 4);
    assert.deepEqual([...out].map(alpha), [127, 127, 0, 0]);
});

test("requests that begin before or end after the view are cut at its edges", () => {
    const { out } = paint(indexOf([request(0, 100, 0)], 1), 40, 60, 4);
    assert.deepEqual([...out].map(alpha), [255, 255, 255, 255]);
});

test("a request of no time at all is seen", () => {
    const raster = new Raster();
    raster.fill(indexOf([request(25, 0, 0)], 1), everything(), 0, 40, 4, planLanes(0, 1, 1, 1, 1), "direction", null);
    const out = new Uint32Array(4);
    raster.paint(out, pairs, null, alphaTable());
    assert.deepEqual(
        [...out].map((pixel) => alpha(pixel) > 60),
        [false, false, true, false],
    );
});

test("rank 0 is at the bottom, and colours mix by time", () => {
    const { out } = paint(indexOf([request(0, 10, 0), request(0, 5, 1, { kind: 1 }), request(5, 5, 1)], 2), 0, 10, 1);
    assert.equal(out[1]! & 255, 0, "reads of rank 0");
    assert.equal(out[0]! & 255, 8, "half reads, half writes of rank 1");
});

test("more ranks than pixels share a row, aligned to the whole", () => {
    const lanes = planLanes(0, 1000, 1000, 1, 100);
    assert.deepEqual(lanes, { perRank: 1, group: 10, first: 0, rows: 100 });
    assert.deepEqual(planLanes(15, 515, 1000, 1, 100), { perRank: 1, group: 5, first: 3, rows: 100 });
    const { out } = paint(indexOf([request(0, 10, 0)], 10), 0, 10, 1, 1);
    assert.equal(alpha(out[0]!), 25, "one of ten ranks");
});

test("a table of differences leaves nothing behind a request", () => {
    const tick = 120 / 2 ** 31;
    const requests = makeRequests({ requests: 20_000, ranks: 32 }, tick);
    const index = indexOf(requests, 32);
    const columns = 700;
    const [t0, t1] = [0, 120 / tick];
    const { out, raster } = paint(index, t0, t1, columns, 32);
    const busy = new Uint8Array(columns * 32);
    for (const r of requests) {
        const from = Math.floor(((r.start - t0) / (t1 - t0)) * columns);
        const to = Math.floor(((r.start + r.duration - t0) / (t1 - t0)) * columns);
        for (let c = from; c <= Math.min(columns - 1, Math.max(to, from + 1)); c++)
            busy[(31 - r.rank) * columns + c] = 1;
    }
    assert.equal(raster.drawn, requests.filter((r) => r.start < t1).length);
    out.forEach((pixel, i) => assert.ok(pixel === 0 || busy[i] === 1, `pixel ${i}`));
});

test("the sums of the whole run give the same picture as the requests", () => {
    const tick = 120 / 2 ** 31;
    const index = indexOf(makeRequests({ requests: 160_000, ranks: 64 }, tick), 64);
    const lanes = planLanes(0, 64, 64, 1, 64);
    const end = 120 / tick;
    const queue: (() => boolean)[] = [];
    const cache = new RasterCache((work) => void queue.push(work));
    const ask = (): boolean =>
        cache.prepare(index, everything(), end * 0.1, end * 0.9, end, 512, lanes, "direction", null, 1);
    assert.equal(ask(), false, "not made yet");
    finish(queue);
    assert.equal(ask(), true);
    const [fast, exact] = [new Uint32Array(512 * 64), new Uint32Array(512 * 64)];
    cache.paint(fast, pairs, null, plainAlphas);
    const raster = new Raster();
    raster.fill(index, everything(), end * 0.1, end * 0.9, 512, lanes, "direction", null);
    raster.paint(exact, pairs, null, plainAlphas);
    assert.ok(meanDifference(fast, exact) < 3, `mean difference ${meanDifference(fast, exact)} of 255`);
    assert.equal(
        cache.prepare(index, everything(), 0, end / 100, end, 512, lanes, "direction", null, 1),
        false,
        "too close",
    );
});

test("a new choice stops the sums that are being made", () => {
    const tick = 120 / 2 ** 31;
    const index = indexOf(makeRequests({ requests: 160_000, ranks: 64 }, tick), 64);
    const queue: (() => boolean)[] = [];
    const cache = new RasterCache((work) => void queue.push(work));
    const lanes = planLanes(0, 64, 64, 1, 64);
    const end = 120 / tick;
    const reads = { kinds: kindsOf("read", "all"), files: null };
    const ask = (filter: Filter, version: number): boolean =>
        cache.prepare(index, filter, 0, end, end, 100, lanes, "direction", null, version);
    ask(everything(), 1);
    for (let i = 0; i < 3; i++) queue[0]!();
    ask(reads, 2);
    finish(queue);
    assert.equal(ask(reads, 2), true);
    const out = new Uint32Array(6400);
    cache.paint(out, pairs, null, plainAlphas);
    const raster = new Raster();
    raster.fill(index, reads, 0, end, 100, lanes, "direction", null);
    const exact = new Uint32Array(6400);
    raster.paint(exact, pairs, null, plainAlphas);
    assert.ok(meanDifference(out, exact) < 1, `mean difference ${meanDifference(out, exact)} of 255`);
    assert.equal(ask(everything(), 1), false);
});

test("by file the most important one of a pixel shows", () => {
    const index = indexOf([request(0, 10, 0, { file: 1 }), request(0, 10, 0, { file: 0 })], 1);
    const raster = new Raster();
    raster.fill(index, everything(), 0, 10, 1, planLanes(0, 1, 1, 1, 1), "file", Uint8Array.of(2, 9));
    const out = new Uint32Array(1);
    raster.paint(
        out,
        pairs,
        Uint32Array.from({ length: 10 }, (_, i) => i),
        plainAlphas,
    );
    assert.equal(out[0]! & 255, 9);
});

test("two interfaces get lanes only if both are there, wanted and high enough", () => {
    const all = everything();
    assert.equal(lanesPerRank(all, 3, 20), 2);
    assert.equal(lanesPerRank(all, 3, 4), 1);
    assert.equal(lanesPerRank(all, 1, 20), 1);
    assert.equal(lanesPerRank({ kinds: kindsOf("both", "POSIX"), files: null }, 3, 20), 1);
});

test("offsets: a pixel has the mean of the requests that cover it", () => {
    const index = indexOf(
        [
            request(0, 10, 2, { offset: 0, length: 100 }),
            request(0, 10, 4, { offset: 50, length: 50 }),
            request(90, 5, 6, { offset: 900, length: 10 }),
        ],
        8,
    );
    const raster = new OffsetRaster();
    const positions = positionsOf(index, 0);
    const area = { t0: 0, t1: 100, offset0: 0, offset1: 1000 };
    raster.fill(index, positions, everything(), area, 10, 20, true);
    const out = new Uint32Array(200);
    raster.paint(
        out,
        Uint32Array.from({ length: 9 }, (_, i) => 100 + i),
        8,
    );
    const at = (column: number, row: number): number => out[(19 - row) * 10 + column]!;
    assert.deepEqual([at(0, 0), at(0, 1), at(0, 2), at(9, 18), at(5, 5)], [102, 103, 0, 106, 0]);
    assert.equal(collectArea(index, positions, everything(), { ...area, t0: 50 }, 10)!.length, 1);
    assert.equal(collectArea(index, positions, everything(), area, 2), null);
});

test("files are named by bytes, and the rest is one class", () => {
    const { page, trace } = makePage({ requests: 4000, ranks: 8, files: 14, checkpoints: 11 });
    const scene = makeScene(page.trace!, 8);
    setIndex(scene, new TraceIndex(decodeTrace(trace, page.trace!.embedded, page.trace!.columns), 8));
    assert.equal(scene.fileClass.filter((value) => value > 1).length, 8);
    assert.equal(scene.fileClass[scene.topFiles[0]!], 9);
    assert.ok(scene.fileBytes[scene.topFiles[0]!]! >= scene.fileBytes[scene.topFiles[1]!]!);
    assert.equal(scene.present, 3);
});
