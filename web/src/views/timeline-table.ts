// The timeline as a table: the requests in sight, or the cells of the overview where they are too many.
import type { FigureTable } from "../lib/figure";
import type { Trace as TraceInfo } from "../page/document";
import type { Range } from "./canvas/range";
import { collectArea } from "./timeline-offsets";
import type { Scene } from "./timeline-scene";
import { collect, MPIIO, WRITE } from "./timeline-trace";

/** A saved table of more rows than this is a task for `iolite trace`. */
const MOST = 200_000;

export function timelineTable(scene: Scene, positions: Uint32Array, x: Range, y: Range): FigureTable {
    const { index, info } = scene;
    if (!index) return overviewTable(info, scene.ranks);
    const [t0, t1] = [x.lo / info.tick, x.hi / info.tick];
    const found =
        scene.file >= 0
            ? collectArea(index, positions, scene.filter, { t0, t1, offset0: y.lo, offset1: y.hi }, MOST)
            : collect(index, scene.filter, t0, t1, Math.floor(y.lo), Math.ceil(y.hi), MOST);
    if (!found) return overviewTable(info, scene.ranks);
    found.sort((a, b) => index.row[a]! - index.row[b]!);
    const { offset, length } = index.trace;
    return {
        columns: ["start_s", "duration_s", "rank", "module", "op", "offset", "length", "file"],
        rows: found.map((i) => {
            const row = index.row[i]!;
            const kind = index.kind[i]!;
            const when = [index.start[i]! * info.tick, index.duration[i]! * info.tick];
            const what = [kind & MPIIO ? "MPI-IO" : "POSIX", kind & WRITE ? "write" : "read"];
            return [...when, index.rank[i]!, ...what, offset[row]!, length[row]!, info.names[index.file[i]!] ?? ""];
        }),
    };
}

function overviewTable({ binned }: TraceInfo, ranks: number): FigureTable {
    const rows = (["read", "write"] as const).flatMap((side) => {
        const cells = binned[side];
        return cells.row.map((row, i) => {
            const last = Math.min(ranks, (row + 1) * binned.per_row) - 1;
            const from = cells.bin[i]! * binned.bin_width;
            return [from, row * binned.per_row, last, side, cells.count[i]!, cells.bytes[i]!, cells.busy[i]!];
        });
    });
    return { columns: ["from_s", "first_rank", "last_rank", "op", "requests", "bytes", "busy_s"], rows };
}
