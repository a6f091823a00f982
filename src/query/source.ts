import type { EventList } from "../domain/event-list.js";
import type { Micros } from "../domain/time.js";

/** What a program needs to know of a bucket. */
export interface SourceBucket {
  readonly id: string;
  readonly hostname: string;
  /** Microseconds since 1970-01-01 UTC. */
  readonly created: Micros;
}

/** Where a program reads from. */
export interface EventSource {
  /** All buckets, in the order of their creation. */
  listBuckets(): Promise<readonly SourceBucket[]>;
  /**
   * The events that touch a range, newest first, of equal starts the greatest id first, each cut to the range (contract
   * query.md 5.1). Equal data is one object.
   *
   * @param watch called while it reads, with the number of events so far; throws to end the read
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  readEvents(bucketId: string, start: Micros, end: Micros, watch: (events: number) => void): Promise<EventList>;
  /**
   * Another text with every change of what a read of the bucket gives, or, without an id, of `listBuckets`; `undefined`
   * when that is not known.
   */
  revision(bucketId?: string): string | undefined;
  /** How many events such a read gives. @throws ActivityError `NO_SUCH_BUCKET` */
  countEvents(bucketId: string, start: Micros, end: Micros): Promise<number>;
}
