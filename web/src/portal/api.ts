// The server's API as the portal sees it. All addresses lie below the prefix that the page names, so that the portal works
// behind any path of a proxy.

export type Row = Record<string, unknown>;
export interface List<Item> {
    items: Item[];
    next: string | null;
    total: number | null;
}

export const prefix = document.body.dataset["prefix"] ?? "";

export type Params = Record<string, string | number | null | undefined>;

export function address(path: string, params: Params = {}): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(params))
        if (value !== null && value !== undefined && value !== "") query.set(name, String(value));
    const text = query.toString();
    return prefix + path + (text ? `?${text}` : "");
}

/** Parts of a path, escaped one by one. */
export const path = (...parts: string[]): string => parts.map((part) => "/" + encodeURIComponent(part)).join("");

/** What the server says of a request that it refused. */
export class Refused extends Error {
    constructor(
        readonly status: number,
        message: string,
    ) {
        super(message);
    }
}

/** Numbers of logs on servers have nineteen digits, more than a number of JavaScript holds: they become texts. */
const withSafeNumbers = (text: string): string => text.replace(/"log_id":\s*(\d{16,})/g, '"log_id":"$1"');
export type LogId = number | string;

export async function ask<Answer>(where: string, params: Params = {}, signal?: AbortSignal): Promise<Answer> {
    const answer = await fetch(address("/api/v1" + where, params), {
        credentials: "same-origin",
        signal: signal ?? null,
    });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(withSafeNumbers(text)) as Answer;
    let message = `the server answered ${answer.status}`;
    try {
        message = (JSON.parse(text) as { error: { message: string } }).error.message;
    } catch {
        // no error of ours: a proxy's page, which says nothing that helps
    }
    throw new Refused(answer.status, message);
}

export const list = <Item>(where: string, params: Params = {}, signal?: AbortSignal): Promise<List<Item>> =>
    ask<List<Item>>(where, params, signal);

export interface Job {
    cluster: string;
    jobid: string;
    user: string;
    account: string | null;
    exe: string | null;
    name: string | null;
    state: string | null;
    start: number;
    end: number | null;
    nprocs: number | null;
    bytes_read: number;
    bytes_written: number;
    run_s: number | null;
    io_s: number | null;
    perf_mibs: number | null;
    io_pct: number | null;
    findings: number;
    lost_s: number;
    logs: number;
    nnodes: number | null;
}

/** One job with everything: the same record, with lists in place of numbers. */
export interface JobDetail extends Omit<Job, "findings" | "logs"> {
    logs: LogRow[];
    findings: Finding[];
    metrics: Record<string, number | string | null>;
    no_log: string | null;
}

export interface LogRow {
    log_id: LogId;
    exe: string | null;
    start: number;
}

export interface Program {
    exe: string;
    logs: number;
    users: number;
    last: number;
    bytes_read: number;
    bytes_written: number;
    lost_s: number;
    rates: (number | null)[];
}

export interface Run {
    log_id: LogId;
    cluster: string;
    jobid: string;
    user: string;
    start: number;
    nprocs: number | null;
    run_s: number | null;
    io_s: number | null;
    bytes_read: number;
    bytes_written: number;
    perf_mibs: number | null;
    findings: number;
    lost_s: number;
}

export interface Finding {
    rule: string;
    level: string;
    logs: number;
    lost_s: number;
    title: string;
}

/** Values over time; a row has one number per column. */
export interface SeriesAnswer {
    fs: string;
    dataset: string;
    units: string;
    start: number;
    step: number;
    columns: string[];
    values: (number | null)[][];
    missing: number;
}

export const jobPath = (job: { cluster: string; jobid: string }): string =>
    prefix + "/jobs" + path(job.cluster, job.jobid);
export const userPath = (user: string): string => prefix + "/users" + path(user);
export const programPath = (exe: string): string => prefix + "/programs" + path(exe);
