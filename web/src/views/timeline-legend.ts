// What the colours of the timeline mean, below the picture, so that it is in every export.
import { bytes, splitPath, visible } from "../lib/format";
import { fontOf } from "./canvas/axes";
import type { Box, Brush, Layout } from "./canvas/brush";
import { css, type Rgb } from "./canvas/colour";
import type { Colours } from "./canvas/colours";
import { NAMED_FILES, sizePart, type Paints, type Scene } from "./timeline-scene";

const LINE = 18;
const ITEM = 210;
const STEPS = 48;

/** Ranks are coloured from here on: the faintest colours would vanish on the background. */
export const FIRST_SHADE = 30;

export function legendHeight(scene: Scene, width: number): number {
    if (scene.by !== "file" || scene.file >= 0) return LINE;
    const items = Math.min(NAMED_FILES + 1, scene.info.names.length);
    return LINE * Math.ceil(items / Math.max(1, Math.floor(width / ITEM)));
}

export function drawLegend(
    brush: Brush,
    { plot }: Layout,
    colours: Colours,
    scene: Scene,
    paints: Paints,
    lanes: boolean,
): void {
    const top = plot.y + plot.height + 46;
    brush.font = fontOf(colours);
    brush.textBaseline = "middle";
    brush.textAlign = "left";
    if (scene.by === "size" && scene.file < 0) sizes(brush, plot, top, colours, scene);
    else if (scene.file >= 0 && scene.by !== "direction") ranks(brush, plot, top, colours, scene);
    else swatches(brush, plot, top, colours, itemsOf(scene, paints));
    if (!lanes || scene.file >= 0 || scene.by === "file" || scene.by === "size" || plot.width < 420) return;
    brush.textAlign = "right";
    brush.fillStyle = colours.muted;
    brush.fillText("in each row MPI-IO above, POSIX below", plot.x + plot.width, top + 6);
}

function itemsOf(scene: Scene, paints: Paints): [Rgb, string][] {
    const [first, second] = paints.ends;
    if (scene.by !== "file" || !scene.index) {
        const names = scene.by === "layer" ? ["POSIX", "MPI-IO"] : ["read", "write"];
        return [first, second].map((colour, i) => [colour, names[i]!]);
    }
    const named = scene.topFiles.slice(0, NAMED_FILES).map((file): [Rgb, string] => {
        const { name } = splitPath(scene.info.names[file] ?? "");
        return [paints.classRgb(scene.fileClass[file]!), visible(name)];
    });
    return scene.topFiles.length > NAMED_FILES ? [...named, [paints.classRgb(1), "other files"]] : named;
}

/** A small colour bar with a word at either end. */
function bar(
    brush: Brush,
    plot: Box,
    top: number,
    colours: Colours,
    ends: [string, string],
    at: (part: number) => Rgb,
): void {
    const width = Math.min(240, plot.width / 2.4);
    brush.fillStyle = colours.muted;
    brush.fillText(ends[0], plot.x, top + 6);
    const from = plot.x + brush.measureText(ends[0]).width + 8;
    for (let i = 0; i < STEPS; i++) {
        brush.fillStyle = css(at(i / (STEPS - 1)));
        brush.fillRect(from + (i * width) / STEPS, top + 1, width / STEPS + 0.6, 10);
    }
    brush.fillStyle = colours.muted;
    brush.fillText(ends[1], from + width + 8, top + 6);
}

function sizes(brush: Brush, plot: Box, top: number, colours: Colours, scene: Scene): void {
    const [lo, hi] = scene.sizes;
    const name = (size: number): string => bytes(size === 0 ? 0 : 2 ** (size - 1));
    const last = plot.width > 420 ? `${name(hi)} a request; the largest shows` : name(hi);
    bar(brush, plot, top, colours, [name(lo), last], (part) =>
        colours.ramp.colour(sizePart(scene, lo + (hi - lo) * part)),
    );
}

function ranks(brush: Brush, plot: Box, top: number, colours: Colours, scene: Scene): void {
    bar(brush, plot, top, colours, ["rank 0", `rank ${scene.ranks - 1}`], (part) =>
        colours.ramp.colour((FIRST_SHADE + (255 - FIRST_SHADE) * part) / 255),
    );
}

function swatches(brush: Brush, plot: Box, top: number, colours: Colours, items: [Rgb, string][]): void {
    const columns = items.length > 2 ? Math.max(1, Math.floor(plot.width / ITEM)) : 2;
    const width = items.length > 2 ? ITEM : 90;
    items.forEach(([colour, name], i) => {
        const x = plot.x + (i % columns) * width;
        const y = top + Math.floor(i / columns) * LINE;
        brush.fillStyle = css(colour);
        brush.fillRect(x, y + 1, 10, 10);
        brush.fillStyle = colours.muted;
        brush.fillText(shorten(brush, name, width - 26), x + 16, y + 6);
    });
}

/** The end of a name says most. */
export function shorten(brush: Brush, text: string, room: number): string {
    if (brush.measureText(text).width <= room) return text;
    let from = 1;
    while (from < text.length && brush.measureText(`\u2026${text.slice(from)}`).width > room) from++;
    return `\u2026${text.slice(from)}`;
}
