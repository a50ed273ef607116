// The keyboard: "/" searches, j and k walk through rows, Enter opens, "g" and a letter go to a page, "?" says so.
import { h } from "../lib/dom";
import { prefix } from "./api";

const pages: Record<string, [string, string]> = {
    h: ["/", "Home"],
    j: ["/jobs", "Jobs"],
    p: ["/programs", "Programs"],
    s: ["/scoreboard", "Scoreboard"],
    f: ["/fs", "File systems"],
    c: ["/compare", "Compare"],
    a: ["/admin", "Admin"],
};

const isTyping = (event: KeyboardEvent): boolean =>
    event.ctrlKey
    || event.metaKey
    || event.altKey
    || (event.target instanceof HTMLElement && event.target.closest("input, select, textarea") !== null);

function help(): HTMLDialogElement {
    const line = (keys: string, does: string): HTMLElement[] => [h("dt", {}, h("kbd", {}, keys)), h("dd", {}, does)];
    const dialog = h(
        "dialog",
        { class: "p-keys", "aria-label": "Keys" },
        h("h2", {}, "Keys"),
        h(
            "dl",
            {},
            line("/", "search"),
            line("j, k", "next and previous row"),
            line("Enter", "open the row"),
            ...Object.entries(pages).map(([key, [, name]]) => line(`g ${key}`, name)),
            line("?", "this help"),
        ),
        h("form", { method: "dialog" }, h("button", { class: "p-tool" }, "Close")),
    );
    dialog.addEventListener("close", () => dialog.remove());
    return dialog;
}

export function startKeys(): void {
    let going = false;
    document.addEventListener("keydown", (event) => {
        if (isTyping(event)) return;
        const to = going ? pages[event.key] : undefined;
        going = event.key === "g";
        if (to) location.href = prefix + to[0];
        else if (event.key === "?") {
            const dialog = help();
            document.body.append(dialog);
            dialog.showModal();
        } else if (event.key === "/") {
            const search = document.querySelector<HTMLInputElement>("main input[type=search]");
            if (!search) return;
            event.preventDefault();
            search.focus();
        }
    });
}

/** Rows of a table, one of which is chosen; rows may be drawn again meanwhile. */
export function walkRows(body: HTMLTableSectionElement): void {
    let at = -1;
    const choose = (index: number): void => {
        const rows = [...body.rows];
        at = Math.max(0, Math.min(index, rows.length - 1));
        rows.forEach((row, number) => row.classList.toggle("p-chosen", number === at));
        rows[at]?.scrollIntoView({ block: "nearest" });
    };
    document.addEventListener("keydown", (event) => {
        if (isTyping(event)) return;
        if (event.key === "j") choose(at + 1);
        else if (event.key === "k") choose(at - 1);
        else if (event.key === "Enter" && event.target === document.body && at >= 0)
            body.rows[at]?.querySelector("a")?.click();
    });
}
