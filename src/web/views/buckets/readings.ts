// What the view of a bucket shows, read in one go.
import type { ClientBucket, ClientEvent } from "../../../client/client-types.js";
import type { Micros } from "../../../domain/time.js";
import { client } from "../../api.js";
import { holdsText } from "./columns.js";
import {
  type EventPages,
  type EventReads,
  microsOf,
  PAGE_SIZE,
  type PagedRange,
  wholeEvents,
  wireRange,
} from "./event-pages.js";

/** Which events are asked for. */
export interface Asked {
  readonly bucketId: string;
  readonly range: PagedRange;
  /** Beginning with 0. */
  readonly page: number;
  /** Takes the place of `page`: the page with the event that this instant is in. */
  readonly at: Micros | undefined;
  /** Leaves only events with this text in their data; empty = all. */
  readonly text: string;
  /** How many of the newest events are searched for the text. */
  readonly searched: number;
}

/** What came of it. */
export interface Reading {
  readonly bucket: ClientBucket;
  /** Events of the bucket, whatever is asked for. */
  readonly count: number;
  /** Of the page, newest first. */
  readonly events: readonly ClientEvent[];
  readonly page: number;
  readonly pages: number;
  /** Events on all pages. */
  readonly total: number;
  /** How many events of the range were searched, and how many it has; `undefined` without a text. */
  readonly search: { readonly searched: number; readonly of: number } | undefined;
  /** The event that `at` is in, or the last one before it. */
  readonly marked: number | undefined;
}

/** Reads of a bucket that end with the signal. */
export function readsOf(bucket: ClientBucket, signal: AbortSignal): EventReads {
  const { start, end } = bucket.metadata;
  return {
    extent: { start: start === null ? undefined : microsOf(start), end: end === null ? undefined : microsOf(end) },
    count: (range) => client.events.count(bucket.id, range, { signal }),
    list: (range) => client.events.list(bucket.id, range, { signal }),
    get: (eventId) => client.events.get(bucket.id, eventId, { signal }),
  };
}

/** @throws ActivityClientError */
export async function read(asked: Asked, pages: EventPages, signal: AbortSignal): Promise<Reading> {
  const { bucketId, page, at, text } = asked;
  const [bucket, count] = await Promise.all([
    client.buckets.get(bucketId, { signal }),
    client.events.count(bucketId, {}, { signal }),
  ]);
  const reads = readsOf(bucket, signal);
  if (text !== "") return { bucket, count, marked: undefined, ...(await search(asked, reads)) };
  const found = at === undefined ? await pages.page(reads, page) : await pages.pageAt(reads, at);
  const marked = at === undefined ? undefined : eventAt(found.events, at)?.id;
  return { bucket, count, ...found, marked, search: undefined };
}

async function search({ range, text, searched, page }: Asked, reads: EventReads) {
  const [of, events] = await Promise.all([
    reads.count(wireRange(range)),
    reads.list({ ...wireRange(range), limit: searched }),
  ]);
  const lowered = text.toLowerCase();
  const matches = events.filter(({ data }) => holdsText(data, lowered));
  const pages = Math.max(1, Math.ceil(matches.length / PAGE_SIZE));
  const shown = Math.min(page, pages - 1);
  const onPage = matches.slice(shown * PAGE_SIZE, (shown + 1) * PAGE_SIZE);
  return {
    events: await wholeEvents(reads, onPage, range),
    page: shown,
    pages,
    total: matches.length,
    search: { searched: events.length, of },
  };
}

/** The event that an instant lies in, or else the last one that begins before it; of events that are newest first. */
export function eventAt(events: readonly ClientEvent[], at: Micros): ClientEvent | undefined {
  const begun = events.filter(({ timestamp }) => microsOf(timestamp) <= at);
  const inside = begun.find(({ timestamp, duration }) => microsOf(timestamp) + duration * 1_000_000 >= at);
  return inside ?? begun[0] ?? events.at(-1);
}
