// Wheel, drag, pinch, double click and keys on a plot. The page must stay scrollable: the plain wheel zooms only once
// the plot has the focus, and one finger moves the picture only when it is zoomed.
import type { Box } from "./brush";
import type { Point, Region } from "./plot";
import type { Range } from "./range";

export interface Target {
    x: Range;
    y: Range;
    layout: { plot: Box };
    cursor: Point | null;
    selection: Region | null;
    options: { step(): Point };
    point(at: Point | null, aloud?: boolean): void;
    moved(): void;
    reset(): void;
    zoom(factor: number): void;
    click(at: Point): void;
    redraw(picture?: boolean): void;
}

interface Grip {
    id: number;
    x: number;
    y: number;
}

const DRAG = 4;
const WHEEL = 0.0022;

export class Gestures {
    private readonly stop = new AbortController();
    private grips: Grip[] = [];
    private start: Point | null = null;
    private mode: "none" | "pan" | "select" | "pinch" = "none";
    private hadFocus = false;
    private pending = 0;

    constructor(
        private readonly surface: HTMLElement,
        private readonly target: Target,
    ) {
        const { signal } = this.stop;
        surface.addEventListener("wheel", (event) => this.wheel(event), { passive: false, signal });
        surface.addEventListener("pointerdown", (event) => this.down(event), { signal });
        surface.addEventListener("pointermove", (event) => this.move(event), { signal });
        surface.addEventListener("pointerup", (event) => this.up(event), { signal });
        surface.addEventListener("pointercancel", (event) => this.cancel(event), { signal });
        surface.addEventListener("pointerleave", () => this.leave(), { signal });
        surface.addEventListener("dblclick", () => this.twice(), { signal });
        surface.addEventListener("keydown", (event) => this.key(event), { signal });
        surface.addEventListener("blur", () => target.point(null), { signal });
    }

    destroy(): void {
        clearTimeout(this.pending);
        this.stop.abort();
    }

    private at(event: { offsetX: number; offsetY: number }): { inside: boolean; point: Point } {
        const { plot } = this.target.layout;
        const px = (event.offsetX - plot.x) / plot.width;
        const py = 1 - (event.offsetY - plot.y) / plot.height;
        const inside = px >= 0 && px <= 1 && py >= 0 && py <= 1;
        return { inside, point: { x: this.target.x.value(px), y: this.target.y.value(py) } };
    }

    private wheel(event: WheelEvent): void {
        const focused = document.activeElement === this.surface;
        const { target } = this;
        if (!focused && !event.ctrlKey) return;
        const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 200 : 1;
        const { point } = this.at(event);
        const factor = Math.exp(-event.deltaY * lines * WHEEL * (event.ctrlKey ? 3 : 1));
        let changed = false;
        if (event.deltaX !== 0 && !event.shiftKey)
            changed = target.x.pan((event.deltaX * lines * target.x.span) / target.layout.plot.width);
        const across = event.shiftKey ? Math.exp(-(event.deltaY || event.deltaX) * lines * WHEEL) : factor;
        if (event.shiftKey || event.ctrlKey) changed = target.y.zoom(across, point.y) || changed;
        if (!event.shiftKey && event.deltaY !== 0) changed = target.x.zoom(factor, point.x) || changed;
        if (!changed && !event.ctrlKey) return;
        event.preventDefault();
        target.moved();
    }

    private down(event: PointerEvent): void {
        if (event.button !== 0) return;
        this.hadFocus = document.activeElement === this.surface;
        this.surface.setPointerCapture(event.pointerId);
        this.grips.push({ id: event.pointerId, x: event.offsetX, y: event.offsetY });
        if (this.grips.length === 2) this.mode = "pinch";
        else this.start = { x: event.offsetX, y: event.offsetY };
    }

    private move(event: PointerEvent): void {
        const grip = this.grips.find((g) => g.id === event.pointerId);
        const { target } = this;
        if (!grip) {
            const { inside, point } = this.at(event);
            target.point(inside ? point : null);
            return;
        }
        if (this.mode === "pinch" && this.grips.length >= 2) this.pinch(grip, event);
        else this.drag(grip, event);
        grip.x = event.offsetX;
        grip.y = event.offsetY;
    }

    private drag(grip: Grip, event: PointerEvent): void {
        const { target } = this;
        if (!this.start) return;
        if (this.mode === "none") {
            if (Math.hypot(event.offsetX - this.start.x, event.offsetY - this.start.y) < DRAG) return;
            const whole = target.x.whole && target.y.whole;
            this.mode = event.shiftKey || (whole && event.pointerType !== "touch") ? "select" : "pan";
            target.point(null);
        }
        if (this.mode === "pan") {
            const { plot } = target.layout;
            const moved = target.x.pan(((grip.x - event.offsetX) * target.x.span) / plot.width);
            if (target.y.pan(((event.offsetY - grip.y) * target.y.span) / plot.height) || moved) target.moved();
            return;
        }
        const from = this.at({ offsetX: this.start.x, offsetY: this.start.y }).point;
        const to = this.at(event).point;
        target.selection = {
            x0: Math.min(from.x, to.x),
            x1: Math.max(from.x, to.x),
            y0: Math.min(from.y, to.y),
            y1: Math.max(from.y, to.y),
        };
        target.redraw(false);
    }

    private pinch(grip: Grip, event: PointerEvent): void {
        const other = this.grips.find((g) => g.id !== grip.id);
        if (!other) return;
        const { target } = this;
        const { plot } = target.layout;
        const spread = (a: number, b: number): number => Math.max(24, Math.abs(a - b));
        const middle = this.at({
            offsetX: (other.x + event.offsetX) / 2,
            offsetY: (other.y + event.offsetY) / 2,
        }).point;
        target.x.zoom(spread(event.offsetX, other.x) / spread(grip.x, other.x), middle.x);
        target.y.zoom(spread(event.offsetY, other.y) / spread(grip.y, other.y), middle.y);
        target.x.pan((((grip.x - event.offsetX) / 2) * target.x.span) / plot.width);
        target.y.pan((((event.offsetY - grip.y) / 2) * target.y.span) / plot.height);
        target.moved();
    }

    private up(event: PointerEvent): void {
        const { target } = this;
        this.grips = this.grips.filter((g) => g.id !== event.pointerId);
        const { selection } = target;
        if (this.mode === "select" && selection) this.zoomTo(selection);
        else if (this.mode === "none") {
            const { inside, point } = this.at(event);
            if (inside) {
                target.point(point, event.pointerType === "touch");
                if (event.pointerType !== "touch") this.once(point);
            }
        }
        if (this.grips.length === 0) this.end();
    }

    /** The first click gives the focus, a later one acts; it waits a moment, because it may become a double click. */
    private once(point: Point): void {
        clearTimeout(this.pending);
        if (this.hadFocus) this.pending = setTimeout(() => this.target.click(point), 250) as unknown as number;
    }

    private twice(): void {
        clearTimeout(this.pending);
        this.target.reset();
    }

    /** A selection that is hardly high means: this time, all ranks. The same the other way round. */
    private zoomTo(selection: Region): void {
        const { target } = this;
        const { plot } = target.layout;
        const wide = ((selection.x1 - selection.x0) / target.x.span) * plot.width;
        const high = (((selection.y1 ?? 0) - (selection.y0 ?? 0)) / target.y.span) * plot.height;
        if (wide > 8) target.x.show(selection.x0, selection.x1);
        if (high > 16) target.y.show(selection.y0 ?? target.y.min, selection.y1 ?? target.y.max);
        target.selection = null;
        target.moved();
    }

    private cancel(event: PointerEvent): void {
        this.grips = this.grips.filter((g) => g.id !== event.pointerId);
        if (this.grips.length === 0) this.end();
    }

    private end(): void {
        this.mode = "none";
        this.start = null;
        this.target.selection = null;
        this.target.redraw(false);
    }

    private leave(): void {
        if (this.grips.length === 0 && document.activeElement !== this.surface) this.target.point(null);
    }

    private key(event: KeyboardEvent): void {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const { target } = this;
        const arrows: Record<string, [number, number]> = {
            ArrowLeft: [-1, 0],
            ArrowRight: [1, 0],
            ArrowUp: [0, 1],
            ArrowDown: [0, -1],
            PageUp: [0, 10],
            PageDown: [0, -10],
        };
        const arrow = arrows[event.key];
        if (arrow && event.shiftKey) {
            target.x.pan((arrow[0] * target.x.span) / 5);
            target.y.pan((arrow[1] * target.y.span) / 5);
            target.moved();
        } else if (arrow) this.step(arrow);
        else if (event.key === "+" || event.key === "=") target.zoom(1.5);
        else if (event.key === "-" || event.key === "_") target.zoom(1 / 1.5);
        else if (event.key === "0" || event.key === "Home") target.reset();
        else if (event.key === "Enter" && target.cursor) target.click(target.cursor);
        else if (event.key === "Escape") target.point(null);
        else return;
        event.preventDefault();
    }

    private step([across, up]: [number, number]): void {
        const { target } = this;
        const by = target.options.step();
        const from = target.cursor ?? { x: (target.x.lo + target.x.hi) / 2, y: (target.y.lo + target.y.hi) / 2 };
        const clamp = (value: number, range: Range): number =>
            Math.min(range.max - 1e-9 * range.span, Math.max(range.min, value));
        const to = target.cursor
            ? { x: clamp(from.x + across * by.x, target.x), y: clamp(from.y + up * by.y, target.y) }
            : from;
        const movedX = target.x.reveal(to.x, by.x / 2);
        const movedY = target.y.reveal(to.y, by.y / 2);
        if (movedX || movedY) target.moved();
        target.point(to, true);
    }
}
