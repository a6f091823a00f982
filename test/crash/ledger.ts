import { parseTimestamp, printTimestamp } from "../../src/domain/time.js";
import { checkAnswer } from "../api/answer-check.js";

/** An event as the load sees it. `n` names it for good: it stands in its data. */
export interface Entry {
  readonly n: number;
  /** Microseconds. */
  readonly timestamp: number;
  /** Microseconds. */
  readonly duration: number;
  /** Unknown while no answer has told it. */
  readonly id?: number;
}

/** Events of a bucket by their `n`. */
export type Entries = ReadonlyMap<number, Entry>;

/** An event on the wire. */
interface WireEvent {
  readonly id: number;
  readonly timestamp: string;
  readonly duration: number;
  readonly data: { readonly n: number };
}

/** Text behind every event, so that half of one would show. */
const FILLER = "the title of a window, long enough to matter — ".repeat(2);

export function toWire({ n, timestamp, duration, id }: Entry): object {
  const event = { timestamp: printTimestamp(timestamp), duration: duration / 1e6, data: { n, title: `${FILLER}${n}` } };
  return id === undefined ? event : { ...event, id };
}

export function fromWire(value: unknown): Entry {
  const { id, timestamp, duration, data } = value as WireEvent & { data: { title: string } };
  if (data.title !== `${FILLER}${data.n}`) throw new Error(`event ${id} has damaged data: ${JSON.stringify(data)}`);
  return { n: data.n, timestamp: parseTimestamp(timestamp) ?? Number.NaN, duration: Math.round(duration * 1e6), id };
}

/** @returns what is wrong with the events that were found, or `undefined`; ids that nobody was told are not compared */
export function difference(found: Entries, expected: Entries): string | undefined {
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

/** A server that can be killed at any moment. */
export class Client {
  /** Requests that were answered with success. */
  acknowledged = 0;
  readonly #url: string;

  constructor(url: string) {
    this.#url = `${url}/api/0/`;
  }

  /** @returns the body of the answer; `undefined` when the server died over it */
  async send(method: string, path: string, body?: unknown): Promise<{ readonly body: unknown } | undefined> {
    const headers = { "content-type": "application/json" };
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    const url = this.#url + path;
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, init);
      text = await response.text();
    } catch {
      return undefined;
    }
    const { status } = response;
    checkAnswer({ method, path: url, status, header: (name) => response.headers.get(name) ?? undefined, body: text });
    if (status !== 200) throw new Error(`${method} ${path} was answered with ${status}: ${text}`);
    this.acknowledged++;
    return { body: JSON.parse(text) };
  }

  /** Reads from a server that is expected to live. */
  async get(path: string): Promise<unknown> {
    const answer = await this.send("GET", path);
    if (answer === undefined) throw new Error(`no answer to GET ${path}`);
    return answer.body;
  }

  /** The events of a bucket; damage throws, and so do two events of one name. */
  async entries(bucketId: string): Promise<Map<number, Entry>> {
    const events = (await this.get(`buckets/${bucketId}/events?limit=-1`)) as unknown[];
    const found = new Map<number, Entry>();
    for (const event of events) {
      const entry = fromWire(event);
      if (found.has(entry.n)) throw new Error(`event ${entry.n} of ${bucketId} is there twice`);
      found.set(entry.n, entry);
    }
    const count = await this.get(`buckets/${bucketId}/events/count`);
    if (count !== found.size) throw new Error(`${bucketId} counts ${count} events and has ${found.size}`);
    await this.#checkSummary(bucketId, found);
    return found;
  }

  async #checkSummary(bucketId: string, found: Entries): Promise<void> {
    const { metadata } = (await this.get(`buckets/${bucketId}`)) as {
      metadata: Record<"start" | "end", string | null>;
    };
    let start = Number.POSITIVE_INFINITY;
    let end = Number.NEGATIVE_INFINITY;
    for (const entry of found.values()) {
      start = Math.min(start, entry.timestamp);
      end = Math.max(end, entry.timestamp + entry.duration);
    }
    const expected = found.size === 0 ? [null, null] : [printTimestamp(start), printTimestamp(end)];
    if (metadata.start !== expected[0] || metadata.end !== expected[1]) {
      throw new Error(`${bucketId} has the extremes ${JSON.stringify(metadata)} instead of ${expected}`);
    }
  }
}

/** Ids that were given out, to whom. One id for two events is a loss of the first. */
export class IdRegister {
  readonly #owners: Map<number, string> = new Map();

  /** @throws Error when the id belongs to another event */
  claim(id: number, owner: string): void {
    const before = this.#owners.get(id);
    if (before !== undefined && before !== owner) throw new Error(`id ${id} of ${before} was given to ${owner}, too`);
    this.#owners.set(id, owner);
  }
}
