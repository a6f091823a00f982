// The recorded query cases: what was asked, and what this project's answer must be (test/conformance/query/README.md).
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type JsonValue, sameJson } from "../../src/domain/json.js";

const FOLDER = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../conformance/query");

/** A tick of the timestamps, and with it how far apart two of them may be. */
const TOLERANCE_MICROS = 1;
const TOLERANCE = 1e-6;
/** Doubles of this size are not exact to the tolerance itself. */
const SLACK = 1e-9;

type Dict = Readonly<Record<string, unknown>>;

export interface RecordedEvent {
  readonly timestamp: string;
  /** Seconds. */
  readonly duration: number;
  readonly data: Dict;
}

export interface RecordedBucket {
  readonly id: string;
  readonly type: string;
  readonly client: string;
  readonly hostname: string;
  readonly events: readonly RecordedEvent[];
}

/** What a request must be answered with: values, one for each period, or an error. */
export interface Outcome {
  readonly results?: readonly unknown[];
  readonly error?: { readonly status: number; readonly type?: string };
}

export interface QueryCase {
  readonly name: string;
  readonly tier: number;
  readonly timeperiods: readonly string[];
  readonly query: readonly string[];
  /** The order of each result does not count. */
  readonly unordered?: boolean;
  readonly expect: { readonly target: Outcome };
}

export interface QueryFile {
  readonly name: string;
  readonly buckets: readonly RecordedBucket[];
  readonly cases: readonly QueryCase[];
}

/** What a server has answered. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** All files, in the order of their names. */
export function loadQueryFiles(): QueryFile[] {
  const names = fs.readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  return names
    .sort()
    .map((name) => ({ name, ...JSON.parse(fs.readFileSync(path.join(FOLDER, name), "utf8")) }) as QueryFile);
}

/** Where an answer departs from what is wanted; `undefined` when it does not. */
export function answerDifference(wanted: Outcome, { status, body }: Answer, unordered = false): string | undefined {
  const value: unknown = JSON.parse(body);
  if (wanted.error !== undefined) {
    if (status !== wanted.error.status) return `status ${status} instead of ${wanted.error.status}: ${body}`;
    const { type, message } = value as Dict;
    if (typeof message !== "string" || message === "") return `no message: ${body}`;
    return type === wanted.error.type ? undefined : `type ${type} instead of ${wanted.error.type}: ${message}`;
  }
  if (status !== 200) return `status ${status}: ${body}`;
  const results = wanted.results ?? [];
  if (!Array.isArray(value)) return `no list: ${body}`;
  if (value.length !== results.length) return `${value.length} results instead of ${results.length}`;
  return first(results, (result, index) => {
    const place = `result ${index}`;
    if (unordered) return difference(sorted(result), sorted(value[index]), place);
    return difference(result, value[index], place);
  });
}

function difference(wanted: unknown, given: unknown, place: string): string | undefined {
  if (isEvent(wanted)) return isEvent(given) ? eventDifference(wanted, given, place) : `${place}: no event`;
  if (Array.isArray(wanted)) {
    if (!Array.isArray(given)) return `${place}: no list`;
    if (wanted.length !== given.length) return `${place}: ${given.length} items instead of ${wanted.length}`;
    return first(wanted, (item, index) => difference(item, given[index], `${place}[${index}]`));
  }
  if (isDict(wanted)) {
    if (!isDict(given)) return `${place}: no dict`;
    const keys = Object.keys(wanted).sort().join();
    if (Object.keys(given).sort().join() !== keys) return `${place}: keys ${Object.keys(given)} instead of ${keys}`;
    return first(Object.keys(wanted), (key) => difference(wanted[key], given[key], `${place}.${key}`));
  }
  const isSame =
    typeof wanted === "number" && typeof given === "number"
      ? Math.abs(wanted - given) <= TOLERANCE + SLACK
      : wanted === given;
  return isSame ? undefined : `${place}: ${JSON.stringify(given)} instead of ${JSON.stringify(wanted)}`;
}

function eventDifference(wanted: RecordedEvent, given: RecordedEvent, place: string): string | undefined {
  if (Math.abs(microsOf(wanted.timestamp) - microsOf(given.timestamp)) > TOLERANCE_MICROS) {
    return `${place}: at ${given.timestamp} instead of ${wanted.timestamp}`;
  }
  if (!sameJson(wanted.data as JsonValue, given.data as JsonValue)) {
    return `${place}: data ${JSON.stringify(given.data)} instead of ${JSON.stringify(wanted.data)}`;
  }
  return difference(wanted.duration, given.duration, `${place}.duration`);
}

/** `Date` knows milliseconds only. */
function microsOf(text: string): number {
  const [, digits = ""] = /\.(\d+)/.exec(text) ?? [];
  return Date.parse(text.replace(/\.\d+/, "")) * 1000 + Number(digits.padEnd(6, "0").slice(0, 6));
}

/** A list as a set. */
function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...value].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) : value;
}

function keyOf(item: unknown): string {
  if (!isEvent(item)) return JSON.stringify(item);
  const data = Object.entries(item.data).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([microsOf(item.timestamp), data, item.duration]);
}

function isDict(value: unknown): value is Dict {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEvent(value: unknown): value is RecordedEvent {
  return isDict(value) && "timestamp" in value && "duration" in value && "data" in value;
}

function first<T>(items: readonly T[], check: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = check(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
