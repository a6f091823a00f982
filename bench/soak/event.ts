import { microsToSeconds, serializeTimestamp } from "../../src/domain/time.js";
import { sample } from "../data.js";

/** Something that the server must never do. Its message names the bucket, the event, and what was expected and found. */
export class SoakFault extends Error {
  override readonly name: string = "SoakFault";
}

/** A value for a message, shortened. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 400 ? `${text.slice(0, 400)}...` : text;
}

/** An event as the soak knows it. Its data follow from `n`, `edit` and the kind of its bucket. */
export interface Entry {
  /** Names it for good: no other event of the soak has it. */
  readonly n: number;
  /** Microseconds. */
  readonly timestamp: number;
  /** Microseconds. */
  readonly duration: number;
  /** How often it was replaced by other data. */
  readonly edit: number;
  /** Unknown while no answer has told it. */
  readonly id: number | undefined;
}

/** What the watcher of a bucket looks at. */
export type BucketKind = "window" | "idle";

/** An event as it was found in an answer. */
export interface Found {
  readonly n: number;
  readonly id: number | undefined;
  readonly timestamp: string;
  readonly duration: number;
  readonly data: Readonly<Record<string, unknown>>;
}

const { distinct } = sample({ days: 0 });

type Data = Readonly<Record<string, string | number>>;

/** The data of an event: few titles are frequent, many are rare, and the number makes each one unlike all others. */
export function dataOf({ n, edit }: Pick<Entry, "n" | "edit">, kind: BucketKind): Data {
  const edited = edit === 0 ? {} : { edit };
  if (kind === "idle") return { status: n % 2 === 0 ? "not-afk" : "afk", n, ...edited };
  const share = (Math.imul(n + edit, 0x9e3779b1) >>> 0) / 4_294_967_296;
  return { ...distinct[Math.floor(distinct.length ** share) - 1], n, ...edited };
}

/** The JSON of an event as a client sends it; with its id if it is known. */
export function wireText(entry: Entry, kind: BucketKind): string {
  const id = entry.id === undefined ? "" : `"id":${entry.id},`;
  const time = `"timestamp":"${serializeTimestamp(entry.timestamp)}","duration":${microsToSeconds(entry.duration)}`;
  return `{${id}${time},"data":${JSON.stringify(dataOf(entry, kind))}}`;
}

/** @throws SoakFault for what is no event of the soak */
export function parseFound(value: unknown, place: string): Found {
  if (typeof value === "object" && value !== null) {
    const { id, timestamp, duration, data } = value as Readonly<Record<string, unknown>>;
    const isData = typeof data === "object" && data !== null && "n" in data && typeof data.n === "number";
    const isId = id === undefined || typeof id === "number";
    if (isData && isId && typeof timestamp === "string" && typeof duration === "number") {
      return { n: data.n as number, id, timestamp, duration, data: data as Found["data"] };
    }
  }
  throw new SoakFault(`${place}: ${shown(value)} is no event that anybody wrote`);
}

/** Whether an event is in every respect what it should be. Ids that nobody knows, or that are not told, fit. */
export function fits(found: Found, entry: Entry, kind: BucketKind): boolean {
  if (entry.id !== undefined && found.id !== undefined && entry.id !== found.id) return false;
  if (found.timestamp !== serializeTimestamp(entry.timestamp)) return false;
  if (found.duration !== microsToSeconds(entry.duration)) return false;
  const data = dataOf(entry, kind);
  const keys = Object.keys(data);
  return keys.length === Object.keys(found.data).length && keys.every((key) => found.data[key] === data[key]);
}
