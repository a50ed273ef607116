// Figures as people read them: binary units for bytes, three significant digits, and a dash for what is not known.

export const unknown = "\u2013";

type Figure = number | null | undefined;

const known = (value: Figure): value is number => value !== null && value !== undefined && Number.isFinite(value);

/** Three significant digits without an exponent: 0.0123, 1.23, 12.3, 123. */
export function digits(value: number, significant = 3): string {
    if (value === 0) return "0";
    const magnitude = Math.floor(Math.log10(Math.abs(value)));
    const decimals = Math.max(0, Math.min(12, significant - 1 - magnitude));
    const text = value.toFixed(decimals);
    return decimals > 0 ? text.replace(/\.?0+$/, "") : text;
}

/** A whole number with separators: 1,234,567. */
export function count(value: Figure): string {
    if (!known(value)) return unknown;
    if (!Number.isInteger(value)) return digits(value);
    return value.toLocaleString("en-US");
}

/** A count for narrow places: 1.2 M. */
export function short(value: Figure): string {
    if (!known(value)) return unknown;
    const size = Math.abs(value);
    if (size < 1e4) return count(value);
    for (const [limit, unit] of [
        [1e12, "T"],
        [1e9, "G"],
        [1e6, "M"],
        [1e3, "k"],
    ] as const)
        if (size >= limit) return `${digits(value / limit)} ${unit}`;
    return count(value);
}

const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/** 1,536 is "1.5 KiB". */
export function bytes(value: Figure): string {
    if (!known(value)) return unknown;
    let unit = 0;
    let size = value;
    while (Math.abs(size) >= 1024 && unit < byteUnits.length - 1) {
        size /= 1024;
        unit += 1;
    }
    const text = unit === 0 ? count(size) : Math.abs(size) >= 1000 ? count(Math.round(size)) : digits(size);
    return `${text} ${byteUnits[unit]}`;
}

export function rate(value: Figure): string {
    return known(value) ? `${bytes(value)}/s` : unknown;
}

/** 0.0021 is "2.1 ms", 75 is "75 s", 4000 is "1 h 7 min". */
export function seconds(value: Figure): string {
    if (!known(value)) return unknown;
    const size = Math.abs(value);
    if (size === 0) return "0 s";
    if (size < 1e-6) return `${digits(value * 1e9)} ns`;
    if (size < 1e-3) return `${digits(value * 1e6)} \u00b5s`;
    if (size < 1) return `${digits(value * 1e3)} ms`;
    if (size < 600) return `${digits(value)} s`;
    return longTime(value);
}

function longTime(value: number): string {
    const sign = value < 0 ? "-" : "";
    const whole = Math.round(Math.abs(value));
    const parts = [
        [Math.floor(whole / 86400), "d"],
        [Math.floor(whole / 3600) % 24, "h"],
        [Math.floor(whole / 60) % 60, "min"],
        [whole % 60, "s"],
    ] as const;
    const first = parts.findIndex(([amount]) => amount > 0);
    const shown = parts.slice(first, first + 2).filter(([amount]) => amount > 0);
    return sign + shown.map(([amount, unit]) => `${amount} ${unit}`).join(" ");
}

/** A part of 1 as percent. */
export function percent(value: Figure): string {
    if (!known(value)) return unknown;
    const share = value * 100;
    if (share === 0) return "0%";
    if (Math.abs(share) < 0.1) return "<0.1%";
    if (share > 99.9 && share < 100) return ">99.9%";
    return `${Math.abs(share) >= 99.95 || Math.abs(share) < 10 ? digits(share, 2) : Math.round(share)}%`;
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
