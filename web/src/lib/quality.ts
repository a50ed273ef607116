// One word for how far the data can be trusted. The sentences behind it are in the section on data quality.
import { plural } from "./format";
import type { Level, Module, Page } from "../page/document";

export interface Verdict {
    level: Level;
    word: string;
    detail: string;
}

export function qualityVerdict(page: Page): Verdict {
    const quality = page.quality;
    const bad = quality && (quality.job_damaged || quality.error_count > 0 || quality.unreadable_modules.length > 0);
    if (bad)
        return {
            level: "high",
            word: "damaged",
            detail: plural(Math.max(1, quality.error_count), "part") + " could not be read",
        };
    if (quality && quality.partial_modules.length > 0)
        return { level: "warn", word: "incomplete", detail: `partial: ${quality.partial_modules.join(", ")}` };
    if (quality?.unfinished) return { level: "warn", word: "unfinished", detail: "the program had not ended" };
    if (page.folded) return { level: "warn", word: "folded", detail: "some files are counted only together" };
    const sentences = page.diagnosis.quality.length;
    if (sentences > 0) return { level: "warn", word: "with reservations", detail: plural(sentences, "remark") };
    return { level: "ok", word: "complete", detail: "all of the log was read" };
}

/** What there is of a module. A writer that ran out of memory leaves a partial one; damage comes later. */
export function moduleState(module: Pick<Module, "readable" | "damaged" | "partial">): { level: Level; word: string } {
    if (!module.readable) return { level: "high", word: "unreadable" };
    if (module.damaged) return { level: "high", word: "damaged" };
    if (module.partial) return { level: "warn", word: "partial" };
    return { level: "ok", word: "complete" };
}

export function logState(page: Pick<Page, "log" | "quality">): string {
    const quality = page.quality;
    if (quality && (quality.job_damaged || quality.error_count > 0)) return "damaged: a part could not be read";
    return page.log.mapped ? "of a program that runs or was killed" : "complete file";
}
