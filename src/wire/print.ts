import type { Bucket, BucketSummary } from "../domain/bucket.js";
import type { PrintedEvent } from "../domain/event.js";
import type { JsonObject } from "../domain/json.js";
import { microsToSeconds, printTimestamp } from "../domain/time.js";

/** Prints an event as it stands in every answer. */
export function printEvent(event: PrintedEvent): string {
  return `{"id":${event.id},${printSpan(event)}}`;
}

/** Prints an event without its id, as it stands in an export. */
export function printExportedEvent(event: PrintedEvent): string {
  return `{${printSpan(event)}}`;
}

function printSpan({ timestamp, duration, dataText }: PrintedEvent): string {
  const time = printTimestamp(timestamp);
  return `"timestamp":"${time}","duration":${microsToSeconds(duration)},"data":${dataText}`;
}

/** What describes a bucket, in the forms of JSON: what an export and a bucket record have in common. */
export function wireBucket({ id, name, type, client, hostname, created, data }: Bucket): JsonObject {
  return { id, name, type, client, hostname, created: printTimestamp(created), data };
}

/** Prints a bucket record (contract rest.md 2.4). */
export function printBucket(bucket: BucketSummary): string {
  const end = bucket.end === null ? null : printTimestamp(bucket.end);
  return JSON.stringify({
    ...wireBucket(bucket),
    metadata: { start: bucket.start === null ? null : printTimestamp(bucket.start), end },
    last_updated: end,
  });
}

/** Characters from which on a piece is sent: texts of moderate size are cleared away as soon as they are gone. */
const PIECE = 32 * 1024;

/** The members of a JSON list, in pieces, without its brackets. */
export async function* members<T>(
  chunks: AsyncIterable<readonly T[]>,
  print: (item: T) => string,
): AsyncGenerator<string> {
  let between = "";
  for await (const chunk of chunks) {
    let texts: string[] = [];
    let length = 0;
    for (const item of chunk) {
      const text = print(item);
      texts.push(text);
      length += text.length;
      if (length < PIECE) continue;
      yield between + texts.join(",");
      between = ",";
      texts = [];
      length = 0;
    }
    if (texts.length === 0) continue;
    yield between + texts.join(",");
    between = ",";
  }
}
