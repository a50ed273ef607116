// The colours of a scale must be distinguishable for everybody: their lightness alone has to order them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { categories, css, luminance, mix, pack, parseColour, sequential } from "../../src/views/canvas/colour";

for (const dark of [false, true]) {
    test(`lightness of the ${dark ? "dark" : "light"} scale changes steadily`, () => {
        const scale = sequential(dark);
        const steps = Array.from({ length: 33 }, (_, i) => luminance(scale.colour(i / 32)));
        for (let i = 1; i < steps.length; i++)
            assert.ok(
                dark ? steps[i]! > steps[i - 1]! : steps[i]! < steps[i - 1]!,
                `step ${i}: ${steps[i - 1]} to ${steps[i]}`,
            );
        assert.ok(Math.abs(steps[0]! - steps[32]!) > 0.5);
    });

    test(`the hues for ${dark ? "dark" : "light"} pages differ`, () => {
        const names = categories(dark).map((colour) => css(colour));
        assert.equal(new Set(names).size, 8);
    });
}

test("pixels are packed as image data wants them", () => {
    const bytes = new Uint8Array(Uint32Array.of(pack([1, 2, 3], 4)).buffer);
    assert.deepEqual([...bytes], [1, 2, 3, 4]);
    assert.equal(sequential(false).pixels.length, 256);
});

test("colours are read from any form that a style has", () => {
    assert.deepEqual(parseColour("#fff"), [255, 255, 255]);
    assert.deepEqual(parseColour(" #0072b2"), [0, 114, 178]);
    assert.deepEqual(parseColour("rgb(1, 2, 3)"), [1, 2, 3]);
    assert.deepEqual(parseColour("rgba(1 2 3 / 50%)"), [1, 2, 3]);
    assert.deepEqual(parseColour("nonsense"), [128, 128, 128]);
});

test("mixing ends where it should", () => {
    assert.deepEqual(mix([10, 20, 30], [200, 100, 50], 0), [10, 20, 30]);
    assert.deepEqual(mix([10, 20, 30], [200, 100, 50], 1), [200, 100, 50]);
});
