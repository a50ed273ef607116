// Parts of a page of which one is shown at a time. Which one is in the address, so that a link leads to it; each is filled
// when it is first looked at. Paper has those that were.
import { h } from "../lib/dom";
import { none, sorry } from "./parts";

export interface Tab {
    id: string;
    title: string;
    fill: (into: HTMLElement) => Promise<void> | void;
}

export interface Tabs {
    element: HTMLElement;
    /** Shows a tab, and gives its place once that is filled. */
    open(id: string): Promise<HTMLElement>;
}

const inAddress = (): string => /^#tab=([a-z-]+)/.exec(location.hash)?.[1] ?? "";

/** A tab whose button has the focus is left by the arrow keys, as in every list of tabs. */
function followArrows(list: HTMLElement): void {
    list.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        const buttons = [...list.querySelectorAll<HTMLButtonElement>("button")];
        const at = buttons.findIndex((one) => one === document.activeElement);
        if (!step || at < 0) return;
        event.preventDefault();
        const next = buttons[(at + step + buttons.length) % buttons.length]!;
        next.focus();
        next.click();
    });
}

export function tabs(label: string, all: Tab[]): Tabs {
    const places = new Map<string, HTMLElement>();
    const filled = new Map<string, Promise<HTMLElement>>();
    const buttons = new Map<string, HTMLButtonElement>();
    const list = h("div", { class: "p-tabs", role: "tablist", "aria-label": label });
    const element = h("div", {}, list);

    function fill(tab: Tab): Promise<HTMLElement> {
        const place = places.get(tab.id)!;
        place.setAttribute("aria-busy", "true");
        return Promise.resolve()
            .then(() => tab.fill(place))
            .catch((error: unknown) => place.append(sorry(error)))
            .then(() => {
                if (!place.hasChildNodes()) place.append(none("There is nothing here."));
                place.removeAttribute("aria-busy");
                return place;
            });
    }

    function open(id: string): Promise<HTMLElement> {
        const tab = all.find((one) => one.id === id) ?? all[0]!;
        for (const [name, button] of buttons) {
            const chosen = name === tab.id;
            button.setAttribute("aria-selected", String(chosen));
            button.tabIndex = chosen ? 0 : -1;
            places.get(name)!.hidden = !chosen;
        }
        const before = filled.get(tab.id) ?? fill(tab);
        filled.set(tab.id, before);
        return before;
    }

    for (const tab of all) {
        const button = h("button", {
            type: "button",
            role: "tab",
            id: `tab-${tab.id}`,
            "aria-controls": `panel-${tab.id}`,
            onclick: () => {
                history.replaceState(history.state, "", `#tab=${tab.id}`);
                void open(tab.id);
            },
        });
        button.textContent = tab.title;
        buttons.set(tab.id, button);
        places.set(
            tab.id,
            h("div", {
                class: "p-panel p-body",
                role: "tabpanel",
                id: `panel-${tab.id}`,
                "aria-labelledby": `tab-${tab.id}`,
                tabindex: "0",
                hidden: true,
            }),
        );
        list.append(button);
    }
    element.append(...places.values());
    followArrows(list);
    addEventListener("hashchange", () => {
        if (inAddress()) void open(inAddress());
    });
    void open(/^#file=/.test(location.hash) ? "files" : inAddress());
    return { element, open };
}
