// The page's palette with what canvases need beside it; read once for each theme, not once a frame.
import { palette, theme, type Palette } from "../../lib/theme";
import { parseColour, sequential, type Ramp, type Rgb } from "./colour";

export interface Colours extends Palette {
    dark: boolean;
    ramp: Ramp;
    readRgb: Rgb;
    writeRgb: Rgb;
}

export function currentColours(): Colours {
    const colours = palette();
    const dark = theme() === "dark";
    return {
        ...colours,
        dark,
        ramp: sequential(dark),
        readRgb: parseColour(colours.read),
        writeRgb: parseColour(colours.write),
    };
}
