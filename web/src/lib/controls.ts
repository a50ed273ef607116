// Small controls: a choice of a few as a row of radio buttons, a list, a tick.
import { h, uniqueId } from "./dom";

export type Choice<Value extends string> = readonly [value: Value, text: string];

/** One of a few, as buttons side by side. Arrow keys move, as in every radio group. */
export function segmented<Value extends string>(
    label: string,
    choices: readonly Choice<Value>[],
    initial: Value,
    onChange: (value: Value) => void,
): HTMLElement {
    const name = uniqueId("choice");
    return h(
        "div",
        { class: "io-segmented", role: "radiogroup", "aria-label": label },
        choices.map(([value, text]) => {
            const input = h("input", {
                type: "radio",
                name,
                value,
                checked: value === initial,
                onchange: () => onChange(value),
            });
            return h("label", {}, input, h("span", {}, text));
        }),
    );
}

export function select<Value extends string>(
    label: string,
    choices: readonly Choice<Value>[],
    initial: Value,
    onChange: (value: Value) => void,
): HTMLElement {
    const list = h(
        "select",
        { onchange: () => onChange(list.value as Value) },
        choices.map(([value, text]) => h("option", { value, selected: value === initial }, text)),
    );
    return h("label", { class: "io-select" }, h("span", {}, label), list);
}

export function checkbox(label: string, initial: boolean, onChange: (value: boolean) => void): HTMLElement {
    const input = h("input", { type: "checkbox", checked: initial, onchange: () => onChange(input.checked) });
    return h("label", { class: "io-checkbox" }, input, h("span", {}, label));
}
