import type { ClientEvent, ClientEventRange, ClientRange } from "../../../client/client-types.js";
import { isActivityClientError } from "../../../client/errors.js";
import { LATEST, type Micros, parseTimestamp, secondsToMicros, serializeTimestamp } from "../../../domain/time.js";

/** Events on a page. */
export const PAGE_SIZE = 100;

/** Single events that are asked for at the same time. */
const AT_ONCE = 6;

/** The reads of one bucket. */
export interface EventReads {
  count(which: ClientRange & Filtered): Promise<number>;
  list(which: ClientEventRange): Promise<readonly ClientEvent[]>;
  get(eventId: number): Promise<ClientEvent>;
}

type Filtered = Pick<ClientEventRange, "filter">;

/** Which events there are pages of. */
export interface Paged {
  readonly range: PagedRange;
  /** Terms that their data meet (docs/search.md#filters). */
  readonly filter: readonly string[];
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

/** The page of that number, or the last one. */
export async function pageOf(reads: EventReads, { range, filter }: Paged, wanted: number): Promise<EventPage> {
  const which = { ...wireRange(range), filter };
  const total = await reads.count(which);
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const page = Math.min(wanted, pages - 1);
  const listed = await reads.list({ ...which, offset: page * PAGE_SIZE, limit: PAGE_SIZE });
  return { events: await wholeEvents(reads, listed, range), page, pages, total };
}

/** The page on which the last event stands that has begun at an instant. */
export async function pageAt(reads: EventReads, { range, filter }: Paged, instant: Micros): Promise<EventPage> {
  const end = Math.min(instant, range.end ?? LATEST - 1);
  const [total, begun] = await Promise.all([
    reads.count({ ...wireRange(range), filter }),
    reads.count({ ...wireRange({ ...range, end }), filter }),
  ]);
  const newer = Math.min(total - begun, Math.max(0, total - 1));
  return pageOf(reads, { range, filter }, Math.floor(newer / PAGE_SIZE));
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

/** Where all events of these pages are had as a table. */
export function csvPath(bucketId: string, { range, filter }: Paged): string {
  const given = Object.entries(wireRange(range)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  const search = new URLSearchParams([["format", "csv"], ...given, ...filter.map((term) => ["filter", term])]);
  return `api/0/buckets/${encodeURIComponent(bucketId)}/events?${search}`;
}
