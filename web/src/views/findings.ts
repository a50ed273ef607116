// What cost the job most, worst first: the price with its range, what to do about it, and links to the evidence.
import { codeBlock } from "../lib/code";
import { h, prose, type Child } from "../lib/dom";
import { figureLabel, figureText } from "../lib/figures";
import { count, idText, percent, plural, seconds, splitPath, visible } from "../lib/format";
import { levelWord, levels } from "../lib/levels";
import type { Advice, Evidence, Figures, Finding, Page } from "../page/document";
import type { Shell, Target, View } from "../page/view";

/** The share of the run that was lost: the range as a band, the best estimate as a line in it. */
function lostBar(finding: Finding, runTime: number): Child {
    const cost = finding.cost;
    if (!cost || cost.lost_s === null || !(runTime > 0)) return null;
    const place = (value: number): number => Math.max(0, Math.min(100, (value / runTime) * 100));
    const low = place(cost.lost_s_lo ?? cost.lost_s);
    const high = Math.max(place(cost.lost_s_hi ?? cost.lost_s), low + 0.4);
    return h(
        "div",
        { class: "io-lost-bar", "aria-hidden": "true" },
        h("i", { class: "io-lost-sure", style: `width:${low}%` }),
        h("i", { class: "io-lost-range", style: `left:${low}%;width:${high - low}%` }),
        h("i", { class: "io-lost-best", style: `left:${place(cost.lost_s)}%` }),
    );
}

function lostText(finding: Finding, runTime: number): Child {
    const cost = finding.cost;
    const sure = h(
        "span",
        {
            title: Object.entries(finding.confidence.factors)
                .map(([name, value]) => `${name} ${percent(value)}`)
                .join(", "),
        },
        `${finding.confidence.label} confidence (${percent(finding.confidence.value)})`,
    );
    if (!cost) return h("p", { class: "io-lost-text" }, sure);
    if (cost.lost_s === null)
        return h("p", { class: "io-lost-text" }, "The log has no times to estimate the cost from; ", sure);
    const range =
        cost.lost_s_lo !== null && cost.lost_s_hi !== null
            ? `between ${seconds(cost.lost_s_lo)} and ${seconds(cost.lost_s_hi)} of ${seconds(runTime)}`
            : `of ${seconds(runTime)}`;
    const nodeHours =
        cost.lost_node_h !== null && cost.lost_node_h >= 0.01 ? `, ${count(cost.lost_node_h)} node hours` : "";
    return h("p", { class: "io-lost-text" }, `${range}${nodeHours} \u00b7 `, sure);
}

function rankRange(ranks: Evidence["ranks"]): [number, number] | undefined {
    if (Array.isArray(ranks) && ranks.length > 0) return [Math.min(...ranks), Math.max(...ranks)];
    if (ranks && typeof ranks === "object" && "first" in ranks) return [ranks.first, ranks.last];
    const match = typeof ranks === "string" ? /^(\d+)(?:-(\d+))?$/.exec(ranks) : null;
    return match ? [Number(match[1]), Number(match[2] ?? match[1])] : undefined;
}

function targetOf(evidence: Evidence): Target | null {
    if (
        (evidence.kind === "timerange" || evidence.kind === "segment")
        && evidence.t0 !== undefined
        && evidence.t1 !== undefined
    ) {
        const ranks =
            rankRange(evidence.ranks)
            ?? (evidence.rank !== undefined && evidence.rank >= 0
                ? ([evidence.rank, evidence.rank] as [number, number])
                : undefined);
        return { kind: "time", t0: evidence.t0, t1: evidence.t1, ...(ranks ? { ranks } : {}) };
    }
    return evidence.file_id !== undefined ? { kind: "file", id: evidence.file_id } : null;
}

function evidenceText(evidence: Evidence): string {
    const name = splitPath(visible(evidence.name ?? "")).name || (evidence.file_id ? `file ${evidence.file_id}` : "");
    switch (evidence.kind) {
        case "file":
            return name;
        case "record": {
            const rank =
                evidence.rank === undefined || evidence.rank < 0 ? "all ranks" : `rank ${idText(evidence.rank)}`;
            return `${evidence.module ?? ""} record of ${name}, ${rank}`;
        }
        case "segment":
            return `${evidence.direction ?? "request"} at ${seconds(evidence.t0)}, rank ${idText(evidence.rank)}`;
        case "timerange":
            return `${seconds(evidence.t0)} to ${seconds(evidence.t1)}`;
        default:
            return evidence.kind;
    }
}

function evidenceDetail(evidence: Evidence): string {
    if (evidence.kind === "file") return evidence.lost_s ? `${seconds(evidence.lost_s)} lost` : "";
    return Object.entries(evidence.counters ?? {})
        .map(([name, value]) => `${name} ${figureText(name, value)}`)
        .join("\n");
}

/** The rank that a piece of evidence points at, if it does. */
function rankOf(evidence: Evidence): number | null {
    if (evidence.kind === "segment") return null;
    if (evidence.kind === "record" && evidence.rank !== undefined && evidence.rank >= 0) return evidence.rank;
    const slowest = Object.entries({ ...evidence.figures, ...evidence.counters }).find(([name]) =>
        /slowest_rank$/i.test(name),
    )?.[1];
    return typeof slowest === "number" && slowest >= 0 ? slowest : null;
}

function rankLinks(finding: Finding, shell: Shell): HTMLElement[] {
    const ranks = new Set(finding.evidence.map(rankOf).filter((rank) => rank !== null));
    return [...ranks]
        .filter((rank) => shell.canShow({ kind: "rank", rank }))
        .slice(0, 4)
        .map((rank) =>
            h(
                "button",
                { type: "button", class: "io-chip io-chip-link", onclick: () => shell.show({ kind: "rank", rank }) },
                `rank ${idText(rank)}`,
            ),
        );
}

function evidenceLink(evidence: Evidence, shell: Shell): HTMLElement {
    const target = targetOf(evidence);
    const text = evidenceText(evidence);
    const detail = evidenceDetail(evidence);
    const title = [visible(evidence.name ?? ""), detail].filter(Boolean).join("\n");
    const small = evidence.kind === "file" && detail ? h("small", {}, detail) : null;
    if (!target || !shell.canShow(target)) return h("span", { class: "io-chip", title }, text, small);
    return h(
        "button",
        { type: "button", class: "io-chip io-chip-link", title, onclick: () => shell.show(target) },
        text,
        small,
    );
}

const shownEvidence = 6;

function evidencePart(finding: Finding, shell: Shell): Child {
    if (finding.evidence.length === 0) return null;
    const chips = finding.evidence.map((evidence) => evidenceLink(evidence, shell));
    const rest = chips.slice(shownEvidence);
    const more =
        rest.length > 0
        && h(
            "button",
            {
                type: "button",
                class: "io-chip",
                onclick: () => {
                    if (more) more.replaceWith(...rest);
                },
            },
            `${rest.length} more`,
        );
    return h(
        "div",
        { class: "io-evidence" },
        h("span", { class: "io-label" }, "Evidence"),
        chips.slice(0, shownEvidence),
        more,
        rankLinks(finding, shell),
        finding.evidence_left_out
            ? h("span", { class: "io-chip" }, `and ${count(finding.evidence_left_out)} not listed`)
            : null,
    );
}

// A command or two stand in the open; a whole function would push the next finding off the screen.
const linesInTheOpen = 8;

function snippet(language: string, code: string): HTMLElement {
    const lines = code.trimEnd().split("\n").length;
    const block = codeBlock(language, code);
    if (lines <= linesInTheOpen) return block;
    return h("details", { class: "io-more" }, h("summary", {}, `Code, ${count(lines)} lines`), block);
}

function adviceItem(advice: Advice): HTMLElement {
    const facts = [
        advice.applies_to && `change in: ${advice.applies_to}`,
        advice.effort && `effort: ${advice.effort}`,
    ].filter((fact) => fact);
    return h(
        "div",
        { class: "io-advice" },
        h(
            "p",
            {},
            prose(advice.text),
            facts.length > 0 ? h("span", { class: "io-advice-facts" }, facts.join(" \u00b7 ")) : null,
        ),
        advice.snippet ? snippet(advice.snippet.lang, advice.snippet.code) : null,
        advice.check ? h("p", { class: "io-check" }, h("span", { class: "io-label" }, "Next run"), advice.check) : null,
    );
}

function figureList(title: string, figures: Figures): Child {
    const entries = Object.entries(figures);
    if (entries.length === 0) return null;
    return h(
        "div",
        {},
        h("h4", {}, title),
        h(
            "dl",
            { class: "io-pairs" },
            entries.map(([name, value]) =>
                h(
                    "div",
                    {},
                    h("dt", {}, figureLabel(name)),
                    h("dd", { title: String(value) }, figureText(name, value)),
                ),
            ),
        ),
    );
}

function details(finding: Finding): Child {
    const rule = [`rule ${finding.id}, version ${finding.rule_version}`];
    if (finding.aliases.length > 0) rule.push(`also known as ${finding.aliases.join(", ")}`);
    if (finding.cost) rule.push(`cost model: ${finding.cost.model}`);
    if (finding.audience.length > 0) rule.push(`for: ${finding.audience.join(", ")}`);
    if (finding.suppresses.length > 0) rule.push(`explains: ${finding.suppresses.join(", ")}`);
    if (finding.related.length > 0) rule.push(`read with: ${finding.related.join(", ")}`);
    return h(
        "details",
        { class: "io-more io-reference" },
        h("summary", {}, "Figures and rule"),
        h(
            "div",
            { class: "io-two" },
            figureList("Figures", finding.figures),
            figureList("Thresholds", finding.thresholds),
        ),
        h("p", { class: "io-note" }, rule.join("; ") + "."),
    );
}

function subject(finding: Finding): Child {
    const { kind, name, files } = finding.subject;
    if (!name || (kind !== "file" && kind !== "files")) return null;
    const others = files && files > 1 ? ` and ${plural(files - 1, "other file")}` : "";
    return h("p", { class: "io-subject" }, visible(name), others);
}

function regionWords(finding: Finding): string {
    const share =
        typeof finding.region_io_share === "number"
            ? `, which has ${percent(finding.region_io_share)} of the I/O time`
            : "";
    return `In the region ${visible(finding.region ?? "")}${share}.`;
}

function body(finding: Finding, shell: Shell): Child[] {
    return [
        finding.note ? h("p", {}, prose(finding.note)) : null,
        finding.region ? h("p", {}, regionWords(finding)) : null,
        subject(finding),
        finding.advice.map(adviceItem),
        evidencePart(finding, shell),
        details(finding),
    ];
}

function badge(finding: Finding): HTMLElement {
    return h("span", { class: "io-badge", "data-level": finding.level }, levelWord(finding.level));
}

/** A finding that is worth a change: cost, advice, code and evidence. */
export function findingCard(finding: Finding, index: number, page: Page, shell: Shell): HTMLElement {
    const lost = finding.cost?.lost_s;
    return h(
        "article",
        { class: "io-finding", "data-level": finding.level, "data-finding": index, tabindex: -1 },
        h(
            "header",
            {},
            h("div", {}, badge(finding), h("h3", {}, visible(finding.title))),
            lost !== undefined && lost !== null
                ? h(
                      "p",
                      { class: "io-lost" },
                      h("strong", {}, seconds(lost)),
                      h("span", {}, `lost, ${percent(finding.cost?.share_of_runtime)} of the run`),
                  )
                : null,
        ),
        lostBar(finding, page.job.run_time),
        lostText(finding, page.job.run_time),
        body(finding, shell),
    );
}

function minor(finding: Finding, index: number, page: Page, shell: Shell): HTMLElement {
    return h(
        "details",
        { class: "io-finding io-finding-minor", "data-level": finding.level, "data-finding": index },
        h("summary", {}, badge(finding), h("span", {}, visible(finding.title))),
        h(
            "div",
            { class: "io-finding-body" },
            finding.cost ? lostText(finding, page.job.run_time) : null,
            body(finding, shell),
        ),
    );
}

function mount(element: HTMLElement, page: Page, shell: Shell): { destroy?(): void } {
    const findings = page.diagnosis.findings;
    const isSerious = (finding: Finding): boolean => finding.level === "high" || finding.level === "warn";
    if (!findings.some(isSerious))
        element.append(
            h(
                "p",
                { class: "io-good" },
                "Nothing above the level of information: no rule found a cause of lost time that is worth a change.",
            ),
        );
    findings.forEach((finding, index) => {
        if (isSerious(finding)) element.append(findingCard(finding, index, page, shell));
    });
    for (const { id } of levels.slice(2)) {
        const rest = findings
            .map((finding, index) => ({ finding, index }))
            .filter(({ finding }) => finding.level === id);
        if (rest.length === 0) continue;
        element.append(
            h("h3", { class: "io-subtitle" }, id === "info" ? "Good to know" : "What is fine"),
            h(
                "div",
                { class: "io-minor" },
                rest.map(({ finding, index }) => minor(finding, index, page, shell)),
            ),
        );
    }
    if (page.diagnosis.cannot_tell.length > 0)
        element.append(
            h(
                "details",
                { class: "io-more" },
                h("summary", {}, "What this log cannot tell"),
                h(
                    "ul",
                    {},
                    page.diagnosis.cannot_tell.map((sentence) => h("li", {}, prose(sentence))),
                ),
            ),
        );
    shell.onTarget((target) => {
        if (target.kind !== "finding") return false;
        const found = element.querySelector<HTMLElement>(`[data-finding="${target.index}"]`);
        if (!found) return false;
        if (found instanceof HTMLDetailsElement) found.open = true;
        found.classList.add("io-lit");
        requestAnimationFrame(() => found.scrollIntoView({ block: "center" }));
        return true;
    });
    return {};
}

export const view: View = { id: "findings", title: "Findings", applies: () => true, mount };
