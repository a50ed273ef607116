// File systems: what their servers did in the last day, how full they are, weekly volumes, and where data is missing.
import { h } from "../lib/dom";
import * as format from "../lib/format";
import { table } from "../lib/table";
import { address, ask, list, prefix, type SeriesAnswer } from "./api";
import { chart } from "./draw";
import { column, facts, none, pathPart, pointsOf, section } from "./parts";

interface System {
    fs: string;
    backend: string | null;
    series: boolean;
    last: number | null;
    targets: number | null;
    missing: number | null;
    capacity: number | null;
    used: number | null;
}

interface Health {
    fullness: Record<string, number | string | null>;
    failures: Record<string, number | string | null>;
    osts: { name: string; total_kib: number | null; used_kib: number | null }[];
}

interface Volume {
    start: number;
    read: number | null;
    written: number | null;
    missing: number;
}

const full = (one: { used: number | null; capacity: number | null }): number | null =>
    one.used !== null && one.capacity ? one.used / one.capacity : null;

export async function systemsPage(main: HTMLElement): Promise<void> {
    const { items } = await list<System>("/fs");
    if (!items.length) main.append(none("No file system is known: neither the site file nor a log names one."));
    else
        table(main, {
            caption: "File systems",
            name: "file-systems",
            quiet: true,
            columns: [
                {
                    label: "File system",
                    value: (one) => one.fs,
                    render: (one) => h("a", { href: `${prefix}/fs/${encodeURIComponent(one.fs)}` }, one.fs),
                },
                {
                    label: "Latest sample",
                    value: (one) => one.last,
                    text: (one) => (one.last === null ? "no series" : format.date(one.last)),
                },
                column.number<System>("Targets", (one) => one.targets, format.count),
                column.number<System>("Missing of the last day", (one) => one.missing, format.percent),
                column.number<System>("Capacity", (one) => one.capacity, format.bytes),
                column.number<System>("Full", full, format.percent),
            ],
            rows: items,
        });
}

/** The last day with data: now, or the end of what an archive has. */
async function span(system: System): Promise<{ start: number; end: number }> {
    const end = system.last ?? Math.floor(Date.now() / 1000);
    return { start: end - 86400, end: end + 1 };
}

export async function systemPage(main: HTMLElement): Promise<void> {
    const name = pathPart(1);
    const where = "/fs/" + encodeURIComponent(name);
    const system = await ask<System>(where);
    main.append(
        facts([
            ["Latest sample", system.last === null ? "-" : format.date(system.last)],
            ["Targets", format.count(system.targets)],
            ["Capacity", format.bytes(system.capacity)],
            ["Full", format.percent(full(system))],
            ["Missing of the last day", format.percent(system.missing)],
        ]),
    );
    if (!system.series) main.append(none("The site file names no time series for this file system."));
    else main.append(...seriesSections(system, where));
    main.append(section("Fullness and fail-overs", (into) => health(into, where)));
}

function seriesSections(system: System, where: string): HTMLElement[] {
    return [
        section("The last day", async (into) => {
            const period = await span(system);
            const [read, written] = await Promise.all(
                ["datatargets/readrates", "datatargets/writerates"].map((dataset) =>
                    ask<SeriesAnswer>(where + "/series", { dataset, step: 300, agg: "sum", ...period }),
                ),
            );
            into.append(
                chart({
                    title: "All targets together",
                    text: format.rate,
                    bytes: true,
                    series: [
                        { name: "read", kind: "read", points: pointsOf(read!) },
                        { name: "written", kind: "write", points: pointsOf(written!) },
                    ],
                }),
                h("img", {
                    class: "p-picture",
                    loading: "lazy",
                    alt: "bytes written per second, by target and time",
                    src: address("/api/v1" + where + "/heatmap", {
                        dataset: "datatargets/writerates",
                        format: "svg",
                        ...period,
                    }),
                }),
            );
            await deviation(into, where, period);
        }),
        section("Weekly volumes", async (into) => {
            const { items } = await list<Volume>(where + "/volumes", { bin: "week" });
            into.append(
                chart({
                    title: "Bytes per week",
                    bars: 7 * 86400,
                    text: format.bytes,
                    bytes: true,
                    series: [
                        { name: "read", kind: "read", points: items.map((one) => ({ x: one.start, y: one.read })) },
                        {
                            name: "written",
                            kind: "write",
                            points: items.map((one) => ({ x: one.start, y: one.written })),
                        },
                    ],
                }),
            );
            const gaps = items.filter((one) => one.missing > 0);
            if (gaps.length)
                into.append(
                    none(`Data is missing in ${format.plural(gaps.length, "week")}: volumes are at least this.`),
                );
        }),
    ];
}

/** Targets that did most and least, against the mean. */
async function deviation(into: HTMLElement, where: string, period: { start: number; end: number }): Promise<void> {
    const each = await ask<SeriesAnswer>(where + "/series", {
        dataset: "datatargets/writerates",
        step: 86401,
        agg: "none",
        ...period,
    });
    const means = each.columns.map((name, index) => ({ name, mean: each.values[0]?.[index] ?? null }));
    const known = means.filter((one): one is { name: string; mean: number } => one.mean !== null);
    const mean = known.reduce((sum, one) => sum + one.mean, 0) / (known.length || 1);
    if (known.length < 2) return;
    table(into, {
        caption: "Targets by deviation from the mean",
        name: "targets",
        columns: [
            { label: "Target", value: (one) => one.name },
            column.number<{ name: string; mean: number }>("Written", (one) => one.mean, format.rate),
            column.number<{ name: string; mean: number }>(
                "Of the mean",
                (one) => (mean > 0 ? one.mean / mean : null),
                format.percent,
            ),
        ],
        rows: known.sort((a, b) => Math.abs(b.mean - mean) - Math.abs(a.mean - mean)),
        limit: 10,
    });
}

async function health(into: HTMLElement, where: string): Promise<void> {
    const state = await ask<Health>(where + "/health");
    const told = { ...state.fullness, ...state.failures };
    const rows = Object.entries(told).filter(([, value]) => value !== null);
    if (!rows.length && !state.osts.length) {
        into.append(none("The site file names no listing of targets."));
        return;
    }
    into.append(
        facts(
            rows.map(([key, value]) => [
                key.replaceAll("_", " "),
                typeof value === "number" ? format.count(value) : String(value),
            ]),
        ),
    );
    if (state.osts.length)
        table(into, {
            caption: "Targets",
            name: "fullness",
            columns: [
                { label: "Target", value: (one) => one.name },
                column.number<Health["osts"][number]>(
                    "Capacity",
                    (one) => (one.total_kib === null ? null : one.total_kib * 1024),
                    format.bytes,
                ),
                column.number<Health["osts"][number]>(
                    "Full",
                    (one) => (one.used_kib !== null && one.total_kib ? one.used_kib / one.total_kib : null),
                    format.percent,
                ),
            ],
            rows: state.osts,
            sort: 2,
            limit: 20,
        });
}
