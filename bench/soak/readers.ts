import { microsToSeconds, serializeTimestamp } from "../../src/domain/time.js";
import { MICROS_PER_DAY, seededRandom } from "../data.js";
import { desktopProgram, periods, type Question, unseen } from "../programs.js";
import { ARCHIVE_DAYS } from "./archive.js";
import type { Answer, RequestOptions } from "./client.js";
import { sleep } from "./clock.js";
import { dataOf, type Entry, SoakFault, shown } from "./event.js";
import type { Ledger } from "./ledger.js";
import { type Actor, between, seedOf, type World } from "./world.js";

abstract class Reader implements Actor {
  protected readonly world: World;
  protected readonly random: () => number;
  readonly #restMillis: number;

  /** @param options.restMillis mean time between two steps */
  constructor(world: World, options: { readonly name: string; readonly restMillis: number }) {
    this.world = world;
    this.random = seededRandom(seedOf(options.name, world.seed));
    this.#restMillis = options.restMillis;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(this.random() * 2 * this.#restMillis, signal);
      const there = [...this.world.ledgers.values()].filter(({ exists }) => exists);
      const ledger = there[between(this.random, 0, there.length - 1)];
      if (ledger !== undefined && !signal.aborted && !this.world.client.isEnding) await this.step(ledger);
    }
  }

  protected abstract step(ledger: Ledger): Promise<void>;

  /**
   * Reads, and lets the answer be checked when nobody wrote to the bucket meanwhile.
   *
   * @param kind for the table of requests
   */
  protected async read(
    ledger: Ledger,
    [kind, method, path]: readonly [kind: string, method: string, path: string],
    { check, ...options }: RequestOptions & { readonly check: (value: unknown) => void },
  ): Promise<void> {
    const { version } = ledger;
    const isStill = !ledger.isBusy;
    const answer: Answer | undefined = await this.world.client.request(kind, [method, path], {
      allow: [400, 404],
      ...options,
    });
    if (answer === undefined || !isStill || ledger.version !== version) return;
    if (answer.status !== 200) {
      throw new SoakFault(`bucket ${ledger.bucketId}: ${method} ${path} was answered with ${answer.text}`);
    }
    const { text } = answer;
    this.world.clock.work(() => check(JSON.parse(text)));
  }
}

/** Somebody who looks at lists: the newest events, a day, one event, counts. */
export class Looker extends Reader {
  protected async step(ledger: Ledger): Promise<void> {
    const { random } = this;
    const path = `buckets/${ledger.bucketId}/events`;
    const chance = random();
    if (chance < 0.4) return this.#latest(ledger, path);
    if (chance < 0.5) return this.#one(ledger, path);
    const [any] = ledger.some(1, random);
    if (any === undefined) return;
    const start = any.timestamp - Math.floor(random() * MICROS_PER_DAY);
    const end = start + MICROS_PER_DAY;
    const range = `?start=${encodeURIComponent(serializeTimestamp(start))}&end=${encodeURIComponent(serializeTimestamp(end))}`;
    if (chance < 0.7) {
      const check = (value: unknown): void => {
        const expected = touching(ledger, start, end).length;
        if (value !== expected) {
          throw new SoakFault(
            `bucket ${ledger.bucketId}: ${range} counts ${shown(value)} events, expected ${expected}`,
          );
        }
      };
      return this.read(ledger, ["count", "GET", `${path}/count${range}`], { check });
    }
    const check = (value: unknown): void => {
      const cut = touching(ledger, start, end).map((entry) => clip(entry, start, end));
      ledger.compareSome(ledger.parse(value, `day ${range}`, true), cut, `day ${range}`);
    };
    return this.read(ledger, ["day", "GET", path + range], { check });
  }

  async #latest(ledger: Ledger, path: string): Promise<void> {
    const limit = [1, 100, 1000][between(this.random, 0, 2)] as number;
    const check = (value: unknown): void => {
      const all = [...ledger.entries()];
      const found = ledger.parse(value, `latest ${limit}`);
      // Of equal times the higher id is newer, which only the server knows for imported events.
      if (all.some(({ id }) => id === undefined)) return;
      const newest = all.sort((a, b) => b.timestamp - a.timestamp || (b.id ?? 0) - (a.id ?? 0)).slice(0, limit);
      ledger.compareSome(found, newest, `latest ${limit}`);
    };
    await this.read(ledger, [`latest ${limit}`, "GET", `${path}?limit=${limit}`], { check });
  }

  async #one(ledger: Ledger, path: string): Promise<void> {
    const [entry] = ledger.some(1, this.random);
    if (entry === undefined) return;
    const check = (value: unknown): void => ledger.compareSome(ledger.parse([value], "one"), [entry], "one event");
    await this.read(ledger, ["one event", "GET", `${path}/${entry.id}`], { check });
  }
}

/** Somebody who saves everything: fast, slowly, or not to the end. */
export class Exporter extends Reader {
  protected async step(ledger: Ledger): Promise<void> {
    const chance = this.random();
    const path = `buckets/${ledger.bucketId}/export`;
    const check = (value: unknown): void => {
      const { buckets } = value as { buckets: Record<string, { events: unknown }> };
      ledger.compare(ledger.parse(buckets[ledger.bucketId]?.events, "export"));
    };
    if (chance < 0.4) await this.read(ledger, ["export", "GET", path], { check });
    else if (chance < 0.7) await this.read(ledger, ["export, slow", "GET", path], { check, slow: true });
    else {
      const request = ["GET", chance < 0.85 ? path : "export"] as const;
      await this.world.client.request("export, left", request, {
        leaveAfterMillis: this.random() * 60,
        allow: [404],
      });
    }
  }
}

/** Somebody with a page of statistics: days and months, with programs that the server has never seen. */
export class Asker extends Reader {
  readonly #archive: { readonly window: Ledger; readonly idle: Ledger };
  #asked = 0;

  constructor(
    world: World,
    options: { readonly name: string; readonly restMillis: number },
    archive: { readonly window: Ledger; readonly idle: Ledger },
  ) {
    super(world, options);
    this.#archive = archive;
  }

  protected async step(ledger: Ledger): Promise<void> {
    const { window, idle } = this.#archive;
    if (this.random() < 0.4) return this.#sums(ledger);
    if (!window.exists || !idle.exists || window.isBlocked || idle.isBlocked) return;
    const isMonth = this.random() < 0.4;
    const day = between(this.random, 0, ARCHIVE_DAYS - 1);
    const timeperiods = isMonth ? periods(0, 1, ARCHIVE_DAYS * MICROS_PER_DAY) : periods(day, 1, MICROS_PER_DAY);
    const question: Question = { timeperiods, query: desktopProgram(false) };
    const isNew = this.random() < 0.8;
    const body = JSON.stringify(isNew ? unseen(question, this.#asked++) : question);
    const leaves = this.random() < 0.15 ? { leaveAfterMillis: this.random() * 60 } : {};
    const kind = `query, ${isMonth ? "month" : "day"}${"leaveAfterMillis" in leaves ? ", left" : ""}`;
    await this.world.client.request(kind, ["POST", "query"], { body, ...leaves });
  }

  /** Sums that the soak can do itself. Kept results of an older state of the bucket would show. */
  async #sums(ledger: Ledger): Promise<void> {
    const [any] = ledger.some(1, this.random);
    if (any === undefined) return;
    const start = any.timestamp - Math.floor(this.random() * MICROS_PER_DAY);
    const end = start + MICROS_PER_DAY;
    const key = ledger.kind === "window" ? "app" : "status";
    const query = [
      `events = query_bucket("${ledger.bucketId}");`,
      `RETURN = merge_events_by_keys(events, ["${key}"]);`,
    ];
    const body = JSON.stringify({ timeperiods: [`${serializeTimestamp(start)}/${serializeTimestamp(end)}`], query });
    const check = (value: unknown): void => {
      const [events] = value as [{ duration: number; data: Record<string, string> }[]];
      const found = new Map(events.map(({ duration, data }) => [data[key] as string, duration]));
      const expected = new Map<string, number>();
      for (const entry of touching(ledger, start, end)) {
        const name = String(dataOf(entry, ledger.kind)[key]);
        expected.set(name, (expected.get(name) ?? 0) + microsToSeconds(clip(entry, start, end).duration));
      }
      for (const name of new Set([...expected.keys(), ...found.keys()])) {
        const [wanted, got] = [expected.get(name), found.get(name)];
        if (wanted !== undefined && got !== undefined && Math.abs(wanted - got) < 0.001) continue;
        const what = `${key} '${name}' from ${serializeTimestamp(start)} to ${serializeTimestamp(end)}`;
        throw new SoakFault(`bucket ${ledger.bucketId}: a query gives ${got} s for ${what}, expected ${wanted} s`);
      }
    };
    await this.read(ledger, ["query, sums", "POST", "query"], { body, check });
  }
}

/** The events that touch a range, both ends included. */
function touching(ledger: Ledger, start: number, end: number): Entry[] {
  const touches = ({ timestamp, duration }: Entry): boolean => timestamp <= end && timestamp + duration >= start;
  return [...ledger.entries()].filter(touches);
}

function clip(entry: Entry, start: number, end: number): Entry {
  const timestamp = Math.max(entry.timestamp, start);
  return { ...entry, timestamp, duration: Math.min(entry.timestamp + entry.duration, end) - timestamp };
}
