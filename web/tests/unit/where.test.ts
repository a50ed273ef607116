// The tree of callers behind the graph of lines of code.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Where } from "../../src/page/document";
import { whereSentences } from "../../src/views/where";
import { choicesOf, found, frameText, treeOf } from "../../src/views/where-data";

const where: Where = {
    frames: [
        { function: "main", file: "/src/a.c", line: 9 },
        { function: "put", file: "/src/a.c", line: 3 },
        { function: "get", file: null, object: "/bin/a" },
    ],
    chains: [[0, 1], [0, 2], []],
    rows: {
        rows: 4,
        columns: {
            chain: [0, 0, 1, 2],
            kind: ["write", "write", "read", "open"],
            name: ["/x", "/y", "/x", null],
            rank: [0, 1, 0, -1],
            calls: [10, 20, 5, 1],
            bytes: [100, 200, 5000, 0],
            time: [3, 2, 1, 0.5],
        },
    },
    folded: 0,
    left_out: 0,
};
const all = { measure: "time", file: null, rank: null } as const;

test("a caller has what all that it called did, and the one with most comes first", () => {
    const root = treeOf(where, all);
    assert.deepEqual([root.time, root.calls, root.children.length], [6.5, 36, 1]);
    const main = root.children[0]!;
    assert.deepEqual([main.frame, main.time, main.children.map((child) => child.frame)], [0, 6, [1, 2]]);
    assert.deepEqual(
        treeOf(where, { ...all, measure: "bytes" }).children[0]!.children.map((child) => child.bytes),
        [5000, 300],
    );
});

test("a file and a rank can be looked at alone", () => {
    assert.equal(treeOf(where, { ...all, file: "/y" }).calls, 20);
    assert.equal(treeOf(where, { ...all, rank: 0 }).calls, 15);
    assert.equal(treeOf(where, { ...all, file: "/none" }).calls, 0);
    assert.deepEqual(choicesOf(where), { files: ["/x", "/y"], ranks: [0, 1] });
});

test("frames are named as far as they are known, and nested finds count once", () => {
    assert.deepEqual(where.frames.map(frameText), ["a.c:9 main", "a.c:3 put", "get in a"]);
    assert.equal(frameText(undefined), "unknown");
    const root = treeOf(where, all);
    assert.equal(
        found(root, "time", () => true),
        6,
    );
    assert.equal(
        found(root, "time", (frame) => frame === 2),
        1,
    );
    assert.match(whereSentences(where, root)[0]!, /^Most time is in a\.c:3 put: 5/);
});
