import type { JsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";

/** An event, not stored yet. */
export interface ForeignDraft {
  readonly timestamp: Micros;
  readonly duration: Micros;
  readonly data: JsonObject;
}

/** Events of a program that has no buckets, for one bucket here. */
export interface ProgramEvents {
  /** Which program they come from, for people. */
  readonly name: string;
  readonly bucket: { readonly id: string; readonly type: string; readonly client: string; readonly hostname: string };
  readonly events: readonly ForeignDraft[];
  /** Entries that were left out, as they are no events. */
  readonly invalid: number;
}

/** Text that is none of what it was taken for; the message says what is wrong. */
export class ForeignFormatError extends Error {
  /** Whether all that it lacks is a bucket. */
  readonly needsBucket: boolean;

  constructor(message: string, { needsBucket = false }: { readonly needsBucket?: boolean } = {}) {
    super(message);
    this.name = "ForeignFormatError";
    this.needsBucket = needsBucket;
  }
}
