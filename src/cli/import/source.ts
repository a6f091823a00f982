import type { JsonValue } from "../../domain/json.js";
import type { Micros } from "../../domain/time.js";
import type { ForeignBucket } from "../../foreign/event-text.js";

/** An open import source. */
export interface Source {
  /** The program that wrote it, for people. */
  readonly kind: string;
  readonly buckets: readonly SourceBucket[];
  readonly settings: ReadonlyMap<string, JsonValue>;
  /** Unreadable data so far, for people. Complete after all events were read. */
  readonly losses: readonly string[];
  close(): Promise<void>;
}

/** A bucket of a source. Its events are read in the order of the buckets, each once. */
export interface SourceBucket {
  readonly bucket: ForeignBucket;
  readonly events: number;
  /** The first and the last start of an event; `undefined` without events. */
  readonly first: Micros | undefined;
  readonly last: Micros | undefined;
  read(): AsyncIterable<EventBatchText> | Iterable<EventBatchText>;
}

/** Some events of a bucket, as part of a document. */
export interface EventBatchText {
  /** Separated by commas; not empty. */
  readonly text: string;
  readonly count: number;
  /** Whether a new document may start here: no earlier event equals one of this batch or a later one. */
  readonly canSplitBefore: boolean;
  /** Whether reading the bucket restarts here, so that earlier events come again. @default false */
  readonly isRestart?: boolean;
}
