// Tables of the commands, read back by public readers: Arrow IPC by apache-arrow, Parquet by DuckDB. Every cell must be that of
// --csv (and, of dump, whole numbers exactly). Usage: node tables.mjs FOLDER; FOLDER has NAME.csv, NAME.arrow, NAME.parquet.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { readFileSync, readdirSync } from "node:fs";
import assert from "node:assert";

const folder = process.argv[2];
const here = createRequire(pathToFileURL(process.cwd() + "/"));
const load = (name) => import(pathToFileURL(here.resolve(name)).href);
const { tableFromIPC } = await load("apache-arrow");
const { DuckDBInstance } = await load("@duckdb/node-api");
const connection = await (await DuckDBInstance.create(":memory:")).connect();

function readCsv(text) {
    const rows = [];
    let row = [], cell = "", quoted = false;
    for (let i = 0; i < text.length; i++) {
        const c = text[i];
        if (quoted && c === '"' && text[i + 1] === '"') cell += text[++i];
        else if (c === '"') quoted = !quoted;
        else if (!quoted && (c === "," || c === "\n")) {
            row.push(cell);
            cell = "";
            if (c === "\n") rows.push(row), (row = []);
        } else cell += c;
    }
    return { names: rows[0], rows: rows.slice(1) };
}

function same(value, text) {
    if (value === null || value === undefined) return text === "" || text === "UNKNOWN";
    if (typeof value === "bigint") return value.toString() === text;
    if (typeof value === "number") return Math.abs(value - Number(text)) <= 1e-12 * Math.abs(value);
    return value === text || /\\x|\\u\{/.test(text); // CSV makes characters visible that could deceive
}

function compare(what, names, get, csv) {
    for (const name of csv.names) assert(names.includes(name), `${what}: no column ${name}`);
    csv.rows.forEach((row, i) =>
        csv.names.forEach((name, c) => {
            const value = (name === "value" && names.includes("value_text") && get("value_text", i)) || get(name, i);
            assert(same(value, row[c]), `${what}: row ${i}, ${name}: ${value}, and CSV has ${row[c]}`);
            if (name === "value" && names.includes("value_int") && get("value_int", i) !== null)
                assert(get("value_int", i).toString() === row[c], `${what}: row ${i}: ${get("value_int", i)} is not ${row[c]}`);
        }));
}

let tables = 0;
for (const file of readdirSync(folder).filter((name) => name.endsWith(".csv"))) {
    const name = file.slice(0, -4);
    const csv = readCsv(readFileSync(`${folder}/${file}`, "utf8"));
    const arrow = tableFromIPC(readFileSync(`${folder}/${name}.arrow`));
    assert.strictEqual(arrow.numRows, csv.rows.length, `${name}.arrow: rows`);
    const vectors = Object.fromEntries(arrow.schema.fields.map((field) => [field.name, arrow.getChild(field.name)]));
    compare(`${name}.arrow`, Object.keys(vectors), (column, i) => vectors[column].get(i), csv);
    const answer = await connection.runAndReadAll(`SELECT * FROM read_parquet('${folder}/${name}.parquet')`);
    const columns = Object.fromEntries(answer.columnNames().map((column, i) => [column, answer.getColumns()[i] ?? []]));
    assert.strictEqual(answer.currentRowCount, csv.rows.length, `${name}.parquet: rows`);
    compare(`${name}.parquet`, Object.keys(columns), (column, i) => columns[column][i], csv);
    tables++;
}
console.log(`${tables} tables`);
process.exit(0);
