// Who did it: the jobs that ran while a file system was busy, those that moved most first, and their users together.
import { h } from "../lib/dom";
import * as format from "../lib/format";
import { table } from "../lib/table";
import { address, list, type Job } from "./api";
import { column, jobLink, none, programLink, userLink } from "./parts";
import * as when from "./when";

const shown = 200;

interface Share {
    job: Job;
    /** Bytes per second while the job ran, which is all that is known without its log. */
    rate: number | null;
}

const movedBy = (job: Job): number => (job.bytes_read ?? 0) + (job.bytes_written ?? 0);

/** Over the time of its I/O where that is known to be shorter. */
function rateOf(job: Job): number | null {
    const wall = job.start !== null && job.end !== null ? job.end - job.start : null;
    return wall !== null && wall > 0 ? movedBy(job) / wall : null;
}

interface UserShare {
    user: string;
    jobs: number;
    rate: number;
    moved: number;
}

function users(shares: Share[]): UserShare[] {
    const found = new Map<string, UserShare>();
    for (const { job, rate } of shares) {
        const one = found.get(job.user) ?? { user: job.user, jobs: 0, rate: 0, moved: 0 };
        one.jobs += 1;
        one.rate += rate ?? 0;
        one.moved += movedBy(job);
        found.set(job.user, one);
    }
    return [...found.values()].sort((a, b) => b.rate - a.rate);
}

export async function whoDidIt(into: HTMLElement, fs: string, from: number, to: number): Promise<void> {
    const asked = { fs, start: Math.floor(from), end: Math.ceil(to), has_log: 1, sort: "-bytes" };
    const { items, next } = await list<Job>("/jobs", { ...asked, limit: shown });
    if (!items.length) {
        into.append(none("No job with a log used it then: it was one without a log, or none of yours."));
        return;
    }
    const shares = items
        .map((job): Share => ({ job, rate: rateOf(job) }))
        .sort((a, b) => (b.rate ?? 0) - (a.rate ?? 0));
    const all = shares.reduce((sum, one) => sum + (one.rate ?? 0), 0);
    const byUser = users(shares);
    const [first] = byUser;
    if (first && all > 0)
        into.append(
            h(
                "p",
                { class: "p-lead" },
                h(
                    "span",
                    {},
                    h("strong", {}, userLink(first.user)),
                    ` moved most: ${format.percent(first.rate / all)} of what ${next ? `the largest ${shown}` : format.count(items.length)} ${items.length === 1 ? "job" : "jobs"} of the time moved per second, in ${format.plural(first.jobs, "job")}.`,
                ),
            ),
        );
    table(into, {
        caption: "Users",
        name: "users-at-the-time",
        columns: [
            { label: "User", value: (one) => one.user, render: (one) => userLink(one.user) },
            column.number<UserShare>("Jobs", (one) => one.jobs, format.count),
            column.number<UserShare>("Mean rate while they ran", (one) => one.rate, format.rate),
            column.number<UserShare>("Moved", (one) => one.moved, format.bytes),
        ],
        rows: byUser,
        limit: 5,
    });
    table(into, {
        caption: "Jobs",
        name: "jobs-at-the-time",
        columns: [
            { label: "Job", value: (one) => one.job.jobid, render: (one) => jobLink(one.job) },
            { label: "User", value: (one) => one.job.user, render: (one) => userLink(one.job.user) },
            { label: "Program", value: (one) => one.job.exe, render: (one) => programLink(one.job.exe) },
            { label: "Start", value: (one) => one.job.start, text: (one) => when.date(one.job.start) },
            column.number<Share>("Mean rate while it ran", (one) => one.rate, format.rate),
            column.number<Share>("Moved", (one) => movedBy(one.job), format.bytes),
            column.number<Share>("Findings", (one) => one.job.findings, format.count),
        ],
        rows: shares,
        limit: 10,
    });
    into.append(h("p", {}, h("a", { href: address("/jobs", asked) }, "All jobs of this time")));
}
