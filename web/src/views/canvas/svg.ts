// A brush that writes SVG text: the picture of a canvas view as a drawing that stays sharp, with images (the cells of
// a heat map) embedded. Only what Brush names is there; positions are kept as plain translations and one rotation.
import type { Brush } from "./brush";

const escape = (text: string): string =>
    text
        .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
        .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "\ufffd");
const number = (value: number): string => String(Math.round(value * 100) / 100);

interface State {
    fillStyle: string;
    strokeStyle: string;
    lineWidth: number;
    font: string;
    textAlign: CanvasTextAlign;
    textBaseline: CanvasTextBaseline;
    globalAlpha: number;
    dash: number[];
    transform: string;
    clip: string;
}

const ANCHOR: Partial<Record<CanvasTextAlign, string>> = { center: "middle", right: "end", end: "end" };
const BASELINE: Partial<Record<CanvasTextBaseline, string>> = { middle: "0.35em", top: "0.8em", hanging: "0.8em" };

export class SvgBrush implements Brush {
    fillStyle: string = "#000";
    strokeStyle: string = "#000";
    lineWidth = 1;
    font = "12px sans-serif";
    textAlign: CanvasTextAlign = "start";
    textBaseline: CanvasTextBaseline = "alphabetic";
    globalAlpha = 1;
    imageSmoothingEnabled = false;
    private dash: number[] = [];
    private transform = "";
    private clipId = "";
    private path = "";
    private clips = 0;
    private readonly parts: string[] = [];
    private readonly stack: State[] = [];

    /** `measure` knows how wide text is; SVG itself cannot tell before it is drawn. */
    constructor(
        private readonly measure: CanvasRenderingContext2D,
        private readonly prefix = "clip",
    ) {}

    text(width: number, height: number, background: string): string {
        return (
            `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`
            + ` viewBox="0 0 ${width} ${height}">`
            + `<rect width="100%" height="100%" fill="${escape(background)}"/>${this.parts.join("")}</svg>`
        );
    }

    private common(): string {
        return (
            (this.transform ? ` transform="${this.transform.trim()}"` : "")
            + (this.globalAlpha < 1 ? ` opacity="${number(this.globalAlpha)}"` : "")
        );
    }

    private put(element: string): void {
        this.parts.push(this.clipId ? `<g clip-path="url(#${this.clipId})">${element}</g>` : element);
    }

    private get pen(): string {
        const dash = this.dash.length > 0 ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
        return ` fill="none" stroke="${escape(this.strokeStyle)}" stroke-width="${number(this.lineWidth)}"${dash}`;
    }

    private static area(x: number, y: number, width: number, height: number): string {
        const left = Math.min(x, x + width);
        const top = Math.min(y, y + height);
        const size = ` width="${number(Math.abs(width))}" height="${number(Math.abs(height))}"`;
        return ` x="${number(left)}" y="${number(top)}"${size}`;
    }

    fillRect(x: number, y: number, width: number, height: number): void {
        this.put(`<rect${SvgBrush.area(x, y, width, height)} fill="${escape(this.fillStyle)}"${this.common()}/>`);
    }

    strokeRect(x: number, y: number, width: number, height: number): void {
        this.put(`<rect${SvgBrush.area(x, y, width, height)}${this.pen}${this.common()}/>`);
    }

    fillText(text: string, x: number, y: number): void {
        const size = /([\d.]+)px\s*(.*)$/.exec(this.font);
        const weight = /^(bold|\d{3})\b/.exec(this.font)?.[1];
        this.put(
            `<text x="${number(x)}" y="${number(y)}" dy="${BASELINE[this.textBaseline] ?? "0"}"`
                + ` text-anchor="${ANCHOR[this.textAlign] ?? "start"}" font-size="${size?.[1] ?? "12"}"`
                + ` font-family="${escape(size?.[2] ?? "sans-serif")}"${weight ? ` font-weight="${weight}"` : ""}`
                + ` fill="${escape(this.fillStyle)}"${this.common()}>${escape(text)}</text>`,
        );
    }

    measureText(text: string): TextMetrics {
        this.measure.font = this.font;
        return this.measure.measureText(text);
    }

    drawImage(image: HTMLCanvasElement, x: number, y: number, width: number, height: number): void {
        this.put(
            `<image${SvgBrush.area(x, y, width, height)} preserveAspectRatio="none"`
                + ` style="image-rendering:pixelated" href="${image.toDataURL("image/png")}"${this.common()}/>`,
        );
    }

    beginPath(): void {
        this.path = "";
    }

    moveTo(x: number, y: number): void {
        this.path += `M${number(x)} ${number(y)}`;
    }

    lineTo(x: number, y: number): void {
        this.path += `L${number(x)} ${number(y)}`;
    }

    closePath(): void {
        this.path += "Z";
    }

    rect(x: number, y: number, width: number, height: number): void {
        this.path += `M${number(x)} ${number(y)}h${number(width)}v${number(height)}h${number(-width)}Z`;
    }

    fill(): void {
        this.put(`<path d="${this.path}" fill="${escape(this.fillStyle)}"${this.common()}/>`);
    }

    stroke(): void {
        this.put(`<path d="${this.path}"${this.pen}${this.common()}/>`);
    }

    clip(): void {
        this.clips += 1;
        this.clipId = `${this.prefix}-${this.clips}`;
        this.parts.push(`<clipPath id="${this.clipId}"><path d="${this.path}"/></clipPath>`);
    }

    setLineDash(dash: number[]): void {
        this.dash = [...dash];
    }

    translate(x: number, y: number): void {
        this.transform += ` translate(${number(x)} ${number(y)})`;
    }

    rotate(angle: number): void {
        this.transform += ` rotate(${number((angle * 180) / Math.PI)})`;
    }

    save(): void {
        const { fillStyle, strokeStyle, lineWidth, font, textAlign, textBaseline, globalAlpha, dash, transform } = this;
        this.stack.push({
            fillStyle,
            strokeStyle,
            lineWidth,
            font,
            textAlign,
            textBaseline,
            globalAlpha,
            dash,
            transform,
            clip: this.clipId,
        });
    }

    restore(): void {
        const state = this.stack.pop();
        if (!state) return;
        const { clip, ...rest } = state;
        Object.assign(this, rest);
        this.clipId = clip;
    }
}
