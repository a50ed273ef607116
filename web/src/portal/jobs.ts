// The list of jobs: found while typing, sorted, with each program's history beside it; new jobs appear by themselves. The
// server has drawn the same table already, so nothing is missing without this.
import { clear, h } from "../lib/dom";
import * as format from "../lib/format";
import { address, list, type Job, type Program } from "./api";
import { sparkline } from "./draw";
import * as when from "./when";
import { jobLink, programLink, userLink } from "./parts";

const patience = 30_000;

export function enhanceJobs(main: HTMLElement): void {
    const form = main.querySelector("form");
    const shown = main.querySelector("table");
    const search = form?.querySelector<HTMLInputElement>("input[name=q]");
    const order = form?.querySelector<HTMLSelectElement>("select[name=sort]");
    const logged = form?.querySelector<HTMLSelectElement>("select[name=has_log]");
    const body = shown?.tBodies[0];
    if (!form || !shown || !body || !search) return;
    shown.classList.add("p-jobs");
    const said = h("p", { class: "io-muted", role: "status" });
    form.append(said);
    const head = shown.tHead?.rows[0];
    if (head) head.append(h("th", { scope: "col" }, "History"));
    const histories = new Map<string, Program>();
    let running: AbortController | null = null;
    let latest: Job[] = [];
    let next: string | null = null;
    let extended = false;
    const more = h("button", { type: "button", class: "io-tool", hidden: true, onclick: () => void extend() }, "More");
    shown.after(more);

    function row(job: Job): HTMLTableRowElement {
        const history = job.exe ? histories.get(job.exe) : undefined;
        const number = (text: string): HTMLElement => h("td", { class: "n" }, text);
        return h(
            "tr",
            {},
            h("td", {}, jobLink(job)),
            h("td", {}, userLink(job.user)),
            h("td", {}, programLink(job.exe)),
            h("td", {}, when.date(job.start)),
            number(job.nprocs ? format.count(job.nprocs) : "-"),
            number(job.logs ? format.bytes(job.bytes_read) : "-"),
            number(job.logs ? format.bytes(job.bytes_written) : "-"),
            number(job.logs ? format.seconds(job.io_s) : "-"),
            number(job.logs ? format.count(job.findings) : "-"),
            number(job.logs ? format.seconds(job.lost_s) : "-"),
            number(job.logs ? format.count(job.logs) : "none"),
            h("td", {}, history && history.rates.length > 1 && sparkline(history.rates, `rates of ${job.exe}`)),
        );
    }

    function draw(): void {
        clear(body!);
        body!.append(...latest.map(row));
        said.textContent = latest.length ? "" : "No job is like this.";
        more.hidden = next === null;
        for (const link of main.querySelectorAll<HTMLAnchorElement>("a[rel=next]")) link.hidden = true;
        csv?.setAttribute("href", address("/api/v1/jobs", { ...question(), limit: 1000, format: "csv" }));
    }

    // What the address filters by and the form does not show stays as it is.
    const filters = new URLSearchParams(location.search);
    const question = (): Record<string, string> => ({
        q: search.value.trim(),
        sort: order?.value ?? "",
        has_log: logged?.value ?? "",
        finding: filters.get("finding") ?? "",
        selected: filters.get("selected") ?? "",
    });
    const csv = main.querySelector<HTMLAnchorElement>("a[data-csv]");

    async function extend(): Promise<void> {
        const page = await list<Job>("/jobs", { ...question(), limit: 100, cursor: next });
        extended = true;
        latest.push(...page.items);
        next = page.next;
        draw();
    }

    async function refresh(): Promise<void> {
        running?.abort();
        running = new AbortController();
        try {
            const page = await list<Job>("/jobs", { ...question(), limit: 100 }, running.signal);
            [latest, next, extended] = [page.items, page.next, false];
            draw();
        } catch (error) {
            if (!(error instanceof DOMException && error.name === "AbortError")) said.textContent = `${String(error)}`;
        }
    }

    const asked = (): void => {
        history.replaceState(null, "", address("/", question()));
        void refresh();
    };
    search.addEventListener("input", asked);
    order?.addEventListener("change", asked);
    logged?.addEventListener("change", asked);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        asked();
    });
    document.addEventListener("keydown", (event) => {
        if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
        event.preventDefault();
        search.focus();
    });
    void list<Program>("/programs", { limit: 200, runs: 20 }).then(
        ({ items }) => {
            for (const program of items) histories.set(program.exe, program);
            if (!new URLSearchParams(location.search).has("cursor")) void refresh();
        },
        () => undefined,
    );
    setInterval(() => {
        if (!document.hidden && !extended && !new URLSearchParams(location.search).has("cursor")) void refresh();
    }, patience);
}
