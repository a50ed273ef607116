// Screens, benchmarks, two jobs beside each other, and the server's own state.
import { h } from "../lib/dom";
import * as format from "../lib/format";
import { table } from "../lib/table";
import { address, ask, list, type Job, type Program, type Row } from "./api";
import { column, facts, jobLink, none, programLink, section, userLink } from "./parts";

interface Screen {
    name: string;
    meaning: string;
    threshold: number;
    jobs: number;
    users: number;
}

interface ScreenJob {
    cluster: string;
    jobid: string;
    user: string;
    exe: string | null;
    start: number;
    nprocs: number;
    value: number;
    bytes_read: number;
    bytes_written: number;
}

const byScreen: Record<string, (value: number | null) => string> = {
    "redundant-reads": format.bytes,
    metadata: format.percent,
    "small-writes": format.count,
};

export async function screensPage(main: HTMLElement): Promise<void> {
    const { items } = await list<Screen>("/screens");
    for (const screen of items) {
        const text = byScreen[screen.name] ?? format.count;
        main.append(
            section(screen.name.replaceAll("-", " "), async (into) => {
                into.append(
                    h(
                        "p",
                        {},
                        `${screen.meaning}: more than ${text(screen.threshold)}. ${format.plural(screen.jobs, "job")} of ${format.plural(screen.users, "user")}.`,
                    ),
                );
                const jobs = await list<ScreenJob>("/screens/" + screen.name, { limit: 100 });
                if (jobs.items.length)
                    table(into, {
                        caption: screen.name,
                        name: screen.name,
                        quiet: true,
                        columns: [
                            { label: "Job", value: (job) => job.jobid, render: (job) => jobLink(job) },
                            { label: "User", value: (job) => job.user, render: (job) => userLink(job.user) },
                            { label: "Program", value: (job) => job.exe, render: (job) => programLink(job.exe) },
                            { label: "Start", value: (job) => job.start, text: (job) => format.date(job.start) },
                            column.number<ScreenJob>("Processes", (job) => job.nprocs, format.count),
                            column.number<ScreenJob>("Value", (job) => job.value, text),
                            column.number<ScreenJob>(
                                "Moved",
                                (job) => job.bytes_read + job.bytes_written,
                                format.bytes,
                            ),
                        ],
                        rows: jobs.items,
                        limit: 20,
                    });
            }),
        );
    }
}

interface Correlation {
    metric: string;
    coefficient: number | null;
    p_value: number | null;
    n: number;
    significant: boolean;
}

export async function benchmarksPage(main: HTMLElement): Promise<void> {
    const { items } = await list<Program>("/programs", { limit: 200 });
    const wanted = new URLSearchParams(location.search).get("exe") ?? items[0]?.exe;
    if (!wanted) {
        main.append(none("No program has left a log yet."));
        return;
    }
    const choose = h(
        "select",
        { name: "exe", onchange: () => (location.search = "?exe=" + encodeURIComponent(choose.value)) },
        items.map((one) => h("option", { value: one.exe, selected: one.exe === wanted }, one.exe)),
    );
    main.append(
        h("form", {}, h("label", {}, "Program ", choose)),
        section("Against earlier runs", (into) => {
            into.append(
                h("img", {
                    class: "p-picture",
                    alt: `UMAMI of ${wanted}`,
                    src: address("/api/v1/umami", { exe: wanted, format: "svg" }),
                }),
            );
        }),
        section("What goes with performance", async (into) => {
            const found = await list<Correlation>("/correlations", { exe: wanted });
            if (!found.items.length) into.append(none("There are too few runs."));
            else
                table(into, {
                    caption: "Correlations",
                    name: "correlations",
                    quiet: true,
                    columns: [
                        { label: "Metric", value: (one) => one.metric },
                        {
                            label: "Coefficient",
                            value: (one) => one.coefficient,
                            text: (one) => one.coefficient?.toFixed(4) ?? "-",
                            number: true,
                        },
                        {
                            label: "p value",
                            value: (one) => one.p_value,
                            text: (one) => one.p_value?.toPrecision(3) ?? "-",
                            number: true,
                        },
                        column.number<Correlation>("Jobs", (one) => one.n, format.count),
                        { label: "Significant", value: (one) => (one.significant ? "yes" : "no") },
                    ],
                    rows: found.items,
                });
        }),
    );
}

interface Detail {
    job: Job;
    metrics: Record<string, number | null>;
    findings: { rule: string; level: string; title: string }[];
}

const parse = (text: string): [string, string] | null => {
    const parts = text.trim().split("/");
    return parts.length === 2 && parts[0] && parts[1] ? [parts[0], parts[1]] : null;
};

export async function comparePage(main: HTMLElement): Promise<void> {
    const query = new URLSearchParams(location.search);
    const field = (name: string, label: string): HTMLElement =>
        h(
            "label",
            {},
            label,
            h("input", { name, value: query.get(name) ?? "", placeholder: "cluster/job id", required: true }),
        );
    main.append(h("form", {}, field("a", "First job "), field("b", " and second "), " ", h("button", {}, "Compare")));
    const [a, b] = [parse(query.get("a") ?? ""), parse(query.get("b") ?? "")];
    if (!a || !b) return;
    const get = ([cluster, jobid]: [string, string]): Promise<Detail> =>
        ask<Detail>(`/jobs/${encodeURIComponent(cluster)}/${encodeURIComponent(jobid)}`);
    const [first, second] = await Promise.all([get(a), get(b)]);
    const numbers = (detail: Detail): Record<string, number | null> => ({
        processes: detail.job.nprocs,
        "run time (s)": detail.job.run_s,
        "I/O time (s)": detail.job.io_s,
        "bytes read": detail.job.bytes_read,
        "bytes written": detail.job.bytes_written,
        "rate (MiB/s)": detail.job.perf_mibs,
        ...detail.metrics,
    });
    const [left, right] = [numbers(first), numbers(second)];
    table(main, {
        caption: "Figures",
        name: "comparison",
        columns: [
            { label: "Figure", value: (name) => name.replaceAll("_", " ") },
            column.number<string>(a.join("/"), (name) => left[name] ?? null, format.count),
            column.number<string>(b.join("/"), (name) => right[name] ?? null, format.count),
            column.number<string>(
                "Second by first",
                (name) => (left[name] ? (right[name] ?? 0) / left[name] : null),
                format.percent,
            ),
        ],
        rows: Object.keys(left),
    });
    const rules = new Map<string, { title: string; first: string; second: string }>();
    for (const [which, detail] of [
        ["first", first],
        ["second", second],
    ] as const)
        for (const one of detail.findings) {
            if (one.level !== "high" && one.level !== "warn") continue;
            const row = rules.get(one.rule) ?? { title: one.title, first: "-", second: "-" };
            row[which] = one.level;
            rules.set(one.rule, row);
        }
    if (!rules.size) main.append(none("Neither has a serious finding."));
    else
        table(main, {
            caption: "Findings",
            name: "findings",
            columns: [
                { label: "Rule", value: ([rule]) => rule },
                { label: "What was found", value: ([, row]) => row.title },
                { label: a.join("/"), value: ([, row]) => row.first },
                { label: b.join("/"), value: ([, row]) => row.second },
            ],
            rows: [...rules.entries()],
        });
}

export async function adminPage(main: HTMLElement): Promise<void> {
    const health = await ask<{ status: string; version: string; schema: number; lag_s: Record<string, number | null> }>(
        "/health",
    );
    main.append(
        facts([
            ["State", health.status],
            ["Version", health.version],
            ...Object.entries(health.lag_s ?? {}).map(([name, lag]): [string, string] => [
                `Lag of ${name}`,
                format.seconds(lag),
            ]),
        ]),
        section("Configuration", async (into) => {
            const { items } = await list<Row>("/check");
            table(into, {
                caption: "Configuration",
                name: "configuration",
                quiet: true,
                columns: [
                    { label: "What", value: (row) => String(row["what"]) },
                    { label: "State", value: (row) => String(row["state"]) },
                    { label: "Message", value: (row) => String(row["message"]) },
                ],
                rows: items,
            });
        }),
        section("Files that could not be read", async (into) => {
            const { items } = await list<Row>("/failures", { limit: 200 });
            if (!items.length) into.append(none("All logs could be read."));
            else
                table(into, {
                    caption: "Failures",
                    name: "failures",
                    quiet: true,
                    columns: [
                        { label: "File", value: (row) => String(row["path"]), path: true },
                        { label: "State", value: (row) => String(row["state"]) },
                        { label: "Reason", value: (row) => (row["reason"] === null ? "" : String(row["reason"])) },
                    ],
                    rows: items,
                    limit: 20,
                });
        }),
    );
}
