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
