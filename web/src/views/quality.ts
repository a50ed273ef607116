// How far the figures can be trusted, and what this log cannot say at all.
import { h, prose } from "../lib/dom";
import { count, plural } from "../lib/format";
import { qualityVerdict } from "../lib/quality";
import type { Page, Quality } from "../page/document";
import type { View } from "../page/view";

const facts: [keyof Quality, (quality: Quality) => string | null][] = [
    [
        "unfinished",
        (quality) =>
            quality.unfinished
                ? "The program had not ended when the log was read: the figures are those so far."
                : null,
    ],
    [
        "job_damaged",
        (quality) => (quality.job_damaged ? "The head of the log is damaged: who ran what and when is unknown." : null),
    ],
    [
        "partial_modules",
        (quality) =>
            list(
                quality.partial_modules,
                "is partial: it ran out of memory and missed files",
                "are partial: they ran out of memory and missed files",
            ),
    ],
    [
        "damaged_modules",
        (quality) =>
            list(
                quality.damaged_modules.filter((name) => !quality.unreadable_modules.includes(name)),
                "is damaged: only a part could be read",
                "are damaged: only a part could be read",
            ),
    ],
    ["unreadable_modules", (quality) => list(quality.unreadable_modules, "could not be read", "could not be read")],
    [
        "older_modules",
        (quality) =>
            list(
                quality.older_modules,
                "is of an older version and lacks newer counters",
                "are of older versions and lack newer counters",
            ),
    ],
    [
        "odd_records",
        (quality) =>
            quality.odd_records > 0
                ? `${plural(quality.odd_records, "record")} had impossible values, which were left out.`
                : null,
    ],
    [
        "common_accesses_unreliable",
        (quality) =>
            quality.common_accesses_unreliable
                ? "Common access sizes of this log version (3.20) are unreliable."
                : null,
    ],
    [
        "top_files_approximate",
        (quality) =>
            quality.top_files_approximate
                ? "There were too many files to watch each one: the list of the most costly is approximate."
                : null,
    ],
];

function list(names: string[], one: string, many: string): string | null {
    return names.length === 0 ? null : `${names.join(", ")} ${names.length === 1 ? one : many}.`;
}

function bullets(element: HTMLElement, title: string, sentences: string[]): void {
    if (sentences.length > 0)
        element.append(
            h("h3", {}, title),
            h(
                "ul",
                { class: "io-sentences" },
                sentences.map((text) => h("li", {}, prose(text))),
            ),
        );
}

function folded(page: Page): string[] {
    return Object.entries(page.folded ?? {})
        .filter(([, value]) => typeof value === "number" && value > 0)
        .map(
            ([name, value]) =>
                `${name}: ${count(value as number)} had no room of their own and are counted only together.`,
        );
}

function mount(element: HTMLElement, page: Page): { destroy?(): void } {
    const verdict = qualityVerdict(page);
    element.append(
        h("p", {}, h("span", { class: "io-badge", "data-level": verdict.level }, verdict.word), " ", verdict.detail),
    );
    const quality = page.quality;
    const sentences = quality ? facts.map(([, say]) => say(quality)).filter((text) => text !== null) : [];
    bullets(element, "Remarks on the data", [...new Set([...page.diagnosis.quality, ...sentences, ...folded(page)])]);
    bullets(
        element,
        "Errors while reading",
        (quality?.errors ?? []).map((error) => error.message),
    );
    bullets(element, "What this log cannot tell", page.diagnosis.cannot_tell);
    return {};
}

export const view: View = { id: "quality", title: "Data quality", short: "Quality", applies: () => true, mount };
