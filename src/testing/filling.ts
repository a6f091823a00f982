import type { ActivityEventDraft } from "../domain/activity-event.js";
import type { Bucket } from "../domain/bucket.js";
import { isJsonObject } from "../domain/json.js";
import type { TimestampMicros } from "../domain/time.js";
import { shownValue } from "../errors.js";
import type { ActivityServer } from "../index.js";
import { invalid } from "../service/validation.js";

/** A bucket with its events, in the order of time. */
export interface FilledBucket {
  readonly bucket: Bucket<TimestampMicros>;
  readonly events: readonly ActivityEventDraft[];
}

/** The events of one computer on one day. */
export interface FilledDay {
  /** Type `currentwindow`; data `app`, `title`. */
  readonly window: FilledBucket;
  /** Type `afkstatus`; data `status`: `afk` or `not-afk`. */
  readonly afk: FilledBucket;
  /** Type `web.tab.current`; data `url`, `title`, `audible`, `incognito`, `tabCount`. */
  readonly web: FilledBucket;
  /** Type `app.editor.activity`; data `file`, `project`, `language`, `branch`. */
  readonly editor: FilledBucket;
}

/** Data to load into a test server. */
export type Filling = FilledDay | FilledBucket | readonly (FilledDay | FilledBucket)[];

/**
 * All buckets of a filling, in its order.
 *
 * @throws ActivityError `INVALID_INPUT` for another value
 */
export function filledBuckets(filling: unknown, owner: string): FilledBucket[] {
  if (Array.isArray(filling)) return filling.flatMap((part: unknown) => filledBuckets(part, owner));
  if (isFilled(filling)) return [filling];
  if (isDay(filling)) return [filling.window, filling.afk, filling.web, filling.editor];
  throw invalid(
    `the argument of ${owner} must be a realisticDay(), { bucket, events } or a list, got ${shownValue(filling)}`,
  );
}

/** Creates the buckets of a filling and inserts their events. @throws ActivityError `INVALID_INPUT` */
export async function load(
  { buckets, events }: Pick<ActivityServer, "buckets" | "events">,
  filling: Filling,
): Promise<void> {
  for (const filled of filledBuckets(filling, "load()")) {
    await buckets.create(filled.bucket.id, filled.bucket);
    await events.insert(filled.bucket.id, filled.events);
  }
}

function isFilled(value: unknown): value is FilledBucket {
  return isJsonObject(value) && isJsonObject(value.bucket) && Array.isArray(value.events);
}

function isDay(value: unknown): value is FilledDay {
  return isJsonObject(value) && [value.window, value.afk, value.web, value.editor].every(isFilled);
}
