import type { JsonValue } from "../../domain/json.js";
import type { Micros } from "../../domain/time.js";
import type { ForeignBucket } from "../../foreign/event-text.js";

/** Something that can be imported, opened. */
export interface Source {
  /** Which program wrote it, for people. */
  readonly kind: string;
  readonly buckets: readonly SourceBucket[];
  readonly settings: ReadonlyMap<string, JsonValue>;
  /** What could not be read so far, for people. Complete when all events were read. */
  readonly losses: readonly string[];
  close(): Promise<void>;
}

/** A bucket of a source. Its events are read in the order of the buckets, each once. */
export interface SourceBucket {
  readonly bucket: ForeignBucket;
  readonly events: number;
  /** The first and the last start of an event; `undefined` without any. */
  readonly first: Micros | undefined;
  readonly last: Micros | undefined;
  read(): AsyncIterable<EventBatchText> | Iterable<EventBatchText>;
}

/** Some events of a bucket, as they stand in a document. */
export interface EventBatchText {
  /** Separated by commas; not empty. */
  readonly text: string;
  readonly count: number;
  /** Whether no event of another batch before this one may equal one of this or of a later one. */
  readonly canSplitBefore: boolean;
  /** Whether the bucket is read anew from here on: what came before comes again. @default false */
  readonly isRestart?: boolean;
}
