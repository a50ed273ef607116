// Parts that the program marked itself: how long each took, how much of the I/O is in it, and when it was.
import { h } from "../lib/dom";
import { bytes, count, percent, plural, seconds, visible } from "../lib/format";
import { table, type Column } from "../lib/table";
import type { Page, Region, Regions } from "../page/document";
import type { Shell, View } from "../page/view";
import { laneFigure } from "./lanes";

/** What a reader should know before the figures: which region matters, and what was not measured. */
export function regionSentences(regions: Regions): string[] {
    const { totals } = regions;
    const sentences = [];
    const most = totals.reduce((a, b) => ((b.io_time ?? 0) > (a.io_time ?? 0) ? b : a), totals[0]!);
    sentences.push(
        (most.io_time ?? 0) > 0
            ? `${plural(totals.length, "region")}; most I/O is in ${visible(most.name)}: ${seconds(most.io_time)}, `
                  + `${percent(most.io_share)} of the I/O time of all processes.`
            : `${plural(totals.length, "region")}, none of them with I/O.`,
    );
    if (totals.length > 1) sentences.push("Regions may be nested, so shares need not add up.");
    const sum = (of: (region: Region) => number | null): number => totals.reduce((all, r) => all + (of(r) ?? 0), 0);
    const unended = sum((region) => region.unended);
    const unbalanced = sum((region) => region.unbalanced);
    const unmeasured = sum((region) => region.unmeasured);
    if (unended > 0) sentences.push(`${plural(unended, "time")} a region had not ended when its process did.`);
    if (unbalanced > 0) sentences.push(`${plural(unbalanced, "end")} came without a beginning.`);
    if (unmeasured > 0)
        sentences.push(`${plural(unmeasured, "time")} a region passed whose bytes and I/O time are not counted here.`);
    return sentences;
}

function columnsOf(shell: Shell): Column<Region>[] {
    const name = (region: Region): string => visible(region.name);
    const target = (region: Region) => ({ kind: "time" as const, t0: region.first ?? 0, t1: region.last ?? 0 });
    return [
        {
            label: "Region",
            path: true,
            value: (region) => region.name,
            render: (region) =>
                region.first === null || region.last === null || !shell.canShow(target(region))
                    ? name(region)
                    : h(
                          "button",
                          {
                              type: "button",
                              class: "io-link",
                              title: "Show from its first begin to its last end",
                              onclick: () => shell.show(target(region)),
                          },
                          name(region),
                      ),
        },
        { label: "Times", value: (r) => r.count, text: (r) => count(r.count), number: true },
        { label: "Ranks", value: (r) => r.ranks, text: (r) => count(r.ranks), number: true },
        {
            label: "Time",
            title: "of all ranks together",
            value: (r) => r.time,
            text: (r) => seconds(r.time),
            number: true,
        },
        { label: "Longest", value: (r) => r.slowest, text: (r) => seconds(r.slowest), number: true },
        {
            label: "I/O time",
            title: "in POSIX and STDIO calls, of all ranks together",
            value: (r) => r.io_time,
            text: (r) => seconds(r.io_time),
            number: true,
        },
        {
            label: "Share of I/O",
            title: "its I/O time as part of that of the whole run",
            value: (r) => r.io_share,
            text: (r) => percent(r.io_share),
            number: true,
        },
        { label: "Read", value: (r) => r.bytes_read, text: (r) => bytes(r.bytes_read), number: true },
        { label: "Written", value: (r) => r.bytes_written, text: (r) => bytes(r.bytes_written), number: true },
    ];
}

function mount(element: HTMLElement, page: Page, shell: Shell): { destroy?(): void } {
    const regions = page.regions!;
    element.append(h("p", { class: "io-summary" }, regionSentences(regions).join(" ")));
    table(element, {
        caption: "Regions",
        name: `${page.job.program ?? "job"}-regions`,
        quiet: true,
        limit: 20,
        rows: regions.totals,
        columns: columnsOf(shell),
    });
    const marks = regions.spans ?? [];
    if (marks.length === 0) return {};
    const plot = laneFigure(element, page, shell, {
        title: "Regions over time",
        noun: "region",
        name: `${page.job.program ?? "job"}-region-spans`,
        marks,
        order: regions.totals.map((region) => region.name),
        missing: regions.spans_lost ?? 0,
    });
    return { destroy: () => plot.destroy() };
}

export const view: View = {
    id: "regions",
    title: "Regions of the program",
    short: "Regions",
    applies: (page) => (page.regions?.totals.length ?? 0) > 0,
    mount,
};
