import type { Named } from "../api/schemas.js";
import type { CallOptions, Instant } from "./client-types.js";

/** Part of the time; both ends are included. */
export interface ClientRange {
  readonly start?: Instant | undefined;
  readonly end?: Instant | undefined;
}

/** Which events to read. */
export interface ClientEventRange extends ClientRange {
  /** Most events to return; negative = all. @default all */
  readonly limit?: number | undefined;
  /** So many, of those that would be returned, are passed over. @default 0 */
  readonly offset?: number | undefined;
  /** Terms that their data meet, all of them (docs/search.md#filters). @default none */
  readonly filter?: readonly string[] | undefined;
}

/** Events as tables. */
export interface ClientTables {
  /** A bucket's events as CSV, newest first, in chunks of text while it arrives. */
  exportCsv(bucketId: string, range?: ClientEventRange, options?: CallOptions): AsyncIterable<string>;
}

/** What to draw. */
export interface ClientTimelineRange extends ClientRange {
  /** Most bins, and most events that are returned one by one: 1 to 10000. @default 1000 */
  readonly bins?: number | undefined;
}

/** Events to be drawn: `events`, each cut to the range, or, where these are many, `bin_duration`, `bins` and `data`. */
export type ClientTimeline = Named<"Timeline">;
