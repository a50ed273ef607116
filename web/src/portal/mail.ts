// A finding as a letter: what was found, what it costs, what to change, and where to look. Nothing is sent from here: the
// text is shown first, and the reader's own mail program takes it.
import { h } from "../lib/dom";
import * as format from "../lib/format";
import type { Finding } from "../page/document";

export interface Letter {
    to: string;
    subject: string;
    text: string;
}

export interface LetterJob {
    user: string;
    jobid: string;
    exe: string | null;
    address: string;
}

export function letterOf(finding: Finding, job: LetterJob): Letter {
    const lost = finding.cost?.lost_s;
    const program = job.exe ? format.visible(job.exe) : "a program";
    const lines = [
        `Job ${format.visible(job.jobid)} (${program}):`,
        "",
        format.visible(finding.title) + ".",
        ...(typeof lost === "number"
            ? [`It cost ${format.seconds(lost)}, ${format.percent(finding.cost?.share_of_runtime)} of the run.`]
            : []),
    ];
    for (const advice of finding.advice) {
        lines.push("", advice.text);
        if (advice.snippet)
            lines.push(
                "",
                ...advice.snippet.code
                    .trimEnd()
                    .split("\n")
                    .map((line) => `    ${line}`),
            );
    }
    lines.push("", job.address);
    return {
        to: job.user,
        subject: `I/O of job ${format.visible(job.jobid)}: ${format.visible(finding.title)}`,
        text: lines.join("\n"),
    };
}

const mailAddress = ({ to, subject, text }: Letter): string =>
    `mailto:${encodeURIComponent(to)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text.replaceAll("\n", "\r\n"))}`;

function preview(letter: Letter): HTMLDialogElement {
    const text = h("textarea", { rows: 16, cols: 72, "aria-label": "Text of the mail" });
    const open = h("a", { class: "p-tool", href: mailAddress(letter) }, "Open in the mail program");
    const copy = h("button", { type: "button", class: "p-tool" }, "Copy the text");
    text.value = letter.text;
    text.addEventListener("input", () => open.setAttribute("href", mailAddress({ ...letter, text: text.value })));
    copy.addEventListener("click", () => {
        text.select();
        void navigator.clipboard?.writeText(text.value);
    });
    const dialog = h(
        "dialog",
        { class: "p-keys p-letter", "aria-label": "Mail this finding" },
        h("h2", {}, "Mail this finding"),
        h("p", {}, `To ${format.visible(letter.to)}: ${letter.subject}`),
        text,
        h("form", { method: "dialog", class: "p-actions" }, open, copy, h("button", { class: "p-tool" }, "Close")),
    );
    dialog.addEventListener("close", () => dialog.remove());
    return dialog;
}

export function mailButton(letter: Letter): HTMLElement {
    const show = (): void => {
        const dialog = preview(letter);
        document.body.append(dialog);
        dialog.showModal();
    };
    return h(
        "p",
        { class: "p-mail" },
        h("button", { type: "button", class: "io-tool", onclick: show }, "Mail this finding"),
    );
}
