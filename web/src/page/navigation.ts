// The list of sections: beside the page where there is room, on top of it where there is not. It follows the reader.
import { h } from "../lib/dom";
import type { Group } from "./views";

export function navigation(groups: Group[]): { element: HTMLElement; watch(sections: HTMLElement[]): () => void } {
    const links = new Map<string, HTMLAnchorElement>();
    const element = h(
        "nav",
        { class: "io-nav", "aria-label": "Sections" },
        groups.map((group) =>
            h(
                "div",
                { class: "io-nav-group" },
                h("span", { class: "io-nav-title" }, group.title),
                h(
                    "ul",
                    {},
                    group.views.map((view) => {
                        const link = h("a", { href: `#${view.id}` }, view.short ?? view.title);
                        links.set(view.id, link);
                        return h("li", {}, link);
                    }),
                ),
            ),
        ),
    );
    return { element, watch: (sections) => watch(element, links, sections) };
}

function watch(element: HTMLElement, links: Map<string, HTMLAnchorElement>, sections: HTMLElement[]): () => void {
    let current: HTMLAnchorElement | undefined;
    const mark = (): void => {
        // The last section that begins in the upper third is the one being read.
        const line = innerHeight / 3;
        const reading = sections.filter((section) => section.getBoundingClientRect().top < line).at(-1) ?? sections[0];
        const link = reading && links.get(reading.id);
        if (link === current) return;
        current?.removeAttribute("aria-current");
        current = link;
        current?.setAttribute("aria-current", "true");
        if (current && element.scrollWidth > element.clientWidth)
            element.scrollTo({ left: current.offsetLeft - element.clientWidth / 2 });
    };
    let asked = 0;
    const onScroll = (): void => {
        if (asked) return;
        asked = requestAnimationFrame(() => {
            asked = 0;
            mark();
        });
    };
    addEventListener("scroll", onScroll, { passive: true });
    mark();
    return () => {
        removeEventListener("scroll", onScroll);
        cancelAnimationFrame(asked);
    };
}
