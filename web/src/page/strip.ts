// The job in one line: how much of the run was I/O, how much data, how fast, where, what was found, and how good the
// data is.
import { h, type Child } from "../lib/dom";
import { bytes, count, percent, rate, seconds, splitPath, visible } from "../lib/format";
import { levels } from "../lib/levels";
import { qualityVerdict } from "../lib/quality";
import type { Page } from "./document";
import type { Target } from "./view";

function card(label: string, value: Child, detail: Child, more: Child = null): HTMLElement {
    return h(
        "div",
        { class: "io-card" },
        h("span", { class: "io-card-label" }, label),
        h("strong", { class: "io-card-value" }, value),
        h("span", { class: "io-card-detail" }, detail),
        more,
    );
}

function shareCard(page: Page): HTMLElement {
    const { share, time, time_known } = page.diagnosis.io;
    if (time_known === false) return card("I/O share of run time", "unknown", "times add up to more than the run");
    const width = Math.max(0, Math.min(1, share ?? 0)) * 100;
    return card(
        "I/O share of run time",
        percent(share),
        `${seconds(time)} of ${seconds(page.job.run_time)}`,
        h("span", { class: "io-meter", "aria-hidden": "true" }, h("i", { style: `width:${width}%` })),
    );
}

function slowestCard(page: Page, show: (target: Target) => void): HTMLElement {
    const files = page.files;
    const id = files?.columns.id[0];
    if (!files || files.rows === 0 || id === undefined) return card("Slowest file", "none", "the log names no file");
    const name = visible(files.columns.name[0] ?? "");
    const time = seconds(files.columns.time[0]);
    const known = page.diagnosis.io.time_known !== false;
    const detail = known ? `${time}, ${percent(files.columns.share[0])} of the I/O time` : `${time} in calls`;
    return card(
        "Slowest file",
        h(
            "button",
            { type: "button", class: "io-link", title: name, onclick: () => show({ kind: "file", id }) },
            splitPath(name).name || name,
        ),
        detail,
    );
}

function findingsCard(page: Page): HTMLElement {
    const totals = page.diagnosis.totals;
    const shown = levels.filter((level) => totals[level.id]);
    const serious = (totals.high ?? 0) + (totals.warn ?? 0);
    return card(
        "Findings",
        h("a", { href: "#findings", class: "io-link" }, serious === 0 ? "nothing serious" : `${serious} to look at`),
        shown.length === 0
            ? "no rule had anything to say"
            : shown.map((level) =>
                  h("span", { class: "io-badge", "data-level": level.id }, `${count(totals[level.id])} ${level.word}`),
              ),
    );
}

function qualityCard(page: Page): HTMLElement {
    const verdict = qualityVerdict(page);
    return card(
        "Data quality",
        h(
            "a",
            { href: "#quality", class: "io-link" },
            h("span", { class: "io-dot", "data-level": verdict.level, "aria-hidden": "true" }),
            verdict.word,
        ),
        verdict.detail,
    );
}

export function strip(page: Page, show: (target: Target) => void): HTMLElement {
    const { io } = page.diagnosis;
    return h(
        "div",
        { class: "io-strip", role: "group", "aria-label": "Summary" },
        shareCard(page),
        card(
            "Data moved",
            bytes(io.bytes_read + io.bytes_written),
            `${bytes(io.bytes_read)} read, ${bytes(io.bytes_written)} written`,
        ),
        io.time_known === false
            ? card("Rate", "unknown", "the I/O time is unknown")
            : card("Rate", rate(io.rate), "all bytes against the I/O time"),
        slowestCard(page, show),
        findingsCard(page),
        qualityCard(page),
    );
}
