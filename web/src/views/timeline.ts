// Every traced request over time: by rank, or for one file by offset. The overview is there at once; the requests
// themselves are inflated when the section comes into sight. The picture is in timeline-draw.ts; here are the choices,
// the cursor and the words.
import { segmented, select } from "../lib/controls";
import { h } from "../lib/dom";
import { figure, type Figure } from "../lib/figure";
import { bytes, plural, visible } from "../lib/format";
import type { Page, Trace as TraceInfo } from "../page/document";
import type { Shell, Target, View } from "../page/view";
import { DIRECTIONS, LAYERS, usage, type Direction } from "./canvas/choices";
import { Plot, zoomButtons, type Point } from "./canvas/plot";
import { Range } from "./canvas/range";
import { TimelinePainter } from "./timeline-draw";
import { positionsOf } from "./timeline-offsets";
import { nearest, readOverview, readRequest, requestsAt } from "./timeline-pick";
import type { ColourBy } from "./timeline-raster";
import { kindsOf, makeScene, setIndex, type Scene } from "./timeline-scene";
import { timelineTable } from "./timeline-table";
import { decodeTrace, TraceIndex } from "./timeline-trace";

const LISTED_FILES = 300;
const allFiles = (files: number): string => (files === 1 ? "The only file" : `All ${plural(files, "file")}`);

class Timeline {
    private readonly scene: Scene;
    private readonly painter = new TimelinePainter();
    private readonly plot: Plot;
    private readonly frame: Figure;
    private readonly status: HTMLElement;
    private readonly rankView: { x: Range; y: Range };
    private readonly fileBox = h("span");
    private readonly colourBox = h("span");
    private readonly observer: IntersectionObserver | null;
    private direction: Direction = "both";
    private layer: "all" | "POSIX" | "MPI-IO" = "all";
    private onlyFile = -1;
    private fileByDefault = false;
    private rows: "ranks" | "offsets" = "ranks";
    private loading = false;
    private wanted: Target | null = null;

    constructor(
        element: HTMLElement,
        private readonly page: Page,
        private readonly shell: Shell,
        private readonly info: TraceInfo,
    ) {
        const { binned } = info;
        const ranks = Math.max(1, page.job.processes || 0, binned.rows * binned.per_row - binned.per_row + 1);
        this.scene = makeScene(info, ranks);
        const phases = page.phases?.table.columns;
        this.painter.phases = phases ? phases.t0.map((t0, i) => [t0, phases.t1[i]!]) : [];
        const end = Math.max(page.job.run_time || 0, lastBin(info)) || 1;
        this.rankView = {
            x: new Range(0, end, Math.max(info.tick * 200, end * 1e-9)),
            y: new Range(0, ranks, Math.min(ranks, 2)),
        };
        this.status = h("p", { class: "io-plot-hint", role: "status" });
        this.frame = figure(element, {
            title: "Requests over time",
            summary: this.sentence(),
            name: `${page.job.program ?? "job"}-timeline`,
            interactive: true,
            controls: this.controls(),
            table: () => timelineTable(this.scene, this.painter.positions, this.plot.x, this.plot.y),
            picture: () => this.plot.picture(),
            svg: () => this.plot.svg(),
        });
        this.plot = new Plot(this.frame.body, {
            ...this.rankView,
            label: "Timeline of the traced requests",
            layout: (width) => this.painter.layout(this.scene, width),
            draw: (brush, layout, colours, view) => this.painter.draw(brush, layout, colours, this.scene, view),
            read: (at, slack) =>
                this.scene.index
                    ? readRequest(this.scene, this.painter, at, slack)
                    : readOverview(info, this.scene.ranks, at),
            step: () => ({
                x: this.plot.x.span / 100,
                y: this.rows === "offsets" ? this.plot.y.span / 40 : Math.max(1, this.painter.facts.group),
            }),
            onClick: (at, slack) => this.open(at, slack),
            announce: (text) => shell.announce(text),
        });
        this.frame.element.append(this.status);
        this.say();
        shell.onTarget((target) => this.target(target));
        this.observer = shell.trace && info.embedded > 0 ? this.whenSeen(element) : null;
    }

    private controls(): HTMLElement[] {
        const result: HTMLElement[] = [];
        if (this.info.embedded > 0 && this.shell.trace) {
            result.push(
                segmented(
                    "Rows",
                    [
                        ["ranks", "Ranks"],
                        ["offsets", "Offsets of a file"],
                    ] as const,
                    "ranks",
                    (rows) => {
                        this.rows = rows;
                        if (rows === "ranks" && this.fileByDefault) this.onlyFile = -1;
                        this.update();
                    },
                ),
            );
            if (this.info.modules.length > 1) {
                result.push(
                    segmented("Layer", LAYERS, "all", (layer) => {
                        this.layer = layer;
                        this.update();
                    }),
                );
            }
        }
        result.push(
            segmented("Direction", DIRECTIONS, "both", (direction) => {
                this.direction = direction;
                this.update();
            }),
        );
        result.push(
            this.colourBox,
            this.fileBox,
            zoomButtons(() => this.plot, "timeline"),
        );
        return result;
    }

    /** Choices that need the requests come when they are there. */
    private fillChoices(): void {
        const files = this.scene.topFiles.slice(0, LISTED_FILES);
        const options = files.map((file) => [String(file), visible(this.info.names[file] ?? "")] as const);
        const all = this.rows === "ranks" ? [["-1", allFiles(this.info.names.length)] as const] : [];
        this.fileBox.replaceChildren(
            select("File", [...all, ...options], String(this.onlyFile), (value) => {
                this.onlyFile = Number(value);
                this.fileByDefault = false;
                this.update();
            }),
        );
        const choices: (readonly [ColourBy, string])[] =
            this.rows === "offsets"
                ? [
                      ["file", "Rank"],
                      ["direction", "Direction"],
                  ]
                : [
                      ["direction", "Direction"],
                      ["layer", "Layer"],
                      ["size", "Size"],
                      ["file", "File"],
                  ];
        const offered = choices.filter(([by]) => by !== "layer" || this.scene.present === 3);
        if (!offered.some(([by]) => by === this.scene.by)) this.scene.by = offered[0]![0];
        this.colourBox.replaceChildren(
            select("Colour", offered, this.scene.by, (by) => {
                this.scene.by = by;
                this.plot.resize();
            }),
        );
    }

    private whenSeen(element: HTMLElement): IntersectionObserver {
        const observer = new IntersectionObserver(
            (entries) => {
                if (entries.some((entry) => entry.isIntersecting)) void this.load();
            },
            { rootMargin: "400px" },
        );
        observer.observe(element);
        return observer;
    }

    private async load(): Promise<void> {
        if (this.loading || !this.shell.trace) return;
        this.loading = true;
        this.observer?.disconnect();
        try {
            const buffer = await this.shell.trace();
            const index = new TraceIndex(decodeTrace(buffer, this.info.embedded, this.info.columns), this.scene.ranks);
            setIndex(this.scene, index);
            if (index.ranks > this.rankView.y.max)
                this.rankView.y = this.plot.y = new Range(0, index.ranks, Math.min(index.ranks, 2));
            this.fillChoices();
            this.update();
            if (this.wanted) this.target(this.wanted);
        } catch (error) {
            const why = error instanceof Error ? error.message : String(error);
            this.status.textContent = `The requests cannot be shown one by one (${why}).`;
        }
    }

    private update(): void {
        const { scene } = this;
        if (this.rows === "offsets" && this.onlyFile < 0 && scene.topFiles.length > 0) {
            this.onlyFile = scene.topFiles[0]!;
            this.fileByDefault = true;
            this.fillChoices();
        }
        scene.version += 1;
        scene.filter.kinds = kindsOf(this.direction, this.layer);
        scene.filter.files = null;
        if (this.onlyFile >= 0) {
            scene.filter.files = new Uint8Array(this.info.names.length);
            scene.filter.files[this.onlyFile] = 1;
        }
        const file = this.rows === "offsets" && scene.index ? this.onlyFile : -1;
        if (file !== scene.file) this.setFile(file);
        this.frame.setSummary(this.sentence());
        this.plot.point(null);
        this.plot.resize();
        this.say();
    }

    /** Changes between the view by ranks (-1) and the offsets of a file; the time range stays. */
    private setFile(file: number): void {
        const { scene } = this;
        const kind = scene.file < 0 !== file < 0;
        scene.file = file;
        this.plot.highlight = null;
        if (file < 0) this.plot.y = this.rankView.y;
        else {
            this.painter.positions = positionsOf(scene.index!, file);
            let end = 1;
            for (const i of this.painter.positions) {
                const row = scene.index!.row[i]!;
                end = Math.max(end, scene.index!.trace.offset[row]! + scene.index!.trace.length[row]!);
            }
            this.plot.y = new Range(0, end, Math.min(end, 512));
        }
        if (kind) scene.by = file < 0 ? "direction" : "file";
        this.fillChoices();
    }

    private sentence(): string {
        const { info, scene } = this;
        const files = plural(info.names.length, "file");
        if (scene.file >= 0) {
            const name = visible(info.names[scene.file] ?? "");
            const requests = plural(this.painter.positions.length, "request");
            return `${name}: ${requests} by time and offset, ${bytes(scene.fileBytes[scene.file] ?? 0)} in all.`;
        }
        const ranks = plural(this.page.job.processes || scene.ranks, "rank");
        return (
            `${plural(info.requests, "traced request")} of ${ranks} on ${files}, by time and rank. `
            + "The stronger the colour, the longer a rank was busy."
        );
    }

    private say(): void {
        const { info, scene } = this;
        const many = `Overview: ${plural(info.requests, "request")} are too many for this page.`;
        if (scene.index) this.status.textContent = usage(", a click opens the file");
        else if (info.embedded > 0 && this.shell.trace)
            this.status.textContent = "Overview; the requests themselves are being loaded.";
        else this.status.textContent = `${many} \`iolite trace\` lists them. ${usage()}`;
    }

    private open(at: Point, slack: Point): void {
        const found = requestsAt(this.scene, this.painter, at, slack);
        if (found.length === 0) return;
        const file = this.scene.index!.file[nearest(this.scene, found, at)]!;
        const id = this.page.files?.columns.id[this.info.files[file] ?? -1];
        if (id !== undefined) this.shell.openFile(id);
    }

    private target(target: Target): boolean {
        if (target.kind !== "time" && target.kind !== "rank") return false;
        if (!this.scene.index && this.info.embedded > 0 && this.shell.trace) {
            this.wanted = target;
            void this.load();
        } else this.wanted = null;
        if (this.scene.file >= 0) return target.kind === "time" && this.showTime(target.t0, target.t1);
        if (target.kind === "time") return this.showTime(target.t0, target.t1, target.ranks);
        if (target.rank < 0 || target.rank >= this.scene.ranks) return false;
        this.plot.show({ x0: this.plot.x.min, x1: this.plot.x.max, y0: target.rank, y1: target.rank + 1 });
        return true;
    }

    private showTime(t0: number, t1: number, ranks?: [number, number]): boolean {
        this.plot.show({ x0: t0, x1: t1, ...(ranks ? { y0: ranks[0], y1: ranks[1] + 1 } : {}) });
        return true;
    }

    destroy(): void {
        this.observer?.disconnect();
        this.plot.destroy();
    }
}

function lastBin(info: TraceInfo): number {
    let last = 0;
    for (const cells of [info.binned.read, info.binned.write]) for (const bin of cells.bin) if (bin > last) last = bin;
    return last * info.binned.bin_width;
}

export const view: View = {
    id: "timeline",
    title: "Timeline of requests",
    short: "Timeline",
    applies: (page) => (page.trace?.requests ?? 0) > 0,
    missing: () =>
        "No single requests were traced. `iolite run --trace` (or DXT_ENABLE_IO_TRACE=1) records each "
        + "with its time, offset and length.",
    mount: (element, page, shell) => {
        const timeline = new Timeline(element, page, shell, page.trace!);
        return { destroy: () => timeline.destroy() };
    },
};
