import { intOf } from "../contract/case.js";
import { type Client, difference, type Entries, type Entry, fromWire, type IdRegister, toWire } from "./ledger.js";

/** What all kinds of load have in common. */
export interface LoadOptions {
  readonly random: () => number;
  readonly ids: IdRegister;
  /** Names that no other event has. */
  nextN(): number;
}

/** One writer: a request, its answer, the next request, until the server dies. */
export interface Load {
  /** Writes until a request is not answered. That one is in doubt. */
  write(client: Client): Promise<void>;
  /** Compares what is there with what was acknowledged; the request in doubt counts wholly or not at all. */
  verify(client: Client): Promise<string | undefined>;
}

const START = 1_700_000_000_000_000;
const SECOND = 1_000_000;

/** A load on one bucket, whose every request leads from one set of events to another. */
abstract class BucketLoad implements Load {
  protected entries: Entries | undefined;
  /** What the bucket holds if the last request took effect; `null`: the bucket is gone. */
  #doubt: Entries | null | undefined;
  protected readonly bucketId: string;
  protected readonly options: LoadOptions;

  constructor(bucketId: string, options: LoadOptions) {
    this.bucketId = bucketId;
    this.options = options;
  }

  async write(client: Client): Promise<void> {
    while (await this.step(client));
  }

  /** Makes one request. @returns whether it was answered */
  protected abstract step(client: Client): Promise<boolean>;

  /** @param expected what the bucket holds once the request has taken effect; `null`: no bucket */
  protected async request(
    client: Client,
    expected: Entries | null,
    [method, path, body]: readonly [method: string, path: string, body?: unknown],
  ): Promise<{ readonly body: unknown } | undefined> {
    this.#doubt = expected;
    const answer = await client.send(method, `buckets/${this.bucketId}${path}`, body);
    if (answer === undefined) return undefined;
    this.entries = expected ?? undefined;
    this.#doubt = undefined;
    return answer;
  }

  protected create(client: Client): Promise<{ readonly body: unknown } | undefined> {
    return this.request(client, new Map(), ["POST", "", { type: "load", client: "crash", hostname: "test" }]);
  }

  /** Takes over ids that the server has given. */
  protected learn(answers: readonly unknown[]): void {
    const entries = new Map(this.entries);
    for (const answer of answers) {
      const entry = fromWire(answer);
      this.options.ids.claim(entry.id as number, `${this.bucketId}/${entry.n}`);
      entries.set(entry.n, entry);
    }
    const defect = difference(entries, this.entries ?? new Map());
    if (defect !== undefined) throw new Error(`${this.bucketId}: the answer differs: ${defect}`);
    this.entries = entries;
  }

  async verify(client: Client): Promise<string | undefined> {
    const listed = Object.keys((await client.get("buckets/")) as object).includes(this.bucketId);
    const found = listed ? await client.entries(this.bucketId) : null;
    const defect = differenceOrGone(found, this.entries ?? null);
    const inDoubt = this.#doubt === undefined ? defect : differenceOrGone(found, this.#doubt);
    this.#doubt = undefined;
    this.entries = found ?? undefined;
    for (const { id, n } of found?.values() ?? []) this.options.ids.claim(id as number, `${this.bucketId}/${n}`);
    return defect === undefined || inDoubt === undefined ? undefined : `${this.bucketId}: ${defect}; or: ${inDoubt}`;
  }
}

function differenceOrGone(found: Entries | null, expected: Entries | null): string | undefined {
  if (found === null || expected === null) {
    if (found === expected) return undefined;
    return found === null ? "the bucket is lost" : "the bucket is there, but was deleted or never made";
  }
  return difference(found, expected);
}

/** A watcher: beats in order, now and then a late one. */
export class HeartbeatLoad extends BucketLoad {
  #now = START;
  #current: Entry | undefined;

  protected async step(client: Client): Promise<boolean> {
    if (this.entries === undefined) return (await this.create(client)) !== undefined;
    const { random } = this.options;
    this.#now += intOf(random, 1, 3) * SECOND;
    const late = random() < 0.03 ? intOf(random, 100, 5_000) * SECOND : 0;
    // The event to extend may be lost in doubt: then the beat begins a new one.
    const last = this.#current && this.entries.get(this.#current.n);
    const extends_ = last !== undefined && late === 0 && random() > 0.08;
    const n = extends_ ? last.n : this.options.nextN();
    const beat: Entry = { n, timestamp: this.#now - late, duration: 0 };
    const event = extends_ ? { ...last, duration: this.#now - last.timestamp } : beat;
    this.#current = late === 0 ? event : undefined;
    const expected = new Map(this.entries).set(n, event);
    const answer = await this.request(client, expected, ["POST", "/heartbeat?pulsetime=60", toWire(beat)]);
    if (answer === undefined) {
      this.#current = undefined;
      return false;
    }
    this.learn([answer.body]);
    return true;
  }
}

/** Inserts of all sizes, in order and late, edits and deletions of single events. */
export class BulkLoad extends BucketLoad {
  #now = START;

  protected async step(client: Client): Promise<boolean> {
    if (this.entries === undefined) return (await this.create(client)) !== undefined;
    const { random } = this.options;
    const kind = random();
    if (kind < 0.1 && this.entries.size > 0) return this.#remove(client, this.entries);
    const edited = kind < 0.3 ? this.#some(this.entries) : [];
    const size = random() < 0.03 ? intOf(random, 300, 1_200) : intOf(random, edited.length === 0 ? 1 : 0, 12);
    const fresh = Array.from({ length: size }, (): Entry => {
      this.#now += SECOND;
      const late = random() < 0.4 ? intOf(random, 0, 20_000) * SECOND : 0;
      return { n: this.options.nextN(), timestamp: this.#now - late, duration: intOf(random, 0, 90) * SECOND };
    });
    const drafts = [...edited, ...fresh];
    const expected = new Map(this.entries);
    for (const entry of drafts) expected.set(entry.n, entry);
    const answer = await this.request(client, expected, ["POST", "/events", drafts.map(toWire)]);
    if (answer === undefined) return false;
    this.learn(answer.body as unknown[]);
    return true;
  }

  async #remove(client: Client, entries: Entries): Promise<boolean> {
    const [entry] = this.#some(entries);
    if (entry?.id === undefined) return true;
    const expected = new Map(entries);
    expected.delete(entry.n);
    return (await this.request(client, expected, ["DELETE", `/events/${entry.id}`])) !== undefined;
  }

  /** A few events, moved in time. */
  #some(entries: Entries): Entry[] {
    const { random } = this.options;
    const all = [...entries.values()];
    const picked = Array.from({ length: intOf(random, 1, 3) }, () => all[intOf(random, 0, all.length - 1)]);
    return [...new Set(picked)].flatMap((entry) => {
      if (entry?.id === undefined) return [];
      const moved = random() < 0.5 ? entry.timestamp + intOf(random, -500, 500) * SECOND : entry.timestamp;
      return [{ ...entry, timestamp: moved, duration: intOf(random, 0, 400) * SECOND }];
    });
  }
}

/** A bucket that is made, filled, deleted and made again. */
export class ShortLivedLoad extends BucketLoad {
  protected async step(client: Client): Promise<boolean> {
    if (this.entries === undefined) return (await this.create(client)) !== undefined;
    const { random } = this.options;
    if (this.entries.size > 0 && random() < 0.5) {
      return (await this.request(client, null, ["DELETE", "?force=1"])) !== undefined;
    }
    const drafts = Array.from({ length: intOf(random, 1, 300) }, (_, index): Entry => {
      return { n: this.options.nextN(), timestamp: START + index * SECOND, duration: SECOND };
    });
    const expected = new Map(this.entries);
    for (const entry of drafts) expected.set(entry.n, entry);
    const answer = await this.request(client, expected, ["POST", "/events", drafts.map(toWire)]);
    if (answer === undefined) return false;
    this.learn(answer.body as unknown[]);
    return true;
  }
}

/** Settings that are made, replaced and deleted. */
export class SettingsLoad implements Load {
  readonly #options: LoadOptions;
  #values: ReadonlyMap<string, string> = new Map();
  #doubt: ReadonlyMap<string, string> | undefined;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  async write(client: Client): Promise<void> {
    const { random, nextN } = this.#options;
    for (;;) {
      const key = `key ${intOf(random, 1, 8)}`;
      const expected = new Map(this.#values);
      const value = { n: nextN(), text: "v".repeat(intOf(random, 0, 500)) };
      const removes = random() < 0.2;
      if (removes) expected.delete(key);
      else expected.set(key, JSON.stringify(value));
      this.#doubt = expected;
      const path = `settings/${encodeURIComponent(key)}`;
      const answer = removes ? await client.send("DELETE", path) : await client.send("POST", path, value);
      if (answer === undefined) return;
      this.#values = expected;
      this.#doubt = undefined;
    }
  }

  async verify(client: Client): Promise<string | undefined> {
    const all = (await client.get("settings")) as Record<string, unknown>;
    const found = new Map(Object.entries(all).map(([key, value]) => [key, JSON.stringify(value)]));
    const candidates = [this.#values, this.#doubt ?? this.#values];
    const fits = candidates.some((expected) => sameMap(found, expected));
    const detail = `${JSON.stringify([...found])} instead of ${JSON.stringify([...this.#values])}`;
    this.#values = found;
    this.#doubt = undefined;
    return fits ? undefined : `settings: ${detail}`;
  }
}

function sameMap(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

/** Imports of a bucket. One in doubt may be there in part, of whole events; the same file again completes it. */
export class ImportLoad implements Load {
  readonly #options: LoadOptions;
  readonly #kept: Map<string, Entries> = new Map();
  #doubt: { readonly bucketId: string; readonly entries: Entries } | undefined;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  async write(client: Client): Promise<void> {
    for (;;) {
      const { random, nextN } = this.#options;
      const bucketId = `import-${this.#kept.size % 3}`;
      const before = this.#kept.get(bucketId) ?? new Map<number, Entry>();
      const entries = Array.from({ length: intOf(random, 1, 800) }, (): Entry => {
        return { n: nextN(), timestamp: START + intOf(random, 0, 50_000) * SECOND, duration: SECOND };
      });
      this.#doubt = { bucketId, entries: new Map([...before, ...entries.map((entry) => [entry.n, entry] as const)]) };
      if (!(await this.#send(client, bucketId, entries))) return;
      this.#accept();
    }
  }

  async verify(client: Client): Promise<string | undefined> {
    const listed = Object.keys((await client.get("buckets/")) as object);
    const doubt = this.#doubt;
    if (doubt !== undefined) {
      const found = listed.includes(doubt.bucketId) ? await client.entries(doubt.bucketId) : new Map<number, Entry>();
      for (const [n, entry] of found) {
        const asked = doubt.entries.get(n);
        const defect = difference(new Map([[n, entry]]), new Map(asked ? [[n, asked]] : []));
        if (defect !== undefined) return `${doubt.bucketId}: half an import: ${defect}`;
      }
      const missing = [...(this.#kept.get(doubt.bucketId)?.keys() ?? [])].find((n) => !found.has(n));
      if (missing !== undefined) return `${doubt.bucketId}: event ${missing} of an earlier import is lost`;
      await this.#send(client, doubt.bucketId, [...doubt.entries.values()]);
      this.#accept();
    }
    for (const [bucketId, entries] of this.#kept) {
      const found = await client.entries(bucketId);
      const defect = difference(found, entries);
      if (defect !== undefined) return `${bucketId}: ${defect}`;
      for (const { id, n } of found.values()) this.#options.ids.claim(id as number, `${bucketId}/${n}`);
      this.#kept.set(bucketId, found);
    }
    return undefined;
  }

  async #send(client: Client, bucketId: string, entries: readonly Entry[]): Promise<boolean> {
    const events = entries.map(({ id: _, ...entry }) => toWire(entry));
    const bucket = { id: bucketId, type: "load", client: "crash", hostname: "test", events };
    return (await client.send("POST", "import", { buckets: { [bucketId]: bucket } })) !== undefined;
  }

  #accept(): void {
    if (this.#doubt !== undefined) this.#kept.set(this.#doubt.bucketId, this.#doubt.entries);
    this.#doubt = undefined;
  }
}
