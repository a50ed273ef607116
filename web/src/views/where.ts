// Which lines of code did the I/O: an icicle graph. Callers are above what they call, widths are time, bytes or calls.
import { segmented, select } from "../lib/controls";
import { clear, h } from "../lib/dom";
import { figure } from "../lib/figure";
import { bytes, count, percent, plural, seconds, visible } from "../lib/format";
import type { Page, Where } from "../page/document";
import type { View } from "../page/view";
import { choicesOf, found, frameText, treeOf, type Choice, type Measure, type Node } from "./where-data";

const measures = [
    ["time", "Time"],
    ["bytes", "Bytes"],
    ["calls", "Calls"],
] as const;
const listedFiles = 200;
const leastShare = 0.002;

function measured(measure: Measure, value: number): string {
    return measure === "time" ? seconds(value) : measure === "bytes" ? bytes(value) : plural(value, "call");
}

function rowsOf(where: Where, root: Node): (string | number | null)[][] {
    const rows: (string | number | null)[][] = [];
    const visit = (node: Node): void => {
        if (node.frame >= 0)
            rows.push([node.depth, visible(frameText(where.frames[node.frame])), node.time, node.bytes, node.calls]);
        node.children.forEach(visit);
    };
    visit(root);
    return rows;
}

class Graph {
    choice: Choice = { measure: "time", file: null, rank: null };
    search = "";
    root: Node;
    top: Node;
    readonly body = h("div", { class: "io-icicle" });
    readonly note = h("p", { class: "io-note", "aria-live": "polite" });

    constructor(readonly where: Where) {
        this.root = this.top = treeOf(where, this.choice);
        this.draw();
    }

    choose(change: Partial<Choice>): void {
        this.choice = { ...this.choice, ...change };
        this.root = this.top = treeOf(this.where, this.choice);
        this.draw();
    }

    hit(frame: number): boolean {
        return this.search !== "" && frameText(this.where.frames[frame]).toLowerCase().includes(this.search);
    }

    text(node: Node): string {
        return node.frame < 0 ? "All" : visible(frameText(this.where.frames[node.frame]));
    }

    private cell(node: Node, of: Node): HTMLElement {
        const { measure } = this.choice;
        const share = of[measure] > 0 ? node[measure] / of[measure] : 0;
        const whole = this.root[measure] > 0 ? node[measure] / this.root[measure] : 0;
        const what = `${this.text(node)}: ${measured(measure, node[measure])}, ${percent(whole)}`;
        const frame = this.where.frames[node.frame];
        const classes = ["io-icicle-cell"];
        if (frame?.system) classes.push("io-icicle-system");
        if (node.frame >= 0 && this.hit(node.frame)) classes.push("io-icicle-hit");
        const path = frame?.file ? `\n${visible(frame.file)}` : "";
        return h(
            "div",
            { class: "io-icicle-column", style: `width: ${(100 * share).toFixed(3)}%` },
            h(
                "button",
                {
                    type: "button",
                    class: classes.join(" "),
                    title: what + path,
                    "aria-label": what,
                    onclick: () => this.zoom(node === this.top ? (node.parent ?? node) : node),
                },
                this.text(node),
            ),
            h(
                "div",
                { class: "io-icicle-row" },
                node.children
                    .filter((child) => child[measure] > leastShare * this.top[measure])
                    .map((child) => this.cell(child, node)),
            ),
        );
    }

    zoom(node: Node): void {
        this.top = node;
        this.draw();
        this.body.querySelector("button")?.focus();
    }

    draw(): void {
        const { measure } = this.choice;
        clear(this.body);
        if (this.root[measure] > 0) this.body.append(this.cell(this.top, this.top));
        else this.body.append(h("p", { class: "io-note" }, "Nothing of this kind was done."));
        const matched = found(this.root, measure, (frame) => this.hit(frame));
        this.note.textContent = this.search
            ? `Found: ${measured(measure, matched)}, ${percent(this.root[measure] > 0 ? matched / this.root[measure] : 0)}.`
            : this.top === this.root
              ? "Choose a frame to see what is below it alone."
              : "Choose the uppermost frame to go back.";
    }
}

function controlsOf(graph: Graph): HTMLElement[] {
    const { files, ranks } = choicesOf(graph.where);
    const search = h("input", {
        type: "search",
        placeholder: "function or file",
        oninput: () => {
            graph.search = search.value.trim().toLowerCase();
            graph.draw();
        },
    });
    const controls: HTMLElement[] = [
        segmented("Width", measures, "time", (measure) => graph.choose({ measure })),
        h("label", { class: "io-select" }, h("span", {}, "Search"), search),
    ];
    if (files.length > 1)
        controls.push(
            select(
                "File",
                [["", "all"], ...files.slice(0, listedFiles).map((file) => [`=${file}`, visible(file)] as const)],
                "",
                (file) => graph.choose({ file: file ? file.slice(1) : null }),
            ),
        );
    if (ranks.length > 1)
        controls.push(
            select("Rank", [["", "all"], ...ranks.map((rank) => [String(rank), String(rank)] as const)], "", (rank) =>
                graph.choose({ rank: rank ? Number(rank) : null }),
            ),
        );
    return controls;
}

/** The frame that did most itself, and what is not known. */
export function whereSentences(where: Where, root: Node): string[] {
    let worst: Node | null = null;
    let most = -1;
    const visit = (node: Node): void => {
        const own = node.time - node.children.reduce((sum, child) => sum + child.time, 0);
        if (node.frame >= 0 && own > most) {
            most = own;
            worst = node;
        }
        node.children.forEach(visit);
    };
    visit(root);
    const sentences = [];
    if (worst)
        sentences.push(
            `Most time is in ${visible(frameText(where.frames[(worst as Node).frame]))}: ${seconds(most)}, `
                + `${percent(root.time > 0 ? most / root.time : 0)} of the time in calls of all processes.`,
        );
    if (where.folded > 0)
        sentences.push(`${count(where.folded)} chains or files had no room of their own and count together.`);
    return sentences;
}

function mount(element: HTMLElement, page: Page): { destroy?(): void } {
    const where = page.where!;
    const graph = new Graph(where);
    const frame = figure(element, {
        title: "Callers and calls",
        summary: whereSentences(where, graph.root).join(" "),
        name: `${page.job.program ?? "job"}-lines`,
        interactive: true,
        controls: controlsOf(graph),
        table: () => ({ columns: ["depth", "frame", "time", "bytes", "calls"], rows: rowsOf(where, graph.root) }),
    });
    frame.body.append(graph.body, graph.note);
    return {};
}

export const view: View = {
    id: "where",
    title: "Lines of code",
    short: "Lines of code",
    applies: (page) => (page.where?.rows.rows ?? 0) > 0,
    mount,
};
