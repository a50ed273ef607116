// Spans of a program's own, by name: a lane for each name, and in it a row for each rank that has any.

/** From t0 to t1, which is null for what had not ended. */
export interface Mark {
    name: string;
    rank: number;
    t0: number;
    t1: number | null;
}

export interface Bar {
    /** Place on the y axis: a lane is one high, the first one on top. */
    y0: number;
    y1: number;
    t0: number;
    t1: number;
    open: boolean;
    rank: number;
    name: string;
}

export interface Lanes {
    bars: Bar[];
    /** Of the lanes, from the bottom to the top, as the axis has them. */
    names: string[];
    /** Most ranks of a lane: how high it should be. */
    ranks: number;
    /** Names beyond the limit. */
    left: number;
}

/** `order` names the lanes from the top; names that are not in it follow. What had not ended reaches to `end`. */
export function lanesOf(marks: Mark[], order: string[], end: number, most: number): Lanes {
    const all = [...new Set([...order, ...marks.map((mark) => mark.name)])];
    const withMarks = new Set(marks.map((mark) => mark.name));
    const names = all.filter((name) => withMarks.has(name));
    const shown = names.slice(0, most);
    const lane = new Map(shown.map((name, at) => [name, shown.length - 1 - at]));
    const ranks = new Map(shown.map((name) => [name, new Set<number>()]));
    for (const mark of marks) ranks.get(mark.name)?.add(mark.rank);
    const rows = new Map([...ranks].map(([name, set]) => [name, [...set].sort((a, b) => a - b)]));
    const places = new Map([...rows].map(([name, list]) => [name, new Map(list.map((rank, at) => [rank, at]))]));
    const bars: Bar[] = [];
    for (const mark of marks) {
        const base = lane.get(mark.name);
        if (base === undefined) continue;
        const parts = rows.get(mark.name)!.length;
        const top = base + 0.95 - (places.get(mark.name)!.get(mark.rank)! * 0.9) / parts;
        bars.push({
            y0: top - 0.9 / parts,
            y1: top,
            t0: mark.t0,
            t1: Math.max(mark.t0, mark.t1 ?? end),
            open: mark.t1 === null,
            rank: mark.rank,
            name: mark.name,
        });
    }
    return {
        bars,
        names: [...shown].reverse(),
        ranks: Math.max(1, ...[...rows.values()].map((list) => list.length)),
        left: names.length - shown.length,
    };
}
