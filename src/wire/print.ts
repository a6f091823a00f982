import type { Bucket, BucketSummary } from "../domain/bucket.js";
import { isRun, type PrintedChunk, type PrintedEvent, type PrintedRun } from "../domain/event.js";
import type { JsonObject } from "../domain/json.js";
import { microsToSeconds, printTimestamp } from "../domain/time.js";
import { printRun, type RunPrinter } from "./print-run.js";

/** Prints an event as it stands in every answer. */
export function printEvent(event: PrintedEvent): string {
  return `{"id":${event.id},${printSpan(event)}}`;
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

/** How events are printed, alone and in runs. */
interface EventForm {
  readonly event: (event: PrintedEvent) => string;
  /** With a comma behind each event. */
  readonly run: (run: PrintedRun) => Iterable<Uint8Array>;
}

/** Prints events as they stand in an export. */
const EXPORTED: EventForm = {
  event: (event) => `{${printSpan(event)}}`,
  run: (run) => printRun(run, { withIds: false }),
};

/** The events of an export, in pieces: members of a JSON list without its brackets. */
export function exportedEvents(chunks: AsyncIterable<PrintedChunk>): AsyncGenerator<string | Uint8Array> {
  return members(chunks, EXPORTED);
}

/**
 * The events of an answer, in pieces: members of a JSON list without its brackets.
 *
 * @param printer keeps what it has printed
 */
export function answeredEvents(
  chunks: AsyncIterable<PrintedChunk>,
  printer: RunPrinter,
): AsyncGenerator<string | Uint8Array> {
  return members(chunks, { event: printEvent, run: (run) => printer.print(run) });
}

async function* members(chunks: AsyncIterable<PrintedChunk>, form: EventForm): AsyncGenerator<string | Uint8Array> {
  // Each piece ends with a comma, the last one excepted: so one of them always waits.
  let waiting: string | Uint8Array = "";
  for await (const chunk of chunks) {
    for (const piece of piecesOf(chunk, form)) {
      if (piece.length === 0) continue;
      if (waiting.length > 0) yield waiting;
      waiting = piece;
    }
  }
  if (waiting.length > 0) yield typeof waiting === "string" ? waiting.slice(0, -1) : waiting.subarray(0, -1);
}

function* piecesOf(chunk: PrintedChunk, form: EventForm): Generator<string | Uint8Array> {
  if (isRun(chunk)) {
    yield* form.run(chunk);
    return;
  }
  let texts: string[] = [];
  let length = 0;
  for (const event of chunk) {
    const text = form.event(event);
    texts.push(text, ",");
    length += text.length;
    if (length < PIECE) continue;
    yield texts.join("");
    texts = [];
    length = 0;
  }
  if (texts.length > 0) yield texts.join("");
}
