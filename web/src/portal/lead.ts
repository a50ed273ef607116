// What the list of jobs opens with: to a user, what this week cost and which finding cost most; to staff, whether data comes.
import { h, type Child } from "../lib/dom";
import * as format from "../lib/format";
import type { Health, Me, User } from "./answers";
import { address, ask } from "./api";

const week = 7 * 86400;

async function ofUser(name: string): Promise<[string, Child[]]> {
    const user = await ask<User>("/users/" + encodeURIComponent(name), { start: Math.floor(Date.now() / 1000) - week });
    const worst = user.findings.find((one) => one.level === "high" || one.level === "warn");
    if (!user.logs) return ["info", ["You have left no log in the last seven days."]];
    if (!worst || !user.lost_s)
        return [
            "ok",
            [
                h("strong", {}, "Your jobs lost nothing worth a change this week."),
                ` ${format.plural(user.logs, "log")}.`,
            ],
        ];
    return [
        "high",
        [
            h("strong", {}, `Your jobs lost ${format.seconds(user.lost_s)} this week.`),
            " Most of it: ",
            h(
                "a",
                { href: address("/", { finding: worst.rule, sort: "-lost_s" }) },
                format.visible(worst.title ?? worst.rule),
            ),
            ` (${format.seconds(worst.lost_s)}, ${format.plural(worst.logs, "log")}).`,
        ],
    ];
}

async function ofStaff(): Promise<[string, Child[]]> {
    const health = await ask<Health>("/health");
    const lag = Object.entries((health.lag_s ?? {}) as Record<string, number | null>);
    const text = lag.map(([name, seconds]) => `${name} ${format.seconds(seconds)} ago`).join(", ");
    if (health.status === "late")
        return [
            "high",
            [
                h("strong", { class: "p-late" }, "Nothing new has come."),
                ` Latest: ${text}. `,
                h("a", { href: address("/admin") }, "Look"),
            ],
        ];
    return ["ok", [h("strong", {}, "Data comes as it should."), text ? ` Latest: ${text}.` : ""]];
}

export function lead(before: HTMLElement): void {
    const box = h("p", { class: "p-lead", "aria-busy": "true" });
    before.before(box);
    ask<Me>("/me")
        .then((me) => (me.role === "staff" ? ofStaff() : ofUser(me.user ?? "")))
        .then(
            ([level, children]) => {
                box.dataset["level"] = level;
                box.append(h("span", {}, ...children));
            },
            () => box.remove(),
        )
        .finally(() => box.removeAttribute("aria-busy"));
}
