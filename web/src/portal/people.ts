// Users and programs: what they moved, what was found, and how the rates of a program went over time.
import * as format from "../lib/format";
import { table } from "../lib/table";
import { ask, list, type Finding, type Program, type Run } from "./api";
import { chart, sparkline } from "./draw";
import { column, facts, findingsTable, mib, none, pathPart, programLink, ratesChart, runColumns, section } from "./parts";

interface Use {
    bytes_read: number;
    bytes_written: number;
    lost_s?: number;
    logs?: number;
}

interface User extends Use {
    user: string;
    programs: (Use & { exe: string })[];
    fs: (Use & { fs: string })[];
    findings: Finding[];
    days: (Use & { day: number | string })[];
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

export async function userPage(main: HTMLElement): Promise<void> {
    const user = await ask<User>("/users/" + encodeURIComponent(pathPart(1)));
    main.append(
        facts([
            ["Logs", format.count(user.logs)],
            ["Read", format.bytes(user.bytes_read)],
            ["Written", format.bytes(user.bytes_written)],
            ["Lost by findings", format.seconds(user.lost_s)],
        ]),
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
        section("Programs", (into) => {
            table(into, {
                caption: "Programs",
                name: "programs",
                quiet: true,
                columns: [
                    { label: "Program", value: (one) => one.exe, render: (one) => programLink(one.exe) },
                    column.number<User["programs"][number]>("Logs", (one) => one.logs ?? null, format.count),
                    ...useColumns<User["programs"][number]>(),
                    column.number<User["programs"][number]>("Lost", (one) => one.lost_s ?? null, format.seconds),
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
        section("Findings", (into) => findingsTable(into, user.findings, "findings")),
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
                { label: "Latest run", value: (one) => one.last, text: (one) => format.date(one.last) },
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
    const { items } = await list<Run>("/programs/" + encodeURIComponent(exe), { limit: 500 });
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
            ["Runs", format.count(items.length)],
            ["Slowest quarter below", format.rate(quantile(0.25))],
            ["Median rate", format.rate(quantile(0.5))],
            ["Fastest quarter above", format.rate(quantile(0.75))],
        ]),
        ratesChart("Rate of each run", items),
    );
    table(main, { caption: "Runs", name: "runs", columns: runColumns, rows: items, limit: 50 });
}
