import type { StoredEvent } from "../../domain/event.js";
import { serializeEvent } from "../../domain/event-json.js";

/** Kinds of messages that a reader can choose. */
export const FEED_TYPES = ["events", "bucket", "setting", "pairing"] as const;

export type FeedType = (typeof FEED_TYPES)[number];

/** A change of stored data (docs/reference/feed.md#messages). */
export type FeedChange =
  | {
      readonly type: "events";
      readonly action: "inserted" | "extended" | "replaced";
      readonly bucket: string;
      readonly event: StoredEvent;
    }
  | { readonly type: "events"; readonly action: "deleted"; readonly bucket: string; readonly ids: readonly number[] }
  | { readonly type: "events"; readonly action: "changed"; readonly bucket: string }
  | { readonly type: "bucket"; readonly action: "created" | "updated" | "deleted"; readonly bucket: string }
  | { readonly type: "bucket"; readonly action: "renamed" | "merged"; readonly bucket: string; readonly from: string }
  | { readonly type: "setting"; readonly key: string }
  | FeedPairing;

/** A pairing request arrived, the owner decided it, or its key was collected. */
export interface FeedPairing {
  readonly type: "pairing";
  readonly action: "requested" | "decided" | "collected";
  readonly code: string;
}

/** Tells a reader to read again what it needs. */
export interface FeedReset {
  readonly type: "reset";
  /** `start`: the feed starts here. `gone`: the server no longer has the changes after the cursor. */
  readonly reason: "start" | "gone";
}

/** A change with its place in the feed. */
export interface FeedEntry {
  readonly number: number;
  readonly change: FeedChange;
  /** The change as JSON. */
  readonly json: string;
  /** When it was added, in milliseconds. */
  readonly at: number;
}

/** The change as JSON. */
export function serializeChange(change: FeedChange): string {
  if (!("event" in change)) return JSON.stringify(change);
  const { event, ...rest } = change;
  return `${JSON.stringify(rest).slice(0, -1)},"event":${serializeEvent(event)}}`;
}

/** The change as a caller may see it who can only see some buckets; `undefined` if it concerns none of them. */
export function visibleChange(change: FeedChange, sees: (bucketId: string) => boolean): FeedChange | undefined {
  if (!("bucket" in change)) return change;
  const seesBucket = sees(change.bucket);
  if (!("from" in change)) return seesBucket ? change : undefined;
  const seesFormer = sees(change.from);
  if (seesBucket && seesFormer) return change;
  if (seesFormer) return { type: "bucket", action: "deleted", bucket: change.from };
  // A message about its events follows a merge.
  if (seesBucket && change.action === "renamed") return { type: "bucket", action: "created", bucket: change.bucket };
  return undefined;
}
