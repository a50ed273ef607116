// Time by layer and kind: what each interface took, as the mean over all ranks or on its slowest rank.
import { axis, chart, tip, type Chart } from "../lib/chart";
import { segmented } from "../lib/controls";
import { axisSeconds, idText, percent, seconds } from "../lib/format";
import type { CostLayer, Page } from "../page/document";
import type { View } from "../page/view";
import { roundAxis } from "./canvas/ticks";

type Mode = "mean" | "slowest";
const kinds = [
    ["read", "Read"],
    ["write", "Write"],
    ["meta", "Metadata"],
    ["wait", "Wait"],
] as const;
type Kind = (typeof kinds)[number][0];

function value(layer: CostLayer, mode: Mode, kind: Kind): number {
    if (mode === "mean") return layer.mean[kind] ?? 0;
    return kind === "wait" ? 0 : (layer.slowest?.[kind] ?? 0);
}

const sum = (layer: CostLayer, mode: Mode): number =>
    kinds.reduce((total, [kind]) => total + value(layer, mode, kind), 0);

/** Calls of threads overlap, so that they may add up to more than the run: that is no part of it. */
function share(time: number, runTime: number): string {
    if (!(runTime > 0)) return "";
    return time <= 1.05 * runTime
        ? `, ${percent(Math.min(1, time / runTime))} of the run`
        : `, more than the run of ${seconds(runTime)}`;
}

function summarise(layers: CostLayer[], mode: Mode, runTime: number): string {
    const top = [...layers].sort((a, b) => sum(b, mode) - sum(a, mode))[0];
    if (!top) return "No layer has times.";
    const [kind] = [...kinds].sort((a, b) => value(top, mode, b[0]) - value(top, mode, a[0]));
    const who =
        mode === "mean"
            ? "on average over all ranks"
            : top.slowest?.rank != null
              ? `on its slowest rank, ${idText(top.slowest.rank)}`
              : "on its slowest rank";
    return (
        `${top.module} took most: ${seconds(sum(top, mode))} ${who}`
        + share(sum(top, mode), runTime)
        + `, mostly ${(kind ?? kinds[0])[1].toLowerCase()}. `
        + "Layers contain each other (a collective write is in MPI-IO and again in POSIX), so the bars do not add up."
    );
}

function mount(element: HTMLElement, page: Page): { destroy?(): void } {
    const cost = page.cost;
    if (!cost) return {};
    const layers = cost.layers;
    let mode: Mode = "mean";
    const hasSlowest = layers.some((layer) => layer.slowest);
    const used = kinds.filter(([kind]) =>
        layers.some((layer) => value(layer, "mean", kind) > 0 || value(layer, "slowest", kind) > 0),
    );
    const drawn: Chart = chart(element, {
        title: "Time in calls",
        summary: summarise(layers, mode, cost.run_time),
        name: "time-by-layer",
        height: 52 + 44 * layers.length,
        controls: hasSlowest
            ? [
                  segmented(
                      "Which time",
                      [
                          ["mean", "Mean of ranks"],
                          ["slowest", "Slowest rank"],
                      ],
                      "mean",
                      (chosen: Mode) => {
                          mode = chosen;
                          drawn.figure.setSummary(summarise(layers, mode, cost.run_time));
                          drawn.redraw();
                      },
                  ),
              ]
            : [],
        table: () => ({
            columns: [
                "layer",
                ...kinds.map(([kind]) => `mean_${kind}_s`),
                "slowest_rank",
                "slowest_read_s",
                "slowest_write_s",
                "slowest_meta_s",
            ],
            rows: layers.map((layer) => [
                layer.module,
                ...kinds.map(([kind]) => value(layer, "mean", kind)),
                layer.slowest?.rank ?? null,
                layer.slowest?.read ?? null,
                layer.slowest?.write ?? null,
                layer.slowest?.meta ?? null,
            ]),
        }),
        option: (colours) => {
            const largest = Math.max(...layers.map((layer) => sum(layer, mode)));
            return {
                legend: { data: used.map(([, label]) => label) },
                grid: { left: 4, right: 60, top: 34, bottom: 4, containLabel: true },
                xAxis: axis(colours, {
                    type: "value",
                    ...(largest > 0 ? roundAxis(largest, "time") : { max: 1 }),
                    axisLabel: { formatter: axisSeconds(largest), hideOverlap: true },
                }),
                yAxis: axis(colours, {
                    type: "category",
                    inverse: true,
                    data: layers.map((layer) => layer.module),
                    axisLabel: { color: colours.text, fontSize: 12 },
                }),
                tooltip: {
                    formatter: (items: { dataIndex: number; seriesName: string; color: string; value: number }[]) => {
                        const layer = layers[items[0]?.dataIndex ?? 0];
                        return tip(
                            layer?.module ?? "",
                            items.map((item) => ({
                                colour: item.color,
                                label: item.seriesName,
                                value: seconds(item.value),
                            })),
                        );
                    },
                },
                series: used.map(([kind, label], index) => ({
                    name: label,
                    type: "bar",
                    stack: "time",
                    barMaxWidth: 22,
                    itemStyle: { color: colours[kind] },
                    data: layers.map((layer) => value(layer, mode, kind)),
                    label:
                        index === used.length - 1
                            ? {
                                  show: true,
                                  position: "right",
                                  color: colours.muted,
                                  formatter: (item: { dataIndex: number }) =>
                                      seconds(sum(layers[item.dataIndex] as CostLayer, mode)),
                              }
                            : { show: false },
                })),
            };
        },
    });
    return { destroy: drawn.destroy };
}

export const view: View = {
    id: "layers",
    title: "Time by layer and kind",
    short: "Layers",
    applies: (page) => Boolean(page.cost && page.cost.layers.length > 0),
    missing: () => "No layer of this log has times.",
    mount,
};
