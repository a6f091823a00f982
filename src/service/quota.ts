import type { EventDraft } from "../domain/event.js";
import { type JsonObject, roughSize } from "../domain/json.js";
import { ActivityError } from "../errors.js";
import { EVENT_BYTES, type StorageUsage } from "../storage/usage.js";
import type { Waiting } from "../util/waiting.js";

/** Limits for the stored data of a server. */
export interface QuotaOptions {
  /** Maximum number of events outside the trash. @default no limit */
  readonly events?: number | undefined;
  /** Maximum number of bytes, including the trash (docs/explanation/durability.md#usage). @default no limit */
  readonly bytes?: number | undefined;
}

/** Upper bound of the growth by a write. */
export interface Growth {
  readonly events: number;
  readonly bytes: number;
}

/** Upper bound of the growth by drafts. */
export function measureGrowth(drafts: readonly EventDraft[]): Growth {
  let bytes = 0;
  for (const { data } of drafts) bytes += eventBytes(data);
  return { events: drafts.length, bytes };
}

/** Estimated upper bound of the growth by an event. */
export function eventBytes(data: JsonObject): number {
  return EVENT_BYTES + roughSize(data);
}

/** Number of admitted events after which the storage is counted again: other processes may write to it as well. */
const RECOUNT_EVENTS = 1_000;
/** Time after which a full storage is counted again: old trash may have been deleted. */
const FULL_MILLIS = 60_000;
/** Above this number of events, counting takes at most about one such part of the time. */
const CHEAP_EVENTS = 10_000;
const COUNTING_PARTS = 20;

/**
 * Rejects writes over a quota. Counts the storage once, then adds upper bounds of writes. Counts again only when that
 * sum reaches the quota, and sometimes in the background. So it never rejects too early.
 */
export class Quota {
  readonly #limits: Growth;
  readonly #count: () => Promise<StorageUsage>;
  /** Whether it must be counted before the next write. */
  #isUnknown = true;
  /** Number of changes by unknown amounts. */
  #changes = 0;
  #stored: Growth = { events: 0, bytes: 0 };
  /** Upper bound of the growth admitted since then. */
  #events = 0;
  #bytes = 0;
  /** Whether a deletion may have happened since. */
  #hasShrunk = false;
  #countedAt = 0;
  #countMillis = 0;
  #counting: Promise<void> | undefined;

  /** @param count counts the storage */
  constructor(
    { events = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY }: QuotaOptions,
    count: () => Promise<StorageUsage>,
  ) {
    this.#limits = { events, bytes };
    this.#count = count;
  }

  /**
   * Admits a write.
   *
   * @returns a promise if the storage must be counted first
   * @throws ActivityError `QUOTA_EXCEEDED`, at once or by the promise
   */
  admit(events: number, bytes: number): Waiting {
    if (this.#isUnknown || this.#excess(events, bytes) !== undefined) return this.#admitLater(events, bytes);
    this.#add(events, bytes);
    // A write that needs the count reports a failure.
    if (this.#events >= RECOUNT_EVENTS && this.#isRested) this.#recount().catch(() => undefined);
    return undefined;
  }

  /** Admits a heartbeat. Most of them extend an event and add nothing. */
  admitBeat(data: JsonObject): Waiting {
    const bytes = eventBytes(data);
    // Close to the quota, each heartbeat would count the storage.
    const isClose = !this.#isUnknown && this.#events > 0 && this.#excess(1, bytes) !== undefined;
    if (!isClose || this.#isFull || this.#isRested) return this.admit(1, bytes);
    this.#add(1, bytes);
    return undefined;
  }

  /** Notes a possible deletion. */
  shrink(): void {
    this.#hasShrunk = true;
  }

  /** Forgets the count: the storage has changed by an unknown amount. */
  forget(): void {
    this.#changes++;
    this.#isUnknown = true;
  }

  async #admitLater(events: number, bytes: number): Promise<void> {
    while (this.#isUnknown) await this.#recount();
    // Another count finds less only after estimates and deletions.
    const mayBeLess = this.#hasShrunk || this.#events + this.#bytes > 0 || this.#isOld;
    if (mayBeLess && this.#excess(events, bytes) !== undefined) await this.#recount();
    const excess = this.#excess(events, bytes);
    if (excess !== undefined) throw quotaExceeded(excess, this.#limits[excess]);
    this.#add(events, bytes);
  }

  #add(events: number, bytes: number): void {
    this.#events += events;
    this.#bytes += bytes;
  }

  /** The limit that a write exceeds. A write that adds nothing to it is admitted. */
  #excess(events: number, bytes: number): keyof Growth | undefined {
    const { events: storedEvents, bytes: storedBytes } = this.#stored;
    if (events > 0 && storedEvents + this.#events + events > this.#limits.events) return "events";
    if (bytes > 0 && storedBytes + this.#bytes + bytes > this.#limits.bytes) return "bytes";
    return undefined;
  }

  get #isFull(): boolean {
    const { events, bytes } = this.#stored;
    return events >= this.#limits.events || bytes >= this.#limits.bytes;
  }

  /** Whether the last count is old enough that another one costs little. */
  get #isRested(): boolean {
    const isCheap = this.#stored.events < CHEAP_EVENTS;
    return isCheap || performance.now() - this.#countedAt >= this.#countMillis * COUNTING_PARTS;
  }

  get #isOld(): boolean {
    return this.#isRested && performance.now() - this.#countedAt >= FULL_MILLIS;
  }

  #recount(): Promise<void> {
    this.#counting ??= this.#countAgain().finally(() => {
      this.#counting = undefined;
    });
    return this.#counting;
  }

  async #countAgain(): Promise<void> {
    // The count may not include later writes.
    const [events, bytes, changes, start] = [this.#events, this.#bytes, this.#changes, performance.now()];
    this.#hasShrunk = false;
    const usage = await this.#count();
    this.#isUnknown = this.#changes !== changes;
    this.#events -= events;
    this.#bytes -= bytes;
    this.#stored = { events: usage.events, bytes: usage.bytes + usage.trashBytes };
    this.#countedAt = performance.now();
    this.#countMillis = this.#countedAt - start;
  }
}

function quotaExceeded(what: keyof Growth, limit: number): ActivityError {
  const remedy = what === "events" ? "delete events" : "delete data and empty the trash";
  const reason = `the quota of ${limit} ${what} is used up`;
  return new ActivityError("QUOTA_EXCEEDED", `${reason}, nothing of this was stored; ${remedy}`, { reason });
}
