// Axis marks are round, few enough, and labelled with as many digits as their distance needs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { byteLogTicks, byteTicks, countTicks, roundAxis, roundStep, timeTicks } from "../../src/views/canvas/ticks";

const labels = (scale: { ticks: { label: string }[] }): string[] => scale.ticks.map((tick) => tick.label);

test("steps are 1, 2 or 5 times a power of ten", () => {
    assert.equal(roundStep(10, 5), 2);
    assert.equal(roundStep(0.9, 3), 0.5);
    assert.equal(roundStep(1e9, 4), 5e8);
    assert.equal(roundStep(0, 4), 1);
});

test("times take the unit of the largest value shown", () => {
    assert.deepEqual(timeTicks(0, 120, 4), {
        unit: "s",
        ticks: [0, 50, 100].map((value) => ({ value, label: String(value) })),
    });
    assert.equal(timeTicks(0, 0.02, 4).unit, "ms");
    assert.equal(timeTicks(0, 2e-4, 4).unit, "\u00b5s");
    assert.equal(timeTicks(0, 7200, 6).unit, "min");
    assert.equal(timeTicks(0, 40 * 3600, 6).unit, "h");
});

test("an axis of a chart has steps of whole minutes and binary units", () => {
    assert.deepEqual(roundAxis(659, "time"), { interval: 120, max: 720 });
    assert.deepEqual(roundAxis(11220, "time"), { interval: 3000, max: 12000 });
    assert.deepEqual(roundAxis(500 * 2 ** 20, "bytes"), { interval: 128 * 2 ** 20, max: 512 * 2 ** 20 });
    assert.deepEqual(roundAxis(0, "time"), {});
});

test("a short stretch late in a long run still has different labels", () => {
    const scale = timeTicks(5000, 5000.002, 5);
    assert.equal(new Set(labels(scale)).size, scale.ticks.length);
    assert.ok(scale.ticks.length >= 2);
});

test("ranks are whole numbers, also when zoomed in", () => {
    assert.deepEqual(labels(countTicks(0, 3, 10)), ["0", "1", "2", "3"]);
    assert.deepEqual(labels(countTicks(1.4, 3.2, 10)), ["2", "3"]);
    assert.deepEqual(labels(countTicks(0, 65536, 4)), ["0", "20,000", "40,000", "60,000"]);
});

test("bytes go in powers of two of their unit", () => {
    assert.deepEqual(labels(byteTicks(0, 1000 * 2 ** 20, 4)), ["0", "256", "512", "768"]);
    assert.equal(byteTicks(0, 1000 * 2 ** 20, 4).unit, "MiB");
    assert.equal(byteTicks(0, 10, 4).unit, "B");
});

test("a logarithmic scale of bytes", () => {
    assert.deepEqual(
        byteLogTicks(1, 2 ** 20, 3).map((tick) => tick.label),
        ["1 B", "1 KiB", "1 MiB"],
    );
    const many = byteLogTicks(1, 2 ** 60, 3);
    assert.ok(many.length >= 2 && many.length <= 4);
});
