// Where the data lives: by file system as the log's mount table knows it, and by the first folders of the paths.
import { axis, chart, tip, type Chart } from "../lib/chart";
import { h } from "../lib/dom";
import { bytes, count, percent, seconds, short, visible } from "../lib/format";
import { table } from "../lib/table";
import type { FileSystem, Page } from "../page/document";
import type { View } from "../page/view";
import { mountColumns } from "./mounts";

function systems(element: HTMLElement, rows: FileSystem[]): void {
    table(element, {
        caption: "File systems",
        name: "file-systems",
        rows,
        columns: [
            ...mountColumns<FileSystem>(),
            { label: "Files", value: (row) => row.files, text: (row) => count(row.files), number: true },
            { label: "Read", value: (row) => row.bytes_read, text: (row) => bytes(row.bytes_read), number: true },
            {
                label: "Written",
                value: (row) => row.bytes_written,
                text: (row) => bytes(row.bytes_written),
                number: true,
            },
            { label: "Reads", value: (row) => row.reads, text: (row) => count(row.reads), number: true },
            { label: "Writes", value: (row) => row.writes, text: (row) => count(row.writes), number: true },
            { label: "Time", value: (row) => row.time, text: (row) => seconds(row.time), number: true },
            {
                label: "Share",
                title: "of the I/O time",
                value: (row) => row.share,
                text: (row) => percent(row.share),
                number: true,
            },
        ],
    });
}

type Category = NonNullable<Page["categories"]>[number];

interface Pair {
    title: string;
    read: (row: Category) => number;
    written: (row: Category) => number;
    text: (value: number) => string;
}

const pairs: Pair[] = [
    { title: "Bytes by folder", read: (row) => row.bytes_read, written: (row) => row.bytes_written, text: bytes },
    { title: "Files by folder", read: (row) => row.files_read, written: (row) => row.files_written, text: short },
];

function bars(element: HTMLElement, rows: Category[], pair: Pair): Chart {
    const values = rows.flatMap((row) => [pair.read(row), pair.written(row)]).filter((value) => value > 0);
    const wide = values.length > 1 && Math.max(...values) / Math.min(...values) > 100;
    const top = rows[0];
    return chart(element, {
        title: pair.title,
        summary: top
            ? `${visible(top.name)}: ${pair.text(pair.read(top))} read, ${pair.text(pair.written(top))} written.`
              + (wide ? " The scale is logarithmic." : "")
            : "",
        name: pair.title.toLowerCase().replaceAll(" ", "-"),
        height: 44 + 42 * rows.length,
        table: () => ({
            columns: ["folder", "read", "written"],
            rows: rows.map((row) => [row.name, pair.read(row), pair.written(row)]),
        }),
        option: (colours) => ({
            legend: { data: ["Read", "Written"] },
            grid: { left: 4, right: 72, top: 32, bottom: 4, containLabel: true },
            xAxis: axis(colours, {
                type: wide ? "log" : "value",
                ...(wide ? { min: Math.min(...values) / 2 } : {}),
                show: false,
            }),
            yAxis: axis(colours, {
                type: "category",
                inverse: true,
                data: rows.map((row) => visible(row.name)),
                axisLine: { show: false },
                axisLabel: { color: colours.text, width: 150, overflow: "truncate" },
            }),
            tooltip: {
                formatter: (items: { dataIndex: number }[]) => {
                    const row = rows[items[0]?.dataIndex ?? 0] as Category;
                    return tip(visible(row.name), [
                        { colour: colours.read, label: "bytes read", value: bytes(row.bytes_read) },
                        { colour: colours.write, label: "bytes written", value: bytes(row.bytes_written) },
                        { colour: colours.read, label: "files read", value: count(row.files_read) },
                        { colour: colours.write, label: "files written", value: count(row.files_written) },
                    ]);
                },
            },
            series: (
                [
                    ["Read", pair.read, colours.read],
                    ["Written", pair.written, colours.write],
                ] as const
            ).map(([name, value, color]) => ({
                name,
                type: "bar",
                barGap: "10%",
                barMaxWidth: 13,
                itemStyle: { color },
                data: rows.map((row) => (wide && value(row) <= 0 ? null : value(row))),
                label: {
                    show: true,
                    position: "right",
                    color: colours.muted,
                    fontSize: 10,
                    formatter: (item: { value: number | null }) => (item.value ? pair.text(item.value) : ""),
                },
            })),
        }),
    });
}

function mount(element: HTMLElement, page: Page): { destroy?(): void } {
    if (page.filesystems?.length) systems(element, page.filesystems);
    const rows = page.categories ?? [];
    if (rows.length === 0) return {};
    const grid = h("div", { class: "io-grid" });
    element.append(grid);
    const charts = pairs.map((pair) => bars(grid, rows, pair));
    return { destroy: () => charts.forEach((drawn) => drawn.destroy()) };
}

export const view: View = {
    id: "file-systems",
    title: "File systems and folders",
    short: "File systems",
    applies: (page) => Boolean(page.filesystems?.length || page.categories?.length),
    mount,
};
