// When the job did I/O: phases with bandwidth and active ranks where time was measured (heat map, trace), and the
// spans from first to last access that every log has.
import { tip, type TipLine } from "../lib/chart";
import { h } from "../lib/dom";
import { figure } from "../lib/figure";
import { bytes, count, percent, plural, rate, seconds } from "../lib/format";
import type { Page } from "../page/document";
import type { Shell, View } from "../page/view";
import { Plot, zoomButtons, type Reading } from "./canvas/plot";
import { Range } from "./canvas/range";
import { busyTime, fileSpans, phaseAt, phasesOf, rankSpans, type Phase, type Span } from "./phases-data";
import { drawPhaseTimeline, drawSpans, phaseLayout, spanLayout } from "./phases-draw";

const SHOWN_FILES = 20;
const IDLE = "Such a span may contain idle time.";

const SOURCES: Record<string, string> = {
    HEATMAP: "the heat map",
    DXT_POSIX: "the POSIX trace",
    DXT_MPIIO: "the MPI-IO trace",
};

function endOf(page: Page, times: number[]): number {
    return times.reduce((end, time) => Math.max(end, time), page.job.run_time || 0) || 1;
}

function sentence(page: Page, phases: Phase[]): string {
    const source = page.phases?.source ?? "";
    const busy = busyTime(phases);
    const run = page.job.run_time;
    const all = page.diagnosis?.phases?.count ?? phases.length;
    const shown = all > phases.length ? "those shown" : "them";
    const fastest = phases.reduce((a, b) => (b.rate > a.rate ? b : a));
    const one = all === 1;
    const lie = one ? "is in it" : `are in ${shown}`;
    const words = [
        `${plural(all, "phase")} of I/O${SOURCES[source] ? `, from ${SOURCES[source]}` : ""}`,
        run > 0 ? `; ${seconds(busy)} of the ${seconds(run)} (${percent(Math.min(1, busy / run))}) ${lie}. ` : ". ",
        `${one ? "It" : "The fastest"} moved ${bytes(fastest.read + fastest.written)} at ${rate(fastest.rate)}, `,
        `${one ? "from " : ""}${seconds(fastest.t0)} after the start${one ? " on" : ""}.`,
    ];
    const period = page.diagnosis?.phases?.period_s;
    if (period && !one) words.push(` They come about every ${seconds(period)}.`);
    if (page.phases?.resolution_s) words.push(` Gaps below ${seconds(page.phases.resolution_s)} are not seen.`);
    return words.join("");
}

function readPhase(phases: Phase[], index: number, colours: { read: string; write: string }): Reading | null {
    const phase = phases[index];
    if (!phase) return null;
    const lines: TipLine[] = [
        { label: "Time", value: `${seconds(phase.t0)} \u2013 ${seconds(phase.t1)}` },
        { label: "Lasts", value: seconds(phase.t1 - phase.t0) },
        { colour: colours.read, label: "Read", value: bytes(phase.read) },
        { colour: colours.write, label: "Written", value: bytes(phase.written) },
        { label: "Rate", value: rate(phase.rate) },
    ];
    if (phase.requests !== null) lines.push({ label: "Requests", value: count(phase.requests) });
    if (phase.ranks !== null) lines.push({ label: "Active ranks", value: count(phase.ranks) });
    if (phase.effective !== null) lines.push({ label: "Effective ranks", value: count(phase.effective) });
    const title = `Phase ${index + 1} of ${phases.length}`;
    return {
        content: tip(title, lines),
        text: `${title}: ${lines.map((line) => `${line.label} ${line.value}`).join(", ")}`,
        region: { x0: phase.t0, x1: phase.t1 },
    };
}

function phaseFigure(element: HTMLElement, page: Page, shell: Shell, phases: Phase[]): Plot {
    const ranks = page.job.processes || 1;
    let colours = { read: "", write: "" };
    const frame = figure(element, {
        title: "Bandwidth and active ranks by phase",
        summary: sentence(page, phases),
        name: `${page.job.program ?? "job"}-phases`,
        interactive: true,
        controls: [zoomButtons(() => plot, "phases")],
        table: () => ({
            columns: [
                "phase",
                "from_s",
                "to_s",
                "bytes_read",
                "bytes_written",
                "requests",
                "ranks",
                "effective_ranks",
                "bytes_per_second",
            ],
            rows: phases.map((p, i) => [
                i + 1,
                p.t0,
                p.t1,
                p.read,
                p.written,
                p.requests,
                p.ranks,
                p.effective,
                p.rate,
            ]),
        }),
        picture: () => plot.picture(),
        svg: () => plot.svg(),
    });
    const end = endOf(
        page,
        phases.map((phase) => phase.t1),
    );
    const plot: Plot = new Plot(frame.body, {
        x: new Range(0, end, end / 1e5),
        y: new Range(0, 1, 1),
        label: "Phases over time",
        layout: (width) => phaseLayout(width, ranks),
        draw: (brush, layout, palette, view) => {
            colours = palette;
            drawPhaseTimeline(brush, layout, palette, phases, ranks, view.x);
        },
        read: (at, slack) => readPhase(phases, phaseAt(phases, at.x, 2 * slack.x), colours),
        step: () => ({ x: plot.x.span / 50, y: 1 }),
        onClick: (at, slack) => {
            const phase = phases[phaseAt(phases, at.x, 2 * slack.x)];
            if (phase) shell.show({ kind: "time", t0: phase.t0, t1: phase.t1 });
        },
        announce: (text) => shell.announce(text),
    });
    return plot;
}

interface SpanFigure {
    title: string;
    summary: string;
    name: string;
    spans: Span[];
    /** Labels of the rows; null for ranks. */
    names: string[] | null;
    rows: number;
}

function spanFigure(element: HTMLElement, page: Page, shell: Shell, what: SpanFigure): Plot {
    const frame = figure(element, {
        title: what.title,
        summary: what.summary,
        name: `${page.job.program ?? "job"}-${what.name}`,
        interactive: true,
        controls: [zoomButtons(() => plot, what.title)],
        table: () => ({
            columns: [what.names ? "file" : "ranks", "op", "from_s", "to_s"],
            rows: what.spans.map((span) => [span.label, span.write ? "write" : "read", span.t0, span.t1]),
        }),
        picture: () => plot.picture(),
        svg: () => plot.svg(),
    });
    const end = endOf(
        page,
        what.spans.map((span) => span.t1),
    );
    const plot: Plot = new Plot(frame.body, {
        x: new Range(0, end, end / 1e6),
        y: new Range(0, what.rows, Math.min(what.rows, 4)),
        label: what.title,
        layout: (width) => spanLayout(width, what.rows, what.names !== null),
        draw: (brush, layout, colours, view) =>
            drawSpans(brush, layout, colours, what.spans, what.names, view.x, view.y),
        read: (at, slack) => {
            const span = what.spans.find(
                (s) => at.y >= s.y0 && at.y < s.y1 && at.x >= s.t0 - slack.x && at.x <= s.t1 + slack.x,
            );
            if (!span) return null;
            const op = span.write ? "written" : "read";
            const when = `${seconds(span.t0)} \u2013 ${seconds(span.t1)}`;
            return {
                content: tip(span.label, [
                    { label: `First to last ${op}`, value: when },
                    { label: "Span", value: seconds(span.t1 - span.t0) },
                ]),
                text: `${span.label}: ${op} ${when}`,
                region: { x0: span.t0, x1: span.t1, y0: span.y0, y1: span.y1 },
            };
        },
        step: () => ({ x: plot.x.span / 50, y: 1 }),
        announce: (text) => shell.announce(text),
    });
    return plot;
}

function spanFigures(page: Page, shell: Shell): SpanFigure[] {
    const ranks = page.job.processes || 1;
    const result: SpanFigure[] = [];
    for (const [key, op] of [
        ["reads", "read"],
        ["writes", "write"],
    ] as const) {
        const spans = rankSpans(page.spans?.[key], op === "write");
        if (spans.length === 0) continue;
        const grouped = spans.some((span) => span.y1 - span.y0 > 1);
        result.push({
            title: ranks > 1 ? `From first to last ${op}, by rank` : `From first to last ${op}`,
            summary:
                `${grouped ? plural(spans.length, "group of ranks", "groups of ranks") : plural(spans.length, "rank")} `
                + `${op === "read" ? "read" : "wrote"}, as far as the log tells ranks apart. ${IDLE}`,
            name: `spans-${op}`,
            spans,
            names: null,
            rows: ranks,
        });
    }
    const shared = fileSpans(page, SHOWN_FILES, (row) => shell.fileName(row));
    const total = page.spans?.shared?.rows ?? 0;
    if (shared.spans.length > 0) {
        result.push({
            title: "From first to last access, shared files",
            summary:
                `${total > SHOWN_FILES ? `The ${SHOWN_FILES} most costly of ` : ""}${plural(total, "shared file")}; `
                + `above reads, below writes. ${IDLE}`,
            name: "spans-shared",
            spans: shared.spans,
            names: shared.names,
            rows: shared.names.length,
        });
    }
    return result;
}

function mount(element: HTMLElement, page: Page, shell: Shell): { destroy(): void } {
    const phases = phasesOf(page);
    const plots: Plot[] = [];
    let main: Plot | null = null;
    if (phases.length > 0) {
        main = phaseFigure(element, page, shell, phases);
        plots.push(main);
        element.append(h("p", { class: "io-plot-hint" }, "A click on a phase shows it in the heat map."));
    }
    // Heat map and timeline show a time range better; this is for logs that have neither.
    shell.onTarget((target) => {
        if (target.kind !== "time" || !main || page.heatmaps?.length || page.trace) return false;
        main.show({ x0: target.t0, x1: target.t1 });
        return true;
    });
    const grid = h("div", { class: "io-plot-grid" });
    element.append(grid);
    for (const what of spanFigures(page, shell)) plots.push(spanFigure(grid, page, shell, what));
    return { destroy: () => plots.forEach((plot) => plot.destroy()) };
}

export const view: View = {
    id: "phases",
    title: "Phases",
    applies: (page) =>
        (page.phases?.table?.rows ?? 0) > 0
        || (["reads", "writes", "shared"] as const).some((key) => (page.spans?.[key]?.rows ?? 0) > 0),
    mount,
};
