// One job: the finding cards of its logs together, then tabs. Those of a single log are views of the page that `iolite report`
// writes, fed by the API; the others are what the servers, other jobs and earlier runs did.
// One job: what the file system did meanwhile, earlier runs of the program, targets of its files, other jobs at the time,
// and the report of each log, which is the page that `iolite report` writes, fed by the API.
import { h } from "../lib/dom";
import * as format from "../lib/format";
import { table } from "../lib/table";
import type { Page } from "../page/document";
import type { MountedPage, Source } from "../page/job-page";
import type { Shell, Target } from "../page/view";
import type { JobContext } from "./answers";
import {
    address,
    ask,
    jobPath,
    prefix,
    type JobDetail,
    type LogId,
    type LogRow,
    type Run,
    type SeriesAnswer,
} from "./api";
import { chart } from "./draw";
import { findingsOfJob } from "./job-findings";
import {
    allFigures,
    column,
    facts,
    jobLink,
    meters,
    mib,
    none,
    pathPart,
    pointsOf,
    ratesChart,
    runColumns,
    section,
    userLink,
} from "./parts";
import { letterOf } from "./mail";
import { tabs, type Tab } from "./tabs";
import { targets } from "./targets";
import * as when from "./when";

interface Context extends JobContext {
    read: SeriesAnswer | null;
    written: SeriesAnswer | null;
}

interface Reports {
    mountJobPage: (place: HTMLElement, page: Page, options: Source) => MountedPage;
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

/** Documents of logs, each asked for once. */
const documents = new Map<LogId, Promise<Page>>();
function pageOf(id: LogId): Promise<Page> {
    let page = documents.get(id);
    if (!page) {
        page = ask<Page>(`/logs/${id}/page`);
        documents.set(id, page);
    }
    return page;
}

/** Views of the report of a log; all of them, with its frame, if none are named. */
async function showReport(into: HTMLElement, id: LogId, views?: string[]): Promise<MountedPage> {
    const [lib, page] = await Promise.all([reports(), pageOf(id)]);
    const trace = (): Promise<ArrayBuffer> =>
        fetch(address(`/api/v1/logs/${id}/trace`), { credentials: "same-origin" }).then((answer) =>
            answer.arrayBuffer(),
        );
    into.replaceChildren();
    return lib.mountJobPage(into, page, { ...(page.trace ? { trace } : {}), ...(views ? { views } : {}) });
}

function reportOf(log: LogRow): HTMLElement {
    const place = h("div", { class: "p-report" });
    const details = h(
        "details",
        { id: `log-${log.log_id}` },
        h("summary", {}, `Report of log ${log.log_id}${log.exe ? `, ${format.visible(log.exe)}` : ""}`),
        place,
    );
    let begun = false;
    details.addEventListener("toggle", () => {
        if (!details.open || begun) return;
        begun = true;
        showReport(place, log.log_id).catch((error: unknown) => place.append(none(`${String(error)}.`)));
    });
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

/** What the servers did in the time around the job, which is marked. */
function traffic(into: HTMLElement, context: Context, span: [number, number]): void {
    if (!context.read && !context.written) {
        into.append(none("No data of the servers covers this time."));
        return;
    }
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
}

function servers(into: HTMLElement, context: Context): void {
    const parts = [serverFacts(context.servers, context.health), coverage(context.servers)].filter(
        (one) => one !== null,
    );
    into.append(...parts);
    if (parts.length)
        into.append(allFigures("All figures of servers and health", { ...context.servers, ...context.health }));
    else into.append(none("No data of the servers covers this time."));
}

function otherJobs(into: HTMLElement, context: Context): void {
    into.append(
        h(
            "p",
            {},
            context.concurrent === null
                ? "Fewer than five other jobs ran at the time."
                : context.concurrent === 1
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
            limit: 20,
        });
}

const rateOf = (run: { perf_mibs: number | null }): number => run.perf_mibs ?? 0;

/** Where a comparison with this run leads. */
const comparison = (before: Run, job: JobDetail): string =>
    address("/compare", { a: `${before.cluster}/${before.jobid}`, b: `${job.cluster}/${job.jobid}` });

function comparisons(job: JobDetail, runs: Run[]): HTMLElement | null {
    const others = runs.filter((run) => run.cluster !== job.cluster || run.jobid !== job.jobid);
    const previous = others[0];
    if (!previous) return null;
    const best = others.reduce((most, one) => (rateOf(one) > rateOf(most) ? one : most));
    return h(
        "p",
        { class: "p-actions" },
        h("a", { class: "p-tool", href: comparison(previous, job) }, "Compare with its previous run"),
        best !== previous
            && h(
                "a",
                { class: "p-tool", href: comparison(best, job) },
                `Compare with its best run, ${format.rate(rateOf(best) * mib)}`,
            ),
    );
}

/** The job as a run of its program, to stand among the earlier ones. */
const asRun = (job: JobDetail, log: LogRow): Run => ({
    log_id: log.log_id,
    cluster: job.cluster,
    jobid: job.jobid,
    user: job.user,
    start: log.start,
    nprocs: log.nprocs,
    run_s: job.run_s ?? 0,
    io_s: log.io_s,
    bytes_read: log.bytes_read,
    bytes_written: log.bytes_written,
    perf_mibs: log.perf_mibs,
    findings: log.findings,
    lost_s: log.lost_s,
});

function earlierRuns(into: HTMLElement, context: Context, job: JobDetail, log: LogRow): void {
    if (!context.history.length) {
        into.append(none("There are no earlier runs of this program on as many processes to compare with."));
        return;
    }
    const actions = comparisons(job, context.history);
    if (actions) into.append(actions);
    into.append(ratesChart(`Rates of ${job.exe ?? "the program"}`, context.history, asRun(job, log)));
    if (context.history.length > 1)
        into.append(
            h("img", {
                class: "p-picture",
                loading: "lazy",
                alt: "UMAMI: metrics of earlier runs, and where this one stands",
                src: address("/api/v1/umami.svg", {
                    exe: job.exe,
                    user: job.user,
                    fs: context.fs,
                    highlight: log.log_id,
                }),
            }),
        );
    table(into, { caption: "Earlier runs", name: "runs", columns: runColumns, rows: context.history, limit: 10 });
}

// Tabs -------------------------------------------------------------------------------------------------------------

/** The log that lost most: what it says comes first. */
function worstLog(logs: LogRow[]): LogRow {
    return logs.reduce((worst, one) => ((one.lost_s ?? 0) > (worst.lost_s ?? 0) ? one : worst));
}

const parts = {
    time: ["run-time", "layers", "heatmap", "phases", "regions", "timeline", "where"],
    files: ["files", "file-counts", "file-systems", "lustre", "sizes", "operations", "pattern"],
    ranks: ["ranks", "mpi", "processes", "mean-io", "variance"],
};

/** Views of one log; of a job of many logs, of the one that is chosen. */
async function viewsOfLog(into: HTMLElement, detail: JobDetail, views: string[]): Promise<MountedPage> {
    const place = h("div", { class: "p-report" });
    const first = worstLog(detail.logs);
    if (detail.logs.length > 1) {
        const choice = h(
            "select",
            {},
            detail.logs.map((log) =>
                h(
                    "option",
                    { value: log.log_id, selected: log === first },
                    `${when.date(log.start)} ${format.visible(log.exe ?? "")}, ${format.seconds(log.lost_s)} lost`,
                ),
            ),
        );
        choice.addEventListener("change", () => {
            mounted.destroy();
            void showReport(place, choice.value, views).then((made) => (mounted = made));
        });
        into.append(h("label", { class: "p-choice" }, "Log ", choice));
    }
    into.append(place);
    let mounted = await showReport(place, first.log_id, views);
    if (!place.querySelector(".io-section")) into.append(none("The log has nothing about this."));
    return { show: (target) => mounted.show(target), destroy: () => mounted.destroy() };
}

/** What the server has drawn becomes the content of a tab. */
function drawn(main: HTMLElement, name: string): (into: HTMLElement) => void {
    const section = main.querySelector<HTMLElement>(`section[data-tab=${name}]`);
    section?.remove();
    return (into) => {
        if (section) into.append(...[...section.childNodes].filter((one) => one.nodeName !== "H2"));
    };
}

interface Around {
    detail: JobDetail;
    context: () => Promise<Context>;
    span: [number, number];
}

function tabsOfJob(
    main: HTMLElement,
    { detail, context, span }: Around,
): { all: Tab[]; shown: Map<string, MountedPage> } {
    const shown = new Map<string, MountedPage>();
    const of = (id: keyof typeof parts, title: string, more?: (into: HTMLElement) => Promise<void>): Tab => ({
        id,
        title,
        fill: async (into) => {
            shown.set(id, await viewsOfLog(into, detail, parts[id]));
            await more?.(into);
        },
    });
    const logs = drawn(main, "logs");
    const sizes = drawn(main, "sizes");
    const withLogs = detail.logs.length > 0;
    const first = withLogs ? worstLog(detail.logs) : null;
    const all: (Tab | false)[] = [
        withLogs && of("time", "Over time", async (into) => traffic(into, await context(), span)),
        withLogs && of("files", "Files", async (into) => into.append(section("Requests of all logs by size", sizes))),
        withLogs && of("ranks", "Ranks"),
        first !== null && {
            id: "history",
            title: "History",
            fill: async (into) => earlierRuns(into, await context(), detail, first),
        },
        {
            id: "servers",
            title: "Servers",
            fill: async (into) => {
                if (!withLogs) traffic(into, await context(), span);
                servers(into, await context());
                if (first) into.append(section("Storage targets", (place) => targets(place, first.log_id)));
            },
        },
        { id: "others", title: "Other jobs", fill: async (into) => otherJobs(into, await context()) },
        withLogs && {
            id: "logs",
            title: detail.logs.length > 1 ? `Logs (${format.count(detail.logs.length)})` : "Log and report",
            fill: (into) => {
                logs(into);
                into.append(...detail.logs.slice(0, 50).map(reportOf));
            },
        },
        { id: "accounting", title: "Accounting", fill: drawn(main, "accounting") },
    ];
    return { all: all.filter((one): one is Tab => one !== false), shown };
}

/** Evidence leads to the tab that can show it. */
const tabOf: Partial<Record<Target["kind"], string>> = { file: "files", time: "time", rank: "ranks" };

/** Tabs show one log at first: evidence in others is named there, and not a link. */
function shellOf(page: Page, root: HTMLElement, isShown: boolean, show: (target: Target) => void): Shell {
    const files = new Set(page.files?.columns.id ?? []);
    return {
        root,
        show,
        onTarget: () => undefined,
        canShow: (target) => isShown && (target.kind === "file" ? files.has(target.id) : target.kind in tabOf),
        openFile: (id) => show({ kind: "file", id }),
        fileRow: () => -1,
        fileName: () => "",
        announce: () => undefined,
    };
}

/** Cause, cost and fix before everything else. The server's table stays where they cannot be had. */
async function openWithFindings(main: HTMLElement, detail: JobDetail, show: (target: Target) => void): Promise<void> {
    const place = main.querySelector<HTMLElement>("#findings");
    if (!place || !detail.findings.length) return;
    const cards = h("div", { class: "p-findings p-body", "aria-busy": "true" });
    place.append(cards);
    try {
        await findingsOfJob(cards, {
            findings: detail.findings,
            logs: detail.logs.length,
            page: pageOf,
            letter: (finding) =>
                letterOf(finding, { ...detail, address: new URL(jobPath(detail), location.href).href }),
            shell: (log, page, root) => shellOf(page, root, log === worstLog(detail.logs).log_id, show),
        });
        for (const one of [...place.children]) if (one !== cards && one.tagName !== "H2") one.remove();
    } catch (error) {
        cards.replaceChildren(
            none(`Advice and code cannot be shown: ${error instanceof Error ? error.message : String(error)}.`),
        );
    } finally {
        cards.removeAttribute("aria-busy");
    }
}

export async function enhanceJob(main: HTMLElement): Promise<void> {
    const [cluster, jobid] = [pathPart(1), pathPart(2)];
    if (!cluster || !jobid) return;
    const where = `/jobs/${encodeURIComponent(cluster)}/${encodeURIComponent(jobid)}`;
    const start = new URLSearchParams(location.search).get("start");
    const detail = await ask<JobDetail>(where, { start });
    let asked: Promise<Context> | null = null;
    const context = (): Promise<Context> => (asked ??= ask<Context>(where + "/context", { start }));
    const began = detail.start ?? detail.end ?? 0;
    const { all, shown } = tabsOfJob(main, { detail, context, span: [began, detail.end ?? began] });
    const made = tabs("Parts of the job", all);
    main.append(made.element);
    await openWithFindings(main, detail, (target) => {
        const id = tabOf[target.kind];
        if (!id) return;
        void made.open(id).then((place) => {
            place.scrollIntoView({ block: "start" });
            if (target.kind === "file") location.hash = `file=${encodeURIComponent(target.id)}`;
            else shown.get(id)?.show(target);
        });
    });
}
