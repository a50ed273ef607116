// The server's API as the portal sees it. All addresses lie below the prefix that the page names, so that the portal works
// behind any path of a proxy.

import type { Series } from "./answers";
export type { Finding, Job, JobDetail, LogId, LogRow, Program, Run } from "./answers";

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

async function understood<Answer>(answer: Response): Promise<Answer> {
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text) as Answer;
    let message = `the server answered ${answer.status}`;
    try {
        message = (JSON.parse(text) as { error: { message: string } }).error.message;
    } catch {
        // no error of ours: a proxy's page, which says nothing that helps
    }
    throw new Refused(answer.status, message);
}

export async function ask<Answer>(where: string, params: Params = {}, signal?: AbortSignal): Promise<Answer> {
    const place = address("/api/v1" + where, params);
    return understood<Answer>(await fetch(place, { credentials: "same-origin", signal: signal ?? null }));
}

/** Hands something in. */
export async function send<Answer>(where: string, body: unknown): Promise<Answer> {
    const answer = await fetch(address("/api/v1" + where), {
        method: "POST",
        credentials: "same-origin",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
    });
    return understood<Answer>(answer);
}

export const list = <Item>(where: string, params: Params = {}, signal?: AbortSignal): Promise<List<Item>> =>
    ask<List<Item>>(where, params, signal);

/** Values over time; a row has one number per column. */
export interface SeriesAnswer extends Series {
    values: (number | null)[][];
}

export const jobPath = (job: { cluster: string; jobid: string }): string =>
    prefix + "/jobs" + path(job.cluster, job.jobid);
export const userPath = (user: string): string => prefix + "/users" + path(user);
export const programPath = (exe: string): string => prefix + "/programs" + path(exe);
