// One zoomable direction of a picture: the whole, the part that is shown, and how far in one may go.
// Two of them make a view. It knows no pixels, so that it can be tested without a browser.

export class Range {
    lo: number;
    hi: number;

    /** `finest` is the smallest span that may be shown. */
    constructor(
        readonly min: number,
        readonly max: number,
        readonly finest: number,
    ) {
        this.lo = min;
        this.hi = max;
    }

    get span(): number {
        return this.hi - this.lo;
    }

    get whole(): boolean {
        return this.lo === this.min && this.hi === this.max;
    }

    /** Shows lo..hi, moved and widened so that it stays inside the whole. Says whether anything changed. */
    show(lo: number, hi: number): boolean {
        const all = this.max - this.min;
        if (!Number.isFinite(lo) || !Number.isFinite(hi) || !(all > 0)) return false;
        let span = Math.min(all, Math.max(Math.abs(hi - lo), Math.min(this.finest, all)));
        let from = (lo + hi) / 2 - span / 2;
        if (span > all * (1 - 1e-9)) span = all;
        from = Math.min(this.max - span, Math.max(this.min, from));
        const to = span === all ? this.max : from + span;
        if (span === all) from = this.min;
        const changed = from !== this.lo || to !== this.hi;
        this.lo = from;
        this.hi = to;
        return changed;
    }

    /** Zooms by `factor` (above 1: closer) and keeps the value `at` where it is on the screen. */
    zoom(factor: number, at = (this.lo + this.hi) / 2): boolean {
        const all = this.max - this.min;
        const span = Math.min(all, Math.max(this.span / factor, Math.min(this.finest, all)));
        const part = this.span > 0 ? (at - this.lo) / this.span : 0.5;
        const lo = at - part * span;
        return this.show(lo, lo + span);
    }

    /** Moves the shown part; at the ends it stops and keeps its span. */
    pan(by: number): boolean {
        return this.show(this.lo + by, this.hi + by);
    }

    reset(): boolean {
        return this.show(this.min, this.max);
    }

    /** Moves the shown part just so far that `value` (with `margin` around it) is seen. */
    reveal(value: number, margin = 0): boolean {
        if (value - margin < this.lo) return this.pan(value - margin - this.lo);
        if (value + margin > this.hi) return this.pan(value + margin - this.hi);
        return false;
    }

    /** Position of a value as a part of what is shown: 0 at its start, 1 at its end. */
    part(value: number): number {
        return this.span > 0 ? (value - this.lo) / this.span : 0;
    }

    value(part: number): number {
        return this.lo + part * this.span;
    }
}
