import { isJsonObject, type JsonObject } from "../domain/json.js";
import { type Micros, parseTimestamp, secondsToMicros } from "../domain/time.js";
import { type ForeignDraft, ForeignFormatError, type ProgramEvents } from "./program-events.js";

/** Reads the rows of a CSV text (RFC 4180): quoted fields may contain separators, line breaks and doubled quotes. */
export function* parseCsvRows(text: string, separator: string): Generator<string[]> {
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field = "";
    if (text[at] === '"') {
      at++;
      for (;;) {
        const end = text.indexOf('"', at);
        if (end < 0) throw new ForeignFormatError("a field in quotes has no end");
        field += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        field += '"';
        at++;
      }
    }
    const from = at;
    while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") at++;
    row.push(field + text.slice(from, at));
    if (text[at] === separator) {
      at++;
      if (at === text.length) row.push("");
      continue;
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at++;
    at++;
    if (row.length > 1 || row[0] !== "") yield row;
    row = [];
  }
  if (row.length > 0) yield row;
}

/** The columns of a CSV text with a header. */
export function parseCsvColumns(text: string): string[] {
  const line = text.slice(0, text.search(/[\r\n]|$/));
  const [columns = []] = parseCsvRows(line, detectSeparator(line));
  return columns.map((name) => name.trim());
}

/** The most frequent of comma, semicolon and tab in a header. */
function detectSeparator(line: string): string {
  const [separator = ","] = [",", ";", "\t"].sort((a, b) => line.split(b).length - line.split(a).length);
  return separator;
}

/** The rows of a CSV text with a header, as objects. */
export function* parseCsvRecords(text: string): Generator<Readonly<Record<string, string>>> {
  const separator = detectSeparator(text.slice(0, text.search(/[\r\n]|$/)));
  let header: readonly string[] | undefined;
  for (const row of parseCsvRows(text, separator)) {
    if (header === undefined) header = row.map((name) => name.trim());
    else yield Object.fromEntries(header.map((name, index) => [name, row[index] ?? ""]));
  }
}

/** Columns that are not data. */
const START = ["timestamp", "start", "time", "starttime", "start_time"];
const END = ["end", "stop", "endtime", "end_time"];
const DURATION = ["duration", "seconds"];
const BUCKET = ["bucket", "bucket_id"];

/** The target of events without a bucket. */
export interface CsvTarget {
  readonly bucketId: string | undefined;
}

/**
 * Reads events from a CSV text with a header: a start (`timestamp`, `start` or `time`), a `duration` in seconds or an
 * `end`, and optionally a `bucket`. A column `data` may contain JSON objects; every other column is a field of the
 * data.
 *
 * @throws ForeignFormatError for a header without a start, and for events without a bucket
 */
export function readCsvEvents(text: string, { bucketId }: CsvTarget): ProgramEvents[] {
  const byBucket = new Map<string, { events: ForeignDraft[]; invalid: number }>();
  for (const record of parseCsvRecords(text)) {
    const names = Object.keys(record);
    const find = (known: readonly string[]): string | undefined => {
      return names.find((name) => known.includes(name.toLowerCase()));
    };
    const start = find(START);
    if (start === undefined) throw new ForeignFormatError(`its header has none of the columns ${START.join(", ")}`);
    const own = find(BUCKET);
    const id = bucketId ?? (own === undefined ? undefined : record[own]);
    if (id === undefined || id === "")
      throw new ForeignFormatError("it does not specify a bucket; choose one with --bucket ID", { needsBucket: true });
    const list = byBucket.get(id) ?? { events: [], invalid: 0 };
    byBucket.set(id, list);
    const [end, duration] = [find(END), find(DURATION)];
    const timestamp = parseTime(record[start]);
    const length = parseDuration(timestamp, end && record[end], duration && record[duration]);
    const taken = new Set([start, end, duration, own]);
    const data = parseData(
      record,
      names.filter((name) => !taken.has(name)),
    );
    if (timestamp === undefined || length === undefined || data === undefined) list.invalid++;
    else list.events.push({ timestamp, duration: length, data });
  }
  return [...byBucket].map(([id, list]) => ({
    name: "CSV",
    bucket: { id, type: "imported", client: "activity-server import", hostname: "unknown" },
    ...list,
  }));
}

/** Parses a time string, or seconds since 1970. */
export function parseTime(given: string | number | undefined): Micros | undefined {
  if (given === undefined || given === "") return undefined;
  const seconds = Number(given);
  return Number.isFinite(seconds) ? secondsToMicros(seconds) : parseTimestamp(String(given).trim());
}

function parseDuration(
  start: Micros | undefined,
  end: string | undefined,
  duration: string | undefined,
): Micros | undefined {
  if (duration !== undefined && duration !== "") {
    const seconds = Number(duration);
    return Number.isFinite(seconds) ? secondsToMicros(seconds) : undefined;
  }
  if (end === undefined || end === "") return 0;
  const instant = parseTime(end);
  return instant === undefined || start === undefined ? undefined : instant - start;
}

function parseData(record: Readonly<Record<string, string>>, names: readonly string[]): JsonObject | undefined {
  const fields = names.filter((name) => name !== "data" && name !== "" && record[name] !== "");
  const data: JsonObject = Object.fromEntries(fields.map((name) => [name, record[name] ?? ""]));
  if (!names.includes("data") || record["data"] === "") return data;
  try {
    const given: unknown = JSON.parse(record["data"] ?? "{}");
    return isJsonObject(given) ? { ...given, ...data } : undefined;
  } catch {
    return undefined;
  }
}
