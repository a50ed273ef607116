// Coverage over time, as pictures above the table that the server drew.
import * as format from "../lib/format";
import { ask } from "./api";
import { chart } from "./draw";
import { facts, section } from "./parts";

interface Day {
    day: number;
    jobs: number;
    jobs_logged: number;
    users: number;
    users_logged: number;
    core_us: number;
    core_us_logged: number;
}

interface Fleet {
    coverage: Omit<Day, "day"> & { days: Day[]; no_log: { name: string; jobs: number }[] };
}

const start = (day: number): number =>
    Date.UTC(Math.floor(day / 10000), (Math.floor(day / 100) % 100) - 1, day % 100) / 1000;
const name = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);
const part = (some: number, all: number): number | null => (all > 0 ? some / all : null);

async function coverage(into: HTMLElement): Promise<void> {
    const days = Number(new URLSearchParams(location.search).get("days")) || null;
    const from = days ? Math.floor(Date.now() / 1000) - (days - 1) * 86400 : null;
    const { coverage: all } = await ask<Fleet>("/fleet", { start: from });
    const line = (of: (day: Day) => number | null) => all.days.map((day) => ({ x: start(day.day), y: of(day) }));
    into.append(
        facts([
            ["Jobs with a log", format.percent(part(all.jobs_logged, all.jobs))],
            ["Users with a log", format.percent(part(all.users_logged, all.users))],
            ["Core hours with a log", format.percent(part(all.core_us_logged, all.core_us))],
            ...all.no_log.map((one): [string, string] => [`No log: ${one.name}`, format.plural(one.jobs, "job")]),
        ]),
    );
    if (all.days.length > 1)
        into.append(
            chart({
                title: "Part that left a log, by day",
                text: format.percent,
                along: name,
                series: [
                    { name: "jobs", kind: "read", points: line((day) => part(day.jobs_logged, day.jobs)) },
                    { name: "active users", kind: "write", points: line((day) => part(day.users_logged, day.users)) },
                    { name: "core hours", kind: "meta", points: line((day) => part(day.core_us_logged, day.core_us)) },
                ],
            }),
        );
}

export function enhanceFleet(main: HTMLElement): void {
    const heading = [...main.querySelectorAll("h2")].find((one) => one.textContent === "Coverage");
    const made = section("Coverage over time", coverage);
    if (heading) heading.before(made);
    else main.append(made);
}
