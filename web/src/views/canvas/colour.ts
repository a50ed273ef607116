// Colours as numbers: ramps whose lightness rises (or falls) steadily, so that they read the same to every kind of eye
// and in grey print. A ramp is a table of 256 packed pixels, ready for image data.

export type Rgb = readonly [number, number, number];

export function parseHex(text: string): Rgb {
    const hex = text.trim().replace("#", "");
    const full = hex.length === 3 ? [...hex].map((c) => c + c).join("") : hex;
    const value = Number.parseInt(full.slice(0, 6), 16);
    return Number.isNaN(value) ? [128, 128, 128] : [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** Any CSS colour that a computed style gives: #rgb, #rrggbb, rgb(), rgba(). */
export function parseColour(text: string): Rgb {
    const match = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(text.trim());
    return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : parseHex(text);
}

const toLinear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const fromLinear = (c: number): number => (c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055);

/** OKLab: equal steps in it look equal, so mixing there makes no dark or grey dents. */
function toLab([r, g, b]: Rgb): Rgb {
    const [x, y, z] = [toLinear(r / 255), toLinear(g / 255), toLinear(b / 255)];
    const l = Math.cbrt(0.4122214708 * x + 0.5363325363 * y + 0.0514459929 * z);
    const m = Math.cbrt(0.2119034982 * x + 0.6806995451 * y + 0.1073969566 * z);
    const s = Math.cbrt(0.0883024619 * x + 0.2817188376 * y + 0.6299787005 * z);
    return [
        0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
}

function fromLab([L, a, b]: Rgb): Rgb {
    const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const channels = [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ].map((c) => Math.round(Math.min(1, Math.max(0, fromLinear(Math.min(1, Math.max(0, c))))) * 255));
    return [channels[0]!, channels[1]!, channels[2]!];
}

export function mix(a: Rgb, b: Rgb, part: number): Rgb {
    const [x, y] = [toLab(a), toLab(b)];
    return fromLab([x[0] + (y[0] - x[0]) * part, x[1] + (y[1] - x[1]) * part, x[2] + (y[2] - x[2]) * part]);
}

/** Relative luminance, 0 black to 1 white. */
export function luminance([r, g, b]: Rgb): number {
    return 0.2126 * toLinear(r / 255) + 0.7152 * toLinear(g / 255) + 0.0722 * toLinear(b / 255);
}

export const css = ([r, g, b]: Rgb, alpha = 1): string =>
    alpha >= 1 ? `rgb(${r},${g},${b})` : `rgba(${r},${g},${b},${Math.round(alpha * 1000) / 1000})`;

/** A pixel of image data as one little-endian word. */
export const pack = ([r, g, b]: Rgb, alpha = 255): number => ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;

// The more, the further from the paper: dark on light, bright on dark. Iolite's own blue and violet first.
const LIGHT_RAMP = ["#cbd8f3", "#a9c0ee", "#7d9fe2", "#5b7bd0", "#4a52b4", "#42308f", "#33135f", "#1c0733"];
const DARK_RAMP = ["#2a3156", "#383f8e", "#4f46b3", "#7a4fc4", "#b15bb6", "#e0719a", "#f59d7c", "#fbd08a", "#fdf6c5"];

export interface Ramp {
    /** 256 opaque pixels. */
    pixels: Uint32Array;
    colour(part: number): Rgb;
}

export function ramp(stops: readonly string[]): Ramp {
    const points = stops.map(parseHex);
    const colours: Rgb[] = [];
    const pixels = new Uint32Array(256);
    for (let i = 0; i < 256; i++) {
        const at = (i / 255) * (points.length - 1);
        const low = Math.min(points.length - 2, Math.floor(at));
        const colour = mix(points[low]!, points[low + 1]!, at - low);
        colours.push(colour);
        pixels[i] = pack(colour);
    }
    return { pixels, colour: (part) => colours[Math.round(Math.min(1, Math.max(0, part)) * 255)]! };
}

const cache: { light?: Ramp; dark?: Ramp } = {};

export function sequential(dark: boolean): Ramp {
    const key = dark ? "dark" : "light";
    return (cache[key] ??= ramp(dark ? DARK_RAMP : LIGHT_RAMP));
}

/** Eight hues that differ for all common kinds of colour vision (after Okabe and Ito), for things without an order. */
export function categories(dark: boolean): Rgb[] {
    const light = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9", "#7a4fc4", "#8c564b"];
    const night = ["#56b4e9", "#f0883e", "#2fc79a", "#e39ac6", "#f0e442", "#9ecbff", "#b592f5", "#d19a8a"];
    return (dark ? night : light).map(parseHex);
}
