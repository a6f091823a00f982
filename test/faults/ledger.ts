import type { Api } from "./api.js";

/** An event as the load sees it. `n` names it for good: it stands in its data. */
export interface Entry {
  readonly n: number;
  /** Microseconds, whole milliseconds. */
  readonly timestamp: number;
  /** Microseconds. */
  readonly duration: number;
  /** Unknown while no answer has told it. */
  readonly id?: number;
}

/** Events of a bucket by their `n`. */
export type Entries = ReadonlyMap<number, Entry>;

/** Text behind every event, so that half of one would show. */
const FILLER = "the title of a window, long enough to matter — ".repeat(2);

export function toWire({ n, timestamp, duration, id }: Entry): object {
  const event = { timestamp: isoOf(timestamp), duration: duration / 1e6, data: { n, title: `${FILLER}${n}` } };
  return id === undefined ? event : { ...event, id };
}

/** @throws Error for an event that no load has sent */
export function fromWire(value: unknown): Entry {
  const { id, timestamp, duration, data } = objectOf(value);
  const { n, title } = objectOf(data);
  if (typeof n !== "number" || title !== `${FILLER}${n}`) {
    throw new Error(`event ${id} has damaged data: ${JSON.stringify(data)}`);
  }
  if (typeof id !== "number" || typeof timestamp !== "string" || typeof duration !== "number") {
    throw new Error(`event ${n} is damaged: ${JSON.stringify(value)}`);
  }
  return { n, id, timestamp: Date.parse(timestamp) * 1000, duration: Math.round(duration * 1e6) };
}

/** @throws Error for anything but an object */
export function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw new Error(`${JSON.stringify(value)} is no object`);
  return { ...value };
}

/** @throws Error for anything but a list */
export function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error(`${JSON.stringify(value)} is no list`);
  return value;
}

function isoOf(micros: number): string {
  return new Date(micros / 1000).toISOString();
}

/** @returns what is wrong with the events that were found, or `undefined`; ids that nobody was told are not compared */
export function difference(found: Entries | null, expected: Entries | null): string | undefined {
  if (found === null || expected === null) {
    if (found === expected) return undefined;
    return found === null ? "the bucket is lost" : "the bucket is there, but was deleted or never made";
  }
  for (const [n, entry] of expected) {
    const other = found.get(n);
    if (other === undefined) return `event ${n} (id ${entry.id}) is lost`;
    const same = other.timestamp === entry.timestamp && other.duration === entry.duration;
    if (!same || (entry.id !== undefined && other.id !== entry.id)) {
      return `event ${n} is ${JSON.stringify(other)} instead of ${JSON.stringify(entry)}`;
    }
  }
  for (const n of found.keys()) if (!expected.has(n)) return `event ${n} is there, but was never asked for, or deleted`;
  return undefined;
}

/** The ids of all buckets. */
export async function bucketIds(api: Api): Promise<string[]> {
  return Object.keys(objectOf(await api.get("buckets/")));
}

/** The events of a bucket; damage throws, and so do two events of one name. */
export async function entriesOf(api: Api, bucketId: string): Promise<Map<number, Entry>> {
  const found = new Map<number, Entry>();
  for (const event of listOf(await api.get(`buckets/${bucketId}/events?limit=-1`))) {
    const entry = fromWire(event);
    if (found.has(entry.n)) throw new Error(`event ${entry.n} of ${bucketId} is there twice`);
    found.set(entry.n, entry);
  }
  const count = await api.get(`buckets/${bucketId}/events/count`);
  if (count !== found.size) throw new Error(`${bucketId} counts ${count} events and has ${found.size}`);
  await checkSummary(api, bucketId, found);
  return found;
}

async function checkSummary(api: Api, bucketId: string, found: Entries): Promise<void> {
  const { metadata } = objectOf(await api.get(`buckets/${bucketId}`));
  const { start, end } = objectOf(metadata);
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const entry of found.values()) {
    first = Math.min(first, entry.timestamp);
    last = Math.max(last, entry.timestamp + entry.duration);
  }
  const told = [start, end].map((text) => (typeof text === "string" ? Date.parse(text) * 1000 : text));
  const expected = found.size === 0 ? [null, null] : [first, last];
  if (told[0] !== expected[0] || told[1] !== expected[1]) {
    throw new Error(`${bucketId} has the extremes ${JSON.stringify(metadata)} instead of ${expected}`);
  }
}

/** All settings as JSON text. */
export async function settingsOf(api: Api): Promise<Map<string, string>> {
  const all = objectOf(await api.get("settings"));
  return new Map(Object.entries(all).map(([key, value]) => [key, JSON.stringify(value)]));
}

/** Ids that were given out, to whom. One id for two events is a loss of the first. */
export class IdRegister {
  readonly #owners: Map<string, number> = new Map();

  /** @throws Error when the id belongs to another event of the bucket */
  claim(bucket: string, id: number, n: number): void {
    const key = `${bucket}/${id}`;
    const before = this.#owners.get(key);
    if (before !== undefined && before !== n) throw new Error(`id ${id} of ${bucket}: event ${before}, then ${n}`);
    this.#owners.set(key, n);
  }
}
