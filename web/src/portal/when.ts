// Times as the server writes them: in the zone of the site, which the page names. Without one, in the reader's.

const zone = document.body.dataset["zone"];

function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    try {
        return new Intl.DateTimeFormat("sv-SE", { ...options, ...(zone ? { timeZone: zone } : {}) });
    } catch {
        return new Intl.DateTimeFormat("sv-SE", options); // a zone that this browser does not know
    }
}

const two = "2-digit" as const;
const full = formatter({ year: "numeric", month: two, day: two, hour: two, minute: two, second: two });

/** 2026-10-31 12:34:56 */
export const date = (seconds: number | null | undefined): string =>
    typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0 ? full.format(seconds * 1000) : "-";
/** 10-31 12:34 */
export const short = (seconds: number | null | undefined): string => date(seconds).slice(5, 16) || "-";
/** 2026-10-31 */
export const day = (seconds: number | null | undefined): string => date(seconds).slice(0, 10);

/** As if the clock of the zone stood on Greenwich. */
const asUtc = (text: string): number => {
    const [year, month, days, hour, minute, second] = (text.match(/\d+/g) ?? []).map(Number);
    return year && month && days ? Date.UTC(year, month - 1, days, hour ?? 0, minute ?? 0, second ?? 0) / 1000 : NaN;
};

/** "2026-10-31 14:05" in the zone of the site, or seconds since the epoch; null: neither. */
export function seconds(text: string | null | undefined): number | null {
    if (!text) return null;
    if (/^\d{9,11}$/.test(text)) return Number(text);
    const wanted = asUtc(text);
    if (!Number.isFinite(wanted)) return null;
    let found = wanted;
    for (let round = 0; round < 2; round += 1) found += wanted - asUtc(date(found)); // the second, for days of a change of clocks
    return found;
}

/** 2026-10-31T14:05, as inputs for a date and time have it. */
export const input = (time: number): string => date(time).slice(0, 16).replace(" ", "T");
