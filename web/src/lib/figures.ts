// Figures of findings by their names: what ends in _s is seconds, what has bytes in it is bytes, what ends in share is
// a part of 1, what ends in rank is the name of one.
import { bytes, count, idText, percent, rate, seconds, unknown } from "./format";

type Figure = number | string | boolean | null | undefined;

const rules: [RegExp, (value: number) => string][] = [
    [/_rank$|^ost_slow$/, idText],
    [/(^|_)(rate|bandwidth)$|rate_/, rate],
    [/(share|ratio|fraction)$/, percent],
    [/(_s|_time|_seconds|^longest|^waiting|^wall_io|^slowest|^io_time|seconds)$/, seconds],
    [/(bytes|_size|redundant_read|redundant_write|size_read|size_written|offset|length)/, bytes],
];

export function figureText(name: string, value: Figure): string {
    if (value === null || value === undefined) return unknown;
    if (typeof value !== "number") return String(value);
    if (/_F_.*(TIME|STAMP)/.test(name)) return seconds(value);
    if (/_RANK$/.test(name)) return idText(value);
    if (/^[A-Z0-9_]+$/.test(name))
        return /BYTES|STRIPE_SIZE|MAX_BYTE/.test(name) && !/VARIANCE/.test(name) ? bytes(value) : count(value);
    const rule = rules.find(([pattern]) => pattern.test(name));
    return rule ? rule[1](value) : count(value);
}

/** effective_ranks is "effective ranks"; counters keep their names. */
export function figureLabel(name: string): string {
    return /^[A-Z0-9_]+$/.test(name) ? name : name.replace(/_s$/, "").replaceAll("_", " ").replaceAll(".", " ");
}
