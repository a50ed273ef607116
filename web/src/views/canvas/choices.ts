// Choices that several canvas views offer, in the same words.
import type { Choice } from "../../lib/controls";

export type Direction = "both" | "read" | "write";

export const DIRECTIONS: readonly Choice<Direction>[] = [
    ["both", "Both"],
    ["read", "Read"],
    ["write", "Write"],
];

export const LAYERS: readonly Choice<"all" | "POSIX" | "MPI-IO">[] = [
    ["all", "All"],
    ["POSIX", "POSIX"],
    ["MPI-IO", "MPI-IO"],
];

/** How a zoomable picture is used; `more` is what else it can do. */
export const usage = (more = ""): string =>
    "Drag to select a part, then drag to move it. With the picture in focus the wheel zooms time (with Shift: ranks)"
    + `${more}; double click shows all.`;
