// One view alone with a made-up job, for measurements and pictures: no page around it, a shell that only remembers.
import "../src/style/index.css";
import { startTheme, toggleTheme, theme } from "../src/lib/theme";
import { h } from "../src/lib/dom";
import type { Page } from "../src/page/document";
import type { Shell, Target, View } from "../src/page/view";
import { view as heatmap } from "../src/views/heatmap";
import { view as lustre } from "../src/views/lustre";
import { view as phases } from "../src/views/phases";
import { view as ranks } from "../src/views/ranks";
import { view as timeline } from "../src/views/timeline";
import { makePage, type Job } from "../tests/support/synthetic";

const views: View[] = [heatmap, timeline, phases, ranks, lustre];
const handlers: ((target: Target) => boolean)[] = [];

function shellFor(root: HTMLElement, page: Page, trace: ArrayBuffer | null): Shell {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    return {
        root,
        ...(trace ? { trace: () => Promise.resolve(trace) } : {}),
        show: (target) => void handlers.some((handler) => handler(target)),
        onTarget: (handler) => void handlers.push(handler),
        canShow: () => true,
        openFile: (id) => void said.push(`open ${id}`),
        fileRow: (id) => page.files?.columns.id.indexOf(id) ?? -1,
        fileName: (row) => page.files?.columns.name[row] ?? "",
        announce: (text) => void said.push(text),
    };
}

function stage(names: string[], page: Page, trace: ArrayBuffer | null): void {
    startTheme();
    const root = h("main", { class: "io-page", style: "padding:16px" });
    document.body.append(root);
    const shell = shellFor(root, page, trace);
    for (const view of views.filter((v) => names.length === 0 || names.includes(v.id))) {
        if (!view.applies(page)) continue;
        const body = h("div", { class: "io-section-body" });
        root.append(
            h(
                "section",
                {
                    class: "io-section",
                    id: view.id,
                    style: "background:var(--io-surface);padding:16px;margin:0 0 16px",
                },
                h("h2", {}, view.title),
                body,
            ),
        );
        view.mount(body, page, shell);
    }
}

Object.assign(globalThis, {
    stageJob: (names: string[], job: Job, keepTrace = true) => {
        const { page, trace } = makePage(job);
        if (!keepTrace) page.trace!.embedded = 0;
        stage(names, page, keepTrace ? trace : null);
    },
    stagePage: (names: string[], page: Page, trace: ArrayBuffer | null) => stage(names, page, trace),
    setTheme: (name: string) => theme() !== name && toggleTheme(),
    aim: (target: Target) => handlers.some((handler) => handler(target)),
});
