// Two jobs, or two groups of jobs, beside each other: by the same comparison as `iolite compare`, which says whether a
// difference is more than noise.
import { h } from "../lib/dom";
import * as format from "../lib/format";
import { table } from "../lib/table";
import { address, ask, type JobDetail, type LogId } from "./api";
import { none, section } from "./parts";

interface Side {
    n: number;
    median: number | null;
}

interface Metric {
    metric: string;
    label: string;
    unit: string;
    fact: boolean;
    differs: boolean;
    a: Side;
    b: Side;
    ratio: number | null;
    test?: { significant: boolean; p_holm: number } | null;
}

interface Comparison {
    verdict: { sentences: string[] };
    warnings: string[];
    metrics: Metric[];
    findings: { id: string; state: string; title: string; lost_s_change: number | null }[];
}

const most = 20;
const units: Record<string, (value: number | null) => string> = {
    s: format.seconds,
    bytes: format.bytes,
    "bytes/s": format.rate,
    share: format.percent,
};

/** "cluster/job" to the numbers of its logs; a number stands for itself. */
async function logsOf(text: string): Promise<LogId[]> {
    if (/^\d+$/.test(text)) return [text];
    const [cluster, jobid] = text.split("/");
    if (!cluster || !jobid) throw new Error(`${text} is no cluster/job`);
    const job = await ask<JobDetail>(`/jobs/${encodeURIComponent(cluster)}/${encodeURIComponent(jobid)}`);
    return job.logs.map((log) => log.log_id);
}

async function group(text: string): Promise<LogId[]> {
    const parts = text
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean);
    return (await Promise.all(parts.map(logsOf))).flat().slice(0, most);
}

const how = (row: Metric): string => {
    if (!row.differs) return "the same";
    if (row.fact) return "differs";
    if (!row.test) return "too few runs to tell";
    return row.test.significant ? "more than noise" : "within noise";
};

function figures(into: HTMLElement, metrics: Metric[]): void {
    const shown = metrics.filter((row) => row.a.median !== null || row.b.median !== null);
    const side = (label: string, which: "a" | "b") => ({
        label,
        value: (row: Metric) => row[which].median,
        text: (row: Metric) => (units[row.unit] ?? format.count)(row[which].median),
        number: true,
    });
    table(into, {
        caption: "Figures, medians of the runs",
        name: "comparison",
        quiet: true,
        columns: [
            { label: "Figure", value: (row) => row.label },
            side("First", "a"),
            side("Second", "b"),
            {
                label: "Second by first",
                value: (row) => row.ratio,
                text: (row) => (row.ratio === null ? format.unknown : `${format.count(row.ratio)} x`),
                number: true,
            },
            { label: "Difference", value: how },
        ],
        rows: [...shown].sort((one, two) => Number(two.differs) - Number(one.differs)),
        limit: 25,
    });
}

function show(into: HTMLElement, result: Comparison): void {
    const [headline, ...grounds] = result.verdict.sentences;
    into.append(
        h("p", { class: "p-lead" }, h("strong", {}, headline ?? "")),
        ...grounds.filter(Boolean).map((sentence) => h("p", {}, sentence)),
        ...result.warnings.map((warning) => h("p", { class: "note" }, warning)),
    );
    figures(into, result.metrics);
    if (!result.findings.length) into.append(none("Neither has a finding that the other lacks."));
    else
        table(into, {
            caption: "Findings",
            name: "findings",
            columns: [
                { label: "In the second", value: (row) => row.state },
                { label: "What was found", value: (row) => row.title },
                { label: "Rule", value: (row) => row.id },
            ],
            rows: result.findings,
        });
}

export function comparePage(main: HTMLElement): void {
    const query = new URLSearchParams(location.search);
    const field = (name: string, label: string): HTMLElement =>
        h(
            "label",
            {},
            label,
            h("input", {
                name,
                value: query.get(name) ?? "",
                placeholder: "cluster/job, cluster/job",
                size: 34,
                required: true,
            }),
        );
    main.append(
        h("form", {}, field("a", "First "), field("b", "Second "), h("button", {}, "Compare")),
        none("One job on each side, or several with commas between: with three runs or more, times can be tested."),
    );
    const [a, b] = [query.get("a"), query.get("b")];
    if (!a || !b) return;
    main.append(
        h(
            "p",
            { class: "p-actions" },
            h("a", { class: "p-tool", href: address("/compare", { a: b, b: a }) }, "Turn round"),
        ),
        section(`${a} and ${b}`, async (into) => {
            const [first, second] = await Promise.all([group(a), group(b)]);
            if (!first.length || !second.length) into.append(none("One of them has no log to compare."));
            else show(into, await ask<Comparison>("/compare", { a: first.join(","), b: second.join(",") }));
        }),
    );
}
