// Every file, most costly first: search, filters, any order, and a page for each.
import { select } from "../lib/controls";
import { h } from "../lib/dom";
import { csv, download, fileName } from "../lib/export";
import { bytes, count, percent, plural, seconds, splitPath, visible } from "../lib/format";
import { grid, type Grid, type GridColumn } from "../lib/grid";
import { csvButton } from "../lib/table";
import type { FileColumns, Files, Page } from "../page/document";
import type { Shell, View } from "../page/view";

export const sharing = ["one process", "some processes", "all processes"];

export function layerNames(files: Files, row: number): string[] {
    const mask = files.columns.layers[row] ?? 0;
    return files.layer_names.filter((_, bit) => (mask & (1 << bit)) !== 0);
}

export interface Filter {
    words: string;
    layer: string;
    sharing: string;
    mount: string;
    findings: boolean;
}

/** Rows that a filter lets through. Names are compared in lower case, every word must occur. */
export function filterRows(files: Files, lowerNames: string[], filter: Filter): number[] {
    const words = filter.words
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word);
    const layer = filter.layer === "" ? 0 : 1 << Number(filter.layer);
    const { columns } = files;
    const result: number[] = [];
    for (let row = 0; row < files.rows; row += 1) {
        if (layer && !((columns.layers[row] ?? 0) & layer)) continue;
        if (filter.sharing !== "" && columns.sharing[row] !== Number(filter.sharing)) continue;
        if (filter.mount !== "" && columns.mount[row] !== Number(filter.mount)) continue;
        if (filter.findings && (columns.findings[row]?.length ?? 0) === 0) continue;
        const name = lowerNames[row] ?? "";
        if (words.every((word) => name.includes(word))) result.push(row);
    }
    return result;
}

type NumberColumn = {
    [Key in keyof FileColumns]: FileColumns[Key] extends (number | null)[] ? Key : never;
}[keyof FileColumns];

function gridColumns(page: Page, files: Files, shell: Shell): GridColumn[] {
    const { columns } = files;
    const plain = (
        label: string,
        key: NumberColumn,
        text: (value: number | null | undefined) => string,
        width: number,
        title?: string,
    ): GridColumn => ({
        label,
        width,
        number: true,
        ...(title ? { title } : {}),
        value: (row) => columns[key]?.[row] ?? null,
        text: (row) => text(columns[key]?.[row]),
    });
    const known = (key: NumberColumn): boolean =>
        Boolean(columns[key]?.some((value) => value !== null && value !== undefined));
    const levelOf = (row: number): string | undefined =>
        page.diagnosis.findings[columns.findings[row]?.[0] ?? -1]?.level;
    const result: GridColumn[] = [
        {
            label: "File",
            width: innerWidth > 1100 ? 330 : 220,
            value: (row) => columns.name[row] ?? "",
            text: (row) => visible(columns.name[row] ?? ""),
            render: (row) => {
                const { folder, name } = splitPath(shell.fileName(row));
                return h(
                    "span",
                    { class: "io-filename", title: `${folder}${name}` },
                    h("b", {}, name),
                    h("small", {}, folder),
                );
            },
        },
        plain("Time", "time", seconds, 104, "time of the slowest rank"),
        {
            ...plain("Share", "share", percent, 92, "of the I/O time"),
            render: (row) => {
                const share = columns.share[row] ?? 0;
                return h(
                    "span",
                    { class: "io-share" },
                    h("i", { style: `width:${Math.min(100, share * 100)}%` }),
                    h("span", {}, percent(columns.share[row])),
                );
            },
        },
        {
            label: "Findings",
            width: 84,
            number: true,
            value: (row) => columns.findings[row]?.length ?? 0,
            text: (row) => String(columns.findings[row]?.length || ""),
            render: (row) =>
                columns.findings[row]?.length
                    ? h(
                          "span",
                          { class: "io-badge", "data-level": levelOf(row) ?? "info" },
                          String(columns.findings[row]?.length),
                      )
                    : "",
        },
        plain("Read", "bytes_read", bytes, 84),
        plain("Written", "bytes_written", bytes, 84),
        plain("Reads", "reads", count, 90),
        plain("Writes", "writes", count, 90),
        plain(
            "Mean read",
            "mean_read",
            (value) => bytes(value == null ? null : Math.round(value)),
            98,
            "bytes of a read",
        ),
        plain(
            "Mean write",
            "mean_write",
            (value) => bytes(value == null ? null : Math.round(value)),
            102,
            "bytes of a write",
        ),
        plain("Small", "small", count, 80, "requests below 1 MiB"),
        plain("Opens", "opens", count, 76),
        plain("Metadata", "meta_time", seconds, 104, "time in metadata calls, all ranks"),
        {
            label: "Used by",
            width: 122,
            value: (row) => columns.sharing[row] ?? null,
            text: (row) => sharing[columns.sharing[row] ?? -1] ?? "",
        },
        plain("Ranks", "ranks", count, 70),
        {
            label: "Layers",
            width: 124,
            value: (row) => columns.layers[row] ?? null,
            text: (row) => layerNames(files, row).join(" "),
        },
    ];
    if (known("effective_ranks"))
        result.push(plain("Effective ranks", "effective_ranks", count, 110, "how many ranks carried the data"));
    if (known("stripe_count"))
        result.push(plain("Stripes", "stripe_count", count, 70), plain("Stripe size", "stripe_size", bytes, 86));
    return result;
}

const exported: (keyof FileColumns)[] = [
    "id",
    "name",
    "time",
    "share",
    "bytes_read",
    "bytes_written",
    "reads",
    "writes",
    "opens",
    "stats",
    "seeks",
    "syncs",
    "read_time",
    "write_time",
    "meta_time",
    "mean_read",
    "mean_write",
    "max_byte",
    "small",
    "ranks",
    "effective_ranks",
    "stripe_count",
    "stripe_size",
    "first",
    "last",
];

function saveFiles(page: Page, files: Files, rows: number[]): void {
    const cells = rows.map((row) => [
        ...exported.map((key) => files.columns[key]?.[row] as string | number | null | undefined),
        sharing[files.columns.sharing[row] ?? -1] ?? "",
        layerNames(files, row).join(" "),
        page.mounts?.[files.columns.mount[row] ?? -1]?.mount_point ?? "",
    ]);
    download(fileName("files", "csv"), csv([...exported, "sharing", "layers", "mount_point"], cells), "text/csv");
}

function leftOut(files: Files): string | null {
    const rest = files.left_out;
    if (!rest || rest.files === 0) return null;
    const sums = `${bytes(rest.bytes_read)} read, ${bytes(rest.bytes_written)} written and ${seconds(rest.time)}`;
    return `${plural(rest.files, "cheaper file")} of ${count(files.total)} are not listed; together they have ${sums}.`;
}

function mount(element: HTMLElement, page: Page, shell: Shell): { destroy?(): void } {
    const files = page.files as Files;
    const lowerNames = files.columns.name.map((name) => name.toLowerCase());
    const filter: Filter = { words: "", layer: "", sharing: "", mount: "", findings: false };
    const all = filterRows(files, lowerNames, filter);
    const status = h("span", { class: "io-muted", role: "status" });
    let table: Grid;
    const apply = (): void => table.setRows(filterRows(files, lowerNames, filter));

    const search = h("input", {
        type: "search",
        placeholder: "Search names",
        "aria-label": "Search files by name",
        oninput: () => {
            filter.words = search.value;
            apply();
        },
    });
    const usedLayers = files.layer_names
        .map((name, bit) => [String(bit), name] as const)
        .filter(([bit]) => files.columns.layers.some((mask) => mask & (1 << Number(bit))));
    const usedMounts = [...new Set(files.columns.mount)]
        .filter((mount) => mount >= 0 && page.mounts?.[mount])
        .sort((a, b) => a - b)
        .map(
            (mount) =>
                [
                    String(mount),
                    visible(`${page.mounts?.[mount]?.mount_point} (${page.mounts?.[mount]?.fs_type})`),
                ] as const,
        );
    const usedSharing = [...new Set(files.columns.sharing)]
        .sort((a, b) => a - b)
        .map((kind) => [String(kind), sharing[kind] ?? ""] as const);
    const findings = h("input", {
        type: "checkbox",
        onchange: () => {
            filter.findings = findings.checked;
            apply();
        },
    });
    const choice = (
        label: string,
        choices: (readonly [string, string])[],
        set: (value: string) => void,
    ): HTMLElement | null =>
        choices.length < 2
            ? null
            : select(label, [["", "all"], ...choices], "", (value) => {
                  set(value);
                  apply();
              });
    const bar = h(
        "div",
        { class: "io-filter", role: "search", "aria-label": "Files" },
        search,
        choice("Layer", usedLayers, (value) => (filter.layer = value)),
        choice("Used by", usedSharing, (value) => (filter.sharing = value)),
        choice("On", usedMounts, (value) => (filter.mount = value)),
        h("label", { class: "io-checkbox" }, findings, h("span", {}, "With findings")),
        status,
        h(
            "div",
            { class: "io-tools" },
            csvButton("Files shown", () => saveFiles(page, files, table.shown())),
        ),
    );
    element.append(bar);
    table = grid(element, {
        label: "Files. Arrow keys move, Enter opens a file.",
        columns: gridColumns(page, files, shell),
        rows: all,
        height: 34 * 15 + 40,
        sort: { column: 1, descending: true },
        onOpen: (row) => shell.openFile(files.columns.id[row] ?? ""),
        onChange: (rows) =>
            void (status.textContent =
                rows.length === files.rows
                    ? plural(files.rows, "file")
                    : `${count(rows.length)} of ${plural(files.rows, "file")}`),
    });
    element.append(
        h("p", { class: "io-note io-paper" }, "The printed page has the files in view; the CSV file has all."),
    );
    const rest = leftOut(files);
    if (rest) element.append(h("p", { class: "io-note" }, rest));
    shell.onTarget((target) => {
        if (target.kind !== "file") return false;
        const row = shell.fileRow(target.id);
        if (row < 0) return false;
        if (table.reveal(row)) return true;
        Object.assign(filter, { words: "", layer: "", sharing: "", mount: "", findings: false });
        search.value = "";
        findings.checked = false;
        for (const list of bar.querySelectorAll("select")) list.value = "";
        apply();
        return table.reveal(row);
    });
    return { destroy: table.destroy };
}

export const view: View = {
    id: "files",
    title: "Files",
    applies: (page) => Boolean(page.files && page.files.rows > 0),
    missing: () => "The log names no file: no module recorded one, or all records were left out.",
    mount,
};
