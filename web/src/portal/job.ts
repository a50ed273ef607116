// One job: what the file system did meanwhile, earlier runs of the program, targets of its files, other jobs at the time,
// and the report of each log, which is the page that `iolite report` writes, fed by the API.
import { h } from "../lib/dom";
import * as format from "../lib/format";
import { table } from "../lib/table";
import type { JobContext } from "./answers";
import { address, ask, prefix, type JobDetail, type LogId, type LogRow, type SeriesAnswer } from "./api";
import { chart } from "./draw";
import {
    allFigures,
    column,
    facts,
    jobLink,
    meters,
    none,
    pathPart,
    pointsOf,
    ratesChart,
    runColumns,
    section,
    userLink,
} from "./parts";
import { view as findings } from "../views/findings";
import type { Page } from "../page/document";
import type { Shell } from "../page/view";
import { targets } from "./targets";

interface Context extends JobContext {
    read: SeriesAnswer | null;
    written: SeriesAnswer | null;
}

interface Reports {
    mountJobPage: (place: HTMLElement, page: unknown, options: { trace?: () => Promise<ArrayBuffer> }) => void;
}

/** The script of the report, loaded when a report is looked at. */
let loading: Promise<Reports> | null = null;
function reports(): Promise<Reports> {
    loading ??= new Promise((resolve, reject) => {
        document.head.append(h("link", { rel: "stylesheet", href: prefix + "/assets/report.css" }));
        const script = h("script", { src: prefix + "/assets/report.js" });
        script.addEventListener("load", () => resolve((window as unknown as { iolite: Reports }).iolite));
        script.addEventListener("error", () => reject(new Error("the report's script could not be loaded")));
        document.head.append(script);
    });
    return loading;
}

async function showReport(into: HTMLElement, id: LogId): Promise<void> {
    const [lib, page] = await Promise.all([reports(), ask<{ trace?: unknown }>(`/logs/${id}/page`)]);
    const trace = (): Promise<ArrayBuffer> =>
        fetch(address(`/api/v1/logs/${id}/trace`), { credentials: "same-origin" }).then((answer) =>
            answer.arrayBuffer(),
        );
    into.replaceChildren();
    lib.mountJobPage(into, page, page.trace ? { trace } : {});
}

function reportOf(log: LogRow, open: boolean): HTMLElement {
    const place = h("div", { class: "p-report" });
    const details = h(
        "details",
        { id: `log-${log.log_id}` },
        h("summary", {}, `Report of log ${log.log_id}${log.exe ? `, ${log.exe}` : ""}`),
        place,
    );
    let begun = false;
    details.addEventListener("toggle", () => {
        if (!details.open || begun) return;
        begun = true;
        showReport(place, log.log_id).catch((error: unknown) => place.append(none(`${String(error)}.`)));
    });
    details.open = open;
    return details;
}

const of = (object: Record<string, unknown>, key: string): number | null => {
    const value = object[key];
    return typeof value === "number" && Number.isFinite(value) ? value : null;
};

/** The part of the servers' work that was this job's: much of it, and nobody else explains a slow run. */
function coverage(servers: Record<string, unknown>): HTMLElement | null {
    const kinds: [string, string][] = [
        ["Bytes read", "coverage_factor_read_bw"],
        ["Bytes written", "coverage_factor_write_bw"],
        ["Opens", "coverage_factor_opens"],
        ["Stat calls", "coverage_factor_stats"],
    ];
    const rows = kinds
        .map(([name, key]): [string, number | null, string] => {
            const part = of(servers, key);
            return [name, part, part !== null && part > 1.2 ? "more than the servers saw" : format.percent(part)];
        })
        .filter(([, part]) => part !== null);
    return rows.length ? h("div", {}, h("h3", {}, "This job's share of what the servers did"), meters(rows)) : null;
}

const percent = (value: number | null): string => format.percent(value === null ? null : value / 100);

function serverFacts(servers: Record<string, unknown>, health: Record<string, unknown>): HTMLElement | null {
    const failed = of(health, "fshealth_ost_overloaded_oss_count");
    const fullest = health["fshealth_ost_most_full_name"];
    const rows: [string, string][] = [
        ["Read, mean", format.rate(of(servers, "fs_ave_bytes_read_per_sec"))],
        ["Written, mean", format.rate(of(servers, "fs_ave_bytes_written_per_sec"))],
        ["Opens per second", format.short(of(servers, "fs_ave_open_ops_per_sec"))],
        ["Server CPU, mean", percent(of(servers, "fs_ave_oss_cpu"))],
        ["Server CPU, peak", percent(of(servers, "fs_max_oss_cpu"))],
        ["Metadata CPU, peak", percent(of(servers, "fs_max_mds_cpu"))],
        ["Data missing", format.percent(of(servers, "fs_frac_missing"))],
        [
            "Fullest target",
            fullest ? `${String(fullest)}, ${percent(of(health, "fshealth_ost_most_full_pct"))}` : format.unknown,
        ],
        ["Targets full, mean", percent(of(health, "fshealth_ost_avg_full_pct"))],
        ["Servers with others' targets", failed === null ? format.unknown : format.count(failed)],
    ];
    const known = rows.filter(([, text]) => text !== format.unknown);
    return known.length ? facts(known) : null;
}

function meanwhile(into: HTMLElement, context: Context, span: [number, number]): void {
    if (context.read || context.written)
        into.append(
            chart({
                title: `Traffic of ${context.fs ?? "the file system"}; the job ran in the marked time`,
                text: (value) => format.rate(value),
                bytes: true,
                span,
                series: [
                    { name: "read", kind: "read", points: pointsOf(context.read) },
                    { name: "written", kind: "write", points: pointsOf(context.written) },
                ],
            }),
        );
    const parts = [serverFacts(context.servers, context.health), coverage(context.servers)].filter(
        (one) => one !== null,
    );
    into.append(...parts);
    if (parts.length)
        into.append(allFigures("All figures of servers and health", { ...context.servers, ...context.health }));
    if (!context.read && !context.written && !parts.length)
        into.append(none("No data of the servers covers this time."));
    if (context.concurrent !== null)
        into.append(
            h(
                "p",
                {},
                context.concurrent === 1
                    ? "1 other job ran at the time."
                    : `${format.count(context.concurrent)} other jobs ran at the time.`,
            ),
        );
    if (context.top.length)
        table(into, {
            caption: "Largest jobs at the time",
            name: "concurrent",
            columns: [
                { label: "Job", value: (job) => job.jobid, render: (job) => jobLink(job) },
                { label: "User", value: (job) => job.user, render: (job) => userLink(job.user) },
                { label: "Program", value: (job) => job.exe, text: (job) => job.exe ?? format.unknown },
                column.number<Context["top"][number]>("Nodes", (job) => job.nnodes, format.count),
            ],
            rows: context.top,
            limit: 10,
        });
}

function earlier(into: HTMLElement, context: Context, job: JobDetail, log: LogId): void {
    if (context.history.length < 2) {
        into.append(none("There are no earlier runs of this program on as many processes to compare with."));
        return;
    }
    into.append(
        ratesChart(`Rates of ${job.exe ?? "the program"}`, context.history),
        h("img", {
            class: "p-picture",
            loading: "lazy",
            alt: "UMAMI: metrics of earlier runs, and where this one stands",
            src: address("/api/v1/umami.svg", { exe: job.exe, user: job.user, fs: context.fs, highlight: log }),
        }),
    );
    table(into, { caption: "Earlier runs", name: "runs", columns: runColumns, rows: context.history, limit: 10 });
}

/** The log that lost most: what it says comes first. */
function worstLog(logs: LogRow[]): LogRow {
    return logs.reduce((worst, one) => ((one.lost_s ?? 0) > (worst.lost_s ?? 0) ? one : worst));
}

function goToReport(log: LogRow, hash: string): void {
    const details = document.getElementById(`log-${log.log_id}`);
    if (!(details instanceof HTMLDetailsElement)) return;
    details.open = true;
    details.scrollIntoView({ block: "start" });
    if (hash) location.hash = hash;
}

/** Cause, cost and fix before everything else: the cards of the report, of the log that lost most. */
function openWithFindings(main: HTMLElement, detail: JobDetail): void {
    const log = worstLog(detail.logs);
    const made = section("What cost this job most", async (into) => {
        const page = await ask<Page>(`/logs/${log.log_id}/page`);
        into.classList.add("p-findings");
        const shell: Shell = {
            root: into,
            show: (target) => goToReport(log, target.kind === "file" ? `file=${target.id}` : ""),
            onTarget: () => undefined,
            canShow: (target) => target.kind === "file",
            openFile: (id) => goToReport(log, `file=${id}`),
            fileRow: () => -1,
            fileName: () => "",
            announce: () => undefined,
        };
        findings.mount(into, page, shell);
        if (detail.logs.length > 1)
            into.append(
                none(
                    `These are of log ${log.log_id}, which lost most of ${detail.logs.length}; the findings of all logs are in the table below.`,
                ),
            );
    });
    (main.querySelector("h1") ?? main).after(made);
}

export async function enhanceJob(main: HTMLElement): Promise<void> {
    const [cluster, jobid] = [pathPart(1), pathPart(2)];
    if (!cluster || !jobid) return;
    const where = `/jobs/${encodeURIComponent(cluster)}/${encodeURIComponent(jobid)}`;
    const start = new URLSearchParams(location.search).get("start");
    const detail = await ask<JobDetail>(where, { start });
    const context = ask<Context>(where + "/context", { start });
    const began = detail.start ?? detail.end ?? 0;
    const span: [number, number] = [began, detail.end ?? began];
    const first = detail.logs[0];
    if (first) openWithFindings(main, detail);
    main.append(section("Meanwhile", async (into) => meanwhile(into, await context, span)));
    if (!first) return;
    main.append(
        section("Earlier runs", async (into) => earlier(into, await context, detail, first.log_id)),
        section("Storage targets", (into) => targets(into, first.log_id)),
        h(
            "section",
            { class: "p-section" },
            h("h2", {}, detail.logs.length === 1 ? "Report" : `Reports of ${detail.logs.length} logs`),
            ...detail.logs.slice(0, 50).map((log) => reportOf(log, detail.logs.length === 1)),
            detail.logs.length > 50
                && none("The reports of the first 50 logs are here; the table above opens the rest."),
        ),
    );
}
