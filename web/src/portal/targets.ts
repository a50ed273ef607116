// Storage targets behind the files of a log, or the servers that held them: how occupied each was, how long it took, and
// whether the speed of files goes with being there.
import { h } from "../lib/dom";
import * as format from "../lib/format";
import { table } from "../lib/table";
import type { Ost } from "./answers";
import { list, type LogId } from "./api";
import { boxes } from "./draw";
import { column, none } from "./parts";

/** As `iolite bad-ost` judges: strongly against it, and no chance. */
const suspicious = (one: Ost): boolean =>
    one.coefficient !== null && one.p_value !== null && one.coefficient < -0.3 && one.p_value < 1e-5;

function verdict(rows: Ost[], word: string): string {
    const bad = rows.filter(suspicious).map((one) => one.name);
    const slow = rows.filter((one) => one.slow && !suspicious(one)).map((one) => one.name);
    if (bad.length) return `Files on ${bad.join(", ")} are slower than others, and not by chance: look at ${word}.`;
    if (slow.length) return `Requests to ${slow.join(", ")} took longer than usual.`;
    return rows.some((one) => one.records !== null)
        ? "None stands out."
        : "The log is no longer there, so times are not known.";
}

function show(into: HTMLElement, rows: Ost[], servers: boolean): void {
    into.append(h("p", {}, verdict(rows, servers ? "these servers" : "these targets")));
    if (rows.some((one) => one.median_s !== null))
        into.append(
            boxes(
                servers ? "I/O time by server" : "I/O time by target",
                rows.map((one) => ({
                    name: one.name,
                    count: one.records ?? 0,
                    five:
                        one.min_s === null || one.median_s === null
                            ? null
                            : [one.min_s, one.q1_s!, one.median_s, one.q3_s!, one.max_s!],
                    marked: suspicious(one) || one.slow === true,
                })),
                format.seconds,
            ),
        );
    table(into, {
        caption: servers ? "Servers" : "Targets",
        name: servers ? "servers" : "targets",
        quiet: true,
        columns: [
            { label: servers ? "Server" : "Ost", value: (row) => row.name },
            { label: "File system", value: (row) => row.fs },
            ...(servers ? [column.number<Ost>("Targets", (row) => row.targets, format.count)] : []),
            column.number<Ost>("Files", (row) => row.files, format.count),
            column.number<Ost>("Read", (row) => row.bytes_read, format.bytes),
            column.number<Ost>("Written", (row) => row.bytes_written, format.bytes),
            column.number<Ost>("Records", (row) => row.records, format.count),
            column.number<Ost>("Median", (row) => row.median_s, format.seconds),
            column.number<Ost>("Slowest", (row) => row.max_s, format.seconds),
            {
                label: "Correlation with speed",
                value: (row) => row.coefficient,
                text: (row) => format.coefficient(row.coefficient),
                number: true,
            },
        ],
        rows,
        limit: 20,
    });
}

export async function targets(into: HTMLElement, log: LogId): Promise<void> {
    const [each, servers] = await Promise.all(
        ["ost", "oss"].map((by) => list<Ost>(`/logs/${log}/osts`, { by }).then(({ items }) => items)),
    );
    if (!each?.length) {
        into.append(none("No file of this job has a layout on storage targets."));
        return;
    }
    show(into, each, false);
    if (servers?.some((one) => one.name !== "unknown")) show(into, servers, true);
}
