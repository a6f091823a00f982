import type { EventInput } from "../../../src/index.js";
import type { Model } from "./model.js";
import type { Bucket, Event } from "./state.js";

export const START: number = Date.parse("2024-03-01T00:00:00Z");
const IDS = ["a_x", "b_x", "c_y", "d_y", "e"];
export const HOSTS: readonly string[] = ["x", "y", "z"];
export const APPS: readonly string[] = ["code", "mail", "web"];
const MAX_EVENTS = 6;
/** Everything happens within so many seconds. */
const SPAN = 400;
const HOURS = [1, 30, 24 * 10, 24 * 31];

/** Chooses among what there is, by the numbers of a step. */
export class Chooser {
  readonly model: Model;
  readonly #numbers: readonly number[];
  #next = 0;

  constructor(model: Model, numbers: readonly number[]) {
    this.model = model;
    this.#numbers = numbers;
  }

  below(count: number): number {
    const index = this.#next++;
    const number = this.#numbers[index % this.#numbers.length] as number;
    // Numbers that are used again mean something else.
    return Math.floor(number / (1 + Math.floor(index / this.#numbers.length) * 7)) % count;
  }

  one<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : items[this.below(items.length)];
  }

  isOnce(each: number): boolean {
    return this.below(each) === 0;
  }

  hours(): number {
    return this.one(HOURS) as number;
  }

  /** Any id, of a bucket or not. */
  id(): string {
    return this.one(IDS) as string;
  }

  bucket(): Bucket | undefined {
    return this.one([...this.model.buckets.values()]);
  }

  /** A bucket with an event of it. */
  event(): readonly [Bucket, Event] | undefined {
    const bucket = this.one([...this.model.buckets.values()].filter(({ events }) => events.length > 0));
    return bucket === undefined ? undefined : [bucket, this.one(bucket.events) as Event];
  }

  /** An event to be. */
  draft(): Event {
    const at = this.below(SPAN / 10) * 10;
    return { id: undefined, at, length: this.below(7) * 10, app: this.one(APPS) as string };
  }

  drafts(): Event[] {
    return Array.from({ length: this.below(MAX_EVENTS + 1) }, () => this.draft());
  }

  /** More than are read or kept at once, and a long one before them. */
  manyDrafts(): Event[] {
    const [first, count, length] = [this.draft(), this.one([150, 1100, 1700]) as number, this.one([0, 0, 3]) as number];
    const many = Array.from({ length: count }, (_, index): Event => {
      return { id: undefined, at: first.at + 1 + index, length, app: APPS[index % APPS.length] as string };
    });
    return [{ ...first, length: 2 * count }, ...many];
  }

  range(): { readonly start: number; readonly end: number } {
    const start = this.below(SPAN / 10) * 10;
    return { start, end: start + (1 + this.below(20)) * 10 };
  }

  /** Until when a redirect leads; `undefined`: there is none. */
  until(): number | null | undefined {
    return this.one([null, null, undefined, this.model.now + 36_000]);
  }
}

/** An event as the server takes it. */
export function inputOf({ id, at, length, app }: Event): EventInput {
  const input = { timestamp: timeOf(at), duration: { seconds: length }, data: { app } };
  return id === undefined ? input : { ...input, id };
}

export function timeOf(seconds: number): Date {
  return new Date(START + seconds * 1000);
}
