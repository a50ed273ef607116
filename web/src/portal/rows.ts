// Rows of a long table of which only those near the screen are in the document. Rows have one height; two empty rows stand
// for those above and below. The page itself scrolls, so that a table of any length behaves like a short one.
import { h } from "../lib/dom";

const beyond = 20;
const usualHeight = 35;

export interface Rows<Item> {
    show(items: Item[]): void;
    /** Brings a row into view and marks it. */
    choose(index: number): void;
    chosen(): number;
}

export function virtualRows<Item>(
    body: HTMLTableSectionElement,
    row: (item: Item, index: number) => HTMLTableRowElement,
    nearEnd: () => void,
): Rows<Item> {
    let items: Item[] = [];
    let height = usualHeight;
    let drawn = "";
    let chosen = -1;
    let waiting = false;

    const spacer = (rows: number): HTMLTableRowElement =>
        h(
            "tr",
            { class: "p-spacer", "aria-hidden": "true" },
            h("td", { colspan: 99, style: `height:${rows * height}px` }),
        );

    function draw(again = false): void {
        const top = body.getBoundingClientRect().top;
        const first = Math.max(0, Math.floor(-top / height) - beyond);
        const last = Math.min(items.length, Math.ceil((innerHeight - top) / height) + beyond);
        const from = Math.min(first, Math.max(0, items.length - 1));
        if (!again && drawn === `${from} ${last}`) return;
        drawn = `${from} ${last}`;
        const shown = items.slice(from, last).map((item, at) => {
            const made = row(item, from + at);
            made.setAttribute("aria-rowindex", String(from + at + 2));
            made.classList.toggle("p-chosen", from + at === chosen);
            return made;
        });
        body.replaceChildren(
            ...(from > 0 ? [spacer(from)] : []),
            ...shown,
            ...(last < items.length ? [spacer(items.length - last)] : []),
        );
        if (last + beyond >= items.length) nearEnd();
    }

    function later(): void {
        if (waiting) return;
        waiting = true;
        requestAnimationFrame(() => {
            waiting = false;
            draw();
        });
    }
    addEventListener("scroll", later, { passive: true });
    addEventListener("resize", later, { passive: true });

    return {
        show(next) {
            items = next;
            if (chosen >= items.length) chosen = -1;
            draw(true);
            const real = body.querySelector<HTMLElement>("tr:not(.p-spacer)")?.offsetHeight ?? 0;
            if (real && Math.abs(real - height) > 0.5) {
                height = real;
                draw(true);
            }
        },
        choose(index) {
            chosen = Math.max(0, Math.min(index, items.length - 1));
            const top = body.getBoundingClientRect().top + chosen * height;
            if (top < 60) scrollBy(0, top - 60);
            else if (top + height > innerHeight) scrollBy(0, top + height - innerHeight + 10);
            draw(true);
        },
        chosen: () => chosen,
    };
}
