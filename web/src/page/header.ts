// Who ran what, when, on how much; and the buttons that concern the whole page.
import { h } from "../lib/dom";
import { csv, download, fileName } from "../lib/export";
import { count, date, seconds, visible } from "../lib/format";
import { theme, toggleTheme } from "../lib/theme";
import type { Page } from "./document";

function nodes(page: Page): string | null {
    const { nodes: amount, nodes_from: from } = page.diagnosis.job;
    if (!amount) return null;
    return from === "guess" ? `about ${count(amount)}` : count(amount);
}

function themeButton(): HTMLElement {
    const label = (): string => (theme() === "dark" ? "Light" : "Dark");
    const button = h("button", {
        type: "button",
        class: "io-button io-theme",
        onclick: () => {
            toggleTheme();
            name();
        },
    });
    const name = (): void => {
        button.textContent = label();
        button.setAttribute("aria-label", `Switch to the ${label().toLowerCase()} theme`);
    };
    name();
    return button;
}

function saveDocument(page: Page): void {
    download(fileName(`${page.log.name}-page`, "json"), JSON.stringify(page), "application/json");
}

function saveDiagnosis(page: Page): void {
    download(
        fileName(`${page.log.name}-diagnosis`, "json"),
        JSON.stringify(page.diagnosis, null, 2),
        "application/json",
    );
}

function saveFindings(page: Page): void {
    const columns = ["id", "level", "title", "lost_s", "lost_s_lo", "lost_s_hi", "confidence", "file"];
    const rows = page.diagnosis.findings.map((finding) => [
        finding.id,
        finding.level,
        finding.title,
        finding.cost?.lost_s,
        finding.cost?.lost_s_lo,
        finding.cost?.lost_s_hi,
        finding.confidence.value,
        finding.subject.name,
    ]);
    download(fileName(`${page.log.name}-findings`, "csv"), csv(columns, rows), "text/csv");
}

function saveMenu(page: Page): HTMLElement {
    const entry = (label: string, action: (page: Page) => void): HTMLElement =>
        h(
            "button",
            {
                type: "button",
                onclick: () => {
                    action(page);
                    menu.open = false;
                },
            },
            label,
        );
    const menu = h(
        "details",
        { class: "io-menu" },
        h("summary", { class: "io-button" }, "Save"),
        h(
            "div",
            {},
            entry("Findings as CSV", saveFindings),
            entry("Diagnosis as JSON", saveDiagnosis),
            entry("All data of this page as JSON", saveDocument),
        ),
    );
    menu.addEventListener("focusout", (event) => {
        if (!menu.contains(event.relatedTarget as Node | null)) menu.open = false;
    });
    menu.addEventListener("keydown", (event) => {
        if (event.key === "Escape") menu.open = false;
    });
    return menu;
}

export function header(page: Page): HTMLElement {
    const { job } = page;
    const facts: [string, string | null][] = [
        ["Job", String(job.job_id)],
        ["User", String(job.uid)],
        ["Processes", count(job.processes)],
        ["Nodes", nodes(page)],
        ["Run time", seconds(job.run_time)],
        ["Started", date(job.start_time)],
    ];
    return h(
        "header",
        { class: "io-header" },
        h(
            "div",
            { class: "io-header-line" },
            h("div", {}, h("p", { class: "io-brand" }, "Iolite report"), h("h1", {}, visible(job.program))),
            h(
                "div",
                { class: "io-buttons" },
                saveMenu(page),
                h("button", { type: "button", class: "io-button", onclick: () => print() }, "Print"),
                themeButton(),
            ),
        ),
        h("p", { class: "io-command", title: "Command line" }, visible(job.exe || "command line not known")),
        h(
            "dl",
            { class: "io-facts" },
            facts
                .filter(([, value]) => value !== null)
                .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
        ),
    );
}
