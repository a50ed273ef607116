// What the page says about missing and damaged data.
import { test } from "node:test";
import assert from "node:assert/strict";
import { logState, moduleState } from "../../src/lib/quality";
import type { Page } from "../../src/page/document";

test("a module that damage cut short is not called complete", () => {
    const whole = { readable: true, damaged: false, partial: false };
    assert.equal(moduleState(whole).word, "complete");
    assert.equal(moduleState({ ...whole, partial: true }).word, "partial");
    assert.equal(moduleState({ ...whole, partial: true, damaged: true }).word, "damaged");
    assert.equal(moduleState({ ...whole, damaged: true, readable: false }).word, "unreadable");
    assert.equal(moduleState({ ...whole, damaged: true }).level, "high");
});

test("nor is a log with errors a complete file", () => {
    const page = (mapped: boolean, errors: number): Page =>
        ({ log: { mapped }, quality: { job_damaged: false, error_count: errors } }) as unknown as Page;
    assert.equal(logState(page(false, 0)), "complete file");
    assert.match(logState(page(true, 0)), /runs or was killed/);
    assert.match(logState(page(false, 1)), /^damaged/);
});
