// One job: what the file system did meanwhile, earlier runs of the program, targets of its files, other jobs at the time,
// and the report of each log, which is the page that `iolite report` writes, fed by the API.
import { h } from "../lib/dom";
import * as format from "../lib/format";
import { table } from "../lib/table";
import { address, ask, list, prefix, type Run, type SeriesAnswer } from "./api";
import { chart } from "./draw";
import { column, facts, jobLink, none, pathPart, pointsOf, ratesChart, runColumns, section, userLink } from "./parts";

interface Context {
    start: number;
    end: number;
    fs: string | null;
    read: SeriesAnswer | null;
    written: SeriesAnswer | null;
    servers: Record<string, unknown>;
    health: Record<string, unknown>;
    concurrent: number | null;
    top: { cluster: string; jobid: string; user: string; nnodes: number | null; exe: string | null }[];
    history: Run[];
}

interface Detail {
    job: { cluster: string; jobid: string; exe: string | null; user: string; start: number; end: number | null };
    logs: { log_id: number; exe: string | null }[];
}

interface Target {
    name: string;
    fs: string;
    files: number;
    bytes_read: number;
    bytes_written: number;
}

const targetColumns = [
    { label: "Target", value: (row: Target) => row.name },
    { label: "File system", value: (row: Target) => row.fs },
    column.number<Target>("Files", (row) => row.files, format.count),
    column.number<Target>("Read", (row) => row.bytes_read, format.bytes),
    column.number<Target>("Written", (row) => row.bytes_written, format.bytes),
];

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

async function showReport(into: HTMLElement, id: number): Promise<void> {
    const [lib, page] = await Promise.all([reports(), ask<{ trace?: unknown }>(`/logs/${id}/page`)]);
    const trace = (): Promise<ArrayBuffer> =>
        fetch(address(`/api/v1/logs/${id}/trace`), { credentials: "same-origin" }).then((answer) =>
            answer.arrayBuffer(),
        );
    into.replaceChildren();
    lib.mountJobPage(into, page, page.trace ? { trace } : {});
}

function reportOf(log: { log_id: number; exe: string | null }, open: boolean): HTMLElement {
    const place = h("div", { class: "p-report" });
    const details = h(
        "details",
        {},
        h("summary", {}, `Report of log ${log.log_id}${log.exe ? `, ${log.exe}` : ""}`),
        place,
    );
    let begun = false;
    details.addEventListener("toggle", () => {
        if (!details.open || begun) return;
        begun = true;
        showReport(place, log.log_id).catch((error: unknown) => place.append(none(String(error))));
    });
    details.open = open;
    return details;
}

function meanwhile(into: HTMLElement, context: Context, span: [number, number]): void {
    const scalars = (object: Record<string, unknown>): [string, string][] =>
        Object.entries(object)
            .filter(([, value]) => typeof value === "number" || typeof value === "string")
            .map(([name, value]) => [
                name.replaceAll("_", " "),
                typeof value === "number" ? format.count(value) : String(value),
            ]);
    const told = [...scalars(context.servers), ...scalars(context.health)];
    if (context.read || context.written)
        into.append(
            chart({
                title: `Traffic of ${context.fs ?? "the file system"}`,
                text: (value) => format.rate(value),
                bytes: true,
                span,
                series: [
                    { name: "read", kind: "read", points: pointsOf(context.read) },
                    { name: "written", kind: "write", points: pointsOf(context.written) },
                ],
            }),
        );
    if (told.length) into.append(facts(told));
    if (!context.read && !context.written && !told.length)
        into.append(none("No data of the servers covers this time."));
    if (context.concurrent !== null)
        into.append(h("p", {}, `${format.plural(context.concurrent, "other job")} ran at the time.`));
    if (context.top.length)
        table(into, {
            caption: "Largest jobs at the time",
            name: "concurrent",
            columns: [
                { label: "Job", value: (job) => job.jobid, render: (job) => jobLink(job) },
                { label: "User", value: (job) => job.user, render: (job) => userLink(job.user) },
                { label: "Program", value: (job) => job.exe },
                column.number<Context["top"][number]>("Nodes", (job) => job.nnodes, format.count),
            ],
            rows: context.top,
        });
}

function earlier(into: HTMLElement, context: Context, job: Detail["job"], log: number): void {
    if (context.history.length < 2) {
        into.append(none("There are no earlier runs to compare with."));
        return;
    }
    into.append(
        ratesChart(`Rates of ${job.exe ?? "the program"}`, context.history),
        h("img", {
            class: "p-picture",
            loading: "lazy",
            alt: "UMAMI: metrics of earlier runs, and where this one stands",
            src: address("/api/v1/umami", { exe: job.exe, user: job.user, log, format: "svg" }),
        }),
    );
    table(into, { caption: "Earlier runs", name: "runs", columns: runColumns, rows: context.history, limit: 10 });
}

export async function enhanceJob(main: HTMLElement): Promise<void> {
    const [cluster, jobid] = [pathPart(1), pathPart(2)];
    if (!cluster || !jobid) return;
    const where = `/jobs/${encodeURIComponent(cluster)}/${encodeURIComponent(jobid)}`;
    const start = new URLSearchParams(location.search).get("start");
    const detail = await ask<Detail>(where, { start });
    const first = detail.logs[0];
    if (!first) return;
    const context = ask<Context>(where + "/context", { start });
    const span: [number, number] = [detail.job.start, detail.job.end ?? detail.job.start];
    main.append(
        section("Meanwhile", async (into) => meanwhile(into, await context, span)),
        section("Earlier runs", async (into) => earlier(into, await context, detail.job, first.log_id)),
        section("Storage targets", async (into) => {
            const { items } = await list<Target>(`/logs/${first.log_id}/osts`);
            if (!items.length) into.append(none("No file of this job has a layout on storage targets."));
            else
                table(into, {
                    caption: "Targets",
                    name: "targets",
                    quiet: true,
                    columns: targetColumns,
                    rows: items,
                    limit: 20,
                });
        }),
        h(
            "section",
            { class: "p-section" },
            h("h2", {}, "Report"),
            ...detail.logs.slice(0, 50).map((log) => reportOf(log, detail.logs.length === 1)),
        ),
    );
}
