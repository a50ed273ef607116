// Numbers as people read them, digit by digit as text/number.c writes them: docs/numbers.md has the rules, and
// text/numbers.def the examples that both are tested with.

export const unknown = "-";

type Figure = number | null | undefined;

const known = (value: Figure): value is number =>
    value !== null && value !== undefined && Number.isFinite(value) && value >= 0;

/** With at most `decimals` decimals; half rounds up, by the same arithmetic as in C. */
function rounded(value: number, decimals: number): string {
    const power = 10 ** decimals;
    const text = (Math.floor(value * power + 0.5) / power).toFixed(decimals);
    return decimals > 0 ? text.replace(/\.?0+$/, "") : text;
}

/** What is behind a point stays as it is. */
const grouped = (text: string): string => text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));

/** Three significant digits, but all digits before the point. */
function digits(value: number): string {
    if (value === 0) return "0";
    if (value < 0.001) return "<0.001";
    let decimals = 2;
    for (let limit = 9.995; decimals > 0 && value >= limit; limit *= 10) decimals -= 1;
    for (let limit = 0.9995; decimals < 5 && value < limit; limit /= 10) decimals += 1;
    return rounded(value, decimals);
}

const withUnit = (value: number, unit: string): string => `${value >= 9999.5 ? ">9999" : digits(value)} ${unit}`;

function large(value: number): string {
    const units = ["k", "M", "G", "T", "P", "E"];
    let size = value / 1000;
    let unit = 0;
    for (; size >= 999.5 && unit < 5; unit += 1) size /= 1000;
    return withUnit(size, units[unit]!);
}

/** A number with separators: 1,234,567. */
export function count(value: Figure): string {
    if (!known(value)) return unknown;
    return value >= 1e15 ? large(value) : grouped(digits(value));
}

/** A number that is a name, as of a rank: 1024. */
export function idText(value: Figure): string {
    return known(value) ? String(value) : unknown;
}

/** A count for narrow places: 1.23 M. */
export function short(value: Figure): string {
    return known(value) && value >= 99999.5 ? large(value) : count(value);
}

const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/** 1536 is "1.5 KiB". */
export function bytes(value: Figure): string {
    if (!known(value)) return unknown;
    let unit = 0;
    let size = value;
    for (; size >= 1023.5 && unit < 6; unit += 1) size /= 1024;
    return withUnit(size, byteUnits[unit]!);
}

export function rate(value: Figure): string {
    return known(value) ? `${bytes(value)}/s` : unknown;
}

/** 0.0021 is "2.1 ms", 75 is "75 s", 4020 is "1 h 7 m". */
export function seconds(value: Figure): string {
    if (!known(value)) return unknown;
    if (value >= 999.5) return longTime(value);
    if (value === 0 || value >= 0.9995) return withUnit(value, "s");
    if (value >= 0.0009995) return withUnit(value * 1e3, "ms");
    if (value >= 0.0000009995) return withUnit(value * 1e6, "us");
    return value >= 0.0000000009995 ? withUnit(value * 1e9, "ns") : "<1 ns";
}

function longTime(value: number): string {
    const [size, part, unit, partUnit] =
        value >= 86400 - 30
            ? ([86400, 3600, "d", "h"] as const)
            : value >= 3600 - 0.5
              ? ([3600, 60, "h", "m"] as const)
              : ([60, 1, "m", "s"] as const);
    const parts = Math.floor(value / part + 0.5);
    const whole = Math.floor(parts / (size / part));
    const rest = parts - whole * (size / part);
    if (whole >= 100) return withUnit(Math.floor(value / 86400 + 0.5), "d");
    return rest > 0 ? `${whole} ${unit} ${rest} ${partUnit}` : `${whole} ${unit}`;
}

const timeUnits = [
    { below: 0.000002, unit: "us", factor: 1e6 },
    { below: 1, unit: "ms", factor: 1e3 },
    { below: 600, unit: "s", factor: 1 },
    { below: 36000, unit: "min", factor: 1 / 60 },
    { below: Infinity, unit: "h", factor: 1 / 3600 },
];

/** Labels of an axis of seconds, all in the unit that its largest value calls for. */
export function axisSeconds(largest: number): (value: number) => string {
    const { unit, factor } = timeUnits.find(({ below }) => largest < below) ?? timeUnits[2]!;
    return (value) => (value === 0 ? "0" : `${grouped(digits(value * factor))} ${unit}`);
}

/** The same for bytes. */
export function axisBytes(largest: number): (value: number) => string {
    let unit = 0;
    while (largest >= 1024 ** (unit + 1) && unit + 1 < byteUnits.length) unit += 1;
    return (value) => (value === 0 ? "0" : `${grouped(digits(value / 1024 ** unit))} ${byteUnits[unit]}`);
}

/** Of a correlation. They are compared with each other, so that all have four decimals. */
export function coefficient(value: Figure): string {
    if (value === null || value === undefined || !(Math.abs(value) <= 1)) return unknown;
    return `${value < 0 ? "-" : "+"}${(Math.floor(Math.abs(value) * 1e4 + 0.5) / 1e4).toFixed(4)}`;
}

/** When something happened, in seconds since the start: with six decimals, because such times are compared. */
export function moment(value: number): string {
    return `${value.toFixed(6)} s`;
}

/** A part of 1 as percent. */
export function percent(value: Figure): string {
    if (!known(value)) return unknown;
    const share = value * 100;
    if (share > 0 && share < 0.1) return "<0.1%";
    if (share > 99.9 && share < 100) return ">99.9%";
    if (share >= 9999.5) return ">9999%";
    return `${rounded(share, share < 9.95 || (share > 99 && share < 100) ? 1 : 0)}%`;
}

/** Unix seconds as date and time of the reader's zone. */
export function date(value: Figure): string {
    if (!known(value) || value <= 0) return unknown;
    const two = (part: number): string => String(part).padStart(2, "0");
    const at = new Date(value * 1000);
    const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** A value with the unit that the counter table gives it. */
export function byUnit(value: Figure, unit: string): string {
    if (!known(value)) return unknown;
    if (unit === "bytes") return bytes(value);
    if (unit === "seconds") return seconds(value);
    return count(value);
}

/** "1 file", "2 files". */
export function plural(value: number, one: string, many = `${one}s`): string {
    return `${count(value)} ${value === 1 ? one : many}`;
}

/** The last part of a path, and what is before it. */
export function splitPath(path: string): { folder: string; name: string } {
    const cut = path.lastIndexOf("/", path.length - 2);
    return cut < 0 ? { folder: "", name: path } : { folder: path.slice(0, cut + 1), name: path.slice(cut + 1) };
}

/** Control characters of a name as visible signs, so that it stays on its line. */
export function visible(text: string): string {
    return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (sign) => {
        const code = sign.charCodeAt(0);
        return code < 32 ? String.fromCharCode(0x2400 + code) : `\\u${code.toString(16).padStart(4, "0")}`;
    });
}
