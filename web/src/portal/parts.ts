// What the pages of the portal share: sections, links, and how a part says that it could not be had.
import { h, type Child } from "../lib/dom";
import * as format from "../lib/format";
import { table, type Column } from "../lib/table";
import { jobPath, prefix, programPath, Refused, userPath, type Finding, type Run, type SeriesAnswer } from "./api";
import { chart, type Series } from "./draw";
import * as when from "./when";

export const mib = 1024 * 1024;

/** A part of a page that fills itself. What fails says so in its own place, and nowhere else. */
export function section(title: string, fill: (into: HTMLElement) => Promise<void> | void): HTMLElement {
    const body = h("div", { class: "p-body", "aria-busy": "true" });
    Promise.resolve()
        .then(() => fill(body))
        .catch((error: unknown) => body.append(sorry(error)))
        .finally(() => body.removeAttribute("aria-busy"));
    return h("section", { class: "p-section" }, h("h2", {}, title), body);
}

export function sorry(error: unknown): HTMLElement {
    const why = error instanceof Refused ? error.message : `it could not be had (${String(error)})`;
    return h(
        "p",
        { class: "io-muted" },
        error instanceof Refused && error.status === 404 ? "There is nothing here." : `${why}.`,
    );
}

export const none = (text: string): HTMLElement => h("p", { class: "io-muted" }, text);

/** A name from a log or the batch system: signs that could deceive are shown, and a long one keeps to its column. */
const named = (href: string, name: string): Child =>
    h("a", { href, class: "p-name", title: name.length > 28 ? format.visible(name) : null }, format.visible(name));

export const jobLink = (job: { cluster: string; jobid: string }): Child => named(jobPath(job), job.jobid);
export const userLink = (user: string | null): Child => (user ? named(userPath(user), user) : "-");
export const programLink = (exe: string | null): Child => (exe ? named(programPath(exe), exe) : "-");

/** One column of a series, as points of a chart. */
export const pointsOf = (series: SeriesAnswer | null, index = 0): { x: number; y: number | null }[] =>
    series ? series.values.map((row, at) => ({ x: series.start + at * series.step, y: row[index] ?? null })) : [];

/** The part of the page's address behind its first word: /users/ada is "ada". */
export const pathPart = (number: number): string =>
    decodeURIComponent(location.pathname.slice(prefix.length).split("/")[number + 1] ?? "");

/** Numbers beside their names. */
export function facts(rows: [string, Child][]): HTMLElement {
    return h(
        "dl",
        { class: "box" },
        rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    );
}

/** Parts of a whole as bars with their text beside. */
export function meters(rows: [string, number | null, string][]): HTMLElement {
    return h(
        "dl",
        { class: "p-meters" },
        rows.map(([name, part, text]) =>
            h(
                "div",
                {},
                h("dt", {}, name),
                h(
                    "dd",
                    {},
                    h(
                        "span",
                        { class: "p-meter", "aria-hidden": "true" },
                        h("span", { style: `width: ${(100 * Math.min(Math.max(part ?? 0, 0), 1)).toFixed(1)}%` }),
                    ),
                    h("span", {}, text),
                ),
            ),
        ),
    );
}

/** Everything that has a name, folded away: for those who know what they look for. */
export function allFigures(title: string, rows: Record<string, unknown>): HTMLElement {
    const place = h("div");
    const known = Object.entries(rows).filter(([, value]) => typeof value === "number" || typeof value === "string");
    table(place, {
        caption: title,
        name: "figures",
        quiet: true,
        columns: [
            { label: "Figure", value: ([name]) => name },
            {
                label: "Value",
                value: ([, value]) => value as number | string,
                text: ([, value]) => (typeof value === "number" ? format.short(value) : String(value)),
                number: true,
            },
        ],
        rows: known,
    });
    return h("details", {}, h("summary", {}, `${title} (${known.length})`), place);
}

const number = <Item>(
    label: string,
    value: (item: Item) => number | null,
    text: (value: number | null) => string,
): Column<Item> => ({ label, value, text: (item) => text(value(item)), number: true });

export const column = { number };

export const runColumns: Column<Run>[] = [
    { label: "Job", value: (run) => run.jobid, render: (run) => jobLink(run) },
    { label: "User", value: (run) => run.user, render: (run) => userLink(run.user) },
    { label: "Start", value: (run) => run.start, text: (run) => when.date(run.start) },
    number("Processes", (run) => run.nprocs, format.count),
    number("Run time", (run) => run.run_s, format.seconds),
    number("I/O time", (run) => run.io_s, format.seconds),
    number("Moved", (run) => run.bytes_read + run.bytes_written, format.bytes),
    number("Rate", (run) => (run.perf_mibs === null ? null : run.perf_mibs * mib), format.rate),
    number("Findings", (run) => run.findings, format.count),
    number("Lost", (run) => run.lost_s, format.seconds),
];

const rateOfRun = (run: Run): number | null => (run.perf_mibs === null ? null : run.perf_mibs * mib);

/** The rate of each run over time; a point leads to its job. Runs come latest first, as the API has them. */
export function ratesChart(title: string, latestFirst: Run[], marked?: Run): HTMLElement {
    const series = (name: string, kind: "plain" | "write", runs: Run[]): Series => ({
        name,
        kind,
        dots: true,
        points: runs.map((run) => ({ x: run.start, y: rateOfRun(run) })),
        link: (index) => ({
            href: jobPath(runs[index]!),
            title: `job ${runs[index]!.jobid}, ${when.date(runs[index]!.start)}, ${format.rate(rateOfRun(runs[index]!))}`,
        }),
    });
    const others = [...latestFirst].reverse().filter((run) => run.log_id !== marked?.log_id);
    return chart({
        title,
        text: format.rate,
        bytes: true,
        series: [
            series(marked ? "other runs" : "rate", "plain", others),
            ...(marked ? [series("this run", "write", [marked])] : []),
        ],
    });
}

export function findingsTable(into: HTMLElement, findings: Finding[], name: string, caption: string): void {
    const serious = findings.filter((one) => one.level === "high" || one.level === "warn");
    const shown = serious.length ? serious : findings.filter((one) => one.level === "info");
    if (!shown.length) {
        into.append(none("Nothing was found."));
        return;
    }
    table(into, {
        caption,
        name,
        quiet: true,
        columns: [
            {
                label: "Level",
                value: (one) => one.level,
                render: (one) => h("span", { class: `p-level p-${one.level}` }, one.level),
            },
            { label: "What was found", value: (one) => one.title },
            { label: "Rule", value: (one) => one.rule },
            number<Finding>("Logs", (one) => one.logs, format.count),
            number<Finding>("Lost", (one) => one.lost_s, format.seconds),
        ],
        rows: shown,
        limit: 20,
    });
}
