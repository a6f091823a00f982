import { isJsonObject, type JsonValue } from "../domain/json.js";
import { currentMicros, MICROS_PER_MILLI, type Micros } from "../domain/time.js";
import { messageOf } from "../errors.js";
import type { Logger } from "../logger.js";
import { CLOCK_KIND, type RecordStore } from "../storage/records.js";
import type { Storage } from "../storage/storage.js";
import { SET_BY_TEST } from "../util/in-process.js";

const KEY = "seen";
const HOUR: Micros = 3_600_000_000;
const DAY: Micros = 24 * HOUR;

export interface TrustedClockOptions {
  readonly storage: Pick<Storage, "records">;
  /** Now, in Unix milliseconds. */
  readonly clock: () => number;
  readonly logger: Logger;
}

/** What is known of the clock, in a private record. */
interface Seen {
  /** The latest trusted time. */
  readonly latest: Micros;
  /** What the clock showed last. */
  readonly seen: Micros;
  /** When the clock was first seen a day or more ahead, by that clock; `null` = it is trusted. */
  readonly since: Micros | null;
}

/** A time that this process saw, and when it did by the clock that nobody sets. */
interface Sighting {
  readonly time: Micros;
  readonly millis: number;
}

/**
 * Notices a clock that is wrong: what deletes by age uses `now()`, which stands still while the clock is more than a
 * day ahead of the last seen time, until a day has passed or the owner confirms. What expires uses `latest()`, which
 * never goes back.
 */
export class TrustedClock {
  readonly #options: TrustedClockOptions;
  /** A test moves it on purpose. */
  readonly #isSetByTest: boolean;
  #start: Sighting;
  #last: Sighting | undefined;
  #trusted: Sighting | undefined;
  #latest: Micros = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;
  #isPaused = false;

  constructor(options: TrustedClockOptions) {
    this.#options = options;
    this.#isSetByTest = SET_BY_TEST in options.clock;
    this.#start = this.#sighted();
  }

  /** The time by which ages are judged. */
  async now(): Promise<Micros> {
    return ageTimeOf(await this.#judge(await this.#stored()));
  }

  /** Whether ages stood still when the clock was noted last. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** The same as `now()`, and writes down what the clock shows: once an hour, unless it is told to. */
  async note(isForced = false): Promise<Micros> {
    const stored = await this.#stored();
    const judged = this.#judge(stored);
    this.#isPaused = this.#warned(judged);
    await this.#keep(stored, judged, isForced);
    return ageTimeOf(judged);
  }

  /** Trusts the clock from now on, wherever it stands. */
  async confirm(): Promise<void> {
    const { time } = this.#sighted();
    this.#isPaused = false;
    await this.#keep(await this.#stored(), { latest: time, seen: time, since: null }, true);
  }

  /** Now, or the latest trusted time if the clock went back. Right as soon as `load()` has resolved. */
  latest(): Micros {
    return Math.max(this.#sighted().time, this.#latest);
  }

  /** Reads what `latest()` needs, once. */
  load(): Promise<void> {
    this.#loading ??= this.#load().catch((thrown: unknown) => {
      this.#loading = undefined;
      throw thrown;
    });
    return this.#loading;
  }

  /** The same store, but `latest()` is right when a list has been read. */
  loadedWith(store: RecordStore): RecordStore {
    return {
      get: (key) => store.get(key),
      list: async () => {
        const records = await store.list();
        await this.load();
        return records;
      },
      compareAndSet: (key, expected, value) => store.compareAndSet(key, expected, value),
    };
  }

  /** Writes down what the clock shows at the end, if it was ever needed. Never rejects. */
  async close(): Promise<void> {
    if (this.#loading === undefined && this.#last === undefined) return;
    await this.note(true).catch((thrown: unknown) => this.#warn(thrown));
  }

  /** Forgets what is in memory: the storage was emptied behind it. */
  forget(): void {
    this.#start = this.#sighted();
    this.#last = undefined;
    this.#trusted = undefined;
    this.#latest = Number.NEGATIVE_INFINITY;
    this.#loading = undefined;
  }

  async #load(): Promise<void> {
    this.#latest = this.#judge(await this.#stored()).latest;
  }

  #judge(stored: JsonValue | undefined): Seen {
    const { time: now, millis } = this.#sighted();
    const reached = (from: Sighting | undefined): Micros =>
      from === undefined ? Number.NEGATIVE_INFINITY : from.time + (millis - from.millis) * MICROS_PER_MILLI;
    const known = parsed(stored);
    const { latest, seen, since } = known ?? { latest: this.#start.time, seen: this.#start.time, since: null };
    const trusted: Seen = { latest: Math.max(latest, now), seen: now, since: null };
    const counted = reached(this.#trusted ?? (known === undefined ? this.#start : undefined));
    if (this.#isSetByTest || now <= Math.max(latest, counted) + DAY) return trusted;
    const hasJumped = now > Math.max(seen, reached(this.#last)) + DAY;
    if (since !== null && !hasJumped && now - since >= DAY) return trusted;
    // A machine that is never on for a whole day: what its clock showed then is confirmed by the next start.
    const isConfirmed = since !== null && hasJumped && this.#last === undefined;
    return {
      latest: isConfirmed ? Math.max(latest, seen) : latest,
      seen: now,
      since: since === null || hasJumped || now < since ? now : since,
    };
  }

  async #keep(stored: JsonValue | undefined, next: Seen, isForced: boolean): Promise<void> {
    this.#last = { time: next.seen, millis: performance.now() };
    if (next.since === null) this.#trusted = this.#last;
    this.#latest = next.latest;
    if (this.#isSetByTest) return;
    const before = parsed(stored);
    const isOld = before === undefined || Math.abs(next.seen - before.seen) >= HOUR || before.since !== next.since;
    if (!isForced && !isOld) return;
    try {
      // Of two processes that write at once one is enough.
      await this.#options.storage.records(CLOCK_KIND).compareAndSet(KEY, stored, { ...next });
    } catch (thrown) {
      this.#warn(thrown);
    }
  }

  #warned({ latest, seen, since }: Seen): boolean {
    if (since !== null && !this.#isPaused) {
      const days = Math.floor((seen - latest) / DAY);
      this.#options.logger.warn(
        `the clock is ${days} days ahead of the last seen time: retention and the trash delete nothing by age for a ` +
          "day; if the clock is right, run: activity-server retention run",
      );
    }
    return since !== null;
  }

  #warn(thrown: unknown): void {
    this.#options.logger.warn(`cannot write down the time: ${messageOf(thrown)}`);
  }

  async #stored(): Promise<JsonValue | undefined> {
    return this.#isSetByTest ? undefined : this.#options.storage.records(CLOCK_KIND).get(KEY);
  }

  #sighted(): Sighting {
    return { time: currentMicros(this.#options.clock), millis: performance.now() };
  }
}

/** What was judged after the clock went back goes by the clock: less is old then. */
function ageTimeOf({ latest, seen, since }: Seen): Micros {
  return since === null ? seen : latest;
}

function parsed(value: JsonValue | undefined): Seen | undefined {
  if (value === undefined || !isJsonObject(value)) return undefined;
  const { latest, seen, since = null } = value;
  if (typeof latest !== "number" || typeof seen !== "number") return undefined;
  return { latest, seen, since: typeof since === "number" ? since : null };
}
