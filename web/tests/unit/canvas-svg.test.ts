// The SVG brush: names in a log never become markup, and state is kept as a canvas keeps it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SvgBrush } from "../../src/views/canvas/svg";

const ruler = {
    font: "",
    measureText: (text: string) => ({ width: text.length * 6 }),
} as unknown as CanvasRenderingContext2D;

test("text is escaped", () => {
    const brush = new SvgBrush(ruler);
    brush.fillStyle = "red";
    brush.fillText('</text><script>"&\u0001', 1, 2);
    const text = brush.text(10, 20, "#fff");
    assert.ok(!text.includes("<script"));
    assert.ok(text.includes("&#60;/text&#62;"));
    assert.ok(!text.includes("\u0001"));
    assert.ok(text.startsWith('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"'));
});

test("save and restore keep colour, clip and place", () => {
    const brush = new SvgBrush(ruler);
    brush.fillStyle = "red";
    brush.save();
    brush.fillStyle = "blue";
    brush.translate(5, 6);
    brush.beginPath();
    brush.rect(0, 0, 10, 10);
    brush.clip();
    brush.fillRect(0, 0, 1, 1);
    brush.restore();
    brush.fillRect(2, 2, 1, 1);
    const text = brush.text(10, 10, "white");
    assert.match(text, /clip-path="url\(#clip-1\)"><rect[^>]*fill="blue" transform="translate\(5 6\)"/);
    assert.match(text, /<\/g><rect x="2" y="2" width="1" height="1" fill="red"\/>/);
});

test("a rectangle with a negative size is turned round", () => {
    const brush = new SvgBrush(ruler);
    brush.fillRect(10, 10, -4, -5);
    assert.match(brush.text(1, 1, "white"), /x="6" y="5" width="4" height="5"/);
});
