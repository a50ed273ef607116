// Screens and alerts, benchmarks, and the server's own state.
import { h, type Child } from "../lib/dom";
import * as format from "../lib/format";
import { table } from "../lib/table";
import { alertButton } from "./alert-work";
import type { Alert, ArchiveDay, Correlation, Failure, Look, Screen, ScreenJob } from "./answers";
import { address, ask, list, type Params, type Program, type Row, type Run } from "./api";
import { calendar } from "./draw";
import { targets } from "./targets";
import * as when from "./when";
import { column, facts, jobLink, none, programLink, section, userLink } from "./parts";

const byScreen: Record<string, (value: number | null) => string> = {
    "redundant-reads": format.bytes,
    metadata: format.percent,
    "small-writes": format.count,
};

const states: Record<string, string> = { flagged: "high", failed: "warn", notified: "info", muted: "ok" };

/** What became of it: who was notified when, who has it, until when it is muted, or why it failed. */
function outcome(alert: Alert): string {
    const parts = [
        alert.assigned && `assigned to ${format.visible(alert.assigned)}`,
        alert.comment && `“${format.visible(alert.comment)}”`,
        alert.by && `muted by ${format.visible(alert.by)}`,
        alert.target && `notified ${alert.target}`,
        alert.when && `on ${when.date(alert.when)}`,
        alert.until && `until ${when.date(alert.until)}`,
        alert.reason,
    ];
    return parts.filter(Boolean).join(", ") || "nobody was notified yet";
}

/** The period that the address names: a centre of the past is looked at as of then. */
const daysOf = (): number => Number(new URLSearchParams(location.search).get("days")) || 7;

/** What the rules select now takes a while in a large centre: it has a place of its own. */
async function flagged(into: HTMLElement): Promise<void> {
    const place = h("div");
    into.append(place);
    const draw = async (): Promise<void> => {
        const { items } = await list<Alert>("/alerts", { state: "flagged", days: daysOf() });
        place.replaceChildren();
        if (!items.length) place.append(none(`No rule holds for jobs of the last ${daysOf()} days.`));
        else alertTable(place, items, "Flagged", () => void draw());
    };
    await draw();
}

async function notified(into: HTMLElement): Promise<void> {
    const lists = await Promise.all(
        ["notified", "failed", "muted"].map((state) =>
            list<Alert>("/alerts", { state, days: 60 }).then(({ items }) => items),
        ),
    );
    const [notified, failed, muted] = lists.map((one) => one.length);
    into.append(
        facts([
            ["Notified", format.count(notified)],
            ["Could not be sent", format.count(failed)],
            ["Muted", format.count(muted)],
        ]),
    );
    const items = lists.flat();
    if (!items.length) into.append(none("In the last sixty days nobody was notified, and nothing is muted."));
    else alertTable(into, items, "Notified and muted");
}

function alertTable(into: HTMLElement, items: Alert[], caption: string, changed?: () => void): void {
    table(into, {
        caption,
        name: "alerts",
        quiet: true,
        columns: [
            {
                label: "State",
                value: (one) => one.state,
                render: (one) => {
                    const state = one.state === "flagged" && one.until ? "muted" : one.state;
                    return h("span", { class: `p-level p-${states[state] ?? "info"}` }, state);
                },
            },
            { label: "Rule", value: (one) => one.rule, text: (one) => one.rule || "any" },
            { label: "User", value: (one) => one.user, render: (one) => (one.user ? userLink(one.user) : "any") },
            { label: "Program", value: (one) => one.exe, text: (one) => one.exe || "all" },
            column.number<Alert>("Jobs", (one) => one.jobs, format.count),
            column.number<Alert>("Node hours", (one) => one.node_h, format.short),
            {
                label: "Worst job",
                value: (one) => one.worst,
                render: (one) =>
                    one.worst && one.cluster ? jobLink({ cluster: one.cluster, jobid: one.worst }) : (one.worst ?? "-"),
            },
            { label: "What was found", value: (one) => one.title, text: (one) => one.title ?? "-" },
            { label: "What became of it", value: outcome },
            ...(changed ? [{ label: "Act", value: () => "", render: (one: Alert) => alertButton(one, changed) }] : []),
        ],
        rows: items,
        limit: 20,
    });
}

function screen(one: Screen): HTMLElement {
    const text = byScreen[one.name] ?? format.count;
    return section(titles[one.name] ?? one.name, async (into) => {
        into.append(
            h(
                "p",
                {},
                `${one.meaning[0]!.toUpperCase()}${one.meaning.slice(1)}: more than ${text(one.threshold)}. ${format.plural(one.jobs, "job")} of ${format.plural(one.users, "user")}.`,
            ),
        );
        const jobs = await list<ScreenJob>("/screens/" + one.name, { limit: 100 });
        if (!jobs.items.length) return;
        table(into, {
            caption: titles[one.name] ?? one.name,
            name: one.name,
            quiet: true,
            columns: [
                { label: "Job", value: (job) => job.jobid, render: (job) => jobLink(job) },
                { label: "User", value: (job) => job.user, render: (job) => userLink(job.user) },
                { label: "Program", value: (job) => job.exe, render: (job) => programLink(job.exe) },
                { label: "Start", value: (job) => job.start, text: (job) => when.date(job.start) },
                column.number<ScreenJob>("Processes", (job) => job.nprocs, format.count),
                column.number<ScreenJob>("Value", (job) => job.value, text),
                column.number<ScreenJob>("Moved", (job) => job.bytes_read + job.bytes_written, format.bytes),
            ],
            rows: jobs.items,
            limit: 20,
        });
    });
}

const titles: Record<string, string> = {
    "redundant-reads": "Redundant reads",
    metadata: "Metadata overhead",
    "small-writes": "Small independent writes to shared files",
};

export async function screensPage(main: HTMLElement): Promise<void> {
    const { items } = await list<Screen>("/screens");
    main.append(...items.map(screen));
    const me = await ask<{ role: string }>("/me");
    if (me.role === "staff")
        main.append(
            section("Alerts: notified and muted", notified),
            section(`Alerts: flagged in the last ${daysOf()} days`, flagged),
        );
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
                    src: address("/api/v1/umami.svg", { exe: wanted }),
                }),
            );
        }),
        section("Slow targets in the latest run", async (into) => {
            const runs = await list<Run>("/programs/" + encodeURIComponent(wanted), { limit: 1 });
            const latest = runs.items[0];
            if (!latest) into.append(none("There is no run."));
            else {
                into.append(h("p", {}, "Job ", jobLink(latest), `, ${when.date(latest.start)}.`));
                await targets(into, latest.log_id);
            }
        }),
        section("What goes with performance", async (into) => {
            const found = await list<Correlation>("/correlations", { exe: wanted });
            if (!found.items.length) into.append(none("There are too few runs, or no series of servers covers them."));
            else
                table(into, {
                    caption: "Correlations",
                    name: "correlations",
                    quiet: true,
                    columns: [
                        { label: "Metric", value: (one) => one.metric },
                        { label: "Benchmark", value: (one) => one.program },
                        {
                            label: "Coefficient",
                            value: (one) => one.coefficient,
                            render: (one) =>
                                h(
                                    "span",
                                    {
                                        class: one.significant ? "p-shade p-sure" : "p-shade",
                                        style: `--part: ${Math.abs(one.coefficient ?? 0).toFixed(2)}`,
                                    },
                                    format.coefficient(one.coefficient),
                                ),
                            number: true,
                        },
                        {
                            label: "p value",
                            value: (one) => one.p_value,
                            text: (one) => format.count(one.p_value),
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

async function archive(into: HTMLElement): Promise<void> {
    const { items } = await list<ArchiveDay>("/archive", { days: 35 });
    if (!items.length) into.append(none("The site file names no time series."));
    for (const fs of new Set(items.map((one) => one.fs)))
        into.append(
            calendar(
                `${fs}: part of each day that is missing`,
                items
                    .filter((one) => one.fs === fs)
                    .map((one) => ({
                        day: one.day,
                        part: one.there ? one.missing : null,
                        text: one.there ? `${format.percent(one.missing)} missing` : "no data",
                    })),
                "bad",
            ),
        );
}

async function failures(into: HTMLElement): Promise<void> {
    const { items, next } = await list<Failure>("/failures", { limit: 1000 });
    if (!items.length) {
        into.append(none("All logs could be read."));
        return;
    }
    const reason = (one: Failure): string => (one.reason ?? "").replace(`${one.path}: `, "");
    const reasons = new Set(items.map((one) => reason(one).replace(/\d+/g, "")));
    into.append(
        h(
            "p",
            {},
            `${next ? "More than " : ""}${format.plural(items.length, "file")}, ${format.plural(reasons.size, "reason")}.`,
        ),
    );
    table(into, {
        caption: "Failures",
        name: "failures",
        quiet: true,
        columns: [
            { label: "File", value: (row) => row.path, path: true },
            { label: "State", value: (row) => row.state },
            { label: "Reason", value: reason },
            { label: "Changed", value: (row) => row.modified, text: (row) => when.day(row.modified) },
        ],
        rows: items,
        limit: 20,
    });
}

const looksShown = 200;

/** Who looked at whose jobs. To users: at theirs. */
export async function looks(into: HTMLElement, params: Params): Promise<void> {
    const { items } = await list<Look>("/audit", { ...params, limit: looksShown });
    if (!items.length) {
        into.append(none("Nobody has."));
        return;
    }
    table(into, {
        caption: "Looks at jobs",
        name: "audit",
        quiet: true,
        columns: [
            { label: "When", value: (one) => one.time, text: (one) => when.date(one.time) },
            { label: "Who", value: (one) => one.by, text: (one) => one.by || "a token without a name" },
            { label: "User", value: (one) => one.user, render: (one) => userLink(one.user) },
            { label: "Job", value: (one) => one.jobid, render: (one) => jobLink(one) },
        ],
        rows: items,
        limit: 10,
    });
}

/** Logs and jobs come at least daily, samples every few seconds: what is older is late. */
function ago(name: string, lag: number): Child {
    const most = name === "logs" || name === "scheduler" ? 36 * 3600 : 2 * 3600;
    const text = `${format.seconds(lag)} ago`;
    return lag > most ? h("span", { class: "p-late" }, `${text}, late`) : text;
}

const checkLevels: Record<string, string> = { ok: "ok", absent: "info", wrong: "high" };

export async function adminPage(main: HTMLElement): Promise<void> {
    const health = await ask<{ status: string; version: string; schema: number; lag_s: Record<string, number | null> }>(
        "/health",
    );
    main.append(
        facts([
            [
                "State",
                health.status === "late" ? h("span", { class: "p-late" }, "late: nothing new has come") : health.status,
            ],
            ["Version", health.version],
            ...Object.entries(health.lag_s ?? {}).map(([name, lag]): [string, Child] => [
                name === "logs"
                    ? "Latest log began"
                    : name === "scheduler"
                      ? "Latest job began"
                      : `Latest sample of ${name}`,
                lag === null ? "-" : ago(name, lag),
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
                    {
                        label: "State",
                        value: (row) => String(row["state"]),
                        render: (row) =>
                            h(
                                "span",
                                { class: `p-level p-${checkLevels[String(row["state"])] ?? "info"}` },
                                String(row["state"]),
                            ),
                    },
                    { label: "Message", value: (row) => String(row["message"]) },
                ],
                rows: items,
            });
        }),
        section("Staff who looked at users' jobs", (into) => looks(into, {})),
        section("Archive of series", archive),
        section("Files that could not be read", failures),
    );
}
