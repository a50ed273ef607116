// Zooming and moving: what is shown stays inside the whole, keeps its span at the ends, and holds the point under the
// pointer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Range } from "../../src/views/canvas/range";

test("zooming keeps the value under the pointer where it is", () => {
    const range = new Range(0, 100, 1);
    const before = range.part(30);
    assert.ok(range.zoom(4, 30));
    assert.equal(range.span, 25);
    assert.ok(Math.abs(range.part(30) - before) < 1e-12);
});

test("zooming ends at the finest span and at the whole", () => {
    const range = new Range(0, 100, 5);
    range.zoom(1000, 50);
    assert.equal(range.span, 5);
    range.zoom(1e-6, 50);
    assert.ok(range.whole);
    assert.equal(range.zoom(0.5, 10), false);
});

test("moving stops at the ends and keeps the span", () => {
    const range = new Range(0, 100, 1);
    range.show(80, 90);
    range.pan(50);
    assert.deepEqual([range.lo, range.hi], [90, 100]);
    range.pan(-1000);
    assert.deepEqual([range.lo, range.hi], [0, 10]);
});

test("a range that was asked for backwards, outside or with no number", () => {
    const range = new Range(10, 20, 1);
    range.show(18, 14);
    assert.deepEqual([range.lo, range.hi], [14, 18]);
    range.show(19, 40);
    assert.ok(range.lo >= 10 && range.hi <= 20);
    assert.equal(range.show(Number.NaN, 3), false);
    assert.equal(new Range(5, 5, 1).show(0, 1), false);
});

test("revealing moves only as far as needed", () => {
    const range = new Range(0, 100, 1);
    range.show(40, 50);
    assert.equal(range.reveal(45), false);
    range.reveal(52, 1);
    assert.deepEqual([range.lo, range.hi], [43, 53]);
    range.reveal(20, 1);
    assert.deepEqual([range.lo, range.hi], [19, 29]);
});
