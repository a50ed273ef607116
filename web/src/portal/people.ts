// Users and programs: what they moved, what was found, and how the rates of a program went over time.
import { h } from "../lib/dom";
import * as format from "../lib/format";
import { table } from "../lib/table";
import type { User } from "./answers";
import { address, ask, list, type Finding, type Program, type Run } from "./api";
import { calendar, chart, sparkline } from "./draw";
import { looks } from "./staff";
import * as when from "./when";
import {
    column,
    facts,
    findingsTable,
    mib,
    none,
    pathPart,
    programLink,
    ratesChart,
    runColumns,
    section,
} from "./parts";

interface Use {
    bytes_read: number;
    bytes_written: number;
    lost_s?: number;
    logs?: number;
}

/** 20261031 and "2026-10-31" are the same day. */
function dayStart(day: number | string): number {
    const digits = String(day).replace(/\D/g, "");
    return Date.UTC(+digits.slice(0, 4), +digits.slice(4, 6) - 1, +digits.slice(6, 8)) / 1000;
}

const dayName = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

const useColumns = <Item extends Use>() => [
    column.number<Item>("Read", (one) => one.bytes_read, format.bytes),
    column.number<Item>("Written", (one) => one.bytes_written, format.bytes),
];

/** The busiest day is the deepest colour; a root, because days differ by thousands. */
function activity(days: User["days"]): HTMLElement {
    const most = Math.max(...days.map((one) => one.bytes_read + one.bytes_written), 1);
    return calendar(
        "Activity",
        days.map((one) => {
            const moved = one.bytes_read + one.bytes_written;
            return {
                day: dayName(dayStart(one.day)),
                part: Math.max((moved / most) ** 0.25, 0.05),
                text: `${format.plural(one.logs ?? 0, "log")}, ${format.bytes(moved)}`,
            };
        }),
        "good",
    );
}

export async function userPage(main: HTMLElement): Promise<void> {
    const name = pathPart(1);
    const user = await ask<User>("/users/" + encodeURIComponent(name));
    const histories = list<Program>("/programs", { user: name, limit: 50, runs: 30 });
    main.append(
        facts([
            ["Logs", format.count(user.logs)],
            ["Read", format.bytes(user.bytes_read)],
            ["Written", format.bytes(user.bytes_written)],
            ["Lost by findings", format.seconds(user.lost_s)],
        ]),
    );
    if (!user.days.length) {
        main.append(none("This user has left no log."));
        return;
    }
    main.append(
        h("h2", {}, "Day by day"),
        activity(user.days),
        chart({
            title: "Bytes per day",
            text: format.bytes,
            bytes: true,
            bars: 86400,
            along: dayName,
            series: [
                {
                    name: "read",
                    kind: "read",
                    points: user.days.map((day) => ({ x: dayStart(day.day), y: day.bytes_read })),
                },
                {
                    name: "written",
                    kind: "write",
                    points: user.days.map((day) => ({ x: dayStart(day.day), y: day.bytes_written })),
                },
            ],
        }),
        section("Programs", async (into) => {
            const rates = new Map((await histories).items.map((one) => [one.exe, one.rates]));
            table(into, {
                caption: "Programs",
                name: "programs",
                quiet: true,
                columns: [
                    { label: "Program", value: (one) => one.exe, render: (one) => programLink(one.exe) },
                    column.number<User["programs"][number]>("Logs", (one) => one.logs ?? null, format.count),
                    ...useColumns<User["programs"][number]>(),
                    column.number<User["programs"][number]>("Lost", (one) => one.lost_s ?? null, format.seconds),
                    {
                        label: "Rates",
                        value: (one) => rates.get(one.exe)?.at(-1) ?? null,
                        render: (one) => {
                            const known = rates.get(one.exe);
                            return known && known.length > 1 ? sparkline(known, `rates of ${one.exe}`) : format.unknown;
                        },
                    },
                ],
                rows: user.programs,
                limit: 20,
            });
        }),
        section("File systems", (into) => {
            table(into, {
                caption: "File systems",
                name: "file-systems",
                quiet: true,
                columns: [{ label: "File system", value: (one) => one.fs }, ...useColumns<User["fs"][number]>()],
                rows: user.fs,
            });
        }),
        section("Findings in the latest run of each program", async (into) => {
            const { items } = await list<Finding>(`/users/${encodeURIComponent(name)}/findings`);
            findingsTable(into, items, "latest-findings", "Findings in latest runs");
        }),
        section("All findings", (into) => findingsTable(into, user.findings, "findings", "All findings")),
        section("Staff who looked at these jobs", (into) => looks(into, { user: name })),
    );
}

export async function programsPage(main: HTMLElement): Promise<void> {
    const { items } = await list<Program>("/programs", { limit: 200, runs: 20 });
    if (!items.length) main.append(none("No program has left a log yet."));
    else
        table(main, {
            caption: "Programs",
            name: "programs",
            quiet: true,
            columns: [
                { label: "Program", value: (one) => one.exe, render: (one) => programLink(one.exe) },
                { label: "Latest run", value: (one) => one.last, text: (one) => when.date(one.last) },
                column.number<Program>("Logs", (one) => one.logs, format.count),
                column.number<Program>("Users", (one) => one.users, format.count),
                ...useColumns<Program>(),
                column.number<Program>("Lost", (one) => one.lost_s, format.seconds),
                {
                    label: "Rates",
                    value: (one) => one.rates.at(-1),
                    render: (one) => sparkline(one.rates, `rates of ${one.exe}`),
                },
            ],
            rows: items,
        });
}

export async function programPage(main: HTMLElement): Promise<void> {
    const exe = pathPart(1);
    const [{ items }, known] = await Promise.all([
        list<Run>("/programs/" + encodeURIComponent(exe), { limit: 500 }),
        list<Program>("/programs", { q: exe, limit: 200 }),
    ]);
    const all = known.items.find((one) => one.exe === exe)?.logs ?? items.length;
    const of = all > items.length ? ` (latest ${format.count(items.length)})` : "";
    if (!items.length) {
        main.append(none("No run of this program is known."));
        return;
    }
    const rates = items
        .map((run) => run.perf_mibs)
        .filter((one): one is number => one !== null)
        .sort((a, b) => a - b);
    const quantile = (share: number): number | null =>
        rates.length ? rates[Math.floor((rates.length - 1) * share)]! * mib : null;
    main.append(
        facts([
            ["Runs", format.count(all)],
            [`Slowest quarter below${of}`, format.rate(quantile(0.25))],
            [`Median rate${of}`, format.rate(quantile(0.5))],
            [`Fastest quarter above${of}`, format.rate(quantile(0.75))],
        ]),
        h("h2", {}, "Rates"),
        ratesChart("Rate of each run", items),
    );
    if (items.length > 1)
        main.append(
            h("img", {
                class: "p-picture",
                loading: "lazy",
                alt: "UMAMI: metrics of the latest runs",
                src: address("/api/v1/umami.svg", { exe }),
            }),
        );
    table(main, { caption: "Runs", name: "runs", columns: runColumns, rows: items, limit: 50 });
}
