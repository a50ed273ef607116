// Numbers for people: the examples that text/number.c is tested with too.
import { test } from "node:test";
import assert from "node:assert/strict";
import examples from "../../../text/numbers.def";
import {
    axisBytes,
    axisSeconds,
    bytes,
    byUnit,
    coefficient,
    count,
    date,
    idText,
    percent,
    plural,
    rate,
    seconds,
    short,
    splitPath,
    unknown,
    visible,
} from "../../src/lib/format";
import { figureLabel, figureText } from "../../src/lib/figures";

/** The examples that the C library is tested with. */
test("numbers are written as in C", () => {
    const formatters: Record<string, (value: number) => string> = {
        bytes,
        rate,
        seconds,
        coefficient,
        id: idText,
        share: percent,
        count: short,
        number: count,
    };
    const lines = examples.matchAll(/^NUMBER\((\w+), ([^,]+), "([^"]*)"\)/gm);
    let compared = 0;
    for (const [line, how, value, text] of lines) {
        if (how === "exact") continue; // the page has no use for it
        assert.equal(formatters[how!]!(Number(value)), text, line);
        compared += 1;
    }
    assert.ok(compared > 70, `${compared} examples`);
    assert.equal(bytes(null), unknown);
    assert.equal(plural(1, "file"), "1 file");
    assert.equal(plural(2000, "process", "processes"), "2,000 processes");
});

test("a date is in the reader's zone, and 0 is none", () => {
    const noon = new Date(2025, 10, 6, 12, 5, 9).getTime() / 1000;
    assert.equal(date(noon), "2025-11-06 12:05:09");
    assert.equal(date(0), unknown);
});

test("units of counters", () => {
    assert.equal(byUnit(2048, "bytes"), "2 KiB");
    assert.equal(byUnit(0.5, "seconds"), "500 ms");
    assert.equal(byUnit(12, "calls"), "12");
});

test("paths and odd names", () => {
    assert.deepEqual(splitPath("/a/b/c.dat"), { folder: "/a/b/", name: "c.dat" });
    assert.deepEqual(splitPath("<STDIN>"), { folder: "", name: "<STDIN>" });
    assert.deepEqual(splitPath("/a/b/"), { folder: "/a/", name: "b/" });
    assert.equal(visible("a\nb\u202ec"), "a\u240ab\\u202ec");
});

test("figures of findings get their unit from their name", () => {
    assert.equal(figureText("slowest_s", 337.16), "337 s");
    assert.equal(figureText("bytes", 1024), "1 KiB");
    assert.equal(figureText("io_share", 0.5), "50%");
    assert.equal(figureText("job_rate", 1048576), "1 MiB/s");
    assert.equal(figureText("slowest_rank", 1024), "1024");
    assert.equal(figureText("POSIX_F_READ_TIME", 0.5), "500 ms");
    assert.equal(figureText("POSIX_BYTES_READ", 2048), "2 KiB");
    assert.equal(figureText("POSIX_SLOWEST_RANK", 5), "5");
    assert.equal(figureLabel("mean_rank_s"), "mean rank");
    assert.equal(figureLabel("POSIX_READS"), "POSIX_READS");
});

test("labels of an axis share one unit", () => {
    assert.deepEqual([0, 0.5, 1, 1.5].map(axisSeconds(1.5)), ["0", "0.5 s", "1 s", "1.5 s"]);
    assert.deepEqual([0.0005, 0.5].map(axisSeconds(0.9)), ["0.5 ms", "500 ms"]);
    assert.deepEqual([300, 1200].map(axisSeconds(1200)), ["5 min", "20 min"]);
    assert.deepEqual([3600, 90000].map(axisSeconds(90000)), ["1 h", "25 h"]);
    assert.deepEqual([0, 512, 2048].map(axisBytes(2048)), ["0", "0.5 KiB", "2 KiB"]);
});
