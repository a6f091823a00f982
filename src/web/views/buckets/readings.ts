// Loads the content of a bucket's view.
import type { ClientEvent } from "../../../client/client-types.js";
import type { ClientBucket } from "../../../client/index.js";
import type { Micros } from "../../../domain/time.js";
import { client } from "../../api.js";
import {
  type EventPage,
  type EventReads,
  microsOf,
  type Paged,
  type PagedRange,
  pageAt,
  readPage,
} from "./event-page.js";

/** Selection of events. */
export interface EventSelection {
  readonly bucketId: string;
  readonly range: PagedRange;
  /** From 0. */
  readonly page: number;
  /** Overrides `page`: the page with the event at this timestamp. */
  readonly at: Micros | undefined;
  /** A condition for the data of events (docs/reference/filters.md); empty = all. */
  readonly text: string;
}

/** The loaded content. */
export interface Reading extends EventPage {
  readonly bucket: ClientBucket;
  /** Number of the bucket's events, without the selection. */
  readonly count: number;
  /** Whether a condition restricts the events. */
  readonly isFiltered: boolean;
  /** The event at `at`, or the last one before it. */
  readonly marked: number | undefined;
}

/** @throws ActivityClientError */
export async function loadReading(asked: EventSelection, signal: AbortSignal): Promise<Reading> {
  const { bucketId, page, at, text } = asked;
  const reads: EventReads = {
    count: (which) => client.events.count(bucketId, which, { signal }),
    list: (which) => client.events.list(bucketId, which, { signal }),
    get: (eventId) => client.events.get(bucketId, eventId, { signal }),
  };
  const paged = toPaged(asked);
  const [bucket, count, found] = await Promise.all([
    client.buckets.get(bucketId, { signal }),
    client.events.count(bucketId, {}, { signal }),
    at === undefined ? readPage(reads, paged, page) : pageAt(reads, paged, at),
  ]);
  const marked = at === undefined ? undefined : eventAt(found.events, at)?.id;
  return { bucket, count, ...found, marked, isFiltered: text !== "" };
}

/** The selection without its page. */
export function toPaged({ range, text }: Pick<EventSelection, "range" | "text">): Paged {
  return { range, filter: text === "" ? [] : [text] };
}

/** The event at a timestamp, or else the last one that starts before it. @param events newest first */
export function eventAt(events: readonly ClientEvent[], at: Micros): ClientEvent | undefined {
  const begun = events.filter(({ timestamp }) => microsOf(timestamp) <= at);
  const inside = begun.find(({ timestamp, duration }) => microsOf(timestamp) + duration * 1_000_000 >= at);
  return inside ?? begun[0] ?? events.at(-1);
}
