// Chains of callers as a tree: the program's beginning at the top, what called whom below it, and of each what it did.
import type { Where, WhereFrame } from "../page/document";

export type Measure = "time" | "bytes" | "calls";

export interface Choice {
    measure: Measure;
    /** Name of a file; null: all. */
    file: string | null;
    /** null: all. */
    rank: number | null;
}

export interface Node {
    /** Number of the frame, -1: the whole. */
    frame: number;
    depth: number;
    parent: Node | null;
    children: Node[];
    time: number;
    bytes: number;
    calls: number;
}

const empty = (frame: number, parent: Node | null): Node => ({
    frame,
    depth: parent ? parent.depth + 1 : 0,
    parent,
    children: [],
    time: 0,
    bytes: 0,
    calls: 0,
});

/** "checkpoint.c:112 write_row", or what is known of it. */
export function frameText(frame: WhereFrame | undefined): string {
    if (!frame) return "unknown";
    const base = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
    if (frame.file && frame.line)
        return `${base(frame.file)}:${frame.line}${frame.function ? ` ${frame.function}` : ""}`;
    if (frame.function) return frame.object ? `${frame.function} in ${base(frame.object)}` : frame.function;
    return frame.object ? base(frame.object) : "unknown";
}

/** The tree of the rows that are chosen; children with most first. */
export function treeOf(where: Where, choice: Choice): Node {
    const root = empty(-1, null);
    const { chain, name, rank, calls, bytes, time } = where.rows.columns;
    for (let row = 0; row < where.rows.rows; row += 1) {
        if (choice.file !== null && name[row] !== choice.file) continue;
        if (choice.rank !== null && rank[row] !== choice.rank) continue;
        const add = (node: Node): void => {
            node.time += time[row]!;
            node.bytes += bytes[row]!;
            node.calls += calls[row]!;
        };
        let node = root;
        add(node);
        for (const frame of where.chains[chain[row]!] ?? []) {
            let next = node.children.find((child) => child.frame === frame);
            if (!next) node.children.push((next = empty(frame, node)));
            node = next;
            add(node);
        }
    }
    const sort = (node: Node): void => {
        node.children.sort((a, b) => b[choice.measure] - a[choice.measure] || a.frame - b.frame);
        node.children.forEach(sort);
    };
    sort(root);
    return root;
}

/** Names of files that rows have, those with most time first; and ranks. */
export function choicesOf(where: Where): { files: string[]; ranks: number[] } {
    const files = new Map<string, number>();
    const ranks = new Set<number>();
    const { name, rank, time } = where.rows.columns;
    for (let row = 0; row < where.rows.rows; row += 1) {
        const file = name[row];
        if (file) files.set(file, (files.get(file) ?? 0) + time[row]!);
        if (rank[row]! >= 0) ranks.add(rank[row]!);
    }
    return {
        files: [...files].sort((a, b) => b[1] - a[1]).map(([file]) => file),
        ranks: [...ranks].sort((a, b) => a - b),
    };
}

/** How much of the measure is in frames that a search finds; nested ones count once. */
export function found(node: Node, measure: Measure, hit: (frame: number) => boolean): number {
    if (node.frame >= 0 && hit(node.frame)) return node[measure];
    return node.children.reduce((sum, child) => sum + found(child, measure, hit), 0);
}
