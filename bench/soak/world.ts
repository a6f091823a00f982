import type { Answer, Client, RequestOptions } from "./client.js";
import { type ActiveClock, sleep } from "./clock.js";
import { type Entry, SoakFault, wireText } from "./event.js";
import type { Ledger, Pending } from "./ledger.js";

/** Somebody who uses the server for as long as it lives, life after life. */
export interface Actor {
  /** Ends with `signal`, when the server is gone. @throws SoakFault */
  run(signal: AbortSignal): Promise<void>;
}

/** The record of every bucket of the soak. */
export const BUCKET_TEXT = `{"type":"currentwindow","client":"soak","hostname":"soak"}`;

/** Enough to let others write. */
const HURRIED_REST_MILLIS = 3;

/** What all actors share. */
export class World {
  readonly clock: ActiveClock;
  readonly client: Client;
  readonly ledgers: Map<string, Ledger> = new Map();
  readonly seed: number;
  /** Says that the end of the life is near: from then on nobody rests, so that it hits many writes. */
  hurry: AbortSignal = new AbortController().signal;
  /** The highest id that an answer has told. New ones lie above it, for ever. */
  highestId = 0;
  #lastN = 0;

  constructor(clock: ActiveClock, client: Client, seed: number) {
    this.clock = clock;
    this.client = client;
    this.seed = seed;
  }

  add(ledger: Ledger): Ledger {
    this.ledgers.set(ledger.bucketId, ledger);
    return ledger;
  }

  /** A pause of a writer between two requests. */
  async rest(millis: number, signal: AbortSignal): Promise<void> {
    await sleep(millis, this.hurry);
    if (this.hurry.aborted) await sleep(Math.min(millis, HURRIED_REST_MILLIS), signal);
  }

  nextN(): number {
    return ++this.#lastN;
  }

  /** Makes a write and takes it into the ledger once it is acknowledged. @returns `undefined` when it is in doubt */
  async write(
    ledger: Ledger,
    pending: Pending,
    request: readonly [method: string, path: string, options?: RequestOptions],
  ): Promise<Answer | undefined> {
    const [method, path, options] = request;
    ledger.begin(pending);
    const answer = await this.client.request(pending.what, [method, `buckets/${ledger.bucketId}${path}`], options);
    if (answer !== undefined) ledger.settle(pending, true);
    return answer;
  }

  /** Inserts or replaces events. @returns whether it was answered */
  async put(ledger: Ledger, what: string, pairs: readonly (readonly [Entry | undefined, Entry])[]): Promise<boolean> {
    const changes = pairs.map(([before, after]) => ({ before, after }));
    const texts = this.clock.work(() => changes.map(({ after }) => wireText(after, ledger.kind)));
    // One event alone goes without a list.
    const isAlone = texts.length === 1 && what === "insert one";
    const body = isAlone ? (texts[0] as string) : `[${texts.join(",")}]`;
    const { highestId } = this;
    const answer = await this.write(ledger, { what, changes, whole: true }, ["POST", "/events", { body }]);
    if (answer === undefined) return false;
    this.clock.work(() => {
      const value: unknown = JSON.parse(answer.text);
      this.learn(ledger, isAlone ? [value] : value, { what, entries: changes.map(({ after }) => after), highestId });
    });
    return true;
  }

  /**
   * Compares the events of an answer with those that were written, and takes over their ids.
   *
   * @throws SoakFault
   */
  learn(
    ledger: Ledger,
    value: unknown,
    written: { readonly what: string; readonly entries: readonly Entry[]; readonly highestId: number },
  ): void {
    const { what, entries, highestId } = written;
    const place = `bucket ${ledger.bucketId}, answer to ${what}`;
    if (!Array.isArray(value) || value.length !== entries.length) {
      throw new SoakFault(`${place}: ${JSON.stringify(value).slice(0, 300)} instead of ${entries.length} events`);
    }
    const found = value.flatMap((event) => ledger.parse([event], `answer to ${what}`));
    ledger.compareSome(found, entries, `answer to ${what}`);
    entries.forEach(({ n, id: before }, at) => {
      const { n: other, id } = found[at] as (typeof found)[number];
      if (other !== n) throw new SoakFault(`${place}: event ${other} stands in the place of ${n}`);
      if (id === undefined) throw new SoakFault(`${place}: event ${n} has no id`);
      if (before === undefined && id <= highestId) {
        throw new SoakFault(`${place}: event ${n} got id ${id}, though ${highestId} was given out before`);
      }
      this.highestId = Math.max(this.highestId, id);
      ledger.learn(n, id);
    });
  }

  /** @returns whether it was answered */
  async createBucket(ledger: Ledger): Promise<boolean> {
    const pending: Pending = { what: "create bucket", changes: [], whole: true, bucket: "created" };
    return (await this.write(ledger, pending, ["POST", "", { body: BUCKET_TEXT }])) !== undefined;
  }

  /** @returns whether it was answered */
  async deleteBucket(ledger: Ledger): Promise<boolean> {
    const pending: Pending = { what: "delete bucket", changes: [], whole: true, bucket: "deleted" };
    return (await this.write(ledger, pending, ["DELETE", "?force=1"])) !== undefined;
  }

  /** @returns whether it was answered */
  async deleteEvent(ledger: Ledger, entry: Entry): Promise<boolean> {
    const pending: Pending = { what: "delete event", changes: [{ before: entry, after: undefined }], whole: true };
    const answer = await this.write(ledger, pending, ["DELETE", `/events/${entry.id}`]);
    if (answer === undefined) return false;
    if (answer.text === '{"success":true}') return true;
    throw new SoakFault(`bucket ${ledger.bucketId}, event ${entry.n} is lost: its deletion answered ${answer.text}`);
  }
}

/** Seconds of a random length, with micros. */
export function someMicros(random: () => number, mostSeconds: number): number {
  return Math.floor(random() * mostSeconds * 1_000_000);
}

/** An integer, both ends included. */
export function between(random: () => number, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** A number of a name, to give every actor a source of chance of its own. */
export function seedOf(name: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
