// From sparse cells to pixels of a heat map.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
    heatFacts,
    makeGrid,
    makeShades,
    marginSums,
    measureCells,
    paintShades,
    shadePart,
    shadeScale,
    window,
    type HeatSource,
} from "../../src/views/heatmap-grid";

const source = (perRow = 1): HeatSource => ({
    source: "HEATMAP",
    module: "POSIX",
    bin_width: 0.5,
    bins: 4,
    ranks: 3 * perRow,
    per_row: perRow,
    rows: 3,
    read: { row: [0, 2], bin: [0, 3], sum: [100, 40], max: [60, 40] },
    write: { row: [0, 1], bin: [0, 2], sum: [10, 1000], max: [80, 900] },
});

test("reads and writes add up", () => {
    const grid = makeGrid(source(), "both", "sum");
    assert.equal(grid.values[0], 110);
    assert.equal(grid.values[1 * 4 + 2], 1000);
    assert.deepEqual([...grid.byBin], [110, 0, 1000, 40]);
    assert.deepEqual([...grid.byRow], [110, 1000, 40]);
    assert.deepEqual([grid.largest, grid.smallest, grid.total], [1000, 40, 1150]);
});

test("the largest rank of both directions is not a sum", () => {
    const grid = makeGrid(source(4), "both", "max");
    assert.equal(grid.values[0], 80);
    assert.deepEqual([...grid.byRow], [110, 1000, 40], "margins stay sums");
});

test("with one rank a row the largest is the sum, also without the column", () => {
    const plain = source();
    delete plain.read!.max;
    delete plain.write!.max;
    assert.equal(makeGrid(plain, "both", "max").values[0], 110);
});

test("cells outside the map and values that cannot be are left out", () => {
    const odd = source();
    odd.read = { row: [-1, 9, 0, 0, 1], bin: [0, 0, 99, 1, 1], sum: [5, 5, 5, -7, Number.NaN] };
    assert.equal(makeGrid(odd, "read", "sum").total, 0);
});

test("nothing at all", () => {
    const grid = makeGrid({ ...source(), read: undefined, write: undefined }, "both", "sum");
    assert.deepEqual([grid.largest, grid.smallest, grid.total], [0, 0, 0]);
    assert.ok(makeShades(grid, shadeScale(grid, true)).every((shade) => shade === 0));
});

test("what is above zero is never the colour of nothing", () => {
    const grid = makeGrid(source(), "both", "sum");
    for (const log of [true, false]) {
        const shades = makeShades(grid, shadeScale(grid, log));
        grid.values.forEach((value, i) => assert.equal(shades[i]! > 0, value > 0));
        assert.equal(Math.max(...shades), 255);
    }
});

test("a stray byte does not flatten the logarithmic scale", () => {
    const grid = { ...makeGrid(source(), "both", "sum"), smallest: 1, largest: 1e15 };
    const scale = shadeScale(grid, true);
    assert.equal(scale.hi / scale.lo, 1e9);
    assert.equal(shadePart(scale, 1), 0);
    assert.equal(shadePart(scale, 1e15), 1);
});

test("windows cover what is shown and stay aligned while moving", () => {
    assert.deepEqual(window(0, 100, 100, 200), { first: 0, count: 100, group: 1 });
    const a = window(10, 110, 1000, 30);
    const b = window(13, 113, 1000, 30);
    assert.equal(a.group, 4);
    assert.equal(b.group, 4);
    assert.ok(a.first * 4 <= 10 && (a.first + a.count) * 4 >= 110);
    assert.equal(window(2.5, 3.5, 4, 100).first, 2);
    assert.equal(window(990, 1100, 1000, 500).count, 10);
});

test("row 0 is at the bottom, and the strongest cell of a pixel shows", () => {
    const grid = makeGrid(source(), "both", "sum");
    const shades = makeShades(grid, shadeScale(grid, false));
    const colours = Uint32Array.from({ length: 256 }, (_, i) => i);
    const whole = { first: 0, count: 4, group: 1 };
    const out = new Uint32Array(12);
    paintShades(shades, 3, 4, { first: 0, count: 3, group: 1 }, whole, colours, out);
    assert.ok(out[2 * 4]! > 0, "rank 0 in the last line");
    assert.equal(out[1 * 4 + 2], 255);
    const one = new Uint32Array(1);
    paintShades(shades, 3, 4, { first: 0, count: 1, group: 3 }, { first: 0, count: 1, group: 4 }, colours, one);
    assert.equal(one[0], 255);
});

test("margins of a part are sums of that part", () => {
    const grid = makeGrid(source(), "both", "sum");
    const part = marginSums(grid, 1, 3, 2, 4);
    assert.deepEqual([...part.byBin], [0, 0, 1000, 40]);
    assert.deepEqual([...part.byRow], [0, 1000, 40]);
    assert.equal(measureCells(grid, "sum", 0, 3, 0, 4), 1150);
    assert.equal(measureCells(grid, "max", 0, 3, 0, 4), 1000);
});

test("facts for the sentence", () => {
    assert.deepEqual(heatFacts(makeGrid(source(), "both", "sum")), {
        busyBins: 3,
        busyRows: 3,
        peakBin: 2,
        halfBins: 1,
    });
});
