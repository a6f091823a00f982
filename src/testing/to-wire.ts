import type { Bucket } from "../domain/bucket.js";
import type { EventDraft } from "../domain/event.js";
import type { JsonObject } from "../domain/json.js";
import { microsToSeconds, serializeTimestamp } from "../domain/time.js";
import { mustBe } from "../errors.js";
import { type FilledBucket, type Filling, filledBuckets } from "./filling.js";

/** An event of the HTTP API. */
export interface WireEvent {
  readonly id?: number;
  /** ISO 8601, in UTC. */
  readonly timestamp: string;
  /** Seconds. */
  readonly duration: number;
  readonly data: JsonObject;
}

/** A bucket of the HTTP API: the body that creates it. */
export interface WireBucket {
  readonly id: string;
  readonly name: string | null;
  readonly type: string;
  readonly client: string;
  readonly hostname: string;
  /** ISO 8601, in UTC. */
  readonly created: string;
  readonly data: JsonObject;
}

/** An export document: what `server.import()` and `POST /api/0/import` take. */
export interface WireExport {
  readonly buckets: Readonly<Record<string, WireBucket & { readonly events: readonly WireEvent[] }>>;
}

/**
 * Converts an event or a bucket to the form of the REST API: ISO times and seconds. For tests that send HTTP requests.
 * Convert a list with `events.map(toWire)`.
 *
 * @throws ActivityError `INVALID_INPUT` for anything else
 */
export function toWire<Value extends EventDraft | Bucket>(
  value: Value,
): Value extends EventDraft ? WireEvent : WireBucket;
export function toWire(value: EventDraft | Bucket): WireEvent | WireBucket {
  if (typeof value === "object" && value !== null) {
    if ("timestamp" in value) return wireEvent(value);
    if ("created" in value) return wireBucket(value);
  }
  throw mustBe("the argument of toWire()", "an event or a bucket", value);
}

/**
 * Makes an export document of a day, of a bucket with events, or of several: events newest first, without ids, as a
 * server would export them.
 *
 * @throws ActivityError `INVALID_INPUT`
 */
export function toExport(filling: Filling): WireExport {
  const entries = filledBuckets(filling, "toExport()").map(({ bucket, events }: FilledBucket) => {
    const listed = events.map(({ id: _, ...event }) => wireEvent(event)).reverse();
    return [bucket.id, { ...wireBucket(bucket), events: listed }] as const;
  });
  return { buckets: Object.fromEntries(entries) };
}

function wireEvent({ id, timestamp, duration, data }: EventDraft): WireEvent {
  const span = { timestamp: serializeTimestamp(timestamp), duration: microsToSeconds(duration), data };
  return id === undefined ? span : { id, ...span };
}

function wireBucket({ id, name, type, client, hostname, created, data }: Bucket): WireBucket {
  return { id, name, type, client, hostname, created: serializeTimestamp(created), data };
}
