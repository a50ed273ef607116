// Data on its way to tables, charts and files: sorting, filters, CSV.
import { test } from "node:test";
import assert from "node:assert/strict";
import { csv, fileName } from "../../src/lib/export";
import { sortRows } from "../../src/lib/grid";
import { compareCells } from "../../src/lib/table";
import { filterRows, layerNames, type Filter } from "../../src/views/files";
import { patternParts } from "../../src/views/pattern";
import { processTree } from "../../src/views/processes";
import { runtimeParts } from "../../src/views/runtime";
import { cumulative } from "../../src/views/sizes";
import type { Files, Process } from "../../src/page/document";

test("CSV quotes what needs it and keeps figures as they are", () => {
    assert.equal(
        csv(
            ["a", "b"],
            [
                ["x,y", 'say "hi"'],
                ["two\nlines", 0.1],
                [null, undefined],
            ],
        ),
        'a,b\r\n"x,y","say ""hi"""\r\n"two\nlines",0.1\r\n,\r\n',
    );
});

test("file names are harmless", () => {
    assert.equal(fileName("../../etc/<x>", "csv"), "etc-x.csv");
    assert.equal(fileName("???", "svg"), "iolite.svg");
});

test("sorting puts what is not known last, either way, and is stable", () => {
    const values = [3, null, 1, 3, 2];
    assert.deepEqual(
        sortRows([0, 1, 2, 3, 4], (row) => values[row] ?? null, true),
        [0, 3, 4, 2, 1],
    );
    assert.deepEqual(
        sortRows([0, 1, 2, 3, 4], (row) => values[row] ?? null, false),
        [2, 4, 0, 3, 1],
    );
    assert.deepEqual(
        ["b10", "b9", "a"].sort((a, b) => compareCells(a, b, false)),
        ["a", "b9", "b10"],
    );
    assert.equal(compareCells(null, 1, true), 1);
});

const files = {
    rows: 3,
    total: 3,
    layer_names: ["MPI-IO", "POSIX", "STDIO"],
    columns: {
        name: ["/a/One.dat", "/b/two.dat", "/a/three.txt"],
        layers: [0b011, 0b010, 0b100],
        sharing: [2, 0, 0],
        mount: [0, 1, -1],
        findings: [[0], [], []],
    },
} as unknown as Files;
const everything: Filter = { words: "", layer: "", sharing: "", mount: "", findings: false };
const names = files.columns.name.map((name) => name.toLowerCase());

test("files are filtered by words, layer, sharing, mount and findings", () => {
    const rows = (filter: Partial<Filter>): number[] => filterRows(files, names, { ...everything, ...filter });
    assert.deepEqual(rows({}), [0, 1, 2]);
    assert.deepEqual(rows({ words: "DAT a/" }), [0]);
    assert.deepEqual(rows({ layer: "1" }), [0, 1]);
    assert.deepEqual(rows({ layer: "0" }), [0]);
    assert.deepEqual(rows({ sharing: "0" }), [1, 2]);
    assert.deepEqual(rows({ mount: "1" }), [1]);
    assert.deepEqual(rows({ findings: true }), [0]);
    assert.deepEqual(layerNames(files, 0), ["MPI-IO", "POSIX"]);
});

test("cumulative shares end at 1, and at 0 when there is nothing", () => {
    assert.deepEqual(cumulative([1, 0, 3]), [0.25, 0.25, 1]);
    assert.deepEqual(cumulative([0, 0]), [0, 0]);
});

test("sequential counts include consecutive ones; the parts do not", () => {
    assert.deepEqual(patternParts({ total: 10, sequential: 7, consecutive: 4 }), {
        consecutive: 4,
        sequential: 3,
        random: 3,
    });
    assert.deepEqual(patternParts({ total: 2, sequential: 5, consecutive: 9 }), {
        consecutive: 2,
        sequential: 0,
        random: 0,
    });
});

test("the parts of the run add up to it", () => {
    const parts = runtimeParts({
        run_time: 100,
        io_time: 60,
        other: 40,
        layers: [
            { module: "POSIX", mean: { read: 1, write: 2, meta: 1 } },
            { module: "MPI-IO", mean: { read: 10, write: 20, meta: 0 } },
        ],
    });
    assert.deepEqual(
        parts.map((part) => [part.name, part.seconds]),
        [
            ["Reading", 20],
            ["Writing", 40],
            ["Everything else", 40],
        ],
    );
    assert.deepEqual(
        runtimeParts({ run_time: 10, io_time: 0, other: 10, layers: [] }).map((part) => part.name),
        ["Everything else"],
    );
});

const process = (rank: number, pid: number, parent: number | null, start: number | null): Process => ({
    rank,
    pid,
    parent,
    start,
    end: null,
    ended: null,
    command: "x",
});

test("processes form a tree, and odd parents do not lose any", () => {
    const tree = processTree([
        process(0, 10, 1, 0),
        process(1, 11, 10, 1),
        process(2, 12, 11, 2),
        process(3, 13, 10, 3),
    ]);
    assert.deepEqual(
        tree.map(({ process: { rank }, depth }) => [rank, depth]),
        [
            [0, 0],
            [1, 1],
            [2, 2],
            [3, 1],
        ],
    );
    const odd = processTree([process(0, 10, 11, 0), process(1, 11, 10, 0), process(2, 12, 12, null)]);
    assert.deepEqual(odd.map(({ process: { rank } }) => rank).sort(), [0, 1, 2]);
});
