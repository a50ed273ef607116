// Before and after printing: by the browser, by its command line, and when somebody looks at how it would be.

/** Calls `before` once when paper comes, and `after` once when it is gone. Returns how to stop listening. */
export function onPaper(before: () => void, after: () => void): () => void {
    let printing = false;
    const begin = (): void => {
        if (!printing) before();
        printing = true;
    };
    const end = (): void => {
        if (printing) after();
        printing = false;
    };
    const query = matchMedia("print");
    const change = (): void => (query.matches ? begin() : end());
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    query.addEventListener("change", change);
    return () => {
        removeEventListener("beforeprint", begin);
        removeEventListener("afterprint", end);
        query.removeEventListener("change", change);
    };
}
