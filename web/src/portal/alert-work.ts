// What staff do about an alert: mute it, give it to somebody, write something down. All of it is kept with who did it and when.
import { h } from "../lib/dom";
import * as format from "../lib/format";
import type { Alert, AlertNote } from "./answers";
import { list, send } from "./api";
import * as when from "./when";

type About = Pick<Alert, "rule" | "user" | "exe">;

const sentences: Record<string, (note: AlertNote) => string> = {
    mute: (note) => `muted it until ${when.date(note.until)}`,
    unmute: () => "ended the mute",
    assign: (note) => (note.to ? `gave it to ${format.visible(note.to)}` : "gave it back"),
    comment: () => "wrote",
};

function line(note: AlertNote): HTMLElement {
    const does = sentences[note.action]?.(note) ?? note.action;
    return h(
        "li",
        {},
        h("span", { class: "io-muted" }, `${when.date(note.made)} `),
        h("strong", {}, format.visible(note.by || "somebody with a token")),
        ` ${does}${note.text ? `: ${format.visible(note.text)}` : "."}`,
    );
}

/** Everything about one alert, latest first. */
async function history(place: HTMLElement, about: About): Promise<void> {
    const { items } = await list<AlertNote>("/alert-notes", { ...about });
    place.replaceChildren(
        ...(items.length ? items.map(line) : [h("li", { class: "io-muted" }, "Nobody has done anything yet.")]),
    );
}

function dialogFor(alert: Alert, changed: () => void): HTMLDialogElement {
    const about: About = { rule: alert.rule, user: alert.user, exe: alert.exe };
    const said = h("p", { role: "status", class: "io-muted" });
    const notes = h("ol", { class: "p-notes" });
    const act = async (does: Record<string, string | number>): Promise<void> => {
        try {
            await send<AlertNote>("/alert-notes", { ...about, ...does });
            said.textContent = "Noted.";
            await history(notes, about);
            changed();
        } catch (error) {
            said.textContent = `${error instanceof Error ? error.message : String(error)}.`;
        }
    };
    const days = h("input", { type: "number", min: 1, max: 3660, value: 30, required: true });
    const why = h("input", { maxlength: 300, placeholder: "why" });
    const to = h("input", { maxlength: 120, value: alert.assigned ?? "" });
    const text = h("input", { maxlength: 900, required: true });
    const form = (name: string, does: () => Record<string, string | number>, ...fields: (HTMLElement | string)[]) =>
        h(
            "form",
            {
                onsubmit: (event: Event) => {
                    event.preventDefault();
                    void act(does()).then(() => {
                        text.value = "";
                    });
                },
            },
            ...fields,
            h("button", { class: "p-tool" }, name),
        );
    const unmute = h("button", { type: "button", class: "p-tool" }, "End the mute");
    unmute.addEventListener("click", () => void act({ action: "unmute" }));
    void history(notes, about);
    const title = `${alert.rule || "Any rule"}${alert.user ? `, ${alert.user}` : ""}${alert.exe ? `, ${alert.exe}` : ""}`;
    const dialog = h(
        "dialog",
        { class: "p-keys p-letter p-alert", "aria-label": `Alert: ${format.visible(title)}` },
        h("h2", {}, format.visible(title)),
        form(
            "Mute",
            () => ({ action: "mute", days: +days.value, text: why.value }),
            h("label", {}, "Mute for days ", days),
            h("label", {}, "Reason ", why),
        ),
        form("Assign", () => ({ action: "assign", to: to.value }), h("label", {}, "Assigned to ", to)),
        form("Comment", () => ({ action: "comment", text: text.value }), h("label", {}, "Comment ", text)),
        said,
        h("h3", {}, "History"),
        notes,
        h("form", { method: "dialog", class: "p-actions" }, unmute, h("button", { class: "p-tool" }, "Close")),
    );
    dialog.addEventListener("close", () => dialog.remove());
    return dialog;
}

/** A button that opens it; `changed` is called when something was done. */
export function alertButton(alert: Alert, changed: () => void): HTMLElement {
    const open = (): void => {
        const dialog = dialogFor(alert, changed);
        document.body.append(dialog);
        dialog.showModal();
    };
    const about = [alert.rule, alert.user, alert.exe].filter(Boolean).map(format.visible).join(", ");
    return h("button", { type: "button", class: "io-tool", onclick: open, "aria-label": `Handle ${about}` }, "Handle");
}
