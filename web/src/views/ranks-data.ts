// Figures by rank as the rank view draws them: a bar for each row (one rank, or several that follow each other), the
// mean of its ranks, split by kind, with the worst rank of the row above it; in the order of ranks, or sorted.
import type { Ranks } from "../page/document";

export type Measure = "time" | "bytes";

export interface RankBar {
    first: number;
    last: number;
    /** Stacked parts, mean of the row's ranks: read, write and (for time) metadata. */
    parts: number[];
    total: number;
    /** The largest single rank; unknown for bytes of a group. */
    worst: number | null;
}

export function rankBars(ranks: Ranks, measure: Measure): RankBar[] {
    const { columns } = ranks;
    return columns.first.map((first, i) => {
        const last = columns.last[i]!;
        const share = 1 / Math.max(1, last - first + 1);
        const sums =
            measure === "time"
                ? [columns.read_time[i]!, columns.write_time[i]!, columns.meta_time[i]!]
                : [columns.bytes_read[i]!, columns.bytes_written[i]!];
        const parts = sums.map((sum) => Math.max(0, sum) * share);
        const total = parts.reduce((a, b) => a + b, 0);
        const worst = measure === "time" ? columns.time_max[i]! : last === first ? total : null;
        return { first, last, parts, total, worst };
    });
}

/** Most first; equal ones in the order of ranks. */
export function sortBars(bars: RankBar[]): RankBar[] {
    return [...bars].sort((a, b) => (b.worst ?? b.total) - (a.worst ?? a.total) || a.first - b.first);
}

export interface Spread {
    largest: number;
    mean: number;
    /** Largest against mean: 1 is even. */
    imbalance: number;
    /** Where the bulk ends: the third quartile and one and a half times the box, as in every box plot. */
    whisker: number;
    /** The largest bar is so far from the bulk that the others can hardly be seen beside it. */
    cut: boolean;
}

export function spread(bars: RankBar[], box: number[] | null | undefined): Spread {
    let largest = 0;
    let sum = 0;
    let count = 0;
    for (const bar of bars) {
        largest = Math.max(largest, bar.worst ?? bar.total);
        sum += bar.total * (bar.last - bar.first + 1);
        count += bar.last - bar.first + 1;
    }
    // The bars may be means of several ranks; the box knows the largest single one.
    if (box?.length === 5) largest = Math.max(largest, box[4]!);
    const mean = count > 0 ? sum / count : 0;
    const whisker = box && box.length === 5 ? Math.min(box[4]!, box[3]! + 1.5 * (box[3]! - box[1]!)) : largest;
    return {
        largest,
        mean,
        imbalance: mean > 0 ? largest / mean : 1,
        whisker,
        cut: whisker > 0 && largest > 4 * whisker,
    };
}

/** Bars that share a pixel become one: means of the parts, the largest of the worst. */
export function groupBars(
    bars: RankBar[],
    from: number,
    to: number,
    most: number,
): { bars: RankBar[]; group: number; first: number } {
    const group = Math.max(1, Math.ceil((to - from) / Math.max(1, most)));
    const first = Math.floor(from / group) * group;
    const result: RankBar[] = [];
    for (let i = first; i < Math.min(bars.length, to); i += group) {
        const members = bars.slice(i, i + group);
        const parts = members[0]!.parts.map(
            (_, part) => members.reduce((sum, bar) => sum + bar.parts[part]!, 0) / members.length,
        );
        result.push({
            first: Math.min(...members.map((bar) => bar.first)),
            last: Math.max(...members.map((bar) => bar.last)),
            parts,
            total: parts.reduce((a, b) => a + b, 0),
            worst: members.some((bar) => bar.worst === null) ? null : Math.max(...members.map((bar) => bar.worst ?? 0)),
        });
    }
    return { bars: result, group, first };
}
