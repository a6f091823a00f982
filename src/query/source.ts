import type { EventBatch } from "../domain/batch.js";
import type { Micros } from "../domain/time.js";

/** An opaque token that changes whenever a read could return something else; `undefined` if unknown. */
export type SourceVersion = string | undefined;

/** Properties of a bucket that programs use. */
export interface SourceBucket {
  readonly id: string;
  readonly hostname: string;
  /** Microseconds since 1970-01-01 UTC. */
  readonly created: Micros;
}

/** Events of a bucket, and the version that they show. */
export interface SourceRead {
  /** The version at the time of the read; `undefined` if unknown. */
  readonly version: SourceVersion;
  readonly events: EventBatch;
}

/**
 * Receives the number of events read so far.
 *
 * @param dataBytes estimated memory of their data
 * @returns resolves when the read may continue; undefined = now
 */
export type Watch = (events: number, dataBytes: number) => Promise<void> | void;

/** The source that programs read from. */
export interface EventSource {
  /** All buckets, in the order of their creation. */
  listBuckets(): Promise<readonly SourceBucket[]>;
  /**
   * Reads the events that overlap a range, each cut to the range: newest first, then by greatest ID
   * (docs/reference/compatibility.md#reading-buckets). Equal data are one object.
   *
   * @param watch called during the read with the number of events so far; throws to stop the read
   * @param version of the bucket, if known: cached events are returned if they have this version
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  readEvents(bucketId: string, start: Micros, end: Micros, watch: Watch, version?: SourceVersion): Promise<SourceRead>;
  /** Current versions of buckets, one per ID; `null` means the list of buckets. */
  versions(bucketIds: readonly (string | null)[]): readonly SourceVersion[] | Promise<readonly SourceVersion[]>;
  /** The bucket that an ID resolves to, which redirects can change (docs/guides/buckets.md#redirects). */
  resolveRedirect?(bucketId: string): Promise<string>;
  /** Counts the events that such a read returns. @throws ActivityError `NO_SUCH_BUCKET` */
  countEvents(bucketId: string, start: Micros, end: Micros): Promise<number>;
}
