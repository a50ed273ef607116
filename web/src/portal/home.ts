// The first page: what the server has said in a sentence and tables gets the fix of what cost most, with its code, the trend
// of one's programs, and, for staff, the file systems as they are now.
import { h, type Child } from "../lib/dom";
import * as format from "../lib/format";
import { table } from "../lib/table";
import type { Page } from "../page/document";
import type { Shell } from "../page/view";
import { findingCard } from "../views/findings";
import type { Fs, Overview } from "./answers";
import { ask, list, prefix, type Program, type SeriesAnswer } from "./api";
import { sparkline } from "./draw";
import { column, jobLink, none, programLink, section } from "./parts";
import * as when from "./when";

/** Evidence of a finding is on the page of its job. */
const linkingShell = (root: HTMLElement): Shell => ({
    root,
    show: () => undefined,
    onTarget: () => undefined,
    canShow: () => false,
    openFile: () => undefined,
    fileRow: () => -1,
    fileName: () => "",
    announce: () => undefined,
});

async function worstFinding(into: HTMLElement, overview: Overview): Promise<void> {
    const worst = overview.worst;
    if (!worst) return;
    const page = await ask<Page>(`/logs/${worst.in.log_id}/page`);
    const at = page.diagnosis.findings.findIndex((one) => one.id === worst.rule);
    const finding = page.diagnosis.findings[at];
    if (!finding) return;
    const others = worst.logs > 1 ? `, the worst of ${format.plural(worst.logs, "log")} with it` : "";
    into.classList.add("p-findings");
    into.append(
        findingCard(finding, at, page, linkingShell(into)),
        h(
            "p",
            {},
            "Seen in job ",
            jobLink(worst.in),
            ` of ${when.date(worst.in.start)}${others}. `,
            h(
                "a",
                { href: `${prefix}/jobs?finding=${encodeURIComponent(worst.rule)}&sort=-lost_s` },
                "All jobs with it",
            ),
        ),
    );
}

async function programs(into: HTMLElement): Promise<void> {
    const { items } = await list<Program>("/programs", { limit: 8, runs: 20 });
    if (!items.length) {
        into.append(none("No program of yours has left a log yet."));
        return;
    }
    table(into, {
        caption: "My programs",
        name: "programs",
        quiet: true,
        columns: [
            { label: "Program", value: (one) => one.exe, render: (one) => programLink(one.exe) },
            { label: "Latest run", value: (one) => one.last, text: (one) => when.date(one.last) },
            {
                label: "Rates of the latest runs",
                value: (one) => one.rates.at(-1) ?? null,
                render: (one): Child =>
                    one.rates.length > 1
                        ? h(
                              "span",
                              { class: "p-trend" },
                              sparkline(one.rates, `rates of the latest runs of ${one.exe}`),
                              format.rate(one.rates.at(-1) ?? null),
                          )
                        : format.rate(one.rates.at(-1) ?? null),
            },
            column.number<Program>("Logs", (one) => one.logs, format.count),
            column.number<Program>("Lost", (one) => one.lost_s, format.seconds),
        ],
        rows: items,
    });
}

const recent = 3 * 3600;

/** The latest values of a dataset, all targets together, up to the latest sample. */
async function recentRates(fs: Fs, dataset: string): Promise<(number | null)[]> {
    if (!fs.series || fs.last === null) return [];
    const series = await ask<SeriesAnswer>(`/fs/${encodeURIComponent(fs.fs)}/series`, {
        dataset,
        start: Math.floor(fs.last) - recent,
        end: Math.floor(fs.last) + 300,
        step: 300,
    }).catch(() => null);
    return series ? series.values.map((row) => row[0] ?? null) : [];
}

const latestOf = (values: (number | null)[]): number | null => values.filter((one) => one !== null).at(-1) ?? null;

function ratesCell(name: string, what: string, values: (number | null)[]): Child {
    if (!values.length) return format.unknown;
    return h(
        "span",
        { class: "p-trend" },
        sparkline(values, `${what} on ${name}, the last three hours`),
        format.rate(latestOf(values)),
    );
}

interface FsNow extends Fs {
    reads: (number | null)[];
    writes: (number | null)[];
}

const late = 2 * 3600;

async function fileSystems(into: HTMLElement): Promise<void> {
    const { items } = await list<Fs>("/fs");
    const known = items.filter((one) => one.series);
    if (!known.length) {
        into.append(none("The site file names no time series of a file system."));
        return;
    }
    const rows = await Promise.all(
        known.map(async (one): Promise<FsNow> => {
            const [reads, writes] = await Promise.all([
                recentRates(one, "datatargets/readrates"),
                recentRates(one, "datatargets/writerates"),
            ]);
            return { ...one, reads, writes };
        }),
    );
    const age = (one: Fs): number => (one.last === null ? Infinity : Date.now() / 1000 - one.last);
    const full = (one: Fs): number | null => (one.used !== null && one.capacity ? one.used / one.capacity : null);
    table(into, {
        caption: "File systems now",
        name: "file-systems-now",
        quiet: true,
        columns: [
            {
                label: "File system",
                value: (one) => one.fs,
                render: (one) => h("a", { href: `${prefix}/fs/${encodeURIComponent(one.fs)}` }, one.fs),
            },
            {
                label: "Read",
                value: (one) => latestOf(one.reads),
                render: (one) => ratesCell(one.fs, "read", one.reads),
            },
            {
                label: "Written",
                value: (one) => latestOf(one.writes),
                render: (one) => ratesCell(one.fs, "written", one.writes),
            },
            column.number<FsNow>("Full", full, format.percent),
            {
                label: "Latest sample",
                value: (one) => one.last,
                render: (one) =>
                    h(
                        "span",
                        { class: age(one) > late ? "p-late" : null },
                        one.last === null ? "none" : when.date(one.last),
                    ),
            },
        ],
        rows,
    });
}

export async function homePage(main: HTMLElement): Promise<void> {
    const asked = new URLSearchParams(location.search);
    const overview = await ask<Overview>("/overview", { days: asked.get("days"), end: asked.get("end") });
    const place = main.querySelector("#worst-finding") ?? main;
    const staff = overview.role === "staff";
    if (overview.worst)
        place.append(
            section(staff ? "What costs most" : "This fixes most of it", (into) => worstFinding(into, overview)),
        );
    place.append(staff ? section("File systems now", fileSystems) : section("My programs", programs));
}
