// A canvas that can be zoomed, moved and read: two layers (the picture, and above it cursor and marks, which are cheap
// to draw again), sized to its place and the screen's pixels, drawn at most once a frame.
import { h } from "../../lib/dom";
import { onPaper } from "../../lib/paper";
import { onTheme } from "../../lib/theme";
import type { Brush, Layout } from "./brush";
import { currentColours, type Colours } from "./colours";
import { Gestures } from "./gestures";
import type { Range } from "./range";
import { SvgBrush } from "./svg";

export interface Point {
    x: number;
    y: number;
}

/** A part of the picture in its own units; without y0 and y1 all of the height. */
export interface Region {
    x0: number;
    x1: number;
    y0?: number;
    y1?: number;
}

export interface Reading {
    /** Shown beside the cursor. */
    content: HTMLElement;
    /** The same as a sentence, for screen readers. */
    text: string;
    /** The cell or request that is read. */
    region?: Region;
}

export interface PlotOptions {
    x: Range;
    y: Range;
    label: string;
    layout(width: number): Layout;
    draw(brush: Brush, layout: Layout, colours: Colours, view: { x: Range; y: Range }): void;
    /** What is at a place; null for nothing. `slack` is the size of a few pixels in the picture's units. */
    read(at: Point, slack: Point): Reading | null;
    /** How far an arrow key moves the cursor. */
    step(): Point;
    onClick?(at: Point, slack: Point): void;
    onView?(): void;
    announce(text: string): void;
}

const HELP = "Arrow keys move the cursor, plus and minus zoom, Shift with arrows moves the view, 0 shows all.";

export class Plot {
    readonly element: HTMLElement;
    readonly canvas: HTMLCanvasElement;
    x: Range;
    y: Range;
    layout: Layout;
    cursor: Point | null = null;
    selection: Region | null = null;
    highlight: Region | null = null;
    private readonly top: HTMLCanvasElement;
    private readonly tip: HTMLElement;
    private readonly gestures: Gestures;
    private readonly observer: ResizeObserver;
    private readonly stopTheme: () => void;
    private readonly stopPaper: () => void;
    private colours: Colours;
    private frame = 0;
    private stale = true;
    private speak = 0;
    private ratio = 1;

    constructor(
        parent: HTMLElement,
        readonly options: PlotOptions,
    ) {
        this.x = options.x;
        this.y = options.y;
        this.colours = currentColours();
        this.canvas = h("canvas", { class: "io-plot-base", "aria-hidden": "true" });
        this.top = h("canvas", {
            class: "io-plot-top",
            tabindex: 0,
            role: "application",
            "aria-roledescription": "zoomable picture",
            "aria-label": `${options.label}. ${HELP}`,
            "aria-keyshortcuts": "ArrowLeft ArrowRight ArrowUp ArrowDown + - 0",
        });
        this.tip = h("div", { class: "io-plot-tip", hidden: true, "aria-hidden": "true" });
        this.element = h("div", { class: "io-plot" }, this.canvas, this.top, this.tip);
        parent.append(this.element);
        this.layout = options.layout(this.width());
        this.fit();
        this.gestures = new Gestures(this.top, this);
        this.observer = new ResizeObserver(() => {
            if (this.width() === this.layout.width && this.ratio === this.pixelRatio()) return;
            this.resize();
        });
        this.observer.observe(this.element);
        this.stopTheme = onTheme(() => {
            this.colours = currentColours();
            this.drawNow();
        });
        this.stopPaper = this.onPaper();
        this.redraw();
    }

    /** A canvas comes out of a printer empty; an image of it does not. */
    private onPaper(): () => void {
        const image = h("img", { class: "io-plot-paper", alt: this.options.label });
        return onPaper(
            () => {
                image.src = this.picture().toDataURL();
                this.element.append(image);
            },
            () => image.remove(),
        );
    }

    private width(): number {
        return Math.max(240, Math.floor(this.element.clientWidth || 600));
    }

    private pixelRatio(): number {
        return Math.min(3, Math.max(1, globalThis.devicePixelRatio || 1));
    }

    /** Measures again; also after what `layout` depends on has changed. */
    resize(): void {
        this.layout = this.options.layout(this.width());
        this.fit();
        this.drawNow();
    }

    private fit(): void {
        this.ratio = this.pixelRatio();
        const { width, height } = this.layout;
        for (const canvas of [this.canvas, this.top]) {
            canvas.width = Math.round(width * this.ratio);
            canvas.height = Math.round(height * this.ratio);
            canvas.style.width = `${width}px`;
            canvas.style.height = `${height}px`;
        }
        this.element.style.height = `${height}px`;
    }

    /** Draws in the next frame; `picture` false if only cursor and marks changed. */
    redraw(picture = true): void {
        this.stale ||= picture;
        if (this.frame === 0) this.frame = requestAnimationFrame(() => this.drawNow(false));
    }

    drawNow(all = true): void {
        cancelAnimationFrame(this.frame);
        this.frame = 0;
        if (all || this.stale) {
            const context = this.begin(this.canvas);
            if (context) this.options.draw(context, this.layout, this.colours, this);
            this.stale = false;
        }
        const context = this.begin(this.top);
        if (context) this.drawMarks(context);
    }

    private begin(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
        const context = canvas.getContext("2d");
        if (!context) return null;
        context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        context.clearRect(0, 0, this.layout.width, this.layout.height);
        return context;
    }

    private box(region: Region): [number, number, number, number] {
        const { plot } = this.layout;
        const px = (value: number): number => plot.x + Math.min(1, Math.max(0, this.x.part(value))) * plot.width;
        const py = (value: number): number => plot.y + (1 - Math.min(1, Math.max(0, this.y.part(value)))) * plot.height;
        const top = region.y1 === undefined ? plot.y : py(region.y1);
        const bottom = region.y0 === undefined ? plot.y + plot.height : py(region.y0);
        return [px(region.x0), top, px(region.x1) - px(region.x0), bottom - top];
    }

    private drawMarks(brush: Brush): void {
        const { plot } = this.layout;
        brush.save();
        brush.beginPath();
        brush.rect(plot.x - 1, plot.y - 1, plot.width + 2, plot.height + 2);
        brush.clip();
        if (this.highlight) this.drawHighlight(brush, this.highlight);
        if (this.selection) {
            const [x, y, w, height] = this.box(this.selection);
            brush.fillStyle = this.colours.accent;
            brush.globalAlpha = 0.15;
            brush.fillRect(x, y, w, height);
            brush.globalAlpha = 1;
            brush.strokeStyle = this.colours.accent;
            brush.strokeRect(x, y, w, height);
        }
        if (this.cursor) this.drawCursor(brush, this.cursor);
        brush.restore();
    }

    private drawHighlight(brush: Brush, region: Region): void {
        const [x, y, w, height] = this.box(region);
        const width = Math.max(3, w);
        brush.globalAlpha = 0.14;
        brush.fillStyle = this.colours.highlight;
        brush.fillRect(x - (width - w) / 2, y, width, height);
        // Two lines, so that it stands out from light and from dark cells.
        brush.globalAlpha = 0.7;
        brush.lineWidth = 4;
        brush.strokeStyle = this.colours.text;
        brush.strokeRect(x - (width - w) / 2, y, width, height);
        brush.globalAlpha = 1;
        brush.lineWidth = 2;
        brush.strokeStyle = this.colours.highlight;
        brush.strokeRect(x - (width - w) / 2, y, width, height);
    }

    private drawCursor(brush: Brush, at: Point): void {
        const { plot } = this.layout;
        const x = plot.x + this.x.part(at.x) * plot.width;
        const y = plot.y + (1 - this.y.part(at.y)) * plot.height;
        brush.strokeStyle = this.colours.text;
        brush.lineWidth = 1;
        brush.globalAlpha = 0.45;
        brush.setLineDash([3, 3]);
        brush.beginPath();
        brush.moveTo(Math.round(x) + 0.5, plot.y);
        brush.lineTo(Math.round(x) + 0.5, plot.y + plot.height);
        brush.moveTo(plot.x, Math.round(y) + 0.5);
        brush.lineTo(plot.x + plot.width, Math.round(y) + 0.5);
        brush.stroke();
        brush.setLineDash([]);
        brush.globalAlpha = 1;
        const region = this.reading?.region;
        if (!region) return;
        const [bx, by, w, height] = this.box(region);
        brush.lineWidth = 1.5;
        brush.strokeRect(bx - 0.5, by - 0.5, Math.max(2, w) + 1, Math.max(2, height) + 1);
    }

    private reading: Reading | null = null;

    /** The size of a few pixels in the picture's units. */
    slack(): Point {
        const { plot } = this.layout;
        return { x: (2 * this.x.span) / plot.width, y: (2 * this.y.span) / plot.height };
    }

    /** Puts the cursor at a place (null takes it away) and says what is there; `aloud` for the keyboard. */
    point(at: Point | null, aloud = false): void {
        this.cursor = at;
        this.reading = at ? this.options.read(at, this.slack()) : null;
        this.showTip(at);
        this.redraw(false);
        if (!aloud || !this.reading) return;
        clearTimeout(this.speak);
        const { text } = this.reading;
        this.speak = setTimeout(() => this.options.announce(text), 200) as unknown as number;
    }

    private showTip(at: Point | null): void {
        if (!at || !this.reading) {
            this.tip.hidden = true;
            return;
        }
        const { plot, width } = this.layout;
        this.tip.replaceChildren(this.reading.content);
        this.tip.hidden = false;
        const x = plot.x + this.x.part(at.x) * plot.width;
        const y = plot.y + (1 - this.y.part(at.y)) * plot.height;
        const size = this.tip.getBoundingClientRect();
        const right = x + 14 + size.width <= width;
        const left = right ? x + 14 : Math.max(0, x - 14 - size.width);
        const above = Math.min(this.layout.height - size.height, Math.max(0, y - size.height / 2));
        this.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(above)}px)`;
    }

    /** After the view was zoomed or moved. */
    moved(): void {
        if (this.cursor && !this.inSight(this.cursor)) this.point(null);
        if (this.cursor) {
            this.reading = this.options.read(this.cursor, this.slack());
            this.showTip(this.cursor);
        }
        this.top.style.touchAction = this.x.whole && this.y.whole ? "pan-y" : "none";
        this.options.onView?.();
        this.redraw();
    }

    private inSight({ x, y }: Point): boolean {
        return x >= this.x.lo && x <= this.x.hi && y >= this.y.lo && y <= this.y.hi;
    }

    click(at: Point): void {
        this.options.onClick?.(at, this.slack());
    }

    /** Marks a part and brings it into sight with some room around it. */
    show(region: Region): void {
        this.highlight = region;
        const wide = Math.max(region.x1 - region.x0, this.x.finest);
        this.x.show(region.x0 - wide, region.x1 + wide);
        if (region.y0 !== undefined && region.y1 !== undefined) {
            const high = Math.max(region.y1 - region.y0, this.y.finest);
            this.y.show(region.y0 - high, region.y1 + high);
        } else this.y.reset();
        this.moved();
    }

    reset(): void {
        this.highlight = null;
        this.x.reset();
        this.y.reset();
        this.moved();
    }

    zoom(factor: number): void {
        this.x.zoom(factor, this.cursor?.x);
        this.y.zoom(factor, this.cursor?.y);
        this.moved();
    }

    /** One canvas with all that is seen but the cursor, at twice the size on screen so that it holds on a slide. */
    picture(): HTMLCanvasElement {
        const canvas = document.createElement("canvas");
        const { width, height } = this.layout;
        const ratio = Math.max(2, this.ratio);
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        const context = canvas.getContext("2d");
        if (!context) return canvas;
        context.scale(ratio, ratio);
        context.fillStyle = this.colours.surface;
        context.fillRect(0, 0, width, height);
        this.options.draw(context, this.layout, this.colours, this);
        if (this.highlight) this.drawHighlight(context, this.highlight);
        return canvas;
    }

    svg(): string {
        const measure = document.createElement("canvas").getContext("2d");
        if (!measure) return "";
        const brush = new SvgBrush(measure);
        this.options.draw(brush, this.layout, this.colours, this);
        if (this.highlight) this.drawHighlight(brush, this.highlight);
        return brush.text(this.layout.width, this.layout.height, this.colours.surface);
    }

    destroy(): void {
        cancelAnimationFrame(this.frame);
        clearTimeout(this.speak);
        this.observer.disconnect();
        this.stopTheme();
        this.stopPaper();
        this.gestures.destroy();
    }
}

/** The buttons of a zoomable picture. */
export function zoomButtons(plot: () => Plot, label: string): HTMLElement {
    const button = (sign: string, title: string, action: () => void): HTMLElement =>
        h(
            "button",
            { type: "button", class: "io-tool", title, "aria-label": `${title}: ${label}`, onclick: action },
            sign,
        );
    return h(
        "div",
        { class: "io-zoom", role: "group", "aria-label": `Zoom: ${label}` },
        button("+", "Zoom in", () => plot().zoom(2)),
        button("\u2212", "Zoom out", () => plot().zoom(0.5)),
        button("All", "Show all", () => plot().reset()),
    );
}
