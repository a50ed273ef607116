// Small pictures of the portal, drawn as SVG by hand: the line of a program's history in a table, series over time, bars.
// Colours are classes, so that light, dark and paper follow the style sheet.
import { csv, download, fileName, svgText, svgToPng } from "../lib/export";
import { h, svg } from "../lib/dom";
import * as when from "./when";

type Point = { x: number; y: number | null };

/** A line of rates without axes. Marked is the given value if it is among them; without one, the last. */
export function sparkline(values: (number | null)[], label: string, marked?: number | null): SVGSVGElement {
    const [width, height] = [84, 22];
    const known = values.filter((value): value is number => value !== null && Number.isFinite(value));
    const top = Math.max(...known, 0) || 1;
    const at = (value: number, index: number): [number, number] => [
        values.length > 1 ? 2 + (index * (width - 4)) / (values.length - 1) : width / 2,
        height - 2 - (value / top) * (height - 4),
    ];
    let line = "";
    let broken = true;
    let last: [number, number] | null = null;
    let mark: [number, number] | null = null;
    values.forEach((value, index) => {
        if (value === null || !Number.isFinite(value)) {
            broken = true;
            return;
        }
        last = at(value, index);
        if (marked === undefined || (marked !== null && Math.abs(value - marked) <= 1e-6 * Math.abs(marked)))
            mark = last;
        line += `${broken ? "M" : "L"}${last[0].toFixed(1)} ${last[1].toFixed(1)}`;
        broken = false;
    });
    const drawing = svg("svg", {
        class: "p-spark",
        viewBox: `0 0 ${width} ${height}`,
        width,
        height,
        role: "img",
        "aria-label": label,
    });
    drawing.append(svg("path", { d: line }));
    if (mark) drawing.append(svg("circle", { cx: mark[0], cy: mark[1], r: 2.5 }));
    return drawing;
}

/** Days as a calendar: a column per week, Monday on top. The deeper the colour, the larger the part. */
export interface Day {
    /** "2026-10-31" */
    day: string;
    /** From 0 to 1; null: nothing is known. */
    part: number | null;
    text: string;
}

export function calendar(title: string, days: Day[], kind: "good" | "bad"): HTMLElement {
    const cell = 18;
    const start = (day: string): number => Date.parse(day + "T00:00:00Z") / 86400_000;
    const first = Math.min(...days.map((one) => start(one.day)));
    const monday = first - ((first + 3) % 7);
    const last = Math.max(...days.map((one) => start(one.day)));
    const weeks = Math.floor((last - monday) / 7) + 1;
    const left = 30;
    const drawing = svg("svg", {
        class: "p-calendar",
        viewBox: `0 0 ${left + weeks * cell + 2} ${7 * cell + 18}`,
        width: left + weeks * cell + 2,
        height: 7 * cell + 18,
        role: "img",
        "aria-label": title,
    });
    ["Mon", "Wed", "Fri"].forEach((name, index) =>
        drawing.append(svg("text", { x: 0, y: 16 + (2 * index + 1) * cell - 3 }, name)),
    );
    let month = "";
    let named = -Infinity; // the column of the latest name: the next one needs room
    for (const one of [...days].sort((a, b) => (a.day < b.day ? -1 : 1))) {
        const number = start(one.day) - monday;
        const [column, row] = [Math.floor(number / 7), number % 7];
        const box = { x: left + column * cell, y: 14 + row * cell, width: cell - 2, height: cell - 2, rx: 2 };
        const seen = one.part === null ? null : Math.min(Math.max(one.part, 0), 1);
        drawing.append(
            svg(
                "rect",
                {
                    ...box,
                    class: seen === null ? "p-none" : seen === 0 ? `p-zero-${kind}` : `p-${kind}`,
                    "fill-opacity": seen ? (0.25 + 0.75 * seen).toFixed(2) : 1,
                },
                svg("title", {}, `${one.day}: ${one.text}`),
            ),
        );
        if (one.day.slice(0, 7) !== month && (row === 0 || month === "")) {
            month = one.day.slice(0, 7);
            if (column - named < 3) continue;
            named = column;
            drawing.append(svg("text", { x: box.x, y: 10 }, month));
        }
    }
    return h(
        "figure",
        { class: "p-figure" },
        h("figcaption", {}, h("h3", {}, title)),
        h("div", { class: "p-scroll", tabindex: "0", role: "group", "aria-label": title }, drawing),
    );
}

/** Times of each place as boxes: least, quarters, largest; below, how occupied it was. */
export interface Box {
    name: string;
    count: number;
    five: [number, number, number, number, number] | null;
    marked: boolean;
}

export function boxes(title: string, items: Box[], text: (value: number) => string): HTMLElement {
    const [height, lower] = [170, 60];
    const wide = width();
    const most = Math.max(...items.map((one) => one.five?.[4] ?? 0), Number.MIN_VALUE);
    const busiest = Math.max(...items.map((one) => one.count), 1);
    const step = (wide - left - right) / items.length;
    const size = Math.max(Math.min(step * 0.7, 24), 1);
    const y = (value: number): number => above + (1 - value / most) * height;
    const drawing = svg("svg", {
        class: "p-chart",
        viewBox: `0 0 ${wide} ${above + height + lower + 46}`,
        role: "img",
        "aria-label": title,
    });
    for (const tick of marks(most)) {
        drawing.append(svg("line", { class: "p-rule", x1: left, x2: wide - right, y1: y(tick), y2: y(tick) }));
        drawing.append(svg("text", { x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, text(tick)));
    }
    const base = above + height + 20 + lower;
    drawing.append(svg("text", { x: left - 8, y: base, "text-anchor": "end" }, "records"));
    const every = Math.max(Math.ceil((items.length * 80) / wide), 1);
    items.forEach((one, index) => {
        const middle = left + (index + 0.5) * step;
        const group = svg("g", { class: one.marked ? "p-box p-marked" : "p-box" });
        group.append(
            svg("title", {}, `${one.name}: ${one.count} records${one.five ? `, median ${text(one.five[2])}` : ""}`),
        );
        if (one.five) {
            const [low, q1, median, q3, high] = one.five;
            group.append(
                svg("line", { x1: middle, x2: middle, y1: y(low), y2: y(high) }),
                svg("rect", { x: middle - size / 2, y: y(q3), width: size, height: Math.max(y(q1) - y(q3), 1) }),
                svg("line", {
                    class: "p-median",
                    x1: middle - size / 2,
                    x2: middle + size / 2,
                    y1: y(median),
                    y2: y(median),
                }),
            );
        }
        const tall = (one.count / busiest) * lower;
        group.append(
            svg("rect", { class: "p-count", x: middle - size / 2, y: base - tall, width: size, height: tall }),
        );
        drawing.append(group);
        if (index % every === 0)
            drawing.append(svg("text", { x: middle, y: base + 18, "text-anchor": "middle" }, one.name));
    });
    return frame({ title, series: [{ name: "", kind: "plain", points: [{ x: 0, y: 0 }] }], text }, drawing);
}

/** Round numbers between 0 and the largest value, at most five; bytes are round by 1024. */
export function marks(top: number, bytes = false): number[] {
    if (!(top > 0) || !Number.isFinite(top)) return [0];
    const unit = bytes ? 1024 ** Math.floor(Math.log2(top) / 10) : 1;
    const power = 10 ** Math.floor(Math.log10(top / unit / 4));
    const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power * unit).find((size) => top / size <= 4.0001) ?? top;
    const found: number[] = [];
    for (let at = 0; at <= top * 1.0001; at += step) found.push(at);
    return found;
}

export interface Series {
    name: string;
    /** Number of a colour, or the direction it stands for. */
    kind: "read" | "write" | "meta" | "plain";
    points: Point[];
    /** Points for themselves instead of a line. */
    dots?: boolean;
    /** Where a point leads. */
    link?: (index: number) => { href: string; title: string };
}

export interface ChartOptions {
    title: string;
    series: Series[];
    /** Text of a value, for the axis. */
    text: (value: number) => string;
    /** Text of a place on the other axis; times if absent. */
    along?: (value: number) => string;
    /** A span to mark. */
    span?: [number, number];
    /** Bars, each as wide as so much of the other axis. */
    bars?: number;
    /** The values are bytes, or bytes per second. */
    bytes?: boolean;
    /** Somebody dragged over a part of the axis. */
    onSpan?: (from: number, to: number) => void;
    /** Somebody clicked at a place of the axis. */
    onPick?: (at: number) => void;
}

const [high, left, right, below, above] = [230, 78, 12, 26, 10];
/** As wide as the page is when it is drawn, so that letters keep their size; wider than a phone it need not be read. */
const width = (): number => Math.min(Math.max(document.body.clientWidth - 76, 300), 1230);

/** A figure with a title, a legend, the picture and a button that saves it. */
export function chart(options: ChartOptions): HTMLElement {
    const wide = width();
    const all = options.series.flatMap((series) => series.points);
    const xs = all.map((point) => point.x);
    const ys = all.map((point) => point.y).filter((y): y is number => y !== null && Number.isFinite(y));
    const [low, top] = [Math.min(...xs), Math.max(...xs) + (options.bars ?? 0)];
    const ticks = marks(Math.max(...ys, 0), options.bytes);
    const most = Math.max(...ys, ticks[ticks.length - 1] ?? 0, Number.MIN_VALUE);
    const x = (value: number): number =>
        top > low ? left + ((value - low) / (top - low)) * (wide - left - right) : (left + wide - right) / 2;
    const y = (value: number): number => high - below - (value / most) * (high - below - above);
    const drawing = svg("svg", {
        class: "p-chart",
        viewBox: `0 0 ${wide} ${high}`,
        role: options.series.some((one) => one.link) ? "group" : "img", // links inside of a picture could not be reached
        "aria-label": options.title,
    });
    if (options.span) {
        const from = Math.max(x(options.span[0]), left);
        const to = Math.min(x(options.span[1]), wide - right);
        drawing.append(
            svg("rect", {
                class: "p-span",
                x: from,
                y: above,
                width: Math.max(to - from, 1),
                height: high - below - above,
            }),
        );
    }
    for (const tick of ticks) {
        drawing.append(svg("line", { class: "p-rule", x1: left, x2: wide - right, y1: y(tick), y2: y(tick) }));
        drawing.append(svg("text", { x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, options.text(tick)));
    }
    const along = options.along ?? when.short;
    const places = top > low ? (wide < 500 ? 2 : 4) : 0;
    for (let place = 0; place <= places; place += 1) {
        const value = places ? low + ((top - low) * place) / places : low;
        const anchor = place === 0 ? "start" : place === places ? "end" : "middle";
        if (all.length) drawing.append(svg("text", { x: x(value), y: high - 6, "text-anchor": anchor }, along(value)));
    }
    const bar = options.bars ? (x(low + options.bars) - x(low)) / options.series.length : 0;
    options.series.forEach((series, number) => draw(drawing, series, x, y, number * bar, bar));
    const figure = frame(options, drawing);
    const lines = options.series.filter((one) => !one.dots && one.points.length > 1);
    if (!options.bars && lines.length && top > low)
        readOut(figure, drawing, options, {
            at: (place) => low + ((place * wide - left) / (wide - left - right)) * (top - low),
            place: x,
            low,
            top,
        });
    return figure;
}

interface Axis {
    /** The value at a part of the width of the picture, and where a value is in it. */
    at: (part: number) => number;
    place: (value: number) => number;
    low: number;
    top: number;
}

/** The point of a line that is nearest. */
function nearest(points: Point[], wanted: number): Point | null {
    let found: Point | null = null;
    for (const point of points) if (!found || Math.abs(point.x - wanted) < Math.abs(found.x - wanted)) found = point;
    return found;
}

/** Values under the pointer, in a line below; a drag chooses a part of the axis, a click a place on it. */
function readOut(figure: HTMLElement, drawing: SVGSVGElement, options: ChartOptions, axis: Axis): void {
    const tall = { y1: above, y2: high - below };
    const cross = svg("line", { class: "p-cross", ...tall, visibility: "hidden" });
    const chosen = svg("rect", {
        class: "p-chosen-span",
        y: above,
        height: high - below - above,
        visibility: "hidden",
    });
    const hint = options.onSpan ? "Drag to look closer, click to see who used it then." : "";
    const said = h("p", { class: "p-readout io-muted" }, hint || "\u00a0");
    let from: number | null = null;
    const valueAt = (event: PointerEvent): number => {
        const box = drawing.getBoundingClientRect();
        return Math.min(Math.max(axis.at((event.clientX - box.left) / box.width), axis.low), axis.top);
    };
    const show = (value: number): void => {
        const where = axis.place(value);
        for (const name of ["x1", "x2"]) cross.setAttribute(name, where.toFixed(1));
        cross.setAttribute("visibility", "visible");
        const along = options.along ?? when.date;
        said.textContent = [
            along(nearest(options.series[0]?.points ?? [], value)?.x ?? value),
            ...options.series.map((one) => {
                const point = nearest(one.points, value);
                return `${one.name ? `${one.name} ` : ""}${point?.y === null || !point ? "unknown" : options.text(point.y)}`;
            }),
        ].join(", ");
        if (from === null || !options.onSpan) return;
        const [a, b] = [axis.place(from), where].sort((one, two) => one - two) as [number, number];
        chosen.setAttribute("x", a.toFixed(1));
        chosen.setAttribute("width", (b - a).toFixed(1));
        chosen.setAttribute("visibility", "visible");
    };
    const hide = (): void => {
        for (const one of [cross, chosen]) one.setAttribute("visibility", "hidden");
        said.textContent = hint || "\u00a0";
        from = null;
    };
    drawing.append(chosen, cross);
    figure.append(said);
    drawing.addEventListener("pointermove", (event) => show(valueAt(event)));
    drawing.addEventListener("pointerleave", hide);
    if (!options.onSpan && !options.onPick) return;
    drawing.classList.add("p-asks");
    drawing.addEventListener("pointerdown", (event) => {
        from = valueAt(event);
        event.preventDefault();
    });
    drawing.addEventListener("pointerup", (event) => {
        const to = valueAt(event);
        const start = from;
        from = null;
        if (start === null) return;
        const wide = Math.abs(axis.place(to) - axis.place(start));
        if (wide > 6) options.onSpan?.(Math.min(start, to), Math.max(start, to));
        else options.onPick?.(to);
    });
}

function draw(
    drawing: SVGSVGElement,
    series: Series,
    x: (value: number) => number,
    y: (value: number) => number,
    shift: number,
    width: number,
): void {
    let line = "";
    let broken = true;
    for (const [index, point] of series.points.entries()) {
        if (point.y === null || !Number.isFinite(point.y)) {
            broken = true;
            continue;
        }
        if (width > 0) {
            const size = Math.max(width * 0.85, 1);
            const box = { x: x(point.x) + shift, y: y(point.y), width: size, height: y(0) - y(point.y) };
            drawing.append(svg("rect", { class: `p-${series.kind}`, ...box }));
        } else if (series.dots) {
            const link = series.link?.(index);
            const dot = svg("circle", { class: `p-${series.kind}`, cx: x(point.x), cy: y(point.y), r: 4 });
            if (link) drawing.append(svg("a", { href: link.href }, svg("title", {}, link.title), dot));
            else drawing.append(dot);
        } else {
            line += `${broken ? "M" : "L"}${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`;
            broken = false;
        }
    }
    if (line) drawing.append(svg("path", { class: `p-line p-${series.kind}`, d: line }));
}

/** The picture as a file has it: there is no style sheet there, so what the classes say is written down. */
function standalone(drawing: SVGSVGElement): string {
    const copy = drawing.cloneNode(true) as SVGSVGElement;
    drawing.querySelectorAll("*").forEach((element, index) => {
        const seen = getComputedStyle(element);
        const target = copy.querySelectorAll("*")[index];
        for (const name of ["fill", "stroke", "stroke-width", "font-size", "font-family"])
            target?.setAttribute(name, seen.getPropertyValue(name));
    });
    copy.getBoundingClientRect = () => drawing.getBoundingClientRect();
    copy.cloneNode = () => Node.prototype.cloneNode.call(copy, true);
    return svgText(copy, getComputedStyle(document.body).backgroundColor);
}

/** The values behind it: one line per place on the axis and series. */
const valuesOf = (options: ChartOptions): { series: string; x: number; y: number | null }[] =>
    options.series.flatMap((one) => one.points.map((point) => ({ series: one.name, x: point.x, y: point.y })));

function frame(options: ChartOptions, drawing: SVGSVGElement): HTMLElement {
    const name = (kind: string): string => fileName(options.title, kind);
    const saves: Record<string, () => void> = {
        SVG: () => download(name("svg"), standalone(drawing), "image/svg+xml"),
        PNG: () => {
            const { width, height } = drawing.getBoundingClientRect();
            const ground = getComputedStyle(document.body).backgroundColor;
            void svgToPng(standalone(drawing), width, height, ground).then((picture) =>
                download(name("png"), picture, "image/png"),
            );
        },
        CSV: () =>
            download(
                name("csv"),
                csv(
                    ["series", "x", "y"],
                    valuesOf(options).map((one) => [one.series, one.x, one.y]),
                ),
                "text/csv",
            ),
        JSON: () => download(name("json"), JSON.stringify(valuesOf(options)), "application/json"),
    };
    return h(
        "figure",
        { class: "p-figure" },
        h(
            "figcaption",
            {},
            h("h3", {}, options.title),
            h(
                "span",
                { class: "p-legend" },
                options.series.length > 1
                    && options.series.map((one) => h("span", { class: `p-key p-${one.kind}` }, one.name)),
                Object.entries(saves).map(([kind, save]) =>
                    h(
                        "button",
                        { type: "button", class: "io-tool", title: `Save as ${kind}: ${options.title}`, onclick: save },
                        kind,
                    ),
                ),
            ),
        ),
        options.series.some((one) => one.points.length)
            ? h("div", { class: "p-scroll", tabindex: "0", role: "group", "aria-label": options.title }, drawing)
            : h("p", { class: "io-muted" }, "There is nothing to draw."),
    );
}
