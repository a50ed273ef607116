// Access sizes: how many requests of which size, which part of the bytes they carried, and what one layer made of the
// requests of the layer above it.
import { axis, chart, tip, type Chart } from "../lib/chart";
import { segmented, select } from "../lib/controls";
import { h } from "../lib/dom";
import { bytes, count, percent, plural, short } from "../lib/format";
import type { Page, Sizes } from "../page/document";
import type { View } from "../page/view";
import type { Palette } from "../lib/theme";

const add = (values: number[] | undefined): number => (values ?? []).reduce((sum, value) => sum + value, 0);
const requests = (sizes: Sizes): number => add(sizes.reads) + add(sizes.writes);
const hasBytes = (sizes: Sizes): boolean => add(sizes.read_bytes) + add(sizes.write_bytes) > 0;

/** Running share of the bytes, smallest requests first. */
export function cumulative(values: number[]): number[] {
    const total = add(values);
    let sum = 0;
    return values.map((value) => {
        sum += value;
        return total > 0 ? sum / total : 0;
    });
}

function bothBytes(sizes: Sizes): number[] {
    return sizes.labels.map((_, bin) => (sizes.read_bytes?.[bin] ?? 0) + (sizes.write_bytes?.[bin] ?? 0));
}

function fullest(values: number[]): number {
    return values.indexOf(Math.max(...values));
}

function summarise(sizes: Sizes): string {
    const all = sizes.labels.map((_, bin) => (sizes.reads[bin] ?? 0) + (sizes.writes[bin] ?? 0));
    const most = fullest(all);
    const text =
        `${sizes.module}: ${plural(add(sizes.reads), "read")} and ${plural(add(sizes.writes), "write")}. `
        + `${percent((all[most] ?? 0) / Math.max(1, add(all)))} of them have ${sizes.labels[most]} bytes`;
    if (!hasBytes(sizes)) return `${text}.`;
    const carried = bothBytes(sizes);
    const heavy = fullest(carried);
    return (
        `${text}; ${percent((carried[heavy] ?? 0) / add(carried))} of the bytes go in requests of ${sizes.labels[heavy]}.`
        + (sizes.estimated ? " Bytes by size are estimates, because the log counts requests only." : "")
    );
}

function histogram(element: HTMLElement, all: Sizes[]): Chart {
    let shown = all[0] as Sizes;
    let scale: "value" | "log" = "value";
    const modules = all.map((sizes) => [sizes.module, sizes.module] as const);
    const controls: HTMLElement[] = [];
    if (all.length > 1)
        controls.push(
            select("Layer", modules, shown.module, (module) => {
                shown = all.find((sizes) => sizes.module === module) ?? shown;
                drawn.figure.setSummary(summarise(shown));
                drawn.redraw();
            }),
        );
    controls.push(
        segmented(
            "Scale",
            [
                ["value", "Linear"],
                ["log", "Log"],
            ],
            "value",
            (chosen: "value" | "log") => {
                scale = chosen;
                drawn.redraw();
            },
        ),
    );
    const drawn: Chart = chart(element, {
        title: "Requests by size, and the bytes they carried",
        summary: summarise(shown),
        name: "access-sizes",
        height: 320,
        controls,
        table: () => ({
            columns: ["layer", "size", "reads", "writes", "read_bytes", "write_bytes", "cumulative_share_of_bytes"],
            rows: all.flatMap((sizes) => {
                const running = cumulative(bothBytes(sizes));
                return sizes.labels.map((label, bin) => [
                    sizes.module,
                    label,
                    sizes.reads[bin] ?? null,
                    sizes.writes[bin] ?? null,
                    sizes.read_bytes?.[bin] ?? null,
                    sizes.write_bytes?.[bin] ?? null,
                    hasBytes(sizes) ? (running[bin] ?? null) : null,
                ]);
            }),
        }),
        option: (colours, width) => histogramOption(shown, scale, colours, width),
    });
    return drawn;
}

function histogramOption(
    sizes: Sizes,
    scale: "value" | "log",
    colours: Palette,
    width: number,
): Record<string, unknown> {
    const running = cumulative(bothBytes(sizes));
    const withBytes = hasBytes(sizes);
    // A logarithmic axis has no zero: empty bins are left out.
    const bars = (values: number[]): (number | null)[] =>
        values.map((value) => (value > 0 ? value : scale === "log" ? null : 0));
    const label = {
        show: width > 640,
        position: "top",
        color: colours.muted,
        fontSize: 10,
        formatter: (item: { value: number | null }) => (item.value ? short(item.value) : ""),
    };
    return {
        legend: { data: ["Reads", "Writes", ...(withBytes ? ["Bytes so far"] : [])] },
        grid: { left: 6, right: 6, top: 44, bottom: 4, containLabel: true },
        xAxis: axis(colours, {
            type: "category",
            data: sizes.labels,
            axisLabel: { interval: 0, rotate: width < 640 ? 45 : 0, color: colours.text },
        }),
        yAxis: [
            axis(colours, {
                type: scale,
                min: scale === "log" ? 0.5 : 0,
                logBase: 10,
                minInterval: 1,
                axisLabel: { formatter: (value: number) => (value < 1 && scale === "log" ? "" : short(value)) },
            }),
            axis(colours, {
                type: "value",
                min: 0,
                max: 1,
                show: withBytes,
                splitLine: { show: false },
                axisLabel: { formatter: (value: number) => percent(value) },
            }),
        ],
        tooltip: {
            formatter: (items: { dataIndex: number }[]) => {
                const bin = items[0]?.dataIndex ?? 0;
                return tip(`${sizes.labels[bin]} bytes`, [
                    { colour: colours.read, label: "reads", value: count(sizes.reads[bin]) },
                    { colour: colours.write, label: "writes", value: count(sizes.writes[bin]) },
                    ...(withBytes
                        ? [
                              { colour: colours.read, label: "bytes read", value: bytes(sizes.read_bytes?.[bin]) },
                              { colour: colours.write, label: "bytes written", value: bytes(sizes.write_bytes?.[bin]) },
                              { colour: colours.text, label: "bytes up to here", value: percent(running[bin]) },
                          ]
                        : []),
                ]);
            },
        },
        series: [
            {
                name: "Reads",
                type: "bar",
                barGap: "8%",
                itemStyle: { color: colours.read },
                data: bars(sizes.reads),
                label,
            },
            { name: "Writes", type: "bar", itemStyle: { color: colours.write }, data: bars(sizes.writes), label },
            ...(withBytes
                ? [
                      {
                          name: "Bytes so far",
                          type: "line",
                          yAxisIndex: 1,
                          step: false,
                          symbolSize: 6,
                          smooth: false,
                          lineStyle: { color: colours.text, width: 2, type: "dashed" },
                          itemStyle: { color: colours.text },
                          data: running,
                      },
                  ]
                : []),
        ],
    };
}

// From the program down to the file system.
const order = ["PNETCDF_VAR", "H5D", "MPI-IO", "DFS", "DAOS", "POSIX"];

/** What each layer made of the sizes: the same bars side by side, as shares of its own requests. */
function comparison(element: HTMLElement, all: Sizes[]): Chart | null {
    const layers = all
        .filter((sizes) => requests(sizes) > 0)
        .sort((a, b) => order.indexOf(a.module) - order.indexOf(b.module));
    if (layers.length < 2) return null;
    const share = (sizes: Sizes, bin: number): number =>
        ((sizes.reads[bin] ?? 0) + (sizes.writes[bin] ?? 0)) / requests(sizes);
    const typical = layers.map((sizes) => {
        const most = sizes.labels[fullest(sizes.labels.map((_, bin) => share(sizes, bin)))];
        return `${sizes.module} mostly ${most} bytes (${plural(requests(sizes), "request")})`;
    });
    const labels = (layers[0] as Sizes).labels;
    return chart(element, {
        title: "From layer to layer",
        summary: `What each layer handed down: ${typical.join(", then ")}.`,
        name: "sizes-by-layer",
        height: 260,
        table: () => ({
            columns: ["size", ...layers.map((sizes) => sizes.module)],
            rows: labels.map((label, bin) => [label, ...layers.map((sizes) => share(sizes, bin))]),
        }),
        option: (colours, width) => ({
            legend: { data: layers.map((sizes) => sizes.module) },
            xAxis: axis(colours, {
                type: "category",
                data: labels,
                axisLabel: { interval: 0, rotate: width < 640 ? 45 : 0, color: colours.text },
            }),
            yAxis: axis(colours, { type: "value", axisLabel: { formatter: (value: number) => percent(value) } }),
            tooltip: {
                formatter: (items: { dataIndex: number; color: string; seriesName: string; value: number }[]) =>
                    tip(
                        `${labels[items[0]?.dataIndex ?? 0]} bytes`,
                        items.map((item) => ({
                            colour: item.color,
                            label: item.seriesName,
                            value: `${percent(item.value)} of its requests`,
                        })),
                    ),
            },
            series: layers.map((sizes, index) => ({
                name: sizes.module,
                type: "bar",
                barGap: "6%",
                itemStyle: { color: colours.series[index] },
                data: labels.map((_, bin) => share(sizes, bin)),
            })),
        }),
    });
}

function mount(element: HTMLElement, page: Page): { destroy?(): void } {
    const all = (page.sizes ?? []).filter((sizes) => requests(sizes) > 0);
    const charts = [histogram(element, all), comparison(element, all)];
    if (all.some((sizes) => sizes.module === "MPI-IO"))
        element.append(
            h(
                "p",
                { class: "io-note" },
                "Sizes of MPI-IO are those of the whole datatype of a call, which may be spread over the file.",
            ),
        );
    return { destroy: () => charts.forEach((drawn) => drawn?.destroy()) };
}

export const view: View = {
    id: "sizes",
    title: "Access sizes",
    applies: (page) => Boolean(page.sizes?.some((sizes) => requests(sizes) > 0)),
    missing: () =>
        "The log has no histogram of access sizes: only POSIX, MPI-IO, HDF5, PnetCDF, DFS and DAOS records have one.",
    mount,
};
