// Where an axis puts its marks and what it writes there: round values, as many digits as the distance needs, one unit
// an axis.

export interface Tick {
    value: number;
    label: string;
}

export interface Scale {
    ticks: Tick[];
    /** The unit that all labels share, for the axis title; empty where the labels carry their own. */
    unit: string;
}

/** The round distance (1, 2 or 5 times a power of ten) that gives at most `count` steps over `span`. */
export function roundStep(span: number, count: number): number {
    const raw = span / Math.max(1, count);
    if (!(raw > 0) || !Number.isFinite(raw)) return 1;
    const power = 10 ** Math.floor(Math.log10(raw) + 1e-12);
    const times = raw / power;
    return power * (times <= 1 + 1e-9 ? 1 : times <= 2 + 1e-9 ? 2 : times <= 5 + 1e-9 ? 5 : 10);
}

function decimals(step: number): number {
    return Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)));
}

function steps(lo: number, hi: number, step: number): number[] {
    const values: number[] = [];
    const first = Math.ceil(lo / step - 1e-9);
    const last = Math.floor(hi / step + 1e-9);
    if (last - first > 1000) return values;
    for (let i = first; i <= last; i++) values.push(i === 0 ? 0 : i * step);
    return values;
}

const TIME_UNITS = [
    { below: 2e-6, unit: "ns", factor: 1e9 },
    { below: 2e-3, unit: "\u00b5s", factor: 1e6 },
    { below: 1, unit: "ms", factor: 1e3 },
    { below: 600, unit: "s", factor: 1 },
    { below: 36000, unit: "min", factor: 1 / 60 },
    { below: Infinity, unit: "h", factor: 1 / 3600 },
];

/**
 * Times in seconds. The unit follows the largest value shown, unless the span is so short that its steps would need
 * more than six decimals.
 */
export function timeTicks(lo: number, hi: number, count: number): Scale {
    const largest = Math.max(Math.abs(lo), Math.abs(hi));
    let pick = TIME_UNITS.findIndex((u) => largest < u.below);
    if (pick < 0) pick = TIME_UNITS.length - 1;
    while (pick > 0 && decimals(roundStep((hi - lo) * TIME_UNITS[pick]!.factor, count)) > (pick > 3 ? 1 : 6)) pick--;
    const { unit, factor } = TIME_UNITS[pick]!;
    const step = roundStep((hi - lo) * factor, count);
    const digits = decimals(step);
    const ticks = steps(lo * factor, hi * factor, step).map((v) => ({ value: v / factor, label: v.toFixed(digits) }));
    return { ticks, unit };
}

/** How an axis of the chart library is cut, in steps that are round in the unit of its labels: it knows powers of ten only. */
export function roundAxis(largest: number, what: "bytes" | "time"): { max?: number; interval?: number } {
    const { ticks } = what === "bytes" ? byteTicks(0, largest, 6) : timeTicks(0, largest, 6);
    if (ticks.length < 2) return {};
    const interval = ticks[1]!.value - ticks[0]!.value;
    return { interval, max: Math.ceil(largest / interval) * interval };
}

/** Whole numbers: ranks, OSTs. Never a step below one. */
export function countTicks(lo: number, hi: number, count: number): Scale {
    const step = Math.max(1, roundStep(hi - lo, count));
    const ticks = steps(Math.ceil(lo), hi, step).map((v) => ({ value: v, label: groupDigits(v) }));
    return { ticks, unit: "" };
}

export function groupDigits(value: number): string {
    return Math.round(value)
        .toString()
        .replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/** Bytes: steps are round in the binary unit that the largest value calls for. */
export function byteTicks(lo: number, hi: number, count: number): Scale {
    const largest = Math.max(Math.abs(lo), Math.abs(hi), 1);
    const index = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log2(largest) / 10)));
    let pick = index;
    while (pick > 0 && decimals(roundStep((hi - lo) / 1024 ** pick, count)) > 4) pick--;
    const factor = 1024 ** pick;
    const step = pick === 0 ? Math.max(1, roundStep(hi - lo, count)) : binaryStep((hi - lo) / factor, count);
    const digits = decimals(step);
    const ticks = steps(lo / factor, hi / factor, step).map((v) => ({
        value: v * factor,
        label: pick === 0 ? groupDigits(v) : v.toFixed(digits),
    }));
    return { ticks, unit: BYTE_UNITS[pick]! };
}

/** Up to 1024 of a unit, powers of two read better than 100, 200, 500: they are what programs write. */
function binaryStep(span: number, count: number): number {
    const raw = span / Math.max(1, count);
    return raw >= 1 ? 2 ** Math.ceil(Math.log2(raw) - 1e-9) : roundStep(span, count);
}

/** Marks of a logarithmic scale of bytes: powers of 1024 and, where there is room, of 32 or 2 between them. */
export function byteLogTicks(lo: number, hi: number, count: number): Tick[] {
    const from = Math.log2(Math.max(lo, 1));
    const to = Math.log2(Math.max(hi, 2));
    const step =
        [1, 2, 5, 10, 20, 30].find((s) => (to - from) / s <= count) ?? 10 * Math.ceil((to - from) / 10 / count);
    const ticks: Tick[] = [];
    for (let power = Math.ceil(from / step - 1e-9) * step; power <= to + 1e-9; power += step) {
        const unit = Math.min(BYTE_UNITS.length - 1, Math.floor(power / 10));
        ticks.push({ value: 2 ** power, label: `${2 ** (power - unit * 10)} ${BYTE_UNITS[unit]}` });
    }
    return ticks;
}

/** Numbers with their unit, where several units meet (rates, seconds on a y axis). */
export function plainTicks(lo: number, hi: number, count: number, unit: string): Scale {
    const step = roundStep(hi - lo, count);
    const digits = decimals(step);
    return { ticks: steps(lo, hi, step).map((v) => ({ value: v, label: v.toFixed(digits) })), unit };
}
