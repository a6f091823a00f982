import type { ClientEvent } from "../../../client/client-types.js";
import { isActivityClientError } from "../../../client/errors.js";
import type { ClientEventRange, ClientRange } from "../../../client/read-types.js";
import {
  EARLIEST,
  LATEST,
  type Micros,
  parseTimestamp,
  secondsToMicros,
  serializeTimestamp,
} from "../../../domain/time.js";

/** Events on a page. */
export const PAGE_SIZE = 100;

/** Most events that are read only to be passed over, so that fewer counts are needed to find a page. */
const MOST_SKIPPED = 500;
/** A page is read from a little before its begin: what overlaps that place would come cut. */
const LEAD = 50;
/** Single events that are asked for at the same time. */
const AT_ONCE = 6;

/** The reads of one bucket. */
export interface EventReads {
  /** What the bucket covers, as far as it is known: a far page is found with fewer questions then. */
  readonly extent: PagedRange;
  count(range: ClientRange): Promise<number>;
  list(range: ClientEventRange): Promise<readonly ClientEvent[]>;
  get(eventId: number): Promise<ClientEvent>;
}

/** Part of the time that pages are made of; both ends are included, `undefined` = open. */
export interface PagedRange {
  readonly start?: Micros | undefined;
  readonly end?: Micros | undefined;
}

/** A page of events, newest first, each one whole. */
export interface EventPage {
  readonly events: readonly ClientEvent[];
  /** Which one it is, beginning with 0; never behind the last one. */
  readonly page: number;
  /** At least 1. */
  readonly pages: number;
  /** Events in the range. */
  readonly total: number;
}

/** A place in the order of events: `newer` of them begin after `end`. */
interface Mark {
  readonly end: Micros;
  readonly newer: number;
}

/**
 * Turns the reads of a server, which know ranges and limits, into numbered pages. Events of the same instant may lie on
 * several pages, and each of them on one only: what has been passed over is counted, not told by its time.
 */
export class EventPages {
  readonly #range: PagedRange;
  #marks: Mark[] = [];
  #total = -1;

  constructor(range: PagedRange) {
    this.#range = range;
  }

  /** Forgets where pages begin, since events have been changed. */
  forget(): void {
    this.#total = -1;
  }

  /** The page of that number, or the last one. */
  async page(reads: EventReads, wanted: number): Promise<EventPage> {
    const total = await this.#count(reads);
    const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
    const page = Math.min(wanted, pages - 1);
    const first = page * PAGE_SIZE;
    const mark = await this.#markBefore(reads, first, total);
    const skipped = first - (mark?.newer ?? 0);
    const end = mark?.end ?? this.#range.end;
    const read = await reads.list({ ...wireRange({ ...this.#range, end }), limit: skipped + PAGE_SIZE });
    this.#keepMark(read, skipped, mark?.newer ?? 0);
    const events = await wholeEvents(reads, read.slice(skipped), { ...this.#range, end });
    return { events, page, pages, total };
  }

  /** The page on which the last event stands that has begun at an instant. */
  async pageAt(reads: EventReads, instant: Micros): Promise<EventPage> {
    const total = await this.#count(reads);
    const newer = total - (await this.#countUntil(reads, instant));
    return this.page(reads, Math.floor(Math.min(newer, Math.max(0, total - 1)) / PAGE_SIZE));
  }

  async #count(reads: EventReads): Promise<number> {
    const total = await reads.count(wireRange(this.#range));
    // Something has come or gone: what was counted before holds no longer.
    if (total !== this.#total) this.#marks = [];
    this.#total = total;
    return total;
  }

  #countUntil(reads: EventReads, instant: Micros): Promise<number> {
    const end = Math.min(instant, this.#range.end ?? LATEST - 1);
    return reads.count(wireRange({ ...this.#range, end }));
  }

  /** A place shortly before a rank; `undefined` = the newest event. */
  async #markBefore(reads: EventReads, rank: number, total: number): Promise<Mark | undefined> {
    let best = this.#marks
      .filter(({ newer }) => newer <= rank - LEAD)
      .reduce<Mark | undefined>((most, mark) => (most && most.newer >= mark.newer ? most : mark), undefined);
    let low: Mark = { end: this.#range.start ?? reads.extent.start ?? EARLIEST, newer: total };
    const isFar = (): boolean => rank - (best?.newer ?? 0) > MOST_SKIPPED;
    for (let tries = 0; isFar(); tries++) {
      const high: Mark = best ?? { end: this.#range.end ?? reads.extent.end ?? LATEST - 1, newer: 0 };
      if (high.end - low.end <= 1) break;
      const guess = between(low, high, tries % 2 === 0 ? rank - MOST_SKIPPED / 2 : undefined);
      const mark = { end: guess, newer: total - (await this.#countUntil(reads, guess)) };
      if (mark.newer <= rank - LEAD) best = mark;
      else low = mark;
    }
    if (best !== undefined) this.#marks.push(best);
    return best;
  }

  /** Remembers where a page begins, so that the one behind it is found at once. */
  #keepMark(read: readonly ClientEvent[], skipped: number, newer: number): void {
    const timestamp = read[skipped]?.timestamp;
    if (timestamp === undefined) return;
    const first = read.findIndex((event) => event.timestamp === timestamp);
    this.#marks.push({ end: microsOf(timestamp), newer: newer + first });
  }
}

/** An instant between two marks: in the middle, or where a rank would lie if events were spread evenly. */
function between(low: Mark, high: Mark, rank: number | undefined): Micros {
  const share = rank === undefined ? 0.5 : (rank - high.newer) / Math.max(1, low.newer - high.newer);
  const guess = Math.round(high.end - share * (high.end - low.end));
  return Math.min(high.end - 1, Math.max(low.end + 1, guess));
}

/**
 * Puts events back to their whole length: the server cuts them to the range that was asked for. Those that reach its
 * ends are asked for again, each alone.
 */
export async function wholeEvents(
  reads: Pick<EventReads, "get">,
  events: readonly ClientEvent[],
  { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY }: PagedRange,
): Promise<ClientEvent[]> {
  const whole = [...events];
  const cut = whole.flatMap((event, index) => {
    const from = microsOf(event.timestamp);
    return from <= start || from + secondsToMicros(event.duration) >= end ? [index] : [];
  });
  async function worker(): Promise<void> {
    for (let index = cut.shift(); index !== undefined; index = cut.shift()) {
      const event = whole[index];
      if (event !== undefined) whole[index] = await wholeEvent(reads, event);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return whole;
}

async function wholeEvent(reads: Pick<EventReads, "get">, event: ClientEvent): Promise<ClientEvent> {
  try {
    return await reads.get(event.id);
  } catch (error) {
    // Deleted in between: what is known of it has to do.
    if (isActivityClientError(error) && error.status === 404) return event;
    throw error;
  }
}

/** A range as the server wants it. */
export function wireRange({ start, end }: PagedRange): { start?: string; end?: string } {
  return {
    ...(start !== undefined && { start: serializeTimestamp(start) }),
    ...(end !== undefined && { end: serializeTimestamp(end) }),
  };
}

/** An instant that the server has written. */
export function microsOf(timestamp: string): Micros {
  return parseTimestamp(timestamp) ?? Number.NaN;
}
