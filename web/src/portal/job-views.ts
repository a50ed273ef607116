// Which columns the list of jobs has, and lists that were kept under a name. A view is its address: it can be mailed.
import { h } from "../lib/dom";
import * as format from "../lib/format";
import { jobColumns, type JobColumn } from "./answers";
import { prefix } from "./api";

/** In the order of the table; the usual ones where none are named. */
export function chosenColumns(named: string): JobColumn[] {
    const keys = named.split(",");
    const found = jobColumns.filter((column) => keys.includes(column.key));
    return found.length ? found : jobColumns.filter((column) => column.usual);
}

const menu = (title: string, ...children: (Node | string)[]): HTMLDetailsElement =>
    h("details", { class: "p-menu" }, h("summary", { class: "p-tool" }, title), h("div", {}, ...children));

export function columnMenu(now: () => JobColumn[], changed: (named: string) => void): HTMLElement {
    const boxes = jobColumns.map((column) => {
        const box = h("input", { type: "checkbox", value: column.key });
        box.checked = now().includes(column);
        box.addEventListener("change", () => {
            const keys = boxes.filter((one) => one.box.checked).map((one) => one.box.value);
            const usual = jobColumns.filter((one) => one.usual).map((one) => one.key);
            changed(keys.join() === usual.join() ? "" : keys.join());
        });
        return { box, label: column.label };
    });
    return menu("Columns", ...boxes.map(({ box, label }) => h("label", {}, box, ` ${label}`)));
}

// Views --------------------------------------------------------------------------------------------------------------

interface Kept {
    name: string;
    query: string;
}

const key = "iolite-views";

function read(): Kept[] {
    try {
        const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
        return Array.isArray(kept) ? (kept as Kept[]).filter((one) => one.name && typeof one.query === "string") : [];
    } catch {
        return []; // nothing is kept, or not by us
    }
}

function write(kept: Kept[]): void {
    try {
        localStorage.setItem(key, JSON.stringify(kept));
    } catch {
        // a browser that keeps nothing
    }
}

export function viewMenu(): HTMLElement {
    const kept = h("ul", {});
    const name = h("input", { placeholder: "Name of this view", "aria-label": "Name of this view", size: 20 });
    const draw = (): void =>
        kept.replaceChildren(
            ...read().map((one) =>
                h(
                    "li",
                    {},
                    h("a", { href: `${prefix}/jobs${one.query}` }, format.visible(one.name)),
                    h(
                        "button",
                        {
                            type: "button",
                            class: "io-tool",
                            "aria-label": `Remove the view ${format.visible(one.name)}`,
                            onclick: () => {
                                write(read().filter((other) => other.name !== one.name));
                                draw();
                            },
                        },
                        "\u00d7",
                    ),
                ),
            ),
        );
    const form = h("form", {}, name, h("button", {}, "Save"));
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const text = name.value.trim();
        if (!text) return;
        write([...read().filter((one) => one.name !== text), { name: text, query: location.search }]);
        name.value = "";
        draw();
    });
    draw();
    return menu("Views", kept, form, h("p", { class: "io-muted" }, "A view is its address: mail it as it is."));
}
