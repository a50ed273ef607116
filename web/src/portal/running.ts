// Running jobs. The server draws these pages; here they are fetched again every few seconds, while somebody looks. What a
// reader has chosen stays: the order of rows, the link under the keyboard, and whether the page stands still.
import { h } from "../lib/dom";
import { sortable } from "./sortable";

const seconds = 3;

/** The chosen order of a table, as the index of its column and the direction. */
const orderOf = (table: HTMLTableElement): { column: number; direction: string } | null => {
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
    const column = heads.findIndex((head) => head.hasAttribute("aria-sort"));
    return column < 0 ? null : { column, direction: heads[column]!.getAttribute("aria-sort")! };
};

function applyOrder(table: HTMLTableElement, order: { column: number; direction: string } | null): void {
    const head = order && table.tHead?.rows[0]?.cells[order.column];
    for (let tries = 0; head && tries < 2 && head.getAttribute("aria-sort") !== order.direction; tries += 1)
        head.querySelector("button")?.click();
}

/** Puts what the server has drawn anew into the place of what is there. */
function replacePart(old: Element, fresh: Element): void {
    const orders = [...old.querySelectorAll("table")].map(orderOf);
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    const href = focused?.getAttribute("href");
    old.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
    old.querySelectorAll("table").forEach((table, index) => {
        sortable(table);
        applyOrder(table, orders[index] ?? null);
    });
    if (href) old.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus();
}

/** Keeps a part of the page, named by its id, up to date. */
function keepFresh(main: HTMLElement, id: string): void {
    const part = document.getElementById(id);
    if (!part) return;
    let paused = false;
    const state = h("span", { class: "io-muted", role: "status" });
    const button = h(
        "button",
        {
            type: "button",
            class: "io-tool",
            "aria-pressed": "false",
            onclick: () => {
                paused = !paused;
                button.setAttribute("aria-pressed", String(paused));
                state.textContent = paused ? "It stands still." : "";
            },
        },
        "Pause",
    );
    part.before(h("p", { id: "fresh" }, button, " ", state));
    const refresh = async (): Promise<void> => {
        if (paused || document.hidden) return;
        const answer = await fetch(location.href, { credentials: "same-origin", cache: "no-store" });
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = page.getElementById(id);
        if (paused) return;
        if (fresh) {
            replacePart(part, fresh);
            state.textContent = "";
            main.dataset["looks"] = String(Number(main.dataset["looks"] ?? 0) + 1);
        } else {
            state.textContent = answer.status === 404 ? "The job has ended, or its nodes tell no more of it." : "";
        }
    };
    const timer = setInterval(() => {
        refresh().catch(() => (state.textContent = "The server does not answer; these are its last figures."));
    }, seconds * 1000);
    addEventListener("pagehide", () => clearInterval(timer));
}

export const enhanceRunning = (main: HTMLElement): void => keepFresh(main, "running");
export const enhanceRunningJob = (main: HTMLElement): void => keepFresh(main, "running-job");
