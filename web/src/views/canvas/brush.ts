// What drawing code may use of a canvas: few enough calls that the same code can also write SVG (svg.ts).

export type Brush = Pick<
    CanvasRenderingContext2D,
    | "fillStyle"
    | "strokeStyle"
    | "lineWidth"
    | "font"
    | "textAlign"
    | "textBaseline"
    | "globalAlpha"
    | "imageSmoothingEnabled"
    | "fillRect"
    | "strokeRect"
    | "fillText"
    | "beginPath"
    | "moveTo"
    | "lineTo"
    | "closePath"
    | "rect"
    | "fill"
    | "stroke"
    | "save"
    | "restore"
    | "translate"
    | "rotate"
    | "clip"
    | "setLineDash"
    | "measureText"
> & { drawImage(image: HTMLCanvasElement, x: number, y: number, width: number, height: number): void };

export interface Box {
    x: number;
    y: number;
    width: number;
    height: number;
}

/** Where things are, in CSS pixels. */
export interface Layout {
    width: number;
    height: number;
    plot: Box;
}
