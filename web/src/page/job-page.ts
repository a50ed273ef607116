// The job page: header, summary, navigation and one section a view. It is fed with one document and knows nothing of
// where that came from: the report reads it from its own file, the portal fetches it.
import { h, prose, type Child } from "../lib/dom";
import { count, visible } from "../lib/format";
import { onPaper } from "../lib/paper";
import { forceTheme, startTheme } from "../lib/theme";
import { filePage } from "./file-page";
import { header } from "./header";
import { navigation } from "./navigation";
import { strip } from "./strip";
import type { Page } from "./document";
import type { Shell, Target, View } from "./view";
import { groups, type Group } from "./views";

export interface Source {
    trace?: () => Promise<ArrayBuffer>;
    /** Only these views, by their ids and in this order, without header, summary and navigation: a part of another page. */
    views?: string[];
}

export interface MountedPage {
    /** Goes to the first view that can show the target. */
    show(target: Target): void;
    destroy(): void;
}

interface Section {
    view: View;
    element: HTMLElement;
    handlers: ((target: Target) => boolean)[];
}

/** Paper has no dark side and no closed parts, but for what is there to look things up. */
function preparePrint(root: HTMLElement): () => void {
    let opened: HTMLDetailsElement[] = [];
    return onPaper(
        () => {
            opened = [...root.querySelectorAll<HTMLDetailsElement>("details:not([open]):not(.io-reference)")];
            for (const details of opened) details.open = true;
            forceTheme("light");
        },
        () => {
            for (const details of opened) details.open = false;
            forceTheme(null);
        },
    );
}

function canShow(page: Page, fileRow: (id: string) => number, target: Target): boolean {
    switch (target.kind) {
        case "file":
            return fileRow(target.id) >= 0;
        case "time":
            return Boolean(page.heatmaps?.length || page.trace || page.phases);
        case "rank":
            return (page.ranks?.rows ?? 0) > 0 && (page.ranks?.count ?? 0) > 1;
        case "finding":
            return target.index in page.diagnosis.findings;
        case "counter":
            return Boolean(page.counters && target.name in page.counters);
    }
}

/** What this log has not, in one place: a sentence for each view that is left out. */
function absentView(sentences: { view: View; text: string }[]): View {
    const entry = ({ view, text }: { view: View; text: string }): Child =>
        h("div", { id: view.id }, h("dt", {}, view.title), h("dd", {}, prose(text)));
    return {
        id: "absent",
        title: "Not in this log",
        applies: () => sentences.length > 0,
        mount: (element) => {
            element.append(h("dl", { class: "io-definitions" }, sentences.map(entry)));
            return {};
        },
    };
}

/** The groups with the views that apply; the last but one of all says what does not. */
function shownGroups(page: Page, only: string[] | undefined): Group[] {
    if (only) {
        const all = groups.flatMap((group) => group.views).filter((view) => view.applies(page));
        return [{ title: "", views: only.flatMap((id) => all.filter((view) => view.id === id)) }];
    }
    const all = groups.flatMap((group) => group.views);
    const absent = absentView(
        all.flatMap((view) => {
            const text = view.applies(page) ? null : view.missing?.(page);
            return text ? [{ view, text }] : [];
        }),
    );
    return groups
        .map((group) => ({
            title: group.title,
            views: group.views
                .flatMap((view) => (view.id === "about" ? [absent, view] : [view]))
                .filter((view) => view.applies(page)),
        }))
        .filter((group) => group.views.length > 0);
}

export function mountJobPage(element: HTMLElement, page: Page, source: Source = {}): MountedPage {
    const ends: (() => void)[] = [startTheme()];
    const sections: Section[] = [];
    const live = h("div", { class: "io-hidden", role: "status", "aria-live": "polite" });
    const rows = new Map(page.files?.columns.id.map((id, row) => [id, row]));
    const fileRow = (id: string): number => rows.get(id) ?? -1;
    let ended = false;

    function light(section: HTMLElement): void {
        section.classList.remove("io-lit");
        void section.offsetWidth;
        section.classList.add("io-lit");
    }

    function show(target: Target): void {
        if (location.hash.startsWith("#file=")) leaveFile();
        mountAll();
        for (const section of sections) {
            const handled = section.handlers.some((handler) => handler(target));
            if (!handled) continue;
            section.element.scrollIntoView({ block: "start" });
            light(section.element);
            live.textContent = `Shown in ${section.view.title}`;
            return;
        }
    }

    const shellFor = (section: Section): Shell => ({
        root: element,
        ...(source.trace ? { trace: source.trace } : {}),
        show,
        onTarget: (handler) => void section.handlers.push(handler),
        canShow: (target) => canShow(page, fileRow, target),
        openFile: (id) => void (location.hash = `file=${id}`),
        fileRow,
        fileName: (row) => visible(page.files?.columns.name[row] ?? ""),
        announce: (text) => void (live.textContent = text),
    });

    // Sections ---------------------------------------------------------------------------------------------------

    const waiting: (() => void)[] = [];

    function mountSection(view: View): void {
        const place = h("div", { class: "io-section-body" });
        const box = h(
            "section",
            { class: "io-section", id: view.id, "aria-labelledby": `${view.id}-title` },
            h("h2", { id: `${view.id}-title` }, view.title),
            place,
        );
        const section: Section = { view, element: box, handlers: [] };
        sections.push(section);
        main.append(box);
        waiting.push(() => {
            try {
                const mounted = view.mount(place, page, shellFor(section));
                if (mounted.destroy) ends.push(() => mounted.destroy?.());
            } catch (error) {
                console.error(error);
                place.append(h("p", { class: "io-note" }, `This part could not be drawn: ${String(error)}`));
            }
        });
    }

    function mountAll(): void {
        while (waiting.length > 0) waiting.shift()?.();
        element.dataset["ready"] = "true";
    }

    // One view a turn, so that the first ones are on screen while the rest is drawn.
    function mountNext(): void {
        if (ended) return;
        waiting.shift()?.();
        if (waiting.length > 0) setTimeout(mountNext);
        else element.dataset["ready"] = "true";
    }

    // The page of one file -----------------------------------------------------------------------------------------

    const only = source.views;
    const whole = only ? "div" : "main";
    const main = h(whole, { class: "io-main", id: only ? null : "io-main", tabindex: -1 });
    const fileBox = h(whole, { class: "io-main io-filepage", hidden: true, tabindex: -1 });
    let closeFile: (() => void) | null = null;
    let placeBefore = 0;

    function leaveFile(): void {
        if (fileBox.hidden) return;
        closeFile?.();
        closeFile = null;
        fileBox.hidden = true;
        fileBox.replaceChildren();
        main.hidden = false;
        if (location.hash.startsWith("#file=")) history.replaceState(null, "", location.pathname + location.search);
        scrollTo(0, placeBefore);
    }

    function route(): void {
        const id = /^#file=(.+)$/.exec(location.hash)?.[1];
        if (id !== undefined && only && !only.includes("files")) return;
        if (id === undefined) {
            leaveFile();
            const wanted = sections.find((section) => `#${section.view.id}` === location.hash);
            if (wanted) wanted.element.scrollIntoView({ block: "start" });
            return;
        }
        closeFile?.();
        if (fileBox.hidden) placeBefore = scrollY;
        fileBox.replaceChildren();
        main.hidden = true;
        fileBox.hidden = false;
        const section: Section = {
            view: { id: "file", title: "File", applies: () => true, mount: () => ({}) },
            element: fileBox,
            handlers: [],
        };
        closeFile = filePage(fileBox, page, shellFor(section), decodeURIComponent(id), leaveFile);
        scrollTo(0, 0);
        fileBox.focus({ preventScroll: true });
    }

    // Putting it together ------------------------------------------------------------------------------------------

    const shown = shownGroups(page, only);
    for (const group of shown) for (const view of group.views) mountSection(view);
    if (only) element.replaceChildren(main, fileBox, live);
    else mountFrame();
    ends.push(preparePrint(element));

    function mountFrame(): void {
        const nav = navigation(shown);
        element.classList.add("io-page");
        element.replaceChildren(
            h("a", { class: "io-skip", href: "#io-main" }, "Skip to the findings"),
            header(page),
            strip(page, show),
            h("div", { class: "io-columns" }, nav.element, h("div", {}, main, fileBox)),
            live,
        );
        ends.push(nav.watch(sections.map((section) => section.element)));
        document.title = `${page.job.program}: Iolite report, ${count(page.job.processes)} processes`;
    }

    waiting.shift()?.();
    addEventListener("hashchange", route);
    ends.push(() => removeEventListener("hashchange", route));
    if (location.hash.length > 1) {
        mountAll();
        route();
    } else setTimeout(mountNext);

    return {
        show,
        destroy: () => {
            ended = true;
            closeFile?.();
            for (const end of ends) end();
            element.replaceChildren();
        },
    };
}
