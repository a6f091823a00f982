import type { EventBatch } from "../domain/batch.js";
import type { Micros } from "../domain/time.js";

/**
 * An opaque token that changes whenever a read could return something else; `undefined` when nothing is known.
 */
export type SourceVersion = string | undefined;

/** What a program needs to know of a bucket. */
export interface SourceBucket {
  readonly id: string;
  readonly hostname: string;
  /** Microseconds since 1970-01-01 UTC. */
  readonly created: Micros;
}

/** Events of a bucket, and which state of it they show. */
export interface SourceRead {
  /** The version that the read was made at; `undefined` when it is not known. */
  readonly version: SourceVersion;
  readonly events: EventBatch;
}

/**
 * Hears how many events were read so far.
 *
 * @param dataBytes about the memory of the data that were made of them
 * @returns resolves when the read may go on; nothing = at once
 */
export type Watch = (events: number, dataBytes: number) => Promise<void> | void;

/** Where a program reads from. */
export interface EventSource {
  /** All buckets, in the order of their creation. */
  listBuckets(): Promise<readonly SourceBucket[]>;
  /**
   * The events that overlap a range, newest first, of equal starts the greatest id first, each cut to the range
   * (docs/compatibility.md#reading-buckets). Equal data is one object.
   *
   * @param watch called while it reads, with the number of events so far; throws to end the read
   * @param version of the bucket, where it is known: events that were read before are given if they are of this version
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  readEvents(bucketId: string, start: Micros, end: Micros, watch: Watch, version?: SourceVersion): Promise<SourceRead>;
  /** The versions of buckets now, one for each id; `null` stands for what `listBuckets` gives. */
  versions(bucketIds: readonly (string | null)[]): readonly SourceVersion[] | Promise<readonly SourceVersion[]>;
  /** The bucket that an id leads to, where that may be another one (docs/buckets.md#redirects). */
  leadsTo?(bucketId: string): Promise<string>;
  /** How many events such a read gives. @throws ActivityError `NO_SUCH_BUCKET` */
  countEvents(bucketId: string, start: Micros, end: Micros): Promise<number>;
}
