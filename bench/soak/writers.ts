import { seededRandom } from "../data.js";
import { sleep } from "./clock.js";
import { type Entry, SoakFault, wireText } from "./event.js";
import type { Ledger, Pending } from "./ledger.js";
import { type Actor, BUCKET_TEXT, between, seedOf, someMicros, type World } from "./world.js";

/** How long a writer that wants to delete a bucket waits for the others. */
const DRAIN_MILLIS = 2000;
const BULK = 1000;

/** What all writers but watchers have in common: a step, a rest of random length, the next step. */
export abstract class Writer implements Actor {
  protected readonly world: World;
  readonly ledger: Ledger;
  protected readonly random: () => number;
  readonly #restMillis: number;

  /** @param restMillis mean time between two steps */
  constructor(world: World, ledger: Ledger, options: { readonly name: string; readonly restMillis: number }) {
    this.world = world;
    this.ledger = ledger;
    this.random = seededRandom(seedOf(options.name, world.seed));
    this.#restMillis = options.restMillis;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.world.rest(this.random() * 2 * this.#restMillis, signal);
      if (signal.aborted) return;
      if (this.ledger.isBlocked) continue;
      const isAnswered = this.ledger.exists ? await this.step(signal) : await this.world.createBucket(this.ledger);
      if (!isAnswered && this.world.client.isEnding) return;
    }
  }

  /** Makes a request to a bucket that is there. @returns whether it was answered */
  protected abstract step(signal: AbortSignal): Promise<boolean>;

  protected draft(timestamp: number): Entry {
    return { n: this.world.nextN(), timestamp, duration: someMicros(this.random, 40), edit: 0, id: undefined };
  }

  /** Deletes the bucket as soon as nobody else writes to it. */
  protected async clear(signal: AbortSignal): Promise<boolean> {
    const { ledger, world } = this;
    ledger.isClosing = true;
    try {
      for (let left = DRAIN_MILLIS; ledger.isBusy && left > 0 && !signal.aborted; left -= 10) await sleep(10, signal);
      return ledger.isBusy || signal.aborted ? true : await world.deleteBucket(ledger);
    } finally {
      ledger.isClosing = false;
    }
  }

  /** Deletes one event, or replaces some by others, maybe at another time. */
  protected async edit(place: (entry: Entry) => number): Promise<boolean> {
    const picked = this.ledger.some(between(this.random, 1, 5), this.random);
    const [first] = picked;
    if (first === undefined) return true;
    if (this.random() < 0.4) return this.world.deleteEvent(this.ledger, first);
    const edited = picked.map((entry): readonly [Entry, Entry] => {
      const duration = someMicros(this.random, 100);
      return [entry, { ...entry, timestamp: place(entry), duration, edit: entry.edit + 1 }];
    });
    return this.world.put(this.ledger, "replace", edited);
  }
}

const INSERT_START = 1_700_000_000_000_000;
const MAX_INSERTED = 10_000;

/** Inserts of all sizes, in order and late, with equal times now and then; several of these share a bucket. */
export class Inserter extends Writer {
  #now = INSERT_START;

  protected async step(signal: AbortSignal): Promise<boolean> {
    const { world, ledger, random } = this;
    if (ledger.size > MAX_INSERTED) return this.clear(signal);
    const chance = random();
    if (chance < 0.25) return this.edit(({ timestamp }) => timestamp + someMicros(random, 500) - 250_000_000);
    if (chance < 0.45) return world.put(ledger, "insert one", [[undefined, this.draft(this.#next())]]);
    const isBulk = chance > 0.97;
    const count = isBulk ? BULK : between(random, 2, 20);
    const fresh = Array.from({ length: count }, () => [undefined, this.draft(this.#next())] as const);
    return world.put(ledger, isBulk ? `insert ${BULK}` : "insert some", fresh);
  }

  #next(): number {
    const chance = this.random();
    if (chance < 0.1) return this.#now;
    this.#now += someMicros(this.random, 30);
    return chance < 0.3 ? this.#now - someMicros(this.random, 50_000) : this.#now;
  }
}

/** A bucket that is made, filled, deleted and made again: nothing of the old one may come back. */
export class Churner extends Writer {
  protected async step(signal: AbortSignal): Promise<boolean> {
    const { world, ledger, random } = this;
    if (random() < 0.3) return this.clear(signal);
    if (random() < 0.1) {
      const path = `buckets/${ledger.bucketId}`;
      const answer = await world.client.request("create again", ["POST", path], { body: BUCKET_TEXT, allow: [304] });
      if (answer?.status === 200) throw new SoakFault(`bucket ${ledger.bucketId} is lost: it could be created again`);
      return answer !== undefined;
    }
    const fresh = Array.from({ length: between(random, 1, 300) }, () => {
      return [undefined, this.draft(INSERT_START + someMicros(random, 100_000))] as const;
    });
    return world.put(ledger, "insert some", fresh);
  }
}

const MAX_IMPORTED = 6000;

/** Imports of new events together with known ones, which must not come twice. */
export class Importer extends Writer {
  protected async step(signal: AbortSignal): Promise<boolean> {
    const { world, ledger, random } = this;
    if (ledger.size > MAX_IMPORTED) return this.clear(signal);
    const known = ledger.some(between(random, 0, 50), random);
    const fresh = Array.from({ length: between(random, 1, 400) }, () => {
      return this.draft(INSERT_START + someMicros(random, 500_000));
    });
    const events = [...fresh, ...known].map((entry) => wireText({ ...entry, id: undefined }, ledger.kind));
    const record = `"id":"${ledger.bucketId}",${BUCKET_TEXT.slice(1, -1)},"events":[${events.join(",")}]`;
    const changes = fresh.map((after) => ({ before: undefined, after }));
    const pending: Pending = { what: "import", changes, whole: false };
    ledger.begin(pending);
    const body = `{"buckets":{"${ledger.bucketId}":{${record}}}}`;
    const answer = await world.client.request("import", ["POST", "import"], { body });
    if (answer === undefined) return false;
    ledger.settle(pending, true);
    const { events_imported: imported, events_already_there: there } = JSON.parse(answer.text);
    if (imported === fresh.length && there === known.length) return true;
    const expected = `${fresh.length} new events and ${known.length} known ones`;
    throw new SoakFault(`bucket ${ledger.bucketId}: an import of ${expected} was answered with ${answer.text}`);
  }
}

/** Writers that leave: before the end of the body, or before the answer. */
export class Leaver extends Writer {
  protected async step(signal: AbortSignal): Promise<boolean> {
    const { world, ledger, random } = this;
    if (ledger.size > 3000 && !ledger.isBusy) return this.clear(signal);
    const fresh = Array.from({ length: between(random, 1, 40) }, () => {
      return this.draft(INSERT_START + someMicros(random, 100_000));
    });
    const body = `[${fresh.map((entry) => wireText(entry, ledger.kind)).join(",")}]`;
    const leaveAfterMillis = random() * 4;
    if (random() < 0.5) {
      const path = `buckets/${ledger.bucketId}/events`;
      // Nothing of it may ever be there, so the ledger does not hear of it.
      await world.client.request("leave in the body", ["POST", path], { body, leaveAfterMillis, halfBody: true });
      return true;
    }
    const changes = fresh.map((after) => ({ before: undefined, after }));
    const pending: Pending = { what: "leave before the answer", changes, whole: true };
    await world.write(ledger, pending, ["POST", "/events", { body, leaveAfterMillis }]);
    return true;
  }
}
