// Records of modules that are not Iolite's own. Nothing here knows a module: names, units and meanings are the log's.
import { h } from "../lib/dom";
import { byUnit, idText, plural, seconds, visible } from "../lib/format";
import { table, type Column } from "../lib/table";
import type { CustomCounter, CustomModule, CustomRecord, Page } from "../page/document";
import type { Shell, View } from "../page/view";
import type { Plot } from "./canvas/plot";
import { laneFigure } from "./lanes";

/** A value as its counter's unit has it. A point in time that never came is 0. */
export function customText(counter: CustomCounter, value: number | null | undefined): string {
    if (counter.kind === "instant") return value ? `at ${seconds(value)}` : byUnit(null, "");
    return byUnit(value, counter.unit);
}

/** What is missing from a module, in sentences. */
export function customGaps(module: CustomModule): string[] {
    const gaps = [];
    if (module.failed) gaps.push("The module crashed or hung when the program ended: its last figures may be missing.");
    const one = (value: number, word: string, others: string): string => (value === 1 ? word : others);
    const { folded, spans_lost: lost, records_left_out: left = 0 } = module;
    if (folded > 0) gaps.push(`${plural(folded, "name")} had no record of ${one(folded, "its", "their")} own.`);
    if (lost > 0) gaps.push(`${plural(lost, "span")} ${one(lost, "was", "were")} lost.`);
    if (left > 0)
        gaps.push(`${plural(left, "more record")} ${one(left, "is", "are")} in the log; iolite dump shows all.`);
    return gaps;
}

function recordColumns(module: CustomModule): Column<CustomRecord>[] {
    return [
        {
            label: "Record",
            path: true,
            value: (record) => record.name ?? record.id,
            text: (record) => visible(record.name ?? record.id),
        },
        {
            label: "Rank",
            value: (record) => record.rank,
            text: (record) => (record.rank < 0 ? "all" : idText(record.rank)),
            number: true,
        },
        ...module.schema.map((counter) => ({
            label: visible(counter.name),
            title: visible([counter.meaning, counter.unit].filter(Boolean).join(", in ")),
            value: (record: CustomRecord) => record.counters[counter.name] ?? null,
            text: (record: CustomRecord) => customText(counter, record.counters[counter.name]),
            number: true,
        })),
    ];
}

function mountModule(element: HTMLElement, page: Page, shell: Shell, module: CustomModule): Plot | null {
    const name = visible(module.name);
    const spans = module.spans ?? [];
    element.append(
        h(
            "p",
            { class: "io-summary" },
            h("strong", {}, name),
            module.meaning ? `: ${visible(module.meaning)}` : "",
            ` (version ${module.version}). ${plural(module.records.length, "record")}. `,
            customGaps(module).join(" "),
        ),
    );
    table(element, {
        caption: `${name}: records`,
        name: `${module.name}-records`,
        limit: 10,
        rows: module.records,
        columns: recordColumns(module),
    });
    table(element, {
        caption: `${name}: what the counters mean`,
        name: `${module.name}-counters`,
        limit: 10,
        rows: module.schema,
        columns: [
            { label: "Counter", value: (counter) => counter.name, text: (counter) => visible(counter.name) },
            { label: "Meaning", value: (counter) => counter.meaning, text: (counter) => visible(counter.meaning) },
            { label: "Unit", value: (counter) => counter.unit, text: (counter) => visible(counter.unit) },
            {
                label: "Ranks together",
                title: "how values of several ranks become one",
                value: (counter) => counter.rule,
            },
        ],
    });
    if (spans.length === 0) return null;
    return laneFigure(element, page, shell, {
        title: `${name}: spans over time`,
        noun: "record",
        name: `${module.name}-spans`,
        marks: spans.map((span) => ({
            name: span.name ?? span.record_id,
            rank: span.rank,
            t0: span.begin,
            t1: span.end,
        })),
        order: module.records.map((record) => record.name ?? record.id),
        missing: (module.spans_left_out ?? 0) + module.spans_lost,
    });
}

function mount(element: HTMLElement, page: Page, shell: Shell): { destroy?(): void } {
    const plots = (page.added ?? []).map((module) => mountModule(element, page, shell, module));
    return { destroy: () => plots.forEach((plot) => plot?.destroy()) };
}

export const view: View = {
    id: "added",
    title: "Modules of others",
    applies: (page) => Boolean(page.added?.length),
    mount,
};
