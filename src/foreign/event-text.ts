import { type Micros, microsToSeconds, serializeTimestamp } from "../domain/time.js";

/** A bucket of another program, as export documents describe it. */
export interface ForeignBucket {
  readonly id: string;
  readonly type: string;
  readonly client: string;
  readonly hostname: string;
  readonly name: string | null;
  /** Verbatim; `undefined` if unknown. */
  readonly created: string | undefined;
  /** A JSON object as a string. */
  readonly data: string;
}

/** An event of another program. */
export interface ForeignEvent {
  readonly timestamp: Micros;
  readonly duration: Micros;
  /** A JSON object as a string. */
  readonly data: string;
}

/** The start of a document with one bucket; its events follow, separated by commas, and then `DOCUMENT_END`. */
export function documentHead({ id, data, ...fields }: ForeignBucket): string {
  const head = JSON.stringify({ id, ...fields }).slice(0, -1);
  return `{"buckets":{${JSON.stringify(id)}:${head},"data":${data},"events":[`;
}

export const DOCUMENT_END = "]}}}";

/** An event as part of a document. */
export function eventText({ timestamp, duration, data }: ForeignEvent): string {
  return `{"timestamp":"${serializeTimestamp(timestamp)}","duration":${microsToSeconds(duration)},"data":${data}}`;
}
