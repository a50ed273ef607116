// Access pattern: how much came in order (sequential: behind the last request; consecutive: directly behind it).
import { axis, chart, tip, type Chart } from "../lib/chart";
import { h } from "../lib/dom";
import { count, percent } from "../lib/format";
import type { Page, Pattern } from "../page/document";
import type { View } from "../page/view";

type Layer = NonNullable<Page["pattern"]>[number];

const kinds = [
    ["consecutive", "Directly behind the last one"],
    ["sequential", "Further on in the file"],
    ["random", "Backwards, or first after an open"],
] as const;

/** Sequential counts include consecutive ones; here the three parts exclude each other. */
export function patternParts(pattern: Pattern): Record<"consecutive" | "sequential" | "random", number> {
    const sequential = Math.min(pattern.sequential, pattern.total);
    const consecutive = Math.min(pattern.consecutive, sequential);
    return { consecutive, sequential: sequential - consecutive, random: pattern.total - sequential };
}

function sentence(name: string, pattern: Pattern): string {
    if (pattern.total === 0) return `There were no ${name}.`;
    const share = (part: number): string => percent(part / pattern.total);
    const parts = `${share(pattern.sequential)} are sequential and ${share(pattern.consecutive)} consecutive`;
    return `Of ${count(pattern.total)} ${name}, ${parts}.`;
}

function draw(element: HTMLElement, layer: Layer): Chart {
    const rows = (
        [
            ["Reads", layer.reads],
            ["Writes", layer.writes],
        ] as const
    ).filter(([, pattern]) => pattern.total > 0);
    return chart(element, {
        title: layer.module,
        summary: `${sentence("reads", layer.reads)} ${sentence("writes", layer.writes)}`,
        name: `pattern-${layer.module}`,
        height: (width) => (width < 520 ? 110 : 50) + 48 * rows.length,
        table: () => ({
            columns: ["direction", "total", "sequential", "consecutive"],
            rows: rows.map(([name, pattern]) => [name, pattern.total, pattern.sequential, pattern.consecutive]),
        }),
        option: (colours, width) => ({
            legend: { data: kinds.map(([, label]) => label) },
            grid: { left: 4, right: 16, top: width < 520 ? 94 : 34, bottom: 4, containLabel: true },
            xAxis: axis(colours, {
                type: "value",
                max: 1,
                axisLabel: { formatter: (value: number) => percent(value) },
            }),
            yAxis: axis(colours, {
                type: "category",
                inverse: true,
                data: rows.map(([name]) => name),
                axisLabel: { color: colours.text, fontSize: 12 },
            }),
            tooltip: {
                formatter: (items: { dataIndex: number }[]) => {
                    const [name, pattern] = rows[items[0]?.dataIndex ?? 0] ?? [
                        "",
                        { total: 0, sequential: 0, consecutive: 0 },
                    ];
                    const parts = patternParts(pattern);
                    return tip(
                        name,
                        kinds.map(([kind, label], index) => ({
                            colour: shades(colours)[index] ?? "",
                            label,
                            value: count(parts[kind]),
                        })),
                    );
                },
            },
            series: kinds.map(([kind, label], index) => ({
                name: label,
                type: "bar",
                stack: "pattern",
                barMaxWidth: 26,
                itemStyle: { color: shades(colours)[index] },
                data: rows.map(([, pattern]) => patternParts(pattern)[kind] / pattern.total),
                label: {
                    show: true,
                    color: index === 1 ? "#10181f" : colours.surface,
                    formatter: (item: { value: number }) => (item.value > 0.07 ? percent(item.value) : ""),
                },
            })),
        }),
    });
}

const shades = (colours: { series: string[] }): string[] => [
    colours.series[0] ?? "",
    colours.series[3] ?? "",
    colours.series[1] ?? "",
];

function mount(element: HTMLElement, page: Page): { destroy?(): void } {
    const grid = h("div", { class: "io-grid" });
    element.append(grid);
    const charts = (page.pattern ?? [])
        .filter((layer) => layer.reads.total + layer.writes.total > 0)
        .map((layer) => draw(grid, layer));
    return { destroy: () => charts.forEach((drawn) => drawn.destroy()) };
}

export const view: View = {
    id: "pattern",
    title: "Access pattern",
    short: "Pattern",
    applies: (page) => Boolean(page.pattern?.some((layer) => layer.reads.total + layer.writes.total > 0)),
    mount,
};
