// What the timeline shows at the moment, and the tables of colours that go with it. No drawing, no elements.
import type { Trace as TraceInfo } from "../page/document";
import { categories, mix, pack, type Rgb } from "./canvas/colour";
import type { Colours } from "./canvas/colours";
import { alphaTable, type ColourBy } from "./timeline-raster";
import { everything, MPIIO, type Filter, type TraceIndex } from "./timeline-trace";

export const NAMED_FILES = 8;

export interface Scene {
    info: TraceInfo;
    ranks: number;
    /** Null until the requests are loaded; the binned overview stands in. */
    index: TraceIndex | null;
    filter: Filter;
    /** Counts changes of the filter. */
    version: number;
    by: ColourBy;
    /** The file whose offsets are shown, or -1 for the view by ranks. */
    file: number;
    /** Interfaces in the trace: 1 POSIX, 2 MPI-IO. */
    present: number;
    /** Files by bytes, most first. */
    topFiles: number[];
    /** By file: NAMED_FILES + 1 for the first of the top files and so on down to 2; 1 for all others. */
    fileClass: Uint8Array;
    /** Smallest and largest size class. */
    sizes: [number, number];
    /** Bytes by file. */
    fileBytes: Float64Array;
}

export function makeScene(info: TraceInfo, ranks: number): Scene {
    const present = (info.modules.includes("POSIX") ? 1 : 0) | (info.modules.includes("MPI-IO") ? 2 : 0);
    return {
        info,
        ranks,
        index: null,
        filter: everything(),
        version: 0,
        by: "direction",
        file: -1,
        present,
        topFiles: [],
        fileClass: new Uint8Array(info.names.length).fill(1),
        sizes: [0, 40],
        fileBytes: new Float64Array(info.names.length),
    };
}

/** Looks once at all requests: which files matter, and how large requests are. */
export function setIndex(scene: Scene, index: TraceIndex): void {
    scene.index = index;
    scene.ranks = index.ranks;
    let lo = 63;
    let hi = 0;
    let kinds = 0;
    scene.fileBytes.fill(0);
    for (let i = 0; i < index.count; i++) {
        const size = index.size[i]!;
        if (size < lo) lo = size;
        if (size > hi) hi = size;
        kinds |= index.kind[i]! & MPIIO ? 2 : 1;
        const file = index.file[i]!;
        if (file < scene.fileBytes.length) scene.fileBytes[file]! += index.trace.length[index.row[i]!]!;
    }
    scene.present = kinds;
    scene.sizes = [Math.min(lo, hi), hi];
    scene.topFiles = [...scene.fileBytes.keys()].sort((a, b) => scene.fileBytes[b]! - scene.fileBytes[a]! || a - b);
    scene.fileClass.fill(1);
    scene.topFiles.slice(0, NAMED_FILES).forEach((file, place) => (scene.fileClass[file] = NAMED_FILES + 1 - place));
}

export interface Paints {
    /** 17 colours from reads (or POSIX) to writes (or MPI-IO), without alpha. */
    pairs: Uint32Array;
    ends: [Rgb, Rgb];
    /** By class of size or file; null where the pair decides. */
    classes: Uint32Array | null;
    classRgb: (value: number) => Rgb;
    alphas: Uint32Array;
}

const alphas = alphaTable();

export function makePaints(scene: Scene, colours: Colours): Paints {
    const hues = categories(colours.dark);
    const ends: [Rgb, Rgb] = scene.by === "layer" ? [hues[2]!, hues[6]!] : [colours.readRgb, colours.writeRgb];
    const pairs = Uint32Array.from({ length: 17 }, (_, i) => pack(mix(ends[0], ends[1], i / 16), 0));
    const classRgb =
        scene.by === "size"
            ? (value: number): Rgb => colours.ramp.colour(sizePart(scene, value - 1))
            : (value: number): Rgb =>
                  value < 2 ? (colours.dark ? [120, 124, 138] : [150, 154, 166]) : hues[NAMED_FILES + 1 - value]!;
    const classed = scene.by === "size" || scene.by === "file";
    const classes = classed
        ? Uint32Array.from({ length: 66 }, (_, i) => pack(classRgb(Math.min(i, scene.by === "file" ? 9 : 65)), 0))
        : null;
    return { pairs, ends, classes, classRgb, alphas };
}

/** Place of a size class on the colour bar; never quite at its faint end. */
export function sizePart(scene: Scene, size: number): number {
    const [lo, hi] = scene.sizes;
    return hi > lo ? 0.12 + (0.88 * Math.min(hi, Math.max(lo, size)) - 0.88 * lo) / (hi - lo) : 0.7;
}

/** Kinds that pass, from the two choices. */
export function kindsOf(direction: "both" | "read" | "write", layer: "all" | "POSIX" | "MPI-IO"): Uint8Array {
    return Uint8Array.from([0, 1, 2, 3], (kind) => {
        const write = (kind & 1) !== 0;
        const mpiio = (kind & MPIIO) !== 0;
        const wrongWay = direction !== "both" && write !== (direction === "write");
        const wrongLayer = layer !== "all" && mpiio !== (layer === "MPI-IO");
        return wrongWay || wrongLayer ? 0 : 1;
    });
}
