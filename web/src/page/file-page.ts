// Everything that is known of one file: its figures, findings, striping, raw records with the meaning of each counter.
import { h, type Child } from "../lib/dom";
import { bytes, byUnit, count, idText, percent, plural, seconds, splitPath, unknown, visible } from "../lib/format";
import { levelWord } from "../lib/levels";
import { table } from "../lib/table";
import { layerNames, sharing } from "../views/files";
import type { Files, Page } from "./document";
import type { Shell } from "./view";

function pairs(title: string, rows: [string, Child][]): HTMLElement {
    return h(
        "div",
        { class: "io-panel" },
        h("h3", {}, title),
        h(
            "dl",
            { class: "io-pairs" },
            rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
        ),
    );
}

function figures(page: Page, files: Files, row: number): HTMLElement {
    const c = files.columns;
    const mount = page.mounts?.[c.mount[row] ?? -1];
    const largest = c.max_byte[row] ?? -1;
    const calls = (amount: number | undefined, mean: number | null | undefined): string =>
        amount && mean != null ? `${count(amount)}, ${bytes(Math.round(mean))} on average` : count(amount);
    return h(
        "div",
        { class: "io-three" },
        pairs("Time", [
            ["Slowest rank", seconds(c.time[row])],
            ["Share of the I/O time", percent(c.share[row])],
            ["Reading, all ranks", seconds(c.read_time[row])],
            ["Writing, all ranks", seconds(c.write_time[row])],
            ["Metadata, all ranks", seconds(c.meta_time[row])],
            ["First use", seconds(c.first[row])],
            ["Last use", seconds(c.last[row])],
        ]),
        pairs("Requests", [
            ["Bytes read", bytes(c.bytes_read[row])],
            ["Bytes written", bytes(c.bytes_written[row])],
            ["Reads", calls(c.reads[row], c.mean_read[row])],
            ["Writes", calls(c.writes[row], c.mean_write[row])],
            ["Below 1 MiB", count(c.small[row])],
            ["Opens, stats", `${count(c.opens[row])}, ${count(c.stats[row])}`],
            ["Seeks, syncs", `${count(c.seeks[row])}, ${count(c.syncs[row])}`],
        ]),
        pairs("File", [
            ["Highest byte used", largest < 0 ? unknown : bytes(largest + 1)],
            ["Used by", `${sharing[c.sharing[row] ?? -1] ?? unknown} (${count(c.ranks[row])})`],
            ["Effective ranks", count(c.effective_ranks[row])],
            ["Layers", layerNames(files, row).join(", ") || unknown],
            ["File system", mount ? visible(`${mount.fs_type} at ${mount.mount_point}`) : unknown],
            [
                "Stripes",
                c.stripe_count[row] == null ? unknown : `${count(c.stripe_count[row])} of ${bytes(c.stripe_size[row])}`,
            ],
            ["Record id", c.id[row] ?? ""],
        ]),
    );
}

function findings(page: Page, files: Files, row: number, shell: Shell): Child {
    const indexes = files.columns.findings[row] ?? [];
    if (indexes.length === 0) return h("p", { class: "io-note" }, "No finding names this file.");
    return h(
        "ul",
        { class: "io-findinglist" },
        indexes.map((index) => {
            const finding = page.diagnosis.findings[index];
            if (!finding) return null;
            return h(
                "li",
                {},
                h("span", { class: "io-badge", "data-level": finding.level }, levelWord(finding.level)),
                " ",
                h(
                    "button",
                    { type: "button", class: "io-link", onclick: () => shell.show({ kind: "finding", index }) },
                    visible(finding.title),
                ),
                finding.cost?.lost_s ? h("span", { class: "io-muted" }, ` ${seconds(finding.cost.lost_s)} lost`) : null,
            );
        }),
    );
}

function timeLink(files: Files, row: number, shell: Shell): Child {
    const t0 = files.columns.first[row];
    const t1 = files.columns.last[row];
    if (t0 == null || t1 == null || !shell.canShow({ kind: "time", t0, t1 })) return null;
    return h(
        "button",
        { type: "button", class: "io-button", onclick: () => shell.show({ kind: "time", t0, t1 }) },
        "Show its time in the run",
    );
}

interface CounterRow {
    counter: string;
    values: (number | null)[];
}

const widest = 6;

/** One table a module: a row for each counter, a column for each rank, because counters are many and records few. */
function recordTables(element: HTMLElement, page: Page, id: string): number {
    let tables = 0;
    for (const [module, { counters, rows }] of Object.entries(page.records ?? {})) {
        const records = rows.filter((record) => record.id === id);
        if (records.length === 0) continue;
        tables += 1;
        const shown = records.slice(0, widest);
        const lines: CounterRow[] = counters.map((counter, index) => ({
            counter,
            values: records.map((record) => record.values[index] ?? null),
        }));
        const unit = (row: CounterRow): string => page.counters?.[row.counter]?.unit ?? "";
        table(element, {
            caption: `${module}: ${records.length === 1 ? `record of ${rank(records[0]?.rank)}` : plural(records.length, "record")}`,
            name: `${module}-${id}`,
            rows: lines.filter((row) => row.values.some((value) => value !== 0 && value !== null)),
            columns: [
                { label: "Counter", value: (row) => row.counter },
                ...shown.map((record, at) => ({
                    label: rank(record.rank),
                    number: true,
                    value: (row: CounterRow) => row.values[at] ?? null,
                    text: (row: CounterRow) =>
                        row.values[at] === -1 ? "not known" : byUnit(row.values[at], unit(row)),
                })),
                { label: "Meaning", value: (row) => page.counters?.[row.counter]?.meaning ?? "" },
            ],
        });
        if (records.length > widest)
            element.append(
                h(
                    "p",
                    { class: "io-note" },
                    `The first ${widest} of ${plural(records.length, "record")}; iolite dump prints all.`,
                ),
            );
    }
    return tables;
}

function rank(value: number | undefined): string {
    return value === undefined ? "" : value < 0 ? "all ranks" : `rank ${idText(value)}`;
}

function lustre(element: HTMLElement, page: Page, row: number): void {
    const striping = page.lustre?.files;
    if (!striping) return;
    const c = striping.columns;
    const rows = c.file.map((file, at) => ({ file, at })).filter(({ file }) => file === row);
    if (rows.length === 0) return;
    table(element, {
        caption: "Striping",
        name: "striping",
        rows: rows.map(({ at }) => at),
        columns: [
            { label: "Component", value: (at) => c.component[at] ?? null, number: true },
            { label: "From", value: (at) => c.start[at] ?? null, text: (at) => bytes(c.start[at]), number: true },
            {
                label: "To",
                value: (at) => c.end[at] ?? null,
                text: (at) => (c.end[at] == null ? "end" : bytes(c.end[at])),
                number: true,
            },
            {
                label: "Stripe size",
                value: (at) => c.stripe_size[at] ?? null,
                text: (at) => bytes(c.stripe_size[at]),
                number: true,
            },
            {
                label: "Stripes",
                value: (at) => c.stripe_count[at] ?? null,
                text: (at) => count(c.stripe_count[at]),
                number: true,
            },
            { label: "Pool", value: (at) => c.pool[at] ?? "" },
            { label: "OSTs", value: (at) => (c.osts[at] ?? []).join(" ") },
        ],
    });
}

export function filePage(element: HTMLElement, page: Page, shell: Shell, id: string, leave: () => void): () => void {
    const back = h("button", { type: "button", class: "io-button", onclick: leave }, "\u2190 Back to the job");
    const escape = (event: KeyboardEvent): void => {
        if (event.key === "Escape") leave();
    };
    addEventListener("keydown", escape);
    const row = shell.fileRow(id);
    const files = page.files;
    if (row < 0 || !files) {
        element.append(
            h("p", { class: "io-backline" }, back),
            h(
                "p",
                { class: "io-note" },
                `File ${id} is not listed in this report: it is among the cheaper ones, or of another job.`,
            ),
        );
        return () => removeEventListener("keydown", escape);
    }
    const { folder, name } = splitPath(shell.fileName(row));
    const hex = page.names_hex?.[id];
    element.append(
        h("p", { class: "io-backline" }, back, timeLink(files, row, shell)),
        h("h2", { class: "io-filetitle" }, h("small", {}, folder), name),
        hex ? h("p", { class: "io-note" }, `The name is not valid UTF-8; its bytes are ${hex}.`) : "",
        figures(page, files, row),
        h("h3", {}, "Findings"),
    );
    element.append(findings(page, files, row, shell) as Node);
    lustre(element, page, row);
    const place = h("div", { class: "io-records" });
    element.append(h("h3", {}, "Raw records"), place);
    if (recordTables(place, page, id) === 0)
        place.append(
            h(
                "p",
                { class: "io-note" },
                "Raw records of the most costly files only are in this page; for this one: ",
                h("code", {}, `iolite dump --record ${id} LOG`),
            ),
        );
    shell.announce(`File ${name}`);
    return () => removeEventListener("keydown", escape);
}
