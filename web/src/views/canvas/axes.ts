// Axes, bars at the margin and the colour bar, drawn with a brush.
import type { Box, Brush } from "./brush";
import { css, type Ramp } from "./colour";
import type { Range } from "./range";
import { countTicks, type Scale, type Tick } from "./ticks";
import type { Colours } from "./colours";

export const FONT_SIZE = 11;
export const fontOf = (colours: Colours, size = FONT_SIZE, weight = ""): string =>
    `${weight ? `${weight} ` : ""}${size}px ${colours.font || "sans-serif"}`;

/** On whole pixels lines are sharp. */
export const crisp = (value: number): number => Math.round(value - 0.5) + 0.5;

export function frame(brush: Brush, box: Box, colours: Colours): void {
    brush.strokeStyle = colours.line;
    brush.lineWidth = 1;
    brush.strokeRect(crisp(box.x), crisp(box.y), Math.round(box.width), Math.round(box.height));
}

export interface AxisLook {
    title?: string;
    /** Lines across the plot. */
    grid?: boolean;
}

export function xAxis(brush: Brush, box: Box, range: Range, scale: Scale, colours: Colours, look: AxisLook = {}): void {
    brush.save();
    brush.font = fontOf(colours);
    brush.textBaseline = "top";
    brush.textAlign = "center";
    const bottom = box.y + box.height;
    for (const tick of scale.ticks) {
        const x = box.x + range.part(tick.value) * box.width;
        if (x < box.x - 0.5 || x > box.x + box.width + 0.5) continue;
        line(brush, colours.line, [crisp(x), look.grid ? box.y : bottom], [crisp(x), bottom + 4]);
        const half = brush.measureText(tick.label).width / 2;
        brush.fillStyle = colours.muted;
        brush.fillText(tick.label, Math.max(half, x), bottom + 7);
    }
    if (look.title) {
        brush.fillStyle = colours.muted;
        brush.textAlign = "right";
        brush.fillText(scale.unit ? `${look.title} (${scale.unit})` : look.title, box.x + box.width, bottom + 23);
    }
    brush.restore();
}

export function yAxis(brush: Brush, box: Box, range: Range, scale: Scale, colours: Colours, look: AxisLook = {}): void {
    brush.save();
    brush.font = fontOf(colours);
    brush.textBaseline = "middle";
    brush.textAlign = "right";
    for (const tick of scale.ticks) {
        const y = box.y + (1 - range.part(tick.value)) * box.height;
        if (y < box.y - 0.5 || y > box.y + box.height + 0.5) continue;
        line(brush, colours.line, [box.x - 4, crisp(y)], [look.grid ? box.x + box.width : box.x, crisp(y)]);
        brush.fillStyle = colours.muted;
        brush.fillText(tick.label, box.x - 7, y);
    }
    if (look.title) {
        brush.translate(11, box.y + box.height / 2);
        brush.rotate(-Math.PI / 2);
        brush.textAlign = "center";
        brush.fillStyle = colours.muted;
        brush.fillText(scale.unit ? `${look.title} (${scale.unit})` : look.title, 0, 0);
    }
    brush.restore();
}

/**
 * Ranks: whole numbers from 0 to the last one; where a rank is a row of its own, its number stands in the middle of
 * the row.
 */
export function rankAxis(brush: Brush, box: Box, range: Range, colours: Colours): void {
    const most = Math.max(2, Math.floor(box.height / 44));
    const middle = box.height / range.span > 10 ? 0.5 : 0;
    const { ticks } = countTicks(range.lo, range.hi, Math.min(most, Math.ceil(range.span)));
    const shown = ticks
        .filter((tick) => tick.value < range.max)
        .map((tick) => ({ value: tick.value + middle, label: tick.label }));
    yAxis(brush, box, range, { ticks: shown, unit: "" }, colours, { title: "rank" });
}

export function line(brush: Brush, colour: string, from: [number, number], to: [number, number], width = 1): void {
    brush.strokeStyle = colour;
    brush.lineWidth = width;
    brush.beginPath();
    brush.moveTo(from[0], from[1]);
    brush.lineTo(to[0], to[1]);
    brush.stroke();
}

/** A lying colour bar with its marks below; `part` places a value on it. */
export function colourBar(
    brush: Brush,
    box: Box,
    shades: Ramp,
    ticks: Tick[],
    part: (value: number) => number,
    colours: Colours,
    title: string,
): void {
    brush.save();
    const steps = 64;
    for (let i = 0; i < steps; i++) {
        brush.fillStyle = css(shades.colour((i + 0.5) / steps));
        brush.fillRect(box.x + (i * box.width) / steps, box.y, box.width / steps + 0.6, box.height);
    }
    frame(brush, box, colours);
    brush.font = fontOf(colours);
    brush.textBaseline = "top";
    let last = -Infinity;
    for (const tick of ticks) {
        const at = part(tick.value);
        if (at < -0.001 || at > 1.001) continue;
        const x = box.x + at * box.width;
        const half = brush.measureText(tick.label).width / 2;
        if (x - half < last + 6) continue;
        last = x + half;
        line(brush, colours.muted, [crisp(x), box.y + box.height], [crisp(x), box.y + box.height + 3]);
        brush.fillStyle = colours.muted;
        brush.textAlign = "center";
        brush.fillText(tick.label, x, box.y + box.height + 5);
    }
    brush.textAlign = "right";
    brush.textBaseline = "middle";
    brush.fillText(title, box.x - 10, box.y + box.height / 2);
    brush.restore();
}

/** Colour and name of each kind, from left to right, in as many lines as they need. */
export function legend(brush: Brush, box: Box, items: readonly (readonly [string, string])[], colours: Colours): void {
    brush.save();
    brush.font = fontOf(colours);
    brush.textAlign = "left";
    brush.textBaseline = "middle";
    let x = box.x;
    let y = box.y;
    for (const [colour, name] of items) {
        const width = 15 + brush.measureText(name).width;
        if (x > box.x && x + width > box.x + box.width) {
            x = box.x;
            y += 18;
        }
        brush.fillStyle = colour;
        brush.fillRect(x, y - 5, 10, 10);
        brush.fillStyle = colours.muted;
        brush.fillText(name, x + 15, y);
        x += width + 16;
    }
    brush.restore();
}
