// What a view is, and what the page offers to it. Views do not know each other: they meet through targets.
import type { Page } from "./document";

/** Something that can be pointed at: evidence of a finding, a file in a list, a moment in a timeline. */
export type Target =
    | { kind: "file"; id: string }
    | { kind: "time"; t0: number; t1: number; ranks?: [number, number] }
    | { kind: "rank"; rank: number }
    | { kind: "finding"; index: number }
    | { kind: "counter"; name: string };

export interface Shell {
    /** The page's own element; a section's ids are unique below it. */
    root: HTMLElement;
    /** The trace columns, inflated on first use; absent if nothing is embedded. */
    trace?: () => Promise<ArrayBuffer>;
    /** Goes to the first view that can show the target. */
    show(target: Target): void;
    /** This view shows targets: the handler returns true if it showed one. The page then scrolls here and lights it up. */
    onTarget(handler: (target: Target) => boolean): void;
    /** Is there a view that could show such a target? */
    canShow(target: Target): boolean;
    /** Opens the page of one file (#file=ID). */
    openFile(id: string): void;
    /** Row of a file in page.files, or -1. */
    fileRow(id: string): number;
    /** Name of a file for people: control characters made visible. */
    fileName(row: number): string;
    /** Says something to screen readers. */
    announce(text: string): void;
}

export interface View {
    /** Also the fragment of the address: #id */
    id: string;
    title: string;
    /** Shorter name for the navigation. */
    short?: string;
    applies(page: Page): boolean;
    /** Said in place of the section when it does not apply: what is missing and how to get it. */
    missing?(page: Page): string | null;
    mount(element: HTMLElement, page: Page, shell: Shell): { destroy?(): void };
}
