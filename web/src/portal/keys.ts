// The keyboard: "/" searches, j and k walk through rows, Enter opens, "g" and a letter go to a page, "?" says so.
import { h } from "../lib/dom";
import { jobPath, list, prefix, type Job } from "./api";

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

/** The box that every page has: an id that is a job's leads to the job, anything else to the list. */
export function startJump(): void {
    const form = document.querySelector<HTMLFormElement>("header form.p-jump");
    const box = form?.querySelector<HTMLInputElement>("input[name=q]");
    form?.addEventListener("submit", (event) => {
        const wanted = box?.value.trim();
        if (!wanted) return;
        event.preventDefault();
        const search = (): void => void (location.href = `${prefix}/jobs?q=${encodeURIComponent(wanted)}`);
        list<Job>("/jobs", { q: wanted, limit: 20 }).then(({ items }) => {
            const job = items.find((one) => one.jobid === wanted);
            if (job) location.href = jobPath(job);
            else search();
        }, search);
    });
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

/** Rows of a table, one of which is chosen; Enter opens it. */
export function walkRows(rows: { choose(index: number): void; chosen(): number }, open: (index: number) => void): void {
    document.addEventListener("keydown", (event) => {
        if (isTyping(event)) return;
        if (event.key === "j") rows.choose(rows.chosen() + 1);
        else if (event.key === "k") rows.choose(rows.chosen() - 1);
        else if (event.key === "Enter" && event.target === document.body && rows.chosen() >= 0) open(rows.chosen());
    });
}
