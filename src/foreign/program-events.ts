import type { JsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";

/** An event that is not stored yet. */
export interface ForeignDraft {
  readonly timestamp: Micros;
  readonly duration: Micros;
  readonly data: JsonObject;
}

/** Events of a program without buckets, for one bucket on this server. */
export interface ProgramEvents {
  /** The name of the program, for people. */
  readonly name: string;
  readonly bucket: { readonly id: string; readonly type: string; readonly client: string; readonly hostname: string };
  readonly events: readonly ForeignDraft[];
  /** Number of skipped entries that are not events. */
  readonly invalid: number;
}

/** An error for text in an unexpected format; the message names the problem. */
export class ForeignFormatError extends Error {
  /** Whether it lacks only a bucket. */
  readonly needsBucket: boolean;

  constructor(message: string, { needsBucket = false }: { readonly needsBucket?: boolean } = {}) {
    super(message);
    this.name = "ForeignFormatError";
    this.needsBucket = needsBucket;
  }
}
