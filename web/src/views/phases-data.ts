// Phases and spans as rows of a picture. A span from a plain profile reaches from the first to the last access and may
// hold idle time, so it is never counted or rated, only drawn.
import type { Page, RankSpans } from "../page/document";

export interface Phase {
    t0: number;
    t1: number;
    read: number;
    written: number;
    requests: number | null;
    ranks: number | null;
    effective: number | null;
    rate: number;
}

export function phasesOf(page: Page): Phase[] {
    const columns = page.phases?.table?.columns;
    if (!columns) return [];
    return columns.t0.map((t0, i) => {
        const t1 = Math.max(t0, columns.t1[i]!);
        const [read, written] = [columns.bytes_read[i] ?? 0, columns.bytes_written[i] ?? 0];
        return {
            t0,
            t1,
            read,
            written,
            requests: columns.requests?.[i] ?? null,
            ranks: columns.ranks?.[i] ?? null,
            effective: columns.effective_ranks?.[i] ?? null,
            rate: columns.rate?.[i] ?? (t1 > t0 ? (read + written) / (t1 - t0) : 0),
        };
    });
}

export interface Span {
    /** Place on the y axis. */
    y0: number;
    y1: number;
    t0: number;
    t1: number;
    write: boolean;
    label: string;
}

export function rankSpans(table: RankSpans | undefined, write: boolean): Span[] {
    if (!table) return [];
    const { rank_first, rank_last, t0, t1 } = table.columns;
    return rank_first.map((first, i) => {
        const last = rank_last[i]!;
        return {
            y0: first,
            y1: last + 1,
            t0: t0[i]!,
            t1: t1[i]!,
            write,
            label: first === last ? `Rank ${first}` : `Ranks ${first}\u2013${last}`,
        };
    });
}

/** Files from top to bottom in the order of the table; a read and a write of one file share its row. */
export function fileSpans(page: Page, most: number, name: (row: number) => string): { spans: Span[]; names: string[] } {
    const columns = page.spans?.shared?.columns;
    const rows = Math.min(most, columns?.file.length ?? 0);
    const spans: Span[] = [];
    const names: string[] = [];
    for (let i = 0; columns && i < rows; i++) {
        const label = name(columns.file[i]!);
        const base = rows - 1 - i;
        names[base] = label;
        const [r0, r1, w0, w1] = [columns.read_t0[i], columns.read_t1[i], columns.write_t0[i], columns.write_t1[i]];
        if (typeof r0 === "number" && typeof r1 === "number")
            spans.push({ y0: base + 0.5, y1: base + 0.9, t0: r0, t1: r1, write: false, label });
        if (typeof w0 === "number" && typeof w1 === "number")
            spans.push({ y0: base + 0.1, y1: base + 0.5, t0: w0, t1: w1, write: true, label });
    }
    return { spans, names };
}

/** The phase at a time, or the nearest within `slack` of it; -1 for none. */
export function phaseAt(phases: Phase[], time: number, slack: number): number {
    let best = -1;
    let distance = slack;
    phases.forEach((phase, i) => {
        const away = Math.max(0, phase.t0 - time, time - phase.t1);
        if (away < distance || (away === 0 && best < 0)) {
            best = i;
            distance = away;
        }
    });
    return best;
}

/** How much of the run lies in phases. */
export function busyTime(phases: Phase[]): number {
    let busy = 0;
    let end = -Infinity;
    for (const phase of [...phases].sort((a, b) => a.t0 - b.t0)) {
        busy += Math.max(0, phase.t1 - Math.max(phase.t0, end));
        end = Math.max(end, phase.t1);
    }
    return busy;
}
