// The list of jobs: found while typing, sorted, with each program's history beside it; new jobs appear by themselves. The
// server has drawn the same table already, so nothing is missing without this.
import { clear, h, type Child } from "../lib/dom";
import * as format from "../lib/format";
import { jobColumns, type JobColumn } from "./answers";
import { address, list, type Job, type Program } from "./api";
import { sparkline } from "./draw";
import * as when from "./when";
import { walkRows } from "./keys";
import { jobLink, mib, programLink, userLink } from "./parts";

const patience = 30_000;

const words: Record<"seconds" | "bytes" | "share" | "count", (value: number | null) => string> = {
    seconds: format.seconds,
    bytes: format.bytes,
    share: format.percent,
    count: format.count,
};

const links: Partial<Record<keyof Job, (job: Job) => Child>> = {
    jobid: (job) => jobLink(job),
    user: (job) => userLink(job.user),
    exe: (job) => programLink(job.exe),
};

/** What is not known is null, and so is every figure of logs where there is none. */
function figure(job: Job, column: JobColumn & { kind: keyof typeof words }): string {
    if (!job.logs && column.key === "logs") return "none";
    return words[column.kind](job[column.key] as number | null);
}

function cell(job: Job, { key, label, kind }: JobColumn): HTMLElement {
    if (kind === "text") return h("td", {}, links[key]?.(job) ?? format.visible(String(job[key] ?? "-")));
    if (kind === "when") return h("td", {}, when.date(job[key] as number));
    return h("td", { class: "n" }, figure(job, { key, label, kind }));
}

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
        return h(
            "tr",
            {},
            ...jobColumns.map((column) => cell(job, column)),
            h(
                "td",
                {},
                history
                    && history.rates.length > 1
                    && sparkline(
                        history.rates,
                        `rates of the latest runs of ${job.exe}, this one marked`,
                        job.perf_mibs === null ? null : job.perf_mibs * mib,
                    ),
            ),
        );
    }

    function draw(): void {
        clear(body!);
        body!.append(...latest.map(row));
        said.textContent = latest.length ? "" : "No jobs match.";
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
        history.replaceState(null, "", address("/jobs", question()));
        void refresh();
    };
    search.addEventListener("input", asked);
    order?.addEventListener("change", asked);
    logged?.addEventListener("change", asked);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        asked();
    });
    walkRows(body);
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
