// Bars by rank with the box plot of all ranks at the right, on the same axis: a bar that stands out is seen against
// the box.
import { bytes, seconds } from "../lib/format";
import { crisp, fontOf, legend, line, xAxis, yAxis } from "./canvas/axes";
import type { Box, Brush, Layout } from "./canvas/brush";
import type { Colours } from "./canvas/colours";
import type { Range } from "./canvas/range";
import { byteTicks, countTicks, timeTicks } from "./canvas/ticks";
import { groupBars, type Measure, type RankBar } from "./ranks-data";

export interface RankPicture {
    measure: Measure;
    bars: RankBar[];
    box: number[] | null;
    sorted: boolean;
    perRow: number;
    /** Upper end of the axis; bars above it are cut and marked. */
    top: number;
    /** Bars that share a pixel in the last frame. */
    group: number;
}

export const partNames = (measure: Measure): string[] =>
    measure === "time" ? ["read", "write", "metadata"] : ["read", "written"];
export const partColours = (colours: Colours): string[] => [colours.read, colours.write, colours.meta];
export const valueText = (measure: Measure, value: number): string =>
    measure === "time" ? seconds(value) : bytes(value);

export function rankLayout(width: number): Layout {
    const right = width < 560 ? 44 : 76;
    return { width, height: 290, plot: { x: 64, y: 10, width: Math.max(80, width - 64 - right), height: 210 } };
}

export function drawRankBars(
    brush: Brush,
    layout: Layout,
    colours: Colours,
    picture: RankPicture,
    x: Range,
    y: Range,
): void {
    const { plot } = layout;
    const { measure } = picture;
    const scale = measure === "time" ? timeTicks(y.lo, y.hi, 6) : byteTicks(y.lo, y.hi, 6);
    yAxis(brush, plot, y, scale, colours, { title: measure === "time" ? "time" : "bytes", grid: true });
    brush.save();
    brush.beginPath();
    brush.rect(plot.x, plot.y, plot.width, plot.height);
    brush.clip();
    bars(brush, plot, colours, picture, x, y);
    brush.restore();
    line(
        brush,
        colours.muted,
        [plot.x, crisp(plot.y + plot.height)],
        [plot.x + plot.width, crisp(plot.y + plot.height)],
    );
    const count = Math.max(2, Math.floor(plot.width / 70));
    if (picture.sorted) xAxis(brush, plot, x, { ticks: [], unit: "" }, colours, { title: "ranks, most first" });
    else {
        const { ticks } = countTicks(x.lo * picture.perRow, x.hi * picture.perRow, count);
        const single = picture.perRow === 1 ? 0.5 : 0;
        const moved = ticks
            .map((tick) => ({ value: tick.value / picture.perRow + single, label: tick.label }))
            .filter((tick) => tick.value <= x.hi);
        xAxis(brush, plot, x, { ticks: moved, unit: "" }, colours, { title: "rank" });
    }
    boxPlot(brush, layout, colours, picture, y);
    const names = partNames(measure).map((name, i) => [partColours(colours)[i]!, name] as const);
    const worst =
        picture.perRow > 1 && measure === "time" ? [[colours.text, "slowest rank of the group"] as const] : [];
    legend(
        brush,
        { ...plot, width: layout.width - plot.x, y: plot.y + plot.height + 50 },
        [...names, ...worst],
        colours,
    );
}

function bars(brush: Brush, plot: Box, colours: Colours, picture: RankPicture, x: Range, y: Range): void {
    const grouped = groupBars(picture.bars, Math.floor(x.lo), Math.ceil(x.hi), plot.width);
    picture.group = grouped.group;
    const height = (value: number): number => y.part(value) * plot.height;
    const bottom = plot.y + plot.height;
    const paints = partColours(colours);
    grouped.bars.forEach((bar, i) => {
        const left = Math.round(plot.x + x.part(grouped.first + i * grouped.group) * plot.width);
        const right = Math.round(plot.x + x.part(grouped.first + (i + 1) * grouped.group) * plot.width);
        const width = Math.max(1, right - left > 3 ? right - left - 1 : right - left);
        let base = 0;
        bar.parts.forEach((part, kind) => {
            if (part <= 0) return;
            brush.fillStyle = paints[kind]!;
            brush.fillRect(left, bottom - height(base + part), width, height(part));
            base += part;
        });
        const worst = bar.worst ?? bar.total;
        brush.fillStyle = colours.text;
        if (worst > y.hi * 1.0001) cutMark(brush, left, width, plot.y);
        else if (worst > base * 1.02) brush.fillRect(left, bottom - height(worst) - 0.75, Math.max(2, width), 1.5);
    });
}

/** A bar that goes on above the axis. */
function cutMark(brush: Brush, left: number, width: number, top: number): void {
    const middle = left + width / 2;
    brush.beginPath();
    brush.moveTo(middle, top + 1);
    brush.lineTo(middle + 4, top + 8);
    brush.lineTo(middle - 4, top + 8);
    brush.closePath();
    brush.fill();
}

function boxPlot(brush: Brush, layout: Layout, colours: Colours, picture: RankPicture, y: Range): void {
    const { plot } = layout;
    if (!picture.box || picture.box.length !== 5) return;
    const [least, q1, median, q3, most] = picture.box as [number, number, number, number, number];
    const room = layout.width - plot.x - plot.width;
    const middle = plot.x + plot.width + room / 2;
    const half = Math.min(13, room / 4);
    const at = (value: number): number => crisp(plot.y + (1 - Math.min(1, Math.max(0, y.part(value)))) * plot.height);
    const reach = 1.5 * (q3 - q1);
    const [low, high] = [Math.max(least, q1 - reach), Math.min(most, q3 + reach)];
    for (const [from, to] of [
        [low, q1],
        [q3, high],
    ] as const)
        line(brush, colours.muted, [crisp(middle), at(from)], [crisp(middle), at(to)]);
    for (const end of [low, high])
        line(brush, colours.muted, [middle - half / 2, at(end)], [middle + half / 2, at(end)]);
    brush.fillStyle = colours.other;
    brush.fillRect(middle - half, at(q3), 2 * half, Math.max(1, at(q1) - at(q3)));
    line(brush, colours.text, [middle - half, at(median)], [middle + half, at(median)], 2);
    brush.fillStyle = colours.text;
    for (const end of [least, most]) if (end < low || end > high) brush.fillRect(middle - 2, at(end) - 2, 4, 4);
    brush.font = fontOf(colours);
    brush.fillStyle = colours.muted;
    brush.textAlign = "center";
    brush.textBaseline = "top";
    brush.fillText("all", middle, plot.y + plot.height + 7);
}
