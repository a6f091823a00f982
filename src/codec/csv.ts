// Tables as RFC 4180 has them, safe to be opened by spreadsheets. docs/search.md#csv
import type { DataTable, EventBatch } from "../domain/batch.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";
import { formatPath } from "../filter/term.js";

/** Columns of one table; data of more keys stay together. */
const MOST_COLUMNS = 256;
/** Levels of objects that become columns. */
const MOST_LEVELS = 8;
/** Columns that stand in front of those of the data, so that no key of the data may have their names. */
const OWN_COLUMNS: ReadonlySet<string> = new Set(["timeperiod", "bucket", "id", "timestamp", "duration"]);

/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const SPECIAL = /[",\r\n]/;

/** A cell: texts, numbers and booleans as they are, nothing for null, JSON for lists and objects. */
export function csvCell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // A quote in front makes it a text everywhere; numbers, above, may begin with a minus.
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of cells. */
export function csvLine(cells: readonly (JsonValue | undefined)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** Shapes of data that are known; beyond them they are looked at again. */
const MOST_SHAPES = 1000;

/** The columns that data have, each once, by their names; collected first, so that all lines have the same. */
export class DataColumns {
  readonly #names: Set<string> = new Set();
  readonly #shapes: Set<string> = new Set();
  /** Cells by the tables of batches and the references into them: events of a batch share their data. */
  readonly #lines: WeakMap<DataTable, string[]> = new WeakMap();
  #sorted: readonly string[] | undefined;

  add(data: JsonObject): void {
    if (this.#names.size > MOST_COLUMNS) return;
    const shape = flatShape(data);
    if (shape !== undefined && this.#shapes.has(shape)) return;
    if (shape !== undefined && this.#shapes.size < MOST_SHAPES) this.#shapes.add(shape);
    for (const name of flattened(data).keys()) this.#names.add(name);
  }

  /** In the order of their code units; `data` alone where there are too many. */
  get names(): readonly string[] {
    this.#sorted ??= this.#names.size > MOST_COLUMNS ? ["data"] : [...this.#names].sort();
    return this.#sorted;
  }

  /** The cells of data, as they stand in a line. */
  cells(data: JsonObject): string {
    const { names } = this;
    const values = this.#names.size > MOST_COLUMNS ? new Map<string, JsonValue>([["data", data]]) : flattened(data);
    return names.map((name) => csvCell(values.get(name))).join(",");
  }

  /** The same of an event of a batch. */
  cellsAt(batch: EventBatch, row: number): string {
    const { table } = batch;
    const lines = this.#lines.get(table) ?? [];
    if (lines.length === 0) this.#lines.set(table, lines);
    const ref = batch.refAt(row);
    lines[ref] ??= this.cells(batch.dataAt(row));
    return lines[ref];
  }
}

/** What tells whether data without objects within have other keys than data before; `undefined` for others. */
function flatShape(data: JsonObject): string | undefined {
  const keys = Object.keys(data);
  return keys.some((key) => isJsonObject(data[key])) ? undefined : keys.join("\0");
}

/** Members of objects within objects, under the names that filters have for them. */
function flattened(data: JsonObject): Map<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  function walk(object: JsonObject, path: readonly string[]): void {
    for (const [key, value] of Object.entries(object)) {
      const place = [...path, key];
      const isInner = isJsonObject(value) && Object.keys(value).length > 0 && place.length < MOST_LEVELS;
      if (isInner) walk(value, place);
      else found.set(nameOf(place), value);
    }
  }
  walk(data, []);
  return found;
}

function nameOf(path: readonly string[]): string {
  const name = formatPath(path);
  return OWN_COLUMNS.has(name) ? `data.${name}` : name;
}
