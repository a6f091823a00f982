import type { JsonObject } from "./json.js";
import type { Micros } from "./time.js";

/** A container of events of one client, type and hostname. @typeParam Time branded in what an app receives */
export interface Bucket<Time extends Micros = Micros> {
  /** Any text; case-sensitive, not normalised. */
  readonly id: string;
  readonly type: string;
  readonly client: string;
  readonly hostname: string;
  /** `null` if it was not set. */
  readonly name: string | null;
  /** Microseconds since 1970-01-01 UTC. */
  readonly created: Time;
  readonly data: JsonObject;
}

/** A bucket with the first start and the last end of its current events. */
export interface BucketSummary<Time extends Micros = Micros> extends Bucket<Time> {
  /** Smallest event start in microseconds, `null` for an empty bucket. */
  readonly start: Time | null;
  /** Largest event end in microseconds, `null` for an empty bucket. */
  readonly end: Time | null;
}

/** Fields of a bucket to change. Absent ones do not change; `data` is replaced as a whole. */
export interface BucketPatch {
  readonly type?: string;
  readonly client?: string;
  readonly hostname?: string;
  readonly name?: string;
  readonly data?: JsonObject;
}

/** A bucket to create. Its ID is passed separately. */
export interface BucketDraft {
  readonly type: string;
  readonly client: string;
  /** `!local` means this machine (docs/reference/compatibility.md#creating-buckets). */
  readonly hostname: string;
  readonly name: string | null;
  /** Microseconds; absent = now. */
  readonly created?: Micros | undefined;
  readonly data: JsonObject;
}
