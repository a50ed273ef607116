// Elements from code. Data only ever becomes text nodes and attributes, so no name in a log can become markup.

export type Child = Node | string | number | null | undefined | false | Child[];
export type Attributes = Record<string, string | number | boolean | null | undefined | EventListener>;

const svgNamespace = "http://www.w3.org/2000/svg";

function apply(element: Element, attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
        else element.setAttribute(name, value === true ? "" : String(value));
    }
}

export function append(parent: Node, ...children: Child[]): void {
    for (const child of children) {
        if (Array.isArray(child)) append(parent, ...child);
        else if (child instanceof Node) parent.appendChild(child);
        else if (child !== null && child !== undefined && child !== false)
            parent.appendChild(document.createTextNode(String(child)));
    }
}

/** An HTML element. Attributes that are functions are listeners: `{onclick: () => ...}`. */
export function h<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[Name] {
    const element = document.createElement(name);
    apply(element, attributes);
    append(element, ...children);
    return element;
}

/** The same for SVG. */
export function svg<Name extends keyof SVGElementTagNameMap>(
    name: Name,
    attributes: Attributes = {},
    ...children: Child[]
): SVGElementTagNameMap[Name] {
    const element = document.createElementNS(svgNamespace, name);
    apply(element, attributes);
    append(element, ...children);
    return element;
}

/** A sentence in which `backticks` mark code. */
export function prose(text: string): Child[] {
    return text.split("`").map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));
}

export function clear(element: Element): void {
    element.replaceChildren();
}

let lastId = 0;
/** An id that no other element of the document has, to tie labels to what they label. */
export function uniqueId(prefix: string): string {
    lastId += 1;
    return `io-${prefix}-${lastId}`;
}
