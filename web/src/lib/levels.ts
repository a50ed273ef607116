// The levels of findings, worst first, with the word that people see: colour is never the only sign.
import type { Level } from "../page/document";

export const levels: { id: Level; word: string; sign: string }[] = [
    { id: "high", word: "high", sign: "!!" },
    { id: "warn", word: "warning", sign: "!" },
    { id: "info", word: "info", sign: "i" },
    { id: "ok", word: "good", sign: "\u2713" },
];

export function levelWord(level: Level): string {
    return levels.find((entry) => entry.id === level)?.word ?? level;
}
