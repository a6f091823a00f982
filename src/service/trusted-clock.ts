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
  /** Returns Unix milliseconds. */
  readonly clock: () => number;
  readonly logger: Logger;
}

/** The state of the clock, in a private record. */
interface ClockState {
  /** The latest trusted time. */
  readonly latest: Micros;
  /** The last time that the clock showed. */
  readonly seen: Micros;
  /** When the clock was first seen a day or more ahead, by that clock; `null` = it is trusted. */
  readonly since: Micros | null;
}

/** A time that this process saw, and when, by the monotonic clock. */
interface ClockReading {
  readonly time: Micros;
  readonly millis: number;
}

/**
 * Detects a wrong clock. Deletions by age use `now()`, which does not move while the clock is more than a day ahead of
 * the last seen time, until a day has passed or the owner confirms it. Expirations use `latest()`, which never goes
 * back.
 */
export class TrustedClock {
  readonly #options: TrustedClockOptions;
  /** Whether a test moves it on purpose. */
  readonly #isSetByTest: boolean;
  #start: ClockReading;
  #last: ClockReading | undefined;
  #trusted: ClockReading | undefined;
  #latest: Micros = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;
  #isPaused = false;

  constructor(options: TrustedClockOptions) {
    this.#options = options;
    this.#isSetByTest = SET_BY_TEST in options.clock;
    this.#start = this.#readClock();
  }

  /** The time for deletions by age. */
  async now(): Promise<Micros> {
    return getAgeTime(await this.#evaluate(await this.#stored()));
  }

  /** Whether ages did not move when the clock was last noted. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Like `now()`, but also stores the time of the clock: once an hour, unless forced. */
  async note(isForced = false): Promise<Micros> {
    const stored = await this.#stored();
    const judged = this.#evaluate(stored);
    this.#isPaused = this.#warnIfPaused(judged);
    await this.#store(stored, judged, isForced);
    return getAgeTime(judged);
  }

  /** Trusts the current time of the clock from now on. */
  async confirm(): Promise<void> {
    const { time } = this.#readClock();
    this.#isPaused = false;
    await this.#store(await this.#stored(), { latest: time, seen: time, since: null }, true);
  }

  /** Now, or the latest trusted time if the clock was set back. Correct once `load()` has resolved. */
  latest(): Micros {
    return Math.max(this.#readClock().time, this.#latest);
  }

  /** Reads the state for `latest()`, once. */
  load(): Promise<void> {
    this.#loading ??= this.#load().catch((thrown: unknown) => {
      this.#loading = undefined;
      throw thrown;
    });
    return this.#loading;
  }

  /** Returns the same store, except that `latest()` is correct after a list was read. */
  loadWith(store: RecordStore): RecordStore {
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

  /** Stores the last time of the clock, if it was ever needed. Never rejects. */
  async close(): Promise<void> {
    if (this.#loading === undefined && this.#last === undefined) return;
    await this.note(true).catch((thrown: unknown) => this.#warn(thrown));
  }

  /** Clears the cache after the storage was emptied elsewhere. */
  forget(): void {
    this.#start = this.#readClock();
    this.#last = undefined;
    this.#trusted = undefined;
    this.#latest = Number.NEGATIVE_INFINITY;
    this.#loading = undefined;
  }

  async #load(): Promise<void> {
    this.#latest = this.#evaluate(await this.#stored()).latest;
  }

  #evaluate(stored: JsonValue | undefined): ClockState {
    const { time: now, millis } = this.#readClock();
    const advance = (from: ClockReading | undefined): Micros =>
      from === undefined ? Number.NEGATIVE_INFINITY : from.time + (millis - from.millis) * MICROS_PER_MILLI;
    const known = parseClockState(stored);
    const { latest, seen, since } = known ?? { latest: this.#start.time, seen: this.#start.time, since: null };
    const trusted: ClockState = { latest: Math.max(latest, now), seen: now, since: null };
    const counted = advance(this.#trusted ?? (known === undefined ? this.#start : undefined));
    if (this.#isSetByTest || now <= Math.max(latest, counted) + DAY) return trusted;
    const hasJumped = now > Math.max(seen, advance(this.#last)) + DAY;
    if (since !== null && !hasJumped && now - since >= DAY) return trusted;
    // For a machine that is never on for a whole day: the next start confirms the time that its clock showed.
    const isConfirmed = since !== null && hasJumped && this.#last === undefined;
    return {
      latest: isConfirmed ? Math.max(latest, seen) : latest,
      seen: now,
      since: since === null || hasJumped || now < since ? now : since,
    };
  }

  async #store(stored: JsonValue | undefined, next: ClockState, isForced: boolean): Promise<void> {
    this.#last = { time: next.seen, millis: performance.now() };
    if (next.since === null) this.#trusted = this.#last;
    this.#latest = next.latest;
    if (this.#isSetByTest) return;
    const before = parseClockState(stored);
    const isOld = before === undefined || Math.abs(next.seen - before.seen) >= HOUR || before.since !== next.since;
    if (!isForced && !isOld) return;
    try {
      // If two processes write at the same time, one write is enough.
      await this.#options.storage.records(CLOCK_KIND).compareAndSet(KEY, stored, { ...next });
    } catch (thrown) {
      this.#warn(thrown);
    }
  }

  #warnIfPaused({ latest, seen, since }: ClockState): boolean {
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
    this.#options.logger.warn(`cannot store the time: ${messageOf(thrown)}`);
  }

  async #stored(): Promise<JsonValue | undefined> {
    return this.#isSetByTest ? undefined : this.#options.storage.records(CLOCK_KIND).get(KEY);
  }

  #readClock(): ClockReading {
    return { time: currentMicros(this.#options.clock), millis: performance.now() };
  }
}

/** Decisions after the clock was set back use the clock: fewer data are old then. */
function getAgeTime({ latest, seen, since }: ClockState): Micros {
  return since === null ? seen : latest;
}

function parseClockState(value: JsonValue | undefined): ClockState | undefined {
  if (value === undefined || !isJsonObject(value)) return undefined;
  const { latest, seen, since = null } = value;
  if (typeof latest !== "number" || typeof seen !== "number") return undefined;
  return { latest, seen, since: typeof since === "number" ? since : null };
}
