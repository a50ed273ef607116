// OST figures as the Lustre view draws them: by OST, or added up by server where the map is known.
import type { Lustre, Spread } from "../page/document";

export interface Target {
    name: string;
    osts: number[];
    files: number;
    bytes: number;
    time: number;
}

export function targetsByOst(lustre: Lustre): Target[] {
    const columns = lustre.osts?.columns;
    if (!columns) return [];
    return columns.ost.map((ost, i) => ({
        name: `OST ${ost}`,
        osts: [ost],
        files: columns.files[i] ?? 0,
        bytes: columns.bytes[i] ?? 0,
        time: columns.io_time[i] ?? 0,
    }));
}

/** Null if no server is known. A file with stripes on two OSTs of a server counts twice there: it occupies both. */
export function targetsByServer(lustre: Lustre): Target[] | null {
    const columns = lustre.osts?.columns;
    if (!columns?.oss?.some((oss) => oss !== null && oss !== undefined)) return null;
    const servers = new Map<string, Target>();
    targetsByOst(lustre).forEach((target, i) => {
        const name = String(columns.oss[i] ?? "unknown server");
        const server = servers.get(name) ?? { name, osts: [], files: 0, bytes: 0, time: 0 };
        server.osts.push(...target.osts);
        server.files += target.files;
        server.bytes += target.bytes;
        server.time += target.time;
        servers.set(name, server);
    });
    return [...servers.values()].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

/** How long files took on one OST or server. */
export interface Box {
    name: string;
    /** Minimum, quartiles, maximum. */
    five: [number, number, number, number, number];
}

function boxesOf(names: readonly string[], spread: Partial<Spread>): Box[] {
    const columns = [spread.time_min, spread.time_q1, spread.time_median, spread.time_q3, spread.time_max];
    return names.flatMap((name, i) => {
        const five = columns.map((column) => column?.[i]);
        return five.every((value) => typeof value === "number") ? [{ name, five: five as Box["five"] }] : [];
    });
}

export function boxesByOst(lustre: Lustre): Box[] {
    const columns = lustre.osts?.columns;
    return columns
        ? boxesOf(
              columns.ost.map((ost) => `OST ${ost}`),
              columns,
          )
        : [];
}

export function boxesByServer(lustre: Lustre): Box[] {
    const columns = lustre.servers?.columns;
    const boxes = columns ? boxesOf(columns.oss, columns) : [];
    return boxes.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

/** The median of the medians, and the box that is farthest above it. */
export function slowest(boxes: readonly Box[]): { worst: Box; median: number } | null {
    if (boxes.length === 0) return null;
    const medians = boxes.map((box) => box.five[2]).sort((a, b) => a - b);
    const worst = boxes.reduce((a, b) => (b.five[2] > a.five[2] ? b : a));
    return { worst, median: medians[Math.floor((medians.length - 1) / 2)]! };
}

export type Value = "bytes" | "time" | "files";

/** Largest against median over the targets in use: what one sick or crowded target looks like. */
export function unevenness(targets: Target[], value: Value): { worst: Target; median: number; times: number } | null {
    const used = targets.filter((target) => target[value] > 0);
    if (used.length === 0) return null;
    const sorted = used.map((target) => target[value]).sort((a, b) => a - b);
    const median = sorted[Math.floor((sorted.length - 1) / 2)]!;
    const worst = used.reduce((a, b) => (b[value] > a[value] ? b : a));
    return { worst, median, times: worst[value] / median };
}

/** "0-3, 8, 10-12": long lists of targets in short. */
export function ostList(osts: readonly number[]): string {
    const sorted = [...new Set(osts)].sort((a, b) => a - b);
    const parts: string[] = [];
    for (let i = 0; i < sorted.length;) {
        let end = i;
        while (end + 1 < sorted.length && sorted[end + 1] === sorted[end]! + 1) end++;
        parts.push(end > i ? `${sorted[i]}\u2013${sorted[end]}` : String(sorted[i]));
        i = end + 1;
    }
    return parts.join(", ");
}
