// Pictures of phases (bandwidth above, active ranks below, one time axis) and of spans (a bar from first to last
// access).
import { splitPath, visible } from "../lib/format";
import { crisp, fontOf, frame, legend, line, rankAxis, xAxis, yAxis } from "./canvas/axes";
import type { Box, Brush, Layout } from "./canvas/brush";
import type { Colours } from "./canvas/colours";
import { Range } from "./canvas/range";
import { byteTicks, countTicks, timeTicks } from "./canvas/ticks";
import type { Phase, Span } from "./phases-data";
import { shorten } from "./timeline-legend";

const RANK_PANEL = 84;
const BETWEEN = 20;

export function phaseLayout(width: number, ranks: number): Layout {
    const panel = ranks > 1 ? RANK_PANEL + BETWEEN : 0;
    return {
        width,
        height: 10 + 150 + panel + (width < 340 && ranks > 1 ? 104 : width < 560 ? 84 : 66),
        plot: { x: 64, y: 10, width: Math.max(80, width - 80), height: 150 + panel },
    };
}

export function drawPhaseTimeline(
    brush: Brush,
    layout: Layout,
    colours: Colours,
    phases: Phase[],
    ranks: number,
    x: Range,
): void {
    const { plot } = layout;
    const upper: Box = { ...plot, height: 150 };
    const largest = phases.reduce((most, phase) => Math.max(most, phase.rate), 0) || 1;
    const rate = new Range(0, largest * 1.05, largest);
    const scale = byteTicks(0, rate.hi, 4);
    yAxis(brush, upper, rate, { ...scale, unit: `${scale.unit}/s` }, colours, { title: "rate", grid: true });
    inside(brush, upper, () => phases.forEach((phase) => rateBlock(brush, upper, colours, phase, x, rate)));
    line(
        brush,
        colours.muted,
        [upper.x, crisp(upper.y + upper.height)],
        [upper.x + upper.width, crisp(upper.y + upper.height)],
    );
    if (ranks > 1) rankPanel(brush, plot, colours, phases, ranks, x);
    const time = timeTicks(x.lo, x.hi, Math.max(2, Math.floor(plot.width / 75)));
    xAxis(brush, plot, x, time, colours, { title: "time" });
    const names: [string, string][] = [
        [colours.read, "read"],
        [colours.write, "written"],
    ];
    if (ranks > 1) names.push([colours.other, "active ranks"], [colours.muted, "ranks that carried the bytes"]);
    legend(brush, { ...plot, y: plot.y + plot.height + 50 }, names, colours);
}

export function inside(brush: Brush, box: Box, draw: () => void): void {
    brush.save();
    brush.beginPath();
    brush.rect(box.x, box.y, box.width, box.height);
    brush.clip();
    draw();
    brush.restore();
}

/** A phase is never thinner than two pixels: short bursts matter. */
export function across(box: Box, phase: { t0: number; t1: number }, x: Range): [number, number] {
    const left = box.x + x.part(phase.t0) * box.width;
    const width = ((phase.t1 - phase.t0) / x.span) * box.width;
    const shown = Math.max(2, width > 6 ? width - 1 : width);
    const from = Math.max(box.x - 4, left);
    return [from, Math.max(0, Math.min(box.x + box.width + 4, left + shown) - from)];
}

function rateBlock(brush: Brush, box: Box, colours: Colours, phase: Phase, x: Range, rate: Range): void {
    const [left, width] = across(box, phase, x);
    if (width <= 0) return;
    const sum = phase.read + phase.written;
    const high = rate.part(phase.rate) * box.height;
    const read = sum > 0 ? (high * phase.read) / sum : 0;
    const bottom = box.y + box.height;
    brush.fillStyle = colours.read;
    brush.fillRect(left, bottom - read, width, read);
    brush.fillStyle = colours.write;
    brush.fillRect(left, bottom - high, width, high - read);
}

function rankPanel(brush: Brush, plot: Box, colours: Colours, phases: Phase[], ranks: number, x: Range): void {
    const lower: Box = { ...plot, y: plot.y + plot.height - RANK_PANEL, height: RANK_PANEL };
    const range = new Range(0, ranks, ranks);
    yAxis(brush, lower, range, countTicks(0, ranks, 3), colours, { title: "ranks", grid: true });
    inside(brush, lower, () =>
        phases.forEach((phase) => {
            const [left, width] = across(lower, phase, x);
            for (const [value, colour] of [
                [phase.ranks, colours.other],
                [phase.effective, colours.muted],
            ] as const) {
                if (value === null || width <= 0) continue;
                const high = Math.max(1.5, Math.min(1, range.part(value)) * lower.height);
                brush.fillStyle = colour;
                brush.fillRect(left, lower.y + lower.height - high, width, high);
            }
        }),
    );
    line(
        brush,
        colours.muted,
        [lower.x, crisp(lower.y + lower.height)],
        [lower.x + lower.width, crisp(lower.y + lower.height)],
    );
}

export function spanLayout(width: number, rows: number, named: boolean): Layout {
    const left = named ? Math.min(190, Math.max(90, width * 0.3)) : 60;
    const height = named ? Math.max(60, rows * 22) : Math.min(220, Math.max(70, rows * 14));
    return { width, height: height + 52, plot: { x: left, y: 6, width: Math.max(80, width - left - 20), height } };
}

/** `names` labels rows by text; without it the rows are ranks. */
export function drawSpans(
    brush: Brush,
    layout: Layout,
    colours: Colours,
    spans: Span[],
    names: string[] | null,
    x: Range,
    y: Range,
): void {
    const { plot } = layout;
    brush.fillStyle = colours.background;
    brush.fillRect(plot.x, plot.y, plot.width, plot.height);
    inside(brush, plot, () =>
        spans.forEach((span) => {
            const [left, width] = across(plot, span, x);
            const top = plot.y + (1 - y.part(span.y1)) * plot.height;
            const high = ((span.y1 - span.y0) / y.span) * plot.height;
            brush.fillStyle = span.write ? colours.write : colours.read;
            brush.fillRect(left, top, width, Math.max(1, high > 4 ? high - 1 : high));
        }),
    );
    frame(brush, plot, colours);
    xAxis(brush, plot, x, timeTicks(x.lo, x.hi, Math.max(2, Math.floor(plot.width / 75))), colours, { title: "time" });
    if (names)
        nameAxis(
            brush,
            plot,
            colours,
            names.map((name) => splitPath(name).name),
            y,
        );
    else rankAxis(brush, plot, y, colours);
}

export function nameAxis(brush: Brush, plot: Box, colours: Colours, names: string[], y: Range): void {
    brush.font = fontOf(colours);
    brush.textAlign = "right";
    brush.textBaseline = "middle";
    brush.fillStyle = colours.muted;
    names.forEach((name, row) => {
        const at = plot.y + (1 - y.part(row + 0.5)) * plot.height;
        if (at < plot.y || at > plot.y + plot.height) return;
        const text = shorten(brush, visible(name), plot.x - 12);
        brush.fillText(text, plot.x - 7, at);
    });
}
