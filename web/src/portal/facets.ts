// What the jobs of a list have in common, with counts: a click narrows the list down, another undoes it. Counts come after the
// rows, and are of what this viewer may see.
import { h, type Child } from "../lib/dom";
import * as format from "../lib/format";
import type { Facet } from "./answers";
import { list, type Params } from "./api";

const titles: [string, string][] = [
    ["state", "State"],
    ["exe", "Program"],
    ["user", "User"],
    ["account", "Account"],
    ["finding", "Finding"],
    ["min_lost", "Time lost"],
    ["fs", "File system"],
    ["month", "Started in"],
];

const words: Partial<Record<string, (value: string) => string>> = {
    min_lost: (value) => `at least ${format.seconds(Number(value))}`,
    month: (value) => `${value.slice(0, 4)}-${value.slice(4)}`,
};

export const facetWord = (facet: string, value: string): string => words[facet]?.(value) ?? format.visible(value);

/** More than were counted. */
export const jobsText = (one: Facet): string => format.count(one.jobs) + (one.capped ? "+" : "");

export interface FacetPanel {
    element: HTMLElement;
    refresh(question: Params): Promise<Facet | null>;
}

export function facetPanel(
    chosen: (facet: string) => string,
    choose: (facet: string, value: string) => void,
): FacetPanel {
    const body = h("div", { class: "p-facets" });
    const element = h("details", { class: "p-facet-box" }, h("summary", {}, "Narrow down"), body);
    (element as HTMLDetailsElement).open = innerWidth >= 1000;
    let asked: AbortController | null = null;

    function value(one: Facet): Child {
        const pressed = chosen(one.facet) === one.value;
        const text = facetWord(one.facet, one.value);
        return h(
            "li",
            {},
            h(
                "button",
                {
                    type: "button",
                    "aria-pressed": String(pressed),
                    title: text.length > 20 ? text : null,
                    onclick: () => choose(one.facet, pressed ? "" : one.value),
                },
                h("span", {}, text),
                h("span", { class: "p-count" }, jobsText(one)),
            ),
        );
    }

    function group([facet, title]: [string, string], all: Facet[]): Child {
        const own = all.filter((one) => one.facet === facet);
        const set = chosen(facet);
        const missing = set && !own.some((one) => one.value === set);
        if (own.length < 2 && !set) return null;
        return h(
            "section",
            {},
            h("h2", {}, title),
            h(
                "ul",
                {},
                missing
                    && h(
                        "li",
                        {},
                        h(
                            "button",
                            { type: "button", "aria-pressed": "true", onclick: () => choose(facet, "") },
                            h("span", {}, facetWord(facet, set)),
                        ),
                    ),
                own.map(value),
            ),
        );
    }

    return {
        element,
        async refresh(question) {
            asked?.abort();
            asked = new AbortController();
            try {
                const { items } = await list<Facet>("/facets", question, asked.signal);
                body.replaceChildren();
                for (const title of titles) {
                    const made = group(title, items);
                    if (made instanceof Node) body.append(made);
                }
                return items.find((one) => one.facet === "all") ?? null;
            } catch {
                return null; // the list itself says what is wrong
            }
        },
    };
}
