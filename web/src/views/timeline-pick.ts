// What is under the cursor of the timeline: the request itself, or how many there are, in a tip and as a sentence.
import { tip, type TipLine } from "../lib/chart";
import { bytes, count, idText, moment, plural, rate, seconds, visible } from "../lib/format";
import type { Trace as TraceInfo } from "../page/document";
import type { Point, Reading } from "./canvas/plot";
import type { TimelinePainter } from "./timeline-draw";
import { collectArea } from "./timeline-offsets";
import type { Scene } from "./timeline-scene";
import { collect, MPIIO, WRITE } from "./timeline-trace";

/** Looking at more under one pixel would be felt. */
const MOST = 500_000;

export const kindName = (kind: number): string =>
    `${kind & MPIIO ? "MPI-IO" : "POSIX"} ${kind & WRITE ? "write" : "read"}`;

/** Index positions of the requests at a place of the picture. */
export function requestsAt(scene: Scene, painter: TimelinePainter, at: Point, slack: Point): number[] {
    const { index } = scene;
    if (!index) return [];
    const { tick } = scene.info;
    const [t0, t1] = [(at.x - slack.x) / tick, (at.x + slack.x) / tick];
    if (scene.file >= 0) {
        const area = { t0, t1, offset0: at.y - slack.y, offset1: at.y + slack.y };
        return collectArea(index, painter.positions, scene.filter, area, MOST) ?? [];
    }
    const { perRank, group } = painter.facts;
    const lane = Math.floor((at.y * perRank) / group) * group;
    const first = Math.floor(lane / perRank);
    const last = Math.max(first + 1, Math.ceil((lane + group) / perRank));
    const found = collect(index, scene.filter, t0, t1, first, last, MOST) ?? [];
    if (perRank === 1 || group > 1) return found;
    const inLane = found.filter((i) => ((index.kind[i]! >> 1) & 1) === (lane & 1));
    return inLane.length > 0 ? inLane : found;
}

/** Of several the one that the cursor is in, and of those the shortest: what lies on top. */
export function nearest(scene: Scene, found: number[], at: Point): number {
    const index = scene.index!;
    const t = at.x / scene.info.tick;
    const distance = (i: number): number => Math.max(0, index.start[i]! - t, t - index.start[i]! - index.duration[i]!);
    return found.reduce((a, b) => {
        const closer = distance(a) - distance(b);
        return closer < 0 || (closer === 0 && index.duration[a]! <= index.duration[b]!) ? a : b;
    });
}

export function readRequest(scene: Scene, painter: TimelinePainter, at: Point, slack: Point): Reading | null {
    const index = scene.index!;
    const found = requestsAt(scene, painter, at, slack);
    if (found.length === 0) return null;
    const i = nearest(scene, found, at);
    const row = index.row[i]!;
    const length = index.trace.length[row]!;
    const offset = index.trace.offset[row]!;
    const start = index.start[i]! * scene.info.tick;
    const duration = index.duration[i]! * scene.info.tick;
    const name = visible(scene.info.names[index.file[i]!] ?? "unknown file");
    const what = `Rank ${idText(index.rank[i]!)}: ${kindName(index.kind[i]!)}`;
    const lines: TipLine[] = [
        { label: "Length", value: bytes(length) },
        { label: "Offset", value: count(offset) },
        { label: "Start", value: moment(start) },
        { label: "Duration", value: seconds(duration) },
        { label: "Rate", value: rate(duration > 0 ? length / duration : null) },
    ];
    if (found.length > 1) {
        const sum = found.reduce((total, k) => total + index.trace.length[index.row[k]!]!, 0);
        lines.push({ label: "Here in all", value: `${plural(found.length, "request")}, ${bytes(sum)}` });
    }
    const where = `${bytes(length)} at offset ${count(offset)} of ${name}`;
    const more = found.length > 1 ? `; ${plural(found.length, "request")} here` : "";
    return {
        content: tip(what, lines, name),
        text: `${what}, ${where}, ${seconds(duration)} from ${moment(start)}${more}`,
        ...regionOf(scene, painter, i),
    };
}

/** The box of a request; none where several ranks share a row, because it would stand for all of them. */
function regionOf(scene: Scene, painter: TimelinePainter, i: number): Pick<Reading, "region"> {
    const index = scene.index!;
    const x0 = index.start[i]! * scene.info.tick;
    const x1 = x0 + index.duration[i]! * scene.info.tick;
    if (scene.file >= 0) {
        const row = index.row[i]!;
        const y0 = index.trace.offset[row]!;
        return { region: { x0, x1, y0, y1: y0 + index.trace.length[row]! } };
    }
    const { perRank, group } = painter.facts;
    if (group > 1) return {};
    const y0 = index.rank[i]! + (perRank === 2 && index.kind[i]! & MPIIO ? 0.5 : 0);
    return { region: { x0, x1, y0, y1: y0 + 1 / perRank } };
}

/** Before the requests are loaded, or where they are too many to be in the page. */
export function readOverview(info: TraceInfo, ranks: number, at: Point): Reading | null {
    const { binned } = info;
    const row = Math.floor(at.y / binned.per_row);
    const bin = Math.floor(at.x / binned.bin_width);
    const lines: TipLine[] = [];
    for (const side of ["read", "write"] as const) {
        const cells = binned[side];
        const place = cells.row.findIndex((r, i) => r === row && cells.bin[i] === bin);
        if (place < 0) continue;
        const value = `${count(cells.count[place]!)}, ${bytes(cells.bytes[place]!)}`;
        lines.push({ label: side === "read" ? "Reads" : "Writes", value });
    }
    if (lines.length === 0) return null;
    const first = row * binned.per_row;
    const last = Math.min(ranks, (row + 1) * binned.per_row) - 1;
    const who = first >= last ? `Rank ${idText(first)}` : `Ranks ${idText(first)}\u2013${idText(last)}`;
    return {
        content: tip(who, [{ label: "From", value: seconds(bin * binned.bin_width) }, ...lines]),
        text: `${who}: ${lines.map((line) => `${line.label} ${line.value}`).join("; ")}`,
        region: { x0: bin * binned.bin_width, x1: (bin + 1) * binned.bin_width, y0: first, y1: last + 1 },
    };
}
