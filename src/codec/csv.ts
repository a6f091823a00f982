// Tables as RFC 4180 has them, safe to be opened by spreadsheets. docs/search.md#csv
import type { DataTable, EventBatch } from "../domain/batch.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";
import { formatPath } from "../filter/term.js";
import { spreadsheetText } from "../util/spreadsheet-text.js";

/** Which columns data become. */
export interface ColumnLayout {
  /** Most columns of one table; data of more keys stay together in one. */
  readonly mostColumns: number;
  /** Most levels of objects that become columns. */
  readonly mostLevels: number;
  /** Whether columns are sorted by name; otherwise they keep the order of their appearance. */
  readonly isSorted: boolean;
}

const WIDE: ColumnLayout = { mostColumns: 256, mostLevels: 8, isSorted: true };

/** As aw-server-rust exports a bucket. */
export const EXPORT_LAYOUT: ColumnLayout = { mostColumns: 32, mostLevels: 1, isSorted: false };

/** Columns that stand in front of those of the data, so that no key of the data may have their names. */
const OWN_COLUMNS: ReadonlySet<string> = new Set(["timeperiod", "bucket", "id", "timestamp", "duration"]);

const SPECIAL = /[",\r\n]/;

/** A cell: texts, numbers and booleans as they are, nothing for null, JSON for lists and objects. */
export function csvCell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // A quote in front makes it a text everywhere; numbers, above, may begin with a minus.
  const safe = spreadsheetText(text);
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
  readonly #layout: ColumnLayout;
  readonly #names: Set<string> = new Set();
  readonly #shapes: Set<string> = new Set();
  /** Cells by the tables of batches and the references into them: events of a batch share their data. */
  readonly #lines: WeakMap<DataTable, string[]> = new WeakMap();
  #listed: readonly string[] | undefined;

  constructor(layout: ColumnLayout = WIDE) {
    this.#layout = layout;
  }

  add(data: JsonObject): void {
    if (this.#areTooMany) return;
    const shape = flatShape(data);
    if (shape !== undefined && this.#shapes.has(shape)) return;
    if (shape !== undefined && this.#shapes.size < MOST_SHAPES) this.#shapes.add(shape);
    for (const name of this.#flattened(data).keys()) this.#names.add(name);
  }

  get #areTooMany(): boolean {
    return this.#names.size > this.#layout.mostColumns;
  }

  /** In the order of their code units or of their appearance; only `data` if there are too many. */
  get names(): readonly string[] {
    const names = [...this.#names];
    this.#listed ??= this.#areTooMany ? ["data"] : this.#layout.isSorted ? names.sort() : names;
    return this.#listed;
  }

  /** The cells of data, as they stand in a line. */
  cells(data: JsonObject): string {
    const { names } = this;
    const values = this.#areTooMany ? new Map<string, JsonValue>([["data", data]]) : this.#flattened(data);
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

  /** Members of objects within objects, under the names that filters have for them. */
  #flattened(data: JsonObject): Map<string, JsonValue> {
    const { mostLevels } = this.#layout;
    const found = new Map<string, JsonValue>();
    function walk(object: JsonObject, path: readonly string[]): void {
      for (const [key, value] of Object.entries(object)) {
        const place = [...path, key];
        const isInner = isJsonObject(value) && Object.keys(value).length > 0 && place.length < mostLevels;
        if (isInner) walk(value, place);
        else found.set(mostLevels === 1 ? freeName(key) : freeName(formatPath(place)), value);
      }
    }
    walk(data, []);
    return found;
  }
}

/** What tells whether data without objects within have other keys than data before; `undefined` for others. */
function flatShape(data: JsonObject): string | undefined {
  const keys = Object.keys(data);
  return keys.some((key) => isJsonObject(data[key])) ? undefined : keys.join("\0");
}

function freeName(name: string): string {
  return OWN_COLUMNS.has(name) ? `data.${name}` : name;
}
