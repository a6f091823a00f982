import type { ClientEvent, ClientEventRange, ClientRange } from "../../../client/client-types.js";
import { isActivityClientError } from "../../../client/errors.js";
import { LATEST, type Micros, parseTimestamp, secondsToMicros, serializeTimestamp } from "../../../domain/time.js";

/** Events per page. */
export const PAGE_SIZE = 100;

/** Maximum number of concurrent requests for single events. */
const AT_ONCE = 6;

/** Read functions for one bucket. */
export interface EventReads {
  count(which: ClientRange & Filtered): Promise<number>;
  list(which: ClientEventRange): Promise<readonly ClientEvent[]>;
  get(eventId: number): Promise<ClientEvent>;
}

type Filtered = Pick<ClientEventRange, "filter">;

/** Selection of events to paginate. */
export interface Paged {
  readonly range: PagedRange;
  /** Conditions for their data (docs/reference/filters.md). */
  readonly filter: readonly string[];
}

/** Time range to paginate, including both ends; `undefined` = open. */
export interface PagedRange {
  readonly start?: Micros | undefined;
  readonly end?: Micros | undefined;
}

/** A page of complete events, newest first. */
export interface EventPage {
  readonly events: readonly ClientEvent[];
  /** Its number from 0, at most the last page's. */
  readonly page: number;
  /** At least 1. */
  readonly pages: number;
  /** Events in the range. */
  readonly total: number;
}

/** The requested page, or the last one. */
export async function readPage(reads: EventReads, { range, filter }: Paged, wanted: number): Promise<EventPage> {
  const which = { ...wireRange(range), filter };
  const total = await reads.count(which);
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const page = Math.min(wanted, pages - 1);
  const listed = await reads.list({ ...which, offset: page * PAGE_SIZE, limit: PAGE_SIZE });
  return { events: await wholeEvents(reads, listed, range), page, pages, total };
}

/** The page with the last event that started at or before a timestamp. */
export async function pageAt(reads: EventReads, { range, filter }: Paged, instant: Micros): Promise<EventPage> {
  const end = Math.min(instant, range.end ?? LATEST - 1);
  const [total, begun] = await Promise.all([
    reads.count({ ...wireRange(range), filter }),
    reads.count({ ...wireRange({ ...range, end }), filter }),
  ]);
  const newer = Math.min(total - begun, Math.max(0, total - 1));
  return readPage(reads, { range, filter }, Math.floor(newer / PAGE_SIZE));
}

/**
 * Restores the full duration of events, which the server cuts to the requested range. Requests each event that touches
 * an end separately.
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
    // Deleted in the meantime: keep the known part.
    if (isActivityClientError(error) && error.status === 404) return event;
    throw error;
  }
}

/** Formats a range for the API. */
export function wireRange({ start, end }: PagedRange): { start?: string; end?: string } {
  return {
    ...(start !== undefined && { start: serializeTimestamp(start) }),
    ...(end !== undefined && { end: serializeTimestamp(end) }),
  };
}

/** Parses a timestamp from the server. */
export function microsOf(timestamp: string): Micros {
  return parseTimestamp(timestamp) ?? Number.NaN;
}

/** The URL path of these events as CSV. */
export function csvPath(bucketId: string, { range, filter }: Paged): string {
  const given = Object.entries(wireRange(range)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  const search = new URLSearchParams([["format", "csv"], ...given, ...filter.map((term) => ["filter", term])]);
  return `api/0/buckets/${encodeURIComponent(bucketId)}/events?${search}`;
}
