// The list of jobs: found while typing, sorted, with each program's history beside it; new jobs appear by themselves. The
// server has drawn the same table already, so nothing is missing without this.
import { clear, h } from "../lib/dom";
import * as format from "../lib/format";
import { address, list, type Job, type Program } from "./api";
import { sparkline } from "./draw";
import { jobLink, programLink, userLink } from "./parts";

const patience = 30_000;

export function enhanceJobs(main: HTMLElement): void {
    const form = main.querySelector("form");
    const shown = main.querySelector("table");
    const search = form?.querySelector<HTMLInputElement>("input[name=q]");
    const order = form?.querySelector<HTMLSelectElement>("select[name=sort]");
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

    function row(job: Job): HTMLTableRowElement {
        const history = job.exe ? histories.get(job.exe) : undefined;
        const number = (text: string): HTMLElement => h("td", { class: "n" }, text);
        return h(
            "tr",
            {},
            h("td", {}, jobLink(job)),
            h("td", {}, userLink(job.user)),
            h("td", {}, programLink(job.exe)),
            h("td", {}, format.date(job.start)),
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
    }

    const question = (): Record<string, string> => ({ q: search.value.trim(), sort: order?.value ?? "" });

    async function refresh(): Promise<void> {
        running?.abort();
        running = new AbortController();
        try {
            latest = (await list<Job>("/jobs", { ...question(), limit: 100 }, running.signal)).items;
            draw();
        } catch (error) {
            if (!(error instanceof DOMException && error.name === "AbortError")) said.textContent = `${String(error)}`;
        }
    }

    const asked = (): void => {
        history.replaceState(null, "", address("/", question()));
        for (const link of main.querySelectorAll<HTMLAnchorElement>("a[rel=next]")) link.hidden = true;
        void refresh();
    };
    search.addEventListener("input", asked);
    order?.addEventListener("change", asked);
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
        if (!document.hidden && !new URLSearchParams(location.search).has("cursor")) void refresh();
    }, patience);
}
