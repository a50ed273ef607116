// Dark or light: the reader's system decides until the button is used. Colours live in CSS variables (style/theme.css);
// what draws by itself (charts, canvases) asks for them here and is called when they change.

export type Theme = "light" | "dark";

const key = "iolite-theme";
const listeners = new Set<() => void>();
let chosen: Theme | null = null;
let forced: Theme | null = null;

// A page from disk may have no storage at all; then the choice lasts as long as the page.
function stored(): Theme | null {
    try {
        const value = localStorage.getItem(key);
        return value === "dark" || value === "light" ? value : null;
    } catch {
        return null;
    }
}

function store(theme: Theme): void {
    try {
        localStorage.setItem(key, theme);
    } catch {
        return;
    }
}

const system = (): Theme => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

export function theme(): Theme {
    return forced ?? chosen ?? system();
}

function show(): void {
    document.documentElement.dataset["theme"] = theme();
    for (const listener of [...listeners]) listener();
}

export function startTheme(): () => void {
    chosen = stored();
    const query = matchMedia("(prefers-color-scheme: dark)");
    query.addEventListener("change", show);
    show();
    return () => query.removeEventListener("change", show);
}

export function toggleTheme(): Theme {
    chosen = theme() === "dark" ? "light" : "dark";
    store(chosen);
    show();
    return chosen;
}

/** Paper is light, whatever the screen is. `null` ends it. */
export function forceTheme(value: Theme | null): void {
    forced = value;
    show();
}

/** Calls back after each change of colours; returns how to stop that. */
export function onTheme(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

/** The colours in force. Read, write and metadata can be distinguished by everybody: Okabe and Ito's, tuned for contrast. */
export interface Palette {
    background: string;
    surface: string;
    text: string;
    muted: string;
    line: string;
    accent: string;
    read: string;
    write: string;
    meta: string;
    wait: string;
    other: string;
    highlight: string;
    high: string;
    warn: string;
    info: string;
    ok: string;
    font: string;
    /** For series that have no meaning of their own. */
    series: string[];
}

const names = [
    "background",
    "surface",
    "text",
    "muted",
    "line",
    "accent",
    "read",
    "write",
    "meta",
    "wait",
    "other",
    "highlight",
    "high",
    "warn",
    "info",
    "ok",
    "font",
] as const;

export function palette(): Palette {
    const style = getComputedStyle(document.documentElement);
    const value = (name: string): string => style.getPropertyValue(`--io-${name}`).trim();
    const colours = Object.fromEntries(names.map((name) => [name, value(name)])) as Omit<Palette, "series">;
    return { ...colours, series: [1, 2, 3, 4, 5, 6, 7].map((index) => value(`series-${index}`)) };
}
