// What the rules found in all logs of a job together: one card per rule, of the log where it cost most, with what it costs
// in all of them.
import { h } from "../lib/dom";
import * as format from "../lib/format";
import type { Finding as FoundFinding, Page } from "../page/document";
import type { Shell } from "../page/view";
import { findingCard } from "../views/findings";
import type { JobFinding } from "./answers";
import type { LogId } from "./api";
import { mailButton, type Letter } from "./mail";
import { none } from "./parts";

const mostCards = 8;

/** A rule may be of two levels in two logs: together it has the worse. */
export function together(findings: JobFinding[]): JobFinding[] {
    const rules = new Map<string, JobFinding>();
    for (const one of findings) {
        if (one.level !== "high" && one.level !== "warn") continue;
        const before = rules.get(one.rule);
        if (!before) rules.set(one.rule, { ...one });
        else {
            if (one.level === "high") before.level = "high";
            if (one.lost_s > before.lost_s) [before.log_id, before.title] = [one.log_id, one.title];
            before.logs += one.logs;
            before.lost_s += one.lost_s;
        }
    }
    return [...rules.values()].sort((a, b) => b.lost_s - a.lost_s || a.rule.localeCompare(b.rule));
}

function inAll(one: JobFinding, logs: number): HTMLElement | null {
    if (logs < 2) return null;
    const where =
        one.logs === logs
            ? `all ${format.count(logs)} logs`
            : `${format.count(one.logs)} of ${format.count(logs)} logs`;
    return h(
        "p",
        { class: "p-all-logs" },
        `In ${where}, ${format.seconds(one.lost_s)} together; this is the log where it cost most.`,
    );
}

export interface FindingsOfJob {
    findings: JobFinding[];
    logs: number;
    page: (log: LogId) => Promise<Page>;
    shell: (log: LogId, page: Page, root: HTMLElement) => Shell;
    letter: (finding: FoundFinding) => Letter;
}

async function cardOf(one: JobFinding, job: FindingsOfJob, into: HTMLElement): Promise<HTMLElement | null> {
    if (!one.log_id) return null;
    const page = await job.page(one.log_id);
    const at = page.diagnosis.findings.findIndex((found: FoundFinding) => found.id === one.rule);
    const found = page.diagnosis.findings[at];
    if (!found) return null;
    const card = findingCard(found, at, page, job.shell(one.log_id, page, into));
    const more = inAll(one, job.logs);
    if (more) card.querySelector("header")?.after(more);
    card.append(mailButton(job.letter(found)));
    return card;
}

export async function findingsOfJob(into: HTMLElement, job: FindingsOfJob): Promise<void> {
    const all = together(job.findings);
    if (!all.length) {
        into.append(h("p", { class: "io-good" }, "No rule found a cause of lost time that is worth a change."));
        return;
    }
    const cards = await Promise.all(all.slice(0, mostCards).map((one) => cardOf(one, job, into)));
    if (!cards.some((card) => card !== null)) throw new Error("the logs of these findings are no longer there");
    into.append(...cards.filter((card) => card !== null));
    if (all.length > mostCards)
        into.append(
            none(`${format.plural(all.length - mostCards, "finding")} that cost less are in the reports of the logs.`),
        );
}
