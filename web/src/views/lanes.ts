// The picture of lanes: when each of a program's own spans lasted, on which rank. A click shows the time elsewhere.
import { tip } from "../lib/chart";
import { figure } from "../lib/figure";
import { plural, seconds, visible } from "../lib/format";
import type { Page } from "../page/document";
import type { Shell } from "../page/view";
import type { Brush, Layout } from "./canvas/brush";
import { frame as outline, line, xAxis } from "./canvas/axes";
import type { Colours } from "./canvas/colours";
import { Plot, zoomButtons } from "./canvas/plot";
import { Range } from "./canvas/range";
import { timeTicks } from "./canvas/ticks";
import { lanesOf, type Bar, type Lanes, type Mark } from "./lanes-data";
import { across, inside, nameAxis } from "./phases-draw";

const MOST_LANES = 20;

function layoutOf(width: number, lanes: Lanes): Layout {
    const left = Math.min(190, Math.max(90, width * 0.3));
    const height = lanes.names.length * Math.min(72, Math.max(24, lanes.ranks * 5));
    return { width, height: height + 52, plot: { x: left, y: 6, width: Math.max(80, width - left - 20), height } };
}

function draw(brush: Brush, { plot }: Layout, colours: Colours, lanes: Lanes, x: Range, y: Range): void {
    brush.fillStyle = colours.background;
    brush.fillRect(plot.x, plot.y, plot.width, plot.height);
    inside(brush, plot, () => {
        brush.fillStyle = colours.accent;
        for (const bar of lanes.bars) {
            const [left, width] = across(plot, bar, x);
            const high = ((bar.y1 - bar.y0) / y.span) * plot.height;
            brush.fillRect(
                left,
                plot.y + (1 - y.part(bar.y1)) * plot.height,
                width,
                Math.max(1, high > 3 ? high - 1 : high),
            );
        }
        for (let lane = 1; lane < lanes.names.length; lane++) {
            const at = Math.round(plot.y + (1 - y.part(lane)) * plot.height) + 0.5;
            line(brush, colours.line, [plot.x, at], [plot.x + plot.width, at]);
        }
    });
    outline(brush, plot, colours);
    xAxis(brush, plot, x, timeTicks(x.lo, x.hi, Math.max(2, Math.floor(plot.width / 75))), colours, { title: "time" });
    nameAxis(brush, plot, colours, lanes.names, y);
}

export interface LaneFigure {
    title: string;
    /** What a lane is: "region", "record". */
    noun: string;
    /** Stem of exported files. */
    name: string;
    marks: Mark[];
    /** Names from the top. */
    order: string[];
    /** Spans that are not in the document. */
    missing: number;
}

function summary(what: LaneFigure, lanes: Lanes): string {
    const ranks = new Set(what.marks.map((mark) => mark.rank)).size;
    const open = what.marks.filter((mark) => mark.t1 === null).length;
    const parts = [
        `${plural(what.marks.length, "span")} of ${plural(ranks, "rank")}, a row for each rank of a ${what.noun}.`,
    ];
    if (open > 0)
        parts.push(
            `${plural(open, "span")} had not ended and ${open === 1 ? "reaches" : "reach"} to the end of the run.`,
        );
    if (lanes.left > 0)
        parts.push(`${plural(lanes.left, `more ${what.noun}`)} ${lanes.left === 1 ? "is" : "are"} in the table only.`);
    if (what.missing > 0)
        parts.push(`${plural(what.missing, "span")} of the run ${what.missing === 1 ? "is" : "are"} not here.`);
    return parts.join(" ");
}

export function laneFigure(element: HTMLElement, page: Page, shell: Shell, what: LaneFigure): Plot {
    const end = what.marks.reduce((last, mark) => Math.max(last, mark.t1 ?? mark.t0), page.job.run_time || 0) || 1;
    const lanes = lanesOf(what.marks, what.order, end, MOST_LANES);
    const at = (place: { x: number; y: number }, slack: { x: number }): Bar | undefined =>
        lanes.bars.find(
            (bar) =>
                place.y >= bar.y0 && place.y < bar.y1 && place.x >= bar.t0 - slack.x && place.x <= bar.t1 + slack.x,
        );
    const frame = figure(element, {
        title: what.title,
        summary: summary(what, lanes),
        name: what.name,
        interactive: true,
        controls: [zoomButtons(() => plot, what.title)],
        table: () => ({
            columns: [what.noun, "rank", "from_s", "to_s"],
            rows: what.marks.map((mark) => [visible(mark.name), mark.rank, mark.t0, mark.t1]),
        }),
        picture: () => plot.picture(),
        svg: () => plot.svg(),
    });
    const plot: Plot = new Plot(frame.body, {
        x: new Range(0, end, end / 1e6),
        y: new Range(0, lanes.names.length, Math.min(lanes.names.length, 1)),
        label: what.title,
        layout: (width) => layoutOf(width, lanes),
        draw: (brush, layout, colours, view) => draw(brush, layout, colours, lanes, view.x, view.y),
        read: (place, slack) => {
            const bar = at(place, slack);
            if (!bar) return null;
            const when = `${seconds(bar.t0)} \u2013 ${bar.open ? "had not ended" : seconds(bar.t1)}`;
            const name = visible(bar.name);
            return {
                content: tip(name, [
                    { label: "Rank", value: String(bar.rank) },
                    { label: "Time", value: when },
                    { label: "Lasts", value: seconds(bar.t1 - bar.t0) },
                ]),
                text: `${name}, rank ${bar.rank}: ${when}`,
                region: { x0: bar.t0, x1: bar.t1, y0: bar.y0, y1: bar.y1 },
            };
        },
        step: () => ({ x: plot.x.span / 50, y: 0.5 / lanes.ranks }),
        onClick: (place, slack) => {
            const bar = at(place, slack);
            const target = bar && { kind: "time" as const, t0: bar.t0, t1: bar.t1 };
            if (target && shell.canShow(target)) shell.show(target);
        },
        announce: (text) => shell.announce(text),
    });
    return plot;
}
