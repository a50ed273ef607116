import { test } from "node:test";
import assert from "node:assert/strict";
import {
    bytes,
    byUnit,
    count,
    date,
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

test("bytes use binary units and three digits", () => {
    assert.equal(bytes(0), "0 B");
    assert.equal(bytes(1023), "1,023 B");
    assert.equal(bytes(1024), "1 KiB");
    assert.equal(bytes(1536), "1.5 KiB");
    assert.equal(bytes(549757573120), "512 GiB");
    assert.equal(bytes(1020 * 1024 * 1024), "1,020 MiB");
    assert.equal(bytes(null), unknown);
    assert.equal(rate(1048576), "1 MiB/s");
});

test("times have the unit that fits", () => {
    assert.equal(seconds(0), "0 s");
    assert.equal(seconds(2.5e-7), "250 ns");
    assert.equal(seconds(0.0000256), "25.6 \u00b5s");
    assert.equal(seconds(0.0021), "2.1 ms");
    assert.equal(seconds(75), "75 s");
    assert.equal(seconds(778.4), "12 min 58 s");
    assert.equal(seconds(4020), "1 h 7 min");
    assert.equal(seconds(90000), "1 d 1 h");
    assert.equal(seconds(Number.NaN), unknown);
});

test("counts and shares", () => {
    assert.equal(count(1234567), "1,234,567");
    assert.equal(count(55.99999), "56");
    assert.equal(short(1234567), "1.23 M");
    assert.equal(short(999), "999");
    assert.equal(percent(0), "0%");
    assert.equal(percent(0.0001), "<0.1%");
    assert.equal(percent(0.0552), "5.5%");
    assert.equal(percent(0.9886), "99%");
    assert.equal(percent(0.99995), ">99.9%");
    assert.equal(percent(1), "100%");
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
    assert.equal(figureText("slowest_rank", 1024), "1,024");
    assert.equal(figureText("POSIX_F_READ_TIME", 0.5), "500 ms");
    assert.equal(figureText("POSIX_BYTES_READ", 2048), "2 KiB");
    assert.equal(figureText("POSIX_SLOWEST_RANK", 5), "5");
    assert.equal(figureLabel("mean_rank_s"), "mean rank");
    assert.equal(figureLabel("POSIX_READS"), "POSIX_READS");
});
