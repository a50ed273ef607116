// File systems: what their servers did in the last day, how full they are, weekly volumes, and where data is missing.
import { h } from "../lib/dom";
import * as format from "../lib/format";
import { table } from "../lib/table";
import type { Fs, Volume } from "./answers";
import { address, ask, list, prefix, type SeriesAnswer } from "./api";
import { calendar, chart, type Series } from "./draw";
import { whoDidIt } from "./moment";
import { allFigures, column, facts, none, pathPart, pointsOf, section } from "./parts";
import * as when from "./when";

interface Health {
    fullness: Record<string, number | string | null>;
    failures: Record<string, number | string | null>;
    osts: { name: string; total_kib: number | null; used_kib: number | null }[];
}

const full = (one: { used: number | null; capacity: number | null }): number | null =>
    one.used !== null && one.capacity ? one.used / one.capacity : null;

export async function systemsPage(main: HTMLElement): Promise<void> {
    const { items } = await list<Fs>("/fs");
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
                    text: (one) => (one.last === null ? "no series" : when.date(one.last)),
                },
                column.number<Fs>("Targets", (one) => one.targets, format.count),
                column.number<Fs>("Missing of the last day", (one) => one.missing, format.percent),
                column.number<Fs>("Capacity", (one) => one.capacity, format.bytes),
                column.number<Fs>("Full", full, format.percent),
            ],
            rows: items,
        });
    const tiers = items.filter((one) => one.series);
    if (tiers.length) main.append(section("Weekly volumes of all tiers", (into) => tierVolumes(into, tiers)));
}

const kinds: Series["kind"][] = ["read", "write", "meta", "plain"];

/** What moved per week, and the same in capacities: how hard each tier works for its size. */
async function tierVolumes(into: HTMLElement, tiers: Fs[]): Promise<void> {
    const all = await Promise.all(
        tiers.map((one) =>
            list<Volume>(`/fs/${encodeURIComponent(one.fs)}/volumes`, { bin: "week" }).then(({ items }) => items),
        ),
    );
    const series = (of: (one: Volume, tier: Fs) => number | null): Series[] =>
        tiers.map((tier, index) => ({
            name: tier.fs,
            kind: kinds[index % kinds.length]!,
            points: all[index]!.map((one) => ({ x: one.start, y: of(one, tier) })),
        }));
    const moved = (one: Volume): number | null =>
        one.read === null && one.written === null ? null : (one.read ?? 0) + (one.written ?? 0);
    const shared = { bars: 7 * 86400, along: when.day };
    into.append(
        chart({ title: "Bytes per week", text: format.bytes, bytes: true, ...shared, series: series(moved) }),
        chart({
            title: "Bytes per week, in capacities",
            text: format.count,
            ...shared,
            series: series((one, tier) => (tier.capacity && moved(one) !== null ? moved(one)! / tier.capacity : null)),
        }),
    );
    table(into, {
        caption: "Mean week",
        name: "tiers",
        columns: [
            { label: "File system", value: ([tier]) => tier.fs },
            ...(
                [
                    ["Read", (one: Volume) => one.read],
                    ["Written", (one: Volume) => one.written],
                ] as const
            ).map(([label, of]) =>
                column.number<[Fs, Volume[]]>(`${label} per week`, ([, weeks]) => mean(weeks.map(of)), format.bytes),
            ),
            {
                label: "Written per week, in capacities",
                value: ([tier, weeks]) => {
                    const written = mean(weeks.map((one) => one.written));
                    return written !== null && tier.capacity ? written / tier.capacity : null;
                },
                text: ([tier, weeks]) => {
                    const written = mean(weeks.map((one) => one.written));
                    return format.count(written !== null && tier.capacity ? written / tier.capacity : null);
                },
                number: true,
            },
        ],
        rows: tiers.map((tier, index): [Fs, Volume[]] => [tier, all[index]!]),
    });
}

function mean(values: (number | null)[]): number | null {
    const known = values.filter((one): one is number => one !== null);
    return known.length ? known.reduce((sum, one) => sum + one, 0) / known.length : null;
}

export async function systemPage(main: HTMLElement): Promise<void> {
    const name = pathPart(1);
    const where = "/fs/" + encodeURIComponent(name);
    const system = await ask<Fs>(where);
    main.append(
        facts([
            ["Latest sample", when.date(system.last)],
            ["Targets", format.count(system.targets)],
            ["Capacity", format.bytes(system.capacity)],
            ["Full", format.percent(full(system))],
            ["Missing of the last day", format.percent(system.missing)],
        ]),
    );
    if (!system.series) main.append(none("The site file names no time series for this file system."));
    else main.append(...seriesSections(system, where));
}

const last30 = 30 * 86400;

/** One line, or a dataset that this archive does not have. */
async function line(where: string, params: Record<string, string | number>): Promise<SeriesAnswer | null> {
    return ask<SeriesAnswer>(where + "/series", params).catch(() => null);
}

interface Period {
    start: number;
    end: number;
}

/** What a chart over time can be asked: for a shorter time, and who was there. */
interface Asking {
    onSpan: (from: number, to: number) => void;
    onPick: (time: number) => void;
    mark?: [number, number];
}

/** Some hundred places on the axis, however long it is. */
const stepOf = ({ start, end }: Period): number => Math.max(Math.ceil((end - start) / 288), 1);

async function traffic(into: HTMLElement, where: string, period: Period, asking: Asking): Promise<void> {
    const get = (dataset: string, agg: string): Promise<SeriesAnswer | null> =>
        line(where, { dataset, step: stepOf(period), agg, ...period });
    const shared = { onSpan: asking.onSpan, onPick: asking.onPick, ...(asking.mark ? { span: asking.mark } : {}) };
    const [read, written, opens, stats, servers, busiest, metadata] = await Promise.all([
        get("datatargets/readrates", "sum"),
        get("datatargets/writerates", "sum"),
        get("mdtargets/openrates", "sum"),
        get("mdtargets/getattrrates", "sum"),
        get("dataservers/cpuload", "mean"),
        get("dataservers/cpuload", "max"),
        get("mdservers/cpuload", "max"),
    ]);
    into.append(
        chart({
            title: "Bytes per second, all targets together",
            text: format.rate,
            bytes: true,
            ...shared,
            series: [
                { name: "read", kind: "read", points: pointsOf(read) },
                { name: "written", kind: "write", points: pointsOf(written) },
            ],
        }),
    );
    if (opens || stats)
        into.append(
            chart({
                title: "Metadata operations per second",
                text: format.short,
                ...shared,
                series: [
                    { name: "open", kind: "meta", points: pointsOf(opens) },
                    { name: "getattr", kind: "plain", points: pointsOf(stats) },
                ],
            }),
        );
    if (servers || metadata)
        into.append(
            chart({
                title: "CPU load of servers",
                text: (value) => `${value}%`,
                ...shared,
                series: [
                    { name: "data servers, mean", kind: "read", points: pointsOf(servers) },
                    { name: "busiest data server", kind: "write", points: pointsOf(busiest) },
                    { name: "busiest metadata server", kind: "meta", points: pointsOf(metadata) },
                ],
            }),
        );
}

function heatMap(where: string, period: { start: number; end: number }): HTMLElement {
    const source = (dataset: string, order: string): string =>
        address("/api/v1" + where + "/heatmap", { dataset, order, format: "svg", ...period });
    const picture = h("img", {
        class: "p-picture",
        loading: "lazy",
        alt: "bytes per second, by target and time",
        src: source("datatargets/writerates", "name"),
    });
    const nothing = none("The archive has none of this for this time.");
    picture.addEventListener("error", () => picture.replaceWith(nothing));
    const dataset = h(
        "select",
        {},
        [
            ["datatargets/writerates", "written"],
            ["datatargets/readrates", "read"],
            ["dataservers/cpuload", "CPU of servers"],
            ["datatargets/writerates/missing", "missing data"],
        ].map(([value, text]) => h("option", { value: value! }, text!)),
    );
    const order = h(
        "select",
        {},
        h("option", { value: "name" }, "in order"),
        h("option", { value: "spread" }, "most varied first"),
    );
    const change = (): void => {
        nothing.replaceWith(picture);
        picture.setAttribute("src", source(dataset.value, order.value));
    };
    for (const one of [dataset, order]) one.addEventListener("change", change);
    return h("div", {}, h("form", {}, h("label", {}, "Show ", dataset), h("label", {}, "Targets ", order)), picture);
}

/** Bytes used over the last month, and where that leads. */
async function fullness(into: HTMLElement, system: Fs, where: string): Promise<void> {
    const end = (system.last ?? Date.now() / 1000) + 1;
    const used = await line(where, {
        dataset: "fullness/bytes",
        agg: "sum",
        step: 21600,
        start: Math.floor(end - last30),
        end: Math.floor(end),
    });
    const points = pointsOf(used).filter((one) => one.y !== null) as { x: number; y: number }[];
    if (!used || points.length < 2) {
        into.append(none("The archive does not say how full the targets are."));
        return;
    }
    const slope = slopeOf(points);
    const left = system.capacity && system.used ? (system.capacity - system.used) / slope : null;
    into.append(
        chart({
            title: "Bytes used",
            text: format.bytes,
            bytes: true,
            series: [{ name: "used", kind: "plain", points }],
        }),
        h(
            "p",
            {},
            slope > 0
                ? `It grows by ${format.bytes(slope * 86400)} per day${left !== null ? `, and would be full in ${format.seconds(left)}` : ""}.`
                : `It shrinks by ${format.bytes(-slope * 86400)} per day.`,
        ),
    );
}

/** Least squares. */
function slopeOf(points: { x: number; y: number }[]): number {
    const [x, y] = [mean(points.map((one) => one.x))!, mean(points.map((one) => one.y))!];
    const above = points.reduce((sum, one) => sum + (one.x - x) * (one.y - y), 0);
    return above / points.reduce((sum, one) => sum + (one.x - x) ** 2, 0);
}

/** Half of what counts as "at this time". */
const around = 300;
/** What is shown before and after a time that is asked for alone. */
const beside = 6 * 3600;

/** Traffic and targets of the time that the address names, else of the last day; a shorter one is a drag or a form away. */
function trafficSection(system: Fs, where: string, latest: Period): HTMLElement {
    const place = h("div", { class: "p-traffic" });
    const asked = (name: string): number | null => when.seconds(new URLSearchParams(location.search).get(name));
    const current = (): Period => {
        const [start, end] = [asked("start"), asked("end")];
        if (start !== null && end !== null && end > start) return { start, end };
        const at = asked("at");
        return at !== null && (at < latest.start || at >= latest.end)
            ? { start: at - beside, end: at + beside }
            : latest;
    };
    const go = (params: Record<string, number | null>): void => {
        const query = new URLSearchParams(location.search);
        for (const [name, value] of Object.entries(params))
            if (value === null) query.delete(name);
            else query.set(name, String(Math.round(value)));
        const text = query.toString();
        globalThis.history.pushState(null, "", location.pathname + (text ? `?${text}` : ""));
        draw();
    };
    function draw(): void {
        const period = current();
        const at = asked("at");
        const isLatest = period === latest;
        place.replaceChildren(
            periodForm(period, at, go, isLatest),
            section(isLatest ? "The last day" : `${when.date(period.start)} to ${when.date(period.end)}`, (into) =>
                traffic(into, where, period, {
                    onSpan: (from, to) => go({ start: from, end: to }),
                    onPick: (time) => go({ at: time }),
                    ...(at !== null ? { mark: [at - around, at + around] as [number, number] } : {}),
                }),
            ),
        );
        if (at !== null)
            place.append(
                section(`Who used it at ${when.date(at)}`, (into) =>
                    whoDidIt(into, system.fs, at - around, at + around),
                ),
            );
        place.append(
            section("Targets", async (into) => {
                into.append(heatMap(where, period));
                await deviation(into, where, period);
            }),
        );
    }
    addEventListener("popstate", draw);
    draw();
    return place;
}

/** The same by keyboard: times, and what is a drag or a click in a chart. */
function periodForm(
    period: Period,
    at: number | null,
    go: (params: Record<string, number | null>) => void,
    isLatest: boolean,
): HTMLElement {
    const box = (value: number): HTMLInputElement => h("input", { type: "datetime-local", value: when.input(value) });
    const [from, to, moment] = [box(period.start), box(period.end), box(at ?? period.end - 1)];
    const tool = (name: string, does: () => void): HTMLElement =>
        h("button", { type: "button", class: "io-tool", onclick: does }, name);
    const length = period.end - period.start;
    return h(
        "div",
        { class: "p-period" },
        h(
            "form",
            {
                onsubmit: (event: Event) => {
                    event.preventDefault();
                    const [start, end] = [when.seconds(from.value), when.seconds(to.value)];
                    if (start !== null && end !== null && end > start) go({ start, end });
                },
            },
            h("label", {}, "From ", from),
            h("label", {}, "to ", to),
            h("button", { class: "p-tool" }, "Show"),
        ),
        h(
            "form",
            {
                onsubmit: (event: Event) => {
                    event.preventDefault();
                    const time = when.seconds(moment.value);
                    if (time === null) return;
                    const inside = time >= period.start && time < period.end;
                    go(inside ? { at: time } : { at: time, start: time - beside, end: time + beside });
                },
            },
            h("label", {}, "At ", moment),
            h("button", { class: "p-tool" }, "Who used it?"),
        ),
        h(
            "span",
            { class: "p-actions" },
            tool("Earlier", () => go({ start: period.start - length, end: period.end - length })),
            tool("Later", () => go({ start: period.start + length, end: period.end + length })),
            tool("Wider", () => go({ start: period.start - length / 2, end: period.end + length / 2 })),
            !isLatest && tool("The last day", () => go({ start: null, end: null, at: null })),
        ),
    );
}

function seriesSections(system: Fs, where: string): HTMLElement[] {
    const end = Math.floor(system.last ?? Date.now() / 1000) + 1;
    const period: Period = { start: end - 86400, end };
    return [
        trafficSection(system, where, period),
        section("Fail-overs and fullness", async (into) => {
            await health(into, where, end);
            await fullness(into, system, where);
        }),
        section("Weekly volumes", async (into) => {
            const { items } = await list<Volume>(where + "/volumes", { bin: "week" });
            into.append(
                chart({
                    title: "Bytes per week",
                    bars: 7 * 86400,
                    along: when.day,
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
        }),
        section("Gaps in the data", async (into) => {
            const { items } = await list<Volume>(where + "/volumes", { bin: "day", start: end - last30, end });
            const gaps = items.filter((one) => one.missing > 0);
            into.append(
                calendar(
                    "Part of each day that is missing",
                    items.map((one) => ({
                        day: when.day(one.start),
                        part: one.read === null && one.written === null ? null : one.missing,
                        text: one.missing >= 1 ? "no data" : `${format.percent(one.missing)} missing`,
                    })),
                    "bad",
                ),
                none(
                    gaps.length
                        ? `Data is missing on ${format.plural(gaps.length, "day")}: volumes are at least this.`
                        : "Nothing is missing.",
                ),
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

async function health(into: HTMLElement, where: string, at: number): Promise<void> {
    const state = await ask<Health>(where + "/health", { at });
    const figures: Record<string, number | string | null> = { ...state.fullness, ...state.failures };
    const number = (key: string): number | null => (typeof figures[key] === "number" ? (figures[key] as number) : null);
    const percent = (key: string): string => {
        const value = number(key);
        return format.percent(value === null ? null : value / 100);
    };
    if (!Object.keys(figures).length && !state.osts.length) {
        into.append(none("The site file names no listing of targets."));
        return;
    }
    const failed = number("ost_overloaded_oss_count");
    if (failed)
        into.append(
            h(
                "p",
                { class: "note" },
                `${format.plural(failed, "server")} ${failed === 1 ? "holds" : "hold"} targets of others: ${format.plural(number("ost_overloaded_ost_count") ?? 0, "target")} behind ${failed === 1 ? "it" : "them"}.`,
            ),
        );
    into.append(
        facts([
            ["Servers with others' targets", format.count(failed)],
            ["Targets full, mean", percent("ost_avg_full_pct")],
            ["Fullest target", `${figures["ost_most_full_name"] ?? format.unknown}, ${percent("ost_most_full_pct")}`],
            [
                "Emptiest target",
                `${figures["ost_least_full_name"] ?? format.unknown}, ${percent("ost_least_full_pct")}`,
            ],
        ]),
        allFigures("All figures of health", figures),
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
