// Entry of the portal. The server draws every page that has to work without script; this makes them live, and fills those
// of which only the frame comes from the server. The address says which page it is.
import "./style/portal.css";
import { h } from "./lib/dom";
import { startTheme, theme, toggleTheme } from "./lib/theme";
import { comparePage } from "./portal/compare";
import { enhanceFleet } from "./portal/fleet";
import { homePage } from "./portal/home";
import { enhanceJob } from "./portal/job";
import { enhanceJobs } from "./portal/jobs";
import { prefix } from "./portal/api";
import { startJump, startKeys } from "./portal/keys";
import { pathPart, sorry } from "./portal/parts";
import { programPage, programsPage, userPage } from "./portal/people";
import { enhanceRunning, enhanceRunningJob } from "./portal/running";
import { sortable } from "./portal/sortable";
import { adminPage, benchmarksPage, screensPage } from "./portal/staff";
import { systemPage, systemsPage } from "./portal/systems";

type View = (main: HTMLElement) => void | Promise<void>;

/** By the first word of the address, then by whether something follows it. */
const views: Record<string, [View | null, View | null]> = {
    "": [homePage, null],
    jobs: [enhanceJobs, enhanceJob],
    running: [enhanceRunning, enhanceRunningJob],
    users: [null, userPage],
    programs: [programsPage, programPage],
    fleet: [enhanceFleet, null],
    fs: [systemsPage, systemPage],
    screens: [screensPage, null],
    benchmarks: [benchmarksPage, null],
    compare: [comparePage, null],
    admin: [adminPage, null],
};

function themeButton(): void {
    const header = document.querySelector("header");
    const label = (): string => (theme() === "dark" ? "Light" : "Dark");
    const button = h(
        "button",
        {
            type: "button",
            class: "io-tool",
            onclick: () => {
                toggleTheme();
                button.textContent = label();
            },
        },
        label(),
    );
    header?.append(button);
}

startTheme();
themeButton();
startKeys();
startJump();
const main = document.querySelector("main");
const word = pathPart(0);
if (main) {
    for (const link of document.querySelectorAll<HTMLAnchorElement>("header nav a"))
        if (new URL(link.href).pathname.slice(prefix.length).split("/")[1] === word)
            link.setAttribute("aria-current", "page");
    const view = views[word]?.[pathPart(1) ? 1 : 0];
    if (word !== "jobs" || pathPart(1)) for (const table of main.querySelectorAll("table")) sortable(table);
    main.setAttribute("aria-busy", "true");
    Promise.resolve(view?.(main))
        .catch((error: unknown) => main.append(sorry(error)))
        .finally(() => main.removeAttribute("aria-busy"));
}
