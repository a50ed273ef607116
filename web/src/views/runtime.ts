// Where the run time went: one bar from start to end, I/O against everything else, and inside the I/O its kinds.
import { axis, chart, tip } from "../lib/chart";
import { h } from "../lib/dom";
import { axisSeconds, percent, rate, bytes, seconds } from "../lib/format";
import { table } from "../lib/table";
import type { Cost, Page } from "../page/document";
import type { View } from "../page/view";
import { roundAxis } from "./canvas/ticks";

interface Part {
    name: string;
    seconds: number;
    colour: "read" | "write" | "meta" | "other" | "wait";
}

/** The I/O time is split in the proportions of the calls of the layer that took longest. */
export function runtimeParts(cost: Cost): Part[] {
    const io = Math.max(0, cost.io_time ?? 0);
    const layer = [...cost.layers].sort((a, b) => total(b) - total(a))[0];
    const sum = layer ? total(layer) : 0;
    const share = (value: number | null | undefined): number => (sum > 0 ? (io * (value ?? 0)) / sum : 0);
    const parts: Part[] =
        sum > 0 && layer
            ? [
                  { name: "Reading", seconds: share(layer.mean.read), colour: "read" },
                  { name: "Writing", seconds: share(layer.mean.write), colour: "write" },
                  { name: "Metadata", seconds: share(layer.mean.meta), colour: "meta" },
                  { name: "Waiting", seconds: share(layer.mean.wait), colour: "wait" },
              ]
            : [{ name: "I/O", seconds: io, colour: "read" }];
    parts.push({ name: "Everything else", seconds: Math.max(0, cost.other ?? cost.run_time - io), colour: "other" });
    return parts.filter((part) => part.seconds > 0);
}

function total(layer: Cost["layers"][number]): number {
    return layer.mean.read + layer.mean.write + layer.mean.meta + (layer.mean.wait ?? 0);
}

const DOUBTFUL =
    "Which part of the run was I/O is unknown: times of single calls add up to more than the run, as with threads that "
    + "do I/O at the same time.";

function mount(element: HTMLElement, page: Page): { destroy?(): void } {
    if (page.diagnosis.io.time_known !== false) return mountParts(element, page);
    element.append(h("p", { class: "io-note" }, DOUBTFUL));
    performance(element, page);
    return {};
}

function mountParts(element: HTMLElement, page: Page): { destroy?(): void } {
    const cost = page.cost as Cost;
    const parts = runtimeParts(cost);
    const whole = Math.max(
        cost.run_time,
        parts.reduce((sum, part) => sum + part.seconds, 0),
    );
    const over = (cost.io_time ?? 0) > cost.run_time * 1.001;
    const largest = [...parts].sort((a, b) => b.seconds - a.seconds)[0];
    const summary =
        `The job waited ${seconds(cost.io_time)} of ${seconds(cost.run_time)} for I/O`
        + (cost.run_time > 0 ? ` (${percent((cost.io_time ?? 0) / cost.run_time)})` : "")
        + `, each file counted once, in its highest layer. `
        + (largest ? `The largest part is ${largest.name.toLowerCase()}, ${seconds(largest.seconds)}.` : "")
        + (over ? " That is more than the run time: the slowest files were not used by the same process." : "");
    const drawn = chart(element, {
        title: "Run time, from start to end",
        summary,
        name: "run-time",
        height: (width) => (width < 520 ? 140 : 112),
        table: () => ({
            columns: ["part", "seconds", "share"],
            rows: parts.map((part) => [
                part.name,
                part.seconds,
                cost.run_time > 0 ? part.seconds / cost.run_time : null,
            ]),
        }),
        option: (colours, width) => ({
            grid: { left: 2, right: 12, top: width < 520 ? 60 : 34, bottom: 4, containLabel: true },
            legend: { data: parts.map((part) => part.name) },
            xAxis: axis(colours, {
                type: "value",
                ...roundAxis(whole, "time"),
                max: whole,
                splitLine: { show: false },
                axisLabel: {
                    formatter: axisSeconds(whole),
                    showMaxLabel: true,
                    hideOverlap: true,
                    alignMaxLabel: "right",
                    alignMinLabel: "left",
                },
            }),
            yAxis: { type: "category", data: ["run"], show: false },
            tooltip: {
                trigger: "item",
                formatter: (item: { seriesName: string; color: string; value: number }) =>
                    tip(item.seriesName, [
                        { colour: item.color, label: "time", value: seconds(item.value) },
                        { label: "of the run", value: percent(item.value / cost.run_time) },
                    ]),
            },
            series: parts.map((part) => ({
                name: part.name,
                type: "bar",
                stack: "run",
                barWidth: 34,
                data: [part.seconds],
                itemStyle: { color: colours[part.colour], borderColor: colours.surface, borderWidth: 1 },
                label: {
                    show: part.seconds > cost.run_time * 0.08,
                    formatter: percent(part.seconds / cost.run_time),
                    color: part.colour === "other" ? colours.text : colours.surface,
                    fontWeight: 600,
                },
            })),
        }),
    });
    performance(element, page);
    return { destroy: drawn.destroy };
}

function performance(element: HTMLElement, page: Page): void {
    if (page.bandwidth?.length)
        table(element, {
            caption: "Performance by layer",
            name: "performance",
            rows: page.bandwidth,
            columns: [
                { label: "Layer", value: (row) => row.module },
                { label: "Bytes", value: (row) => row.bytes, text: (row) => bytes(row.bytes), number: true },
                {
                    label: "Time of the slowest",
                    title: "largest sum over files of one rank, plus the slowest rank of every shared file",
                    value: (row) => row.time,
                    text: (row) => seconds(row.time),
                    number: true,
                },
                {
                    label: "Rate",
                    value: (row) => row.bytes_per_second,
                    text: (row) => rate(row.bytes_per_second),
                    number: true,
                },
            ],
        });
}

export const view: View = {
    id: "run-time",
    title: "Where the run time went",
    short: "Run time",
    applies: (page) => Boolean(page.cost && page.cost.run_time > 0),
    missing: () => "The log has no run time, so there is nothing to compare the I/O with.",
    mount,
};
