// CSV according to RFC 4180, safe for spreadsheets. docs/guides/search.md#csv
import type { DataTable, EventBatch } from "../domain/batch.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";
import { formatPath } from "../filter/term.js";
import { spreadsheetText } from "../util/spreadsheet-text.js";

/** Decides which columns data have. */
export interface ColumnLayout {
  /** Maximum number of columns. Data with more keys are written to a single column. */
  readonly mostColumns: number;
  /** Maximum depth of objects that become columns. */
  readonly mostLevels: number;
  /** Whether to sort columns by name; otherwise they are in order of appearance. */
  readonly isSorted: boolean;
}

const WIDE: ColumnLayout = { mostColumns: 256, mostLevels: 8, isSorted: true };

/** The layout of bucket exports in aw-server-rust. */
export const EXPORT_LAYOUT: ColumnLayout = { mostColumns: 32, mostLevels: 1, isSorted: false };

/** Columns before the data columns. Data keys with these names are renamed. */
const OWN_COLUMNS: ReadonlySet<string> = new Set(["timeperiod", "bucket", "id", "timestamp", "duration"]);

const SPECIAL = /[",\r\n]/;

/** Formats a cell: strings, numbers and booleans verbatim, null as empty, lists and objects as JSON. */
export function csvCell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // A leading apostrophe makes it text in all spreadsheets. Numbers, handled above, may start with a minus.
  const safe = spreadsheetText(text);
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats a line of cells. */
export function csvLine(cells: readonly (JsonValue | undefined)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** Maximum number of cached data shapes. */
const MAX_SHAPES = 1000;

/** The distinct columns of data by name. Collected before the first line, so that all lines have the same columns. */
export class DataColumns {
  readonly #layout: ColumnLayout;
  readonly #names: Set<string> = new Set();
  readonly #shapes: Set<string> = new Set();
  /** Cached cells by table and reference, since events of a batch share data. */
  readonly #lines: WeakMap<DataTable, string[]> = new WeakMap();
  #listed: readonly string[] | undefined;

  constructor(layout: ColumnLayout = WIDE) {
    this.#layout = layout;
  }

  add(data: JsonObject): void {
    if (this.#areTooMany) return;
    const shape = shapeKey(data);
    if (shape !== undefined && this.#shapes.has(shape)) return;
    if (shape !== undefined && this.#shapes.size < MAX_SHAPES) this.#shapes.add(shape);
    for (const name of this.#flatten(data).keys()) this.#names.add(name);
  }

  get #areTooMany(): boolean {
    return this.#names.size > this.#layout.mostColumns;
  }

  /** Column names, sorted or in order of appearance; only `data` if there are too many. */
  get names(): readonly string[] {
    const names = [...this.#names];
    this.#listed ??= this.#areTooMany ? ["data"] : this.#layout.isSorted ? names.sort() : names;
    return this.#listed;
  }

  /** Formats the cells of data. */
  cells(data: JsonObject): string {
    const { names } = this;
    const values = this.#areTooMany ? new Map<string, JsonValue>([["data", data]]) : this.#flatten(data);
    return names.map((name) => csvCell(values.get(name))).join(",");
  }

  /** Formats the cells of an event in a batch. */
  cellsAt(batch: EventBatch, row: number): string {
    const { table } = batch;
    const lines = this.#lines.get(table) ?? [];
    if (lines.length === 0) this.#lines.set(table, lines);
    const ref = batch.refAt(row);
    lines[ref] ??= this.cells(batch.dataAt(row));
    return lines[ref];
  }

  /** Flattens nested objects. The names are the paths that filters use. */
  #flatten(data: JsonObject): Map<string, JsonValue> {
    const { mostLevels } = this.#layout;
    const found = new Map<string, JsonValue>();
    function walk(object: JsonObject, path: readonly string[]): void {
      for (const [key, value] of Object.entries(object)) {
        const place = [...path, key];
        const isInner = isJsonObject(value) && Object.keys(value).length > 0 && place.length < mostLevels;
        if (isInner) walk(value, place);
        else found.set(mostLevels === 1 ? avoidOwnColumn(key) : avoidOwnColumn(formatPath(place)), value);
      }
    }
    walk(data, []);
    return found;
  }
}

/** A key for the keys of data without nested objects; `undefined` for other data. */
function shapeKey(data: JsonObject): string | undefined {
  const keys = Object.keys(data);
  return keys.some((key) => isJsonObject(data[key])) ? undefined : keys.join("\0");
}

function avoidOwnColumn(name: string): string {
  return OWN_COLUMNS.has(name) ? `data.${name}` : name;
}
