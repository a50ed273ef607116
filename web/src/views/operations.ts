// How often each operation was called, layer by layer.
import { axis, chart, tip, type Chart } from "../lib/chart";
import { h } from "../lib/dom";
import { count, plural, short } from "../lib/format";
import type { Page } from "../page/document";
import type { View } from "../page/view";

type Operations = NonNullable<Page["operations"]>[number];

const total = (layer: Operations): number => layer.ops.reduce((sum, op) => sum + op.count, 0);

function bars(element: HTMLElement, layer: Operations): Chart {
    const top = [...layer.ops].sort((a, b) => b.count - a.count)[0];
    return chart(element, {
        title: layer.module,
        summary: `${plural(total(layer), "operation")}; most often ${top?.name} (${count(top?.count)}).`,
        name: `operations-${layer.module}`,
        height: 30 + 24 * layer.ops.length,
        table: () => ({ columns: ["operation", "count"], rows: layer.ops.map((op) => [op.name, op.count]) }),
        option: (colours) => ({
            grid: { left: 4, right: 64, top: 6, bottom: 4, containLabel: true },
            xAxis: axis(colours, { type: "value", show: false }),
            yAxis: axis(colours, {
                type: "category",
                inverse: true,
                data: layer.ops.map((op) => op.name),
                axisLine: { show: false },
                axisLabel: { color: colours.text },
            }),
            tooltip: {
                formatter: (items: { dataIndex: number; color: string }[]) => {
                    const op = layer.ops[items[0]?.dataIndex ?? 0];
                    return tip(op?.name ?? "", [{ label: "calls", value: count(op?.count) }]);
                },
            },
            series: [
                {
                    type: "bar",
                    barMaxWidth: 16,
                    data: layer.ops.map((op) => ({
                        value: op.count,
                        itemStyle: {
                            color: /read|get|fetch/i.test(op.name)
                                ? colours.read
                                : /write|put|update/i.test(op.name)
                                  ? colours.write
                                  : colours.meta,
                        },
                    })),
                    label: {
                        show: true,
                        position: "right",
                        color: colours.muted,
                        formatter: (item: { value: number }) => short(item.value),
                    },
                },
            ],
        }),
    });
}

function mount(element: HTMLElement, page: Page): { destroy?(): void } {
    const grid = h("div", { class: "io-grid" });
    element.append(grid);
    const charts = (page.operations ?? []).filter((layer) => total(layer) > 0).map((layer) => bars(grid, layer));
    return { destroy: () => charts.forEach((drawn) => drawn.destroy()) };
}

export const view: View = {
    id: "operations",
    title: "Operations",
    applies: (page) => Boolean(page.operations?.some((layer) => total(layer) > 0)),
    mount,
};
