// Figures behind the views of regions and of modules of others.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CustomModule, Region, Regions } from "../../src/page/document";
import { customGaps, customText } from "../../src/views/custom";
import { lanesOf, type Mark } from "../../src/views/lanes-data";
import { regionSentences } from "../../src/views/regions";

const mark = (name: string, rank: number, t0: number, t1: number | null): Mark => ({ name, rank, t0, t1 });

test("every name has a lane, every rank of it a row, the first one on top", () => {
    const marks = [mark("b", 7, 1, 2), mark("a", 3, 0, 1), mark("a", 0, 2, 3)];
    const lanes = lanesOf(marks, ["a", "never", "b"], 10, 5);
    assert.deepEqual(lanes.names, ["b", "a"]);
    assert.equal(lanes.ranks, 2);
    const [b, third, first] = lanes.bars;
    assert.ok(b!.y0 >= 0 && b!.y1 <= 1);
    assert.ok(third!.y0 >= 1 && first!.y1 <= 2 && first!.y0 >= third!.y1 - 1e-9);
});

test("what had not ended reaches to the end, and lanes beyond the limit are counted", () => {
    const lanes = lanesOf([mark("a", 0, 4, null), mark("b", 0, 1, 2), mark("c", 0, 1, 2)], ["a"], 9, 2);
    assert.deepEqual([lanes.bars[0]!.t1, lanes.bars[0]!.open], [9, true]);
    assert.equal(lanes.bars.length, 2);
    assert.equal(lanes.left, 1);
});

const region = (name: string, io: number, more: Partial<Region> = {}): Region => ({
    name,
    ranks: 1,
    count: 1,
    unended: 0,
    unbalanced: 0,
    unmeasured: 0,
    time: 1,
    slowest: 1,
    first: 0,
    last: 1,
    io_time: io,
    io_share: io / 10,
    bytes_read: 0,
    bytes_written: 0,
    ...more,
});

test("the region with most I/O is named, and what was not measured is said", () => {
    const regions: Regions = {
        io_time: 10,
        totals: [region("x", 1), region("dump", 5, { unended: 1, unbalanced: 2, unmeasured: 3 })],
    };
    const text = regionSentences(regions).join(" ");
    assert.match(text, /^2 regions; most I\/O is in dump: 5 s, 50% of the I\/O time/);
    assert.match(text, /1 time a region had not ended.*2 ends came without a beginning.*3 times a region passed/);
    assert.equal(regionSentences({ io_time: 0, totals: [region("x", 0)] })[0], "1 region, none of them with I/O.");
});

test("values of a module follow its units, and its gaps are said", () => {
    const counter = (kind: string, unit: string) => ({ name: "N", unit, meaning: "", kind, rule: "sum" });
    assert.equal(customText(counter("int", "bytes"), 2048), "2 KiB");
    assert.equal(customText(counter("instant", "seconds"), 1.5), "at 1.5 s");
    assert.equal(customText(counter("instant", "seconds"), 0), "-");
    assert.equal(customText(counter("real", "degrees"), null), "-");
    const module = { failed: true, folded: 1, spans_lost: 2, records_left_out: 1 } as CustomModule;
    assert.deepEqual(customGaps(module), [
        "The module crashed or hung when the program ended: its last figures may be missing.",
        "1 name had no record of its own.",
        "2 spans were lost.",
        "1 more record is in the log; iolite dump shows all.",
    ]);
});
