// Small pictures of the portal, drawn as SVG by hand: the line of a program's history in a table, series over time, bars.
// Colours are classes, so that light, dark and paper follow the style sheet.
import { download, fileName, svgText } from "../lib/export";
import { h, svg } from "../lib/dom";

type Point = { x: number; y: number | null };

/** A line of rates without axes; the last point is marked. */
export function sparkline(values: (number | null)[], label: string): SVGSVGElement {
    const [width, height] = [96, 22];
    const known = values.filter((value): value is number => value !== null && Number.isFinite(value));
    const top = Math.max(...known, 0) || 1;
    const at = (value: number, index: number): [number, number] => [
        values.length > 1 ? 2 + (index * (width - 4)) / (values.length - 1) : width / 2,
        height - 2 - (value / top) * (height - 4),
    ];
    let line = "";
    let broken = true;
    let last: [number, number] | null = null;
    values.forEach((value, index) => {
        if (value === null || !Number.isFinite(value)) {
            broken = true;
            return;
        }
        last = at(value, index);
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
    if (last) drawing.append(svg("circle", { cx: last[0], cy: last[1], r: 2 }));
    return drawing;
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
}

const when = (seconds: number): string => {
    const date = new Date(seconds * 1000);
    const two = (value: number): string => String(value).padStart(2, "0");
    return `${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

const [wide, high, left, right, below, above] = [760, 220, 78, 12, 26, 10];

/** A figure with a title, a legend, the picture and a button that saves it. */
export function chart(options: ChartOptions): HTMLElement {
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
        role: "img",
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
    const along = options.along ?? when;
    const places = top > low ? 4 : 0;
    for (let place = 0; place <= places; place += 1) {
        const value = places ? low + ((top - low) * place) / places : low;
        const anchor = place === 0 ? "start" : place === places ? "end" : "middle";
        if (all.length) drawing.append(svg("text", { x: x(value), y: high - 6, "text-anchor": anchor }, along(value)));
    }
    const width = options.bars ? (x(low + options.bars) - x(low)) / options.series.length : 0;
    options.series.forEach((series, number) => draw(drawing, series, x, y, number * width, width));
    return frame(options, drawing);
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

function frame(options: ChartOptions, drawing: SVGSVGElement): HTMLElement {
    const save = (): void => {
        const style = getComputedStyle(document.body);
        const copy = drawing.cloneNode(true) as SVGSVGElement;
        // A file has no style sheet: what the classes say is written down.
        drawing.querySelectorAll("*").forEach((element, index) => {
            const seen = getComputedStyle(element);
            const target = copy.querySelectorAll("*")[index];
            for (const name of ["fill", "stroke", "stroke-width", "font-size", "font-family"])
                target?.setAttribute(name, seen.getPropertyValue(name));
        });
        copy.getBoundingClientRect = () => drawing.getBoundingClientRect();
        copy.cloneNode = () => Node.prototype.cloneNode.call(copy, true);
        download(fileName(options.title, "svg"), svgText(copy, style.backgroundColor), "image/svg+xml");
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
                h(
                    "button",
                    { type: "button", class: "io-tool", title: `Save as SVG: ${options.title}`, onclick: save },
                    "SVG",
                ),
            ),
        ),
        options.series.some((one) => one.points.length)
            ? h("div", { class: "p-scroll" }, drawing)
            : h("p", { class: "io-muted" }, "There is nothing to draw."),
    );
}
