// MPI's own calls, where they were recorded (APMPI): who waits in them, for whom, and in which operations.
import { axis, chart, tip, type Chart } from "../lib/chart";
import { axisSeconds, bytes, count, idText, percent, seconds } from "../lib/format";
import { table } from "../lib/table";
import type { Messages, Page } from "../page/document";
import type { View } from "../page/view";
import { roundAxis } from "./canvas/ticks";

const rankName = (first: number, last: number): string =>
    first === last ? `rank ${idText(first)}` : `ranks ${idText(first)} to ${idText(last)}`;

function sentence(messages: Messages, runTime: number): string {
    const late = messages.late;
    if (!late) return "One rank alone has a record.";
    const share = runTime > 0 ? `, ${percent(late.median / runTime)} of the run` : "";
    const all = `The median rank is in MPI calls for ${seconds(late.median)}${share}. `;
    if (late.wait < 0.1 * late.median) return `${all}All ranks are there about as long: nobody waits for one of them.`;
    return (
        `${all}Rank ${idText(late.rank)} is there least, ${seconds(late.time)}: it comes last, and the others wait for it, `
        + `about ${seconds(late.wait)}.`
    );
}

function bars(element: HTMLElement, messages: Messages, runTime: number): Chart {
    const { first, last, time, time_min, time_max } = messages.ranks.columns;
    const late = messages.late?.rank ?? -1;
    return chart(element, {
        title: "Time in MPI calls by rank",
        summary:
            sentence(messages, runTime)
            + (messages.per_row > 1 ? ` A bar is the mean of ${count(messages.per_row)} neighbouring ranks.` : ""),
        name: "mpi-by-rank",
        height: 240,
        table: () => ({
            columns: ["first_rank", "last_rank", "mean_s", "min_s", "max_s"],
            rows: time.map((value, i) => [first[i]!, last[i]!, value, time_min[i]!, time_max[i]!]),
        }),
        option: (colours) => ({
            grid: { left: 8, right: 12, top: 14, bottom: 4, containLabel: true },
            legend: { show: false },
            xAxis: axis(colours, {
                type: "category",
                data: first.map((rank) => idText(rank)),
                axisLabel: { hideOverlap: true },
            }),
            yAxis: axis(colours, {
                type: "value",
                ...roundAxis(Math.max(0, ...time), "time"),
                axisLabel: { formatter: axisSeconds(Math.max(0, ...time)) },
            }),
            tooltip: {
                formatter: (items: { dataIndex: number }[]) => {
                    const i = items[0]?.dataIndex ?? 0;
                    const lines = [{ label: "in MPI calls", value: seconds(time[i]) }];
                    if (first[i] !== last[i])
                        lines.push(
                            { label: "least", value: seconds(time_min[i]) },
                            { label: "most", value: seconds(time_max[i]) },
                        );
                    return tip(rankName(first[i]!, last[i]!), lines);
                },
            },
            series: [
                {
                    type: "bar",
                    barMaxWidth: 22,
                    data: time.map((value, i) => ({
                        value,
                        itemStyle: { color: first[i]! <= late && late <= last[i]! ? colours.write : colours.meta },
                    })),
                },
            ],
        }),
    });
}

function operations(element: HTMLElement, messages: Messages): void {
    const all = messages.operations.reduce((sum, op) => sum + op.time, 0);
    table(element, {
        caption: "MPI calls by kind",
        name: "mpi-calls",
        rows: messages.operations,
        limit: 10,
        columns: [
            { label: "Call", value: (op) => op.name },
            { label: "Calls", value: (op) => op.calls, text: (op) => count(op.calls), number: true },
            { label: "Bytes", value: (op) => op.bytes, text: (op) => (op.bytes ? bytes(op.bytes) : ""), number: true },
            {
                label: "Time of all ranks",
                value: (op) => op.time,
                text: (op) => `${seconds(op.time)}${all > 0 ? `, ${percent(op.time / all)}` : ""}`,
                number: true,
            },
            { label: "Longest call", value: (op) => op.longest, text: (op) => seconds(op.longest), number: true },
            ...(messages.sync_times
                ? [
                      {
                          label: "Waiting before it",
                          value: (op: Messages["operations"][number]) => op.sync ?? null,
                          text: (op: Messages["operations"][number]) => seconds(op.sync),
                          number: true,
                      },
                  ]
                : []),
        ],
    });
}

function mount(element: HTMLElement, page: Page): { destroy?(): void } {
    const messages = page.messages;
    if (!messages) return {};
    const drawn = bars(element, messages, page.cost?.run_time ?? 0);
    operations(element, messages);
    return { destroy: () => drawn.destroy() };
}

export const view: View = {
    id: "mpi",
    title: "Time in MPI calls",
    short: "MPI calls",
    applies: (page) => Boolean(page.messages),
    mount,
};
