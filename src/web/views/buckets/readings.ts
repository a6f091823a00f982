// What the view of a bucket shows, read in one go.
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
  pageOf,
} from "./event-page.js";

/** Which events are asked for. */
export interface Asked {
  readonly bucketId: string;
  readonly range: PagedRange;
  /** Beginning with 0. */
  readonly page: number;
  /** Takes the place of `page`: the page with the event that this instant is in. */
  readonly at: Micros | undefined;
  /** A term that leaves only the events whose data meet it (docs/search.md#filters); empty = all. */
  readonly text: string;
}

/** What came of it. */
export interface Reading extends EventPage {
  readonly bucket: ClientBucket;
  /** Events of the bucket, whatever is asked for. */
  readonly count: number;
  /** Whether only what meets a term is shown. */
  readonly isFiltered: boolean;
  /** The event that `at` is in, or the last one before it. */
  readonly marked: number | undefined;
}

/** @throws ActivityClientError */
export async function read(asked: Asked, signal: AbortSignal): Promise<Reading> {
  const { bucketId, page, at, text } = asked;
  const reads: EventReads = {
    count: (which) => client.events.count(bucketId, which, { signal }),
    list: (which) => client.events.list(bucketId, which, { signal }),
    get: (eventId) => client.events.get(bucketId, eventId, { signal }),
  };
  const paged = pagedBy(asked);
  const [bucket, count, found] = await Promise.all([
    client.buckets.get(bucketId, { signal }),
    client.events.count(bucketId, {}, { signal }),
    at === undefined ? pageOf(reads, paged, page) : pageAt(reads, paged, at),
  ]);
  const marked = at === undefined ? undefined : eventAt(found.events, at)?.id;
  return { bucket, count, ...found, marked, isFiltered: text !== "" };
}

/** The events that are asked for, on whatever page. */
export function pagedBy({ range, text }: Pick<Asked, "range" | "text">): Paged {
  return { range, filter: text === "" ? [] : [text] };
}

/** The event that an instant lies in, or else the last one that begins before it; of events that are newest first. */
export function eventAt(events: readonly ClientEvent[], at: Micros): ClientEvent | undefined {
  const begun = events.filter(({ timestamp }) => microsOf(timestamp) <= at);
  const inside = begun.find(({ timestamp, duration }) => microsOf(timestamp) + duration * 1_000_000 >= at);
  return inside ?? begun[0] ?? events.at(-1);
}
