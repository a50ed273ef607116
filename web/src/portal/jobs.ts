// The list of jobs: found while typing, narrowed down by facets, sorted by its headings, of any length. The address is the
// list: it can be kept, mailed, and gone back to. The server has drawn the same table already, so nothing is missing without
// this.
import { h, type Child } from "../lib/dom";
import * as format from "../lib/format";
import type { JobColumn } from "./answers";
import { address, jobPath, list, type Job, type Params, type Program } from "./api";
import { sparkline } from "./draw";
import { facetPanel, facetWord, jobsText } from "./facets";
import { chosenColumns, columnMenu, viewMenu } from "./job-views";
import { walkRows } from "./keys";
import { jobLink, mib, programLink, userLink } from "./parts";
import { virtualRows } from "./rows";
import * as when from "./when";

const patience = 30_000;
const pageRows = 200;

// Cells --------------------------------------------------------------------------------------------------------------

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
    state: (job) => (job.state ? h("span", { class: "p-state" }, format.visible(job.state)) : format.unknown),
};

/** What is not known is null, and so is every figure of logs where there is none. */
function figure(job: Job, column: JobColumn & { kind: keyof typeof words }): string {
    if (!job.logs && column.key === "logs") return "none";
    return words[column.kind](job[column.key] as number | null);
}

function cell(job: Job, column: JobColumn): HTMLElement {
    const { key, kind } = column;
    if (kind === "text") return h("td", {}, links[key]?.(job) ?? format.visible(String(job[key] ?? "-")));
    if (kind === "when") return h("td", {}, when.date(job[key] as number | null));
    return h("td", { class: "n" }, figure(job, { ...column, kind }));
}

function history(job: Job, program: Program | undefined): Child {
    if (!program || program.rates.length < 2) return null;
    const rate = job.perf_mibs === null ? null : job.perf_mibs * mib;
    return sparkline(program.rates, `rates of the latest runs of ${job.exe}, this one marked`, rate);
}

// The address --------------------------------------------------------------------------------------------------------

const filters = [
    ...["user", "account", "exe", "state", "month", "fs", "finding", "min_lost"],
    ...["min_bytes", "selected", "cluster", "start", "end"],
];
const sortable = ["start", "bytes_read", "bytes_written", "lost_s", "findings", "io_s", "run_s", "nprocs"];

/** What the address asks for; changes are written into it. */
class Question {
    readonly #asked = new URLSearchParams(location.search);
    get = (name: string): string => this.#asked.get(name) ?? "";
    set(name: string, value: string): void {
        if (value) this.#asked.set(name, value);
        else this.#asked.delete(name);
        this.#asked.delete("cursor");
        const text = this.#asked.toString();
        globalThis.history.replaceState(null, "", location.pathname + (text ? `?${text}` : ""));
    }
    params = (): Params =>
        Object.fromEntries(["q", "has_log", "sort", ...filters].map((name) => [name, this.get(name)]));
    /** Facets have no order. */
    unsorted = (): Params => ({ ...this.params(), sort: "" });
}

// Back ---------------------------------------------------------------------------------------------------------------

interface Place {
    address: string;
    rows: Job[];
    next: string | null;
    top: number;
}

const placeKey = "iolite-jobs-place";
const mostKept = 3000;

function keepPlace(place: Place): void {
    try {
        sessionStorage.setItem(placeKey, JSON.stringify(place));
    } catch {
        // no room: the list begins at its top again
    }
}

/** The list as it was left, for whoever comes back to it. */
function keptPlace(): Place | null {
    const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    if (entry?.type !== "back_forward") return null;
    try {
        const place = JSON.parse(sessionStorage.getItem(placeKey) ?? "null") as Place | null;
        return place?.address === location.pathname + location.search ? place : null;
    } catch {
        return null;
    }
}

// Two jobs to compare ------------------------------------------------------------------------------------------------

function compareBar(): { element: HTMLElement; ticked: Set<string>; box: (job: Job) => HTMLElement } {
    const ticked = new Set<string>();
    const element = h("p", { class: "p-compare-bar", role: "status", hidden: true });
    const draw = (): void => {
        const [a, b] = [...ticked];
        element.hidden = ticked.size === 0;
        element.replaceChildren(
            ticked.size < 2
                ? "Tick a second job to compare the two."
                : h("a", { class: "p-tool", href: address("/compare", { a, b }) }, `Compare ${a} with ${b}`),
        );
    };
    const box = (job: Job): HTMLElement => {
        const name = `${job.cluster}/${job.jobid}`;
        const made = h("input", { type: "checkbox", "aria-label": `Compare job ${format.visible(job.jobid)}` });
        made.checked = ticked.has(name);
        made.disabled = !job.logs;
        made.addEventListener("change", () => {
            const [oldest] = ticked;
            if (made.checked && ticked.size === 2 && oldest !== undefined) ticked.delete(oldest);
            if (made.checked) ticked.add(name);
            else ticked.delete(name);
            for (const other of document.querySelectorAll<HTMLInputElement>(".p-jobs td:first-child input"))
                other.checked = ticked.has(other.value);
            draw();
        });
        made.value = name;
        return made;
    };
    return { element, ticked, box };
}

// The list -----------------------------------------------------------------------------------------------------------

export function enhanceJobs(main: HTMLElement): void {
    const form = main.querySelector("form");
    const shown = main.querySelector("table");
    const search = form?.querySelector<HTMLInputElement>("input[name=q]");
    const order = form?.querySelector<HTMLSelectElement>("select[name=sort]");
    const logged = form?.querySelector<HTMLSelectElement>("select[name=has_log]");
    const body = shown?.tBodies[0];
    const csv = main.querySelector<HTMLAnchorElement>("a[data-csv]");
    if (!form || !shown || !body || !search) return;
    const question = new Question();
    const compare = compareBar();
    const histories = new Map<string, Program>();
    const said = h("p", { class: "io-muted", role: "status" });
    const narrowed = h("p", { class: "p-chips" });
    const facets = facetPanel(question.get, (facet, value) => change(facet, value));
    let columns = chosenColumns(question.get("columns"));
    let latest: Job[] = [];
    let next: string | null = null;
    let running: AbortController | null = null;
    let extending = false;

    shown.classList.add("p-jobs");
    main.querySelector(".p-narrowed")?.remove();
    for (const link of main.querySelectorAll("a[rel=next]")) link.remove();
    form.after(
        h(
            "div",
            { class: "p-toolbar" },
            columnMenu(
                () => columns,
                (named) => change("columns", named),
            ),
            viewMenu(),
        ),
    );
    const table = h("div", { class: "p-list-rows" }, said, narrowed, compare.element);
    shown.before(h("div", { class: "p-list" }, facets.element, table));
    table.append(shown);

    function heads(): void {
        const [by, falling] = [question.get("sort").replace("-", "") || "start", !/^[^-]/.test(question.get("sort"))];
        const head = (column: JobColumn): HTMLElement => {
            const numbers = column.kind !== "text" && column.kind !== "when";
            const sorted = column.key === by ? (falling ? "descending" : "ascending") : null;
            const turn = (): void => change("sort", (column.key === by && falling ? "" : "-") + column.key);
            return h(
                "th",
                { scope: "col", class: numbers ? "n" : null, "aria-sort": sorted },
                sortable.includes(column.key)
                    ? h("button", { type: "button", class: "io-sort", onclick: turn }, column.label)
                    : column.label,
            );
        };
        shown!.tHead?.rows[0]?.replaceChildren(
            h("th", { scope: "col" }, h("span", { class: "io-hidden" }, "Compare")),
            ...columns.map(head),
            h("th", { scope: "col" }, "History"),
        );
    }

    const rows = virtualRows<Job>(
        body,
        (job) =>
            h(
                "tr",
                {},
                h("td", {}, compare.box(job)),
                ...columns.map((column) => cell(job, column)),
                h("td", {}, history(job, job.exe ? histories.get(job.exe) : undefined)),
            ),
        () => void extend(),
    );

    function draw(): void {
        rows.show(latest);
        shown!.setAttribute("aria-rowcount", String(next === null ? latest.length + 1 : -1));
        csv?.setAttribute("href", address("/api/v1/jobs", { ...question.params(), limit: 1000, format: "csv" }));
    }

    function chips(): void {
        const set = filters.filter((name) => question.get(name));
        narrowed.replaceChildren(
            ...set.map((name) =>
                h(
                    "button",
                    {
                        type: "button",
                        class: "io-chip",
                        title: "Take this filter away",
                        onclick: () => change(name, ""),
                    },
                    `${name.replace("_", " ")}: ${facetWord(name, question.get(name))} \u00d7`,
                ),
            ),
        );
    }

    async function count(): Promise<void> {
        const all = await facets.refresh(question.unsorted());
        if (all)
            said.textContent = latest.length ? `${jobsText(all)} ${all.jobs === 1 ? "job" : "jobs"}` : "No jobs match.";
    }

    async function extend(): Promise<void> {
        if (extending || next === null) return;
        extending = true;
        try {
            const page = await list<Job>("/jobs", { ...question.params(), limit: pageRows, cursor: next });
            latest = [...latest, ...page.items];
            next = page.next;
            draw();
        } catch (error) {
            said.textContent = String(error);
        } finally {
            extending = false;
        }
    }

    async function refresh(): Promise<void> {
        running?.abort();
        running = new AbortController();
        try {
            const page = await list<Job>("/jobs", { ...question.params(), limit: pageRows }, running.signal);
            [latest, next] = [page.items, page.next];
            if (!latest.length) said.textContent = "No jobs match.";
            draw();
        } catch (error) {
            if (!(error instanceof DOMException && error.name === "AbortError")) said.textContent = String(error);
        }
    }

    /** Rows first, counts after them. */
    function change(name: string, value: string): void {
        question.set(name, value);
        columns = chosenColumns(question.get("columns"));
        heads();
        chips();
        if (name === "columns") draw();
        else void refresh().then(count);
    }

    search.addEventListener("input", () => change("q", search.value.trim()));
    order?.addEventListener("change", () => change("sort", order.value));
    logged?.addEventListener("change", () => change("has_log", logged.value));
    form.addEventListener("submit", (event) => event.preventDefault());
    walkRows(rows, (index) => latest[index] && (location.href = jobPath(latest[index])));
    addEventListener("pagehide", () =>
        keepPlace({
            address: location.pathname + location.search,
            rows: latest.slice(0, mostKept),
            next: latest.length <= mostKept ? next : null,
            top: scrollY,
        }),
    );
    heads();
    chips();
    const place = keptPlace();
    if (place) {
        [latest, next] = [place.rows, place.next];
        draw();
        scrollTo(0, place.top);
        void count();
    } else void refresh().then(count);
    void list<Program>("/programs", { limit: 200, runs: 20 }).then(
        ({ items }) => {
            for (const program of items) histories.set(program.exe, program);
            if (latest.length) draw();
        },
        () => undefined,
    );
    setInterval(() => {
        if (!document.hidden && latest.length <= pageRows && scrollY < 200 && rows.chosen() < 0) void refresh();
    }, patience);
}
