// A piece of code to copy. Where the clipboard is not to be had (some browsers, pages from disk), the text is selected.
import { h } from "./dom";

async function copy(code: HTMLElement, button: HTMLElement): Promise<void> {
    try {
        await navigator.clipboard.writeText(code.textContent ?? "");
        button.textContent = "Copied";
    } catch {
        getSelection()?.selectAllChildren(code);
        button.textContent = "Selected";
    }
    setTimeout(() => (button.textContent = "Copy"), 1500);
}

const languages: Record<string, string> = {
    sh: "Shell",
    c: "C",
    fortran: "Fortran",
    python: "Python",
    ini: "Settings",
    text: "Text",
    romio: "ROMIO hints",
};

export function codeBlock(language: string, text: string): HTMLElement {
    const code = h("code", {}, text.replace(/\n$/, ""));
    const button = h("button", { type: "button", class: "io-tool", onclick: () => void copy(code, button) }, "Copy");
    return h(
        "div",
        { class: "io-code" },
        h("div", { class: "io-code-head" }, h("span", {}, languages[language] ?? language), button),
        h("pre", { tabindex: 0 }, code),
    );
}
