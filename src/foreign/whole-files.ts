import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";
import { parseTimestamp, secondsToMicros } from "../domain/time.js";
import { parseCsvColumns, readCsvEvents } from "./csv.js";
import { eventText, type ForeignBucket } from "./event-text.js";
import { parseForeignBucket } from "./export-shapes.js";
import { type ForeignDraft, ForeignFormatError, type ProgramEvents } from "./program-events.js";
import { areHeartbeats, readWakapiCsv, readWakatime } from "./wakatime.js";

// Files that are read as a whole: files of other programs, and lists in JSON.

/** The events of a bucket. */
export interface ForeignList {
  /** The name of their source, for people. */
  readonly name: string;
  readonly bucket: ForeignBucket;
  /** Sorted by start. */
  readonly events: readonly ForeignDraft[];
  /** Number of skipped entries that are not events. */
  readonly invalid: number;
}

/**
 * Reads the text of such a file.
 *
 * @param bucketId for events without a bucket
 * @throws ForeignFormatError for text in another format
 */
export function readWholeFile(
  kind: "list" | "wakatime" | "csv",
  text: string,
  bucketId: string | undefined,
): ForeignList[] {
  if (kind === "csv") {
    return toForeignLists(
      areHeartbeats(parseCsvColumns(text)) ? readWakapiCsv(text) : readCsvEvents(text, { bucketId }),
    );
  }
  const value = parseJson(text);
  return kind === "wakatime" ? toForeignLists(readWakatime(value)) : readList(value, bucketId);
}

/** Reads a list of buckets with their events, of events, or of heartbeats. */
function readList(value: JsonValue, bucketId: string | undefined): ForeignList[] {
  const list = Array.isArray(value) ? value : isJsonObject(value) ? value["buckets"] : undefined;
  const entries: readonly JsonValue[] = Array.isArray(list) ? list : [];
  const [first = {}] = entries.filter(isJsonObject);
  if (areHeartbeats(Object.keys(first))) return toForeignLists(readWakatime(entries));
  const objects = entries.filter(isJsonObject);
  if ("timestamp" in first) {
    const advice = "it is a list of events; choose their bucket with --bucket ID";
    if (bucketId === undefined) throw new ForeignFormatError(advice, { needsBucket: true });
    return [readEvents(parseForeignBucket(bucketId, { client: "activity-server import" }), objects)];
  }
  if (!Array.isArray(first["events"])) throw new ForeignFormatError("it is JSON, but not a known export");
  return objects.map((bucket) => {
    const events: readonly JsonValue[] = Array.isArray(bucket["events"]) ? bucket["events"] : [];
    return readEvents(parseForeignBucket("imported", bucket), events.filter(isJsonObject));
  });
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new ForeignFormatError("it is not complete JSON");
  }
}

function readEvents(bucket: ForeignBucket, events: readonly JsonObject[]): ForeignList {
  const drafts = events.map((event) => {
    const timestamp = parseTimestamp(String(event["timestamp"]));
    const { duration = 0 } = event;
    const data = event["data"] ?? {};
    if (timestamp === undefined || typeof duration !== "number" || !isJsonObject(data)) return undefined;
    return { timestamp, duration: secondsToMicros(duration), data };
  });
  const valid = drafts.filter((draft) => draft !== undefined);
  return { name: "list", bucket, events: sortByStart(valid), invalid: drafts.length - valid.length };
}

function toForeignLists(programs: readonly ProgramEvents[]): ForeignList[] {
  return programs.map(({ bucket, events, ...rest }) => ({
    ...rest,
    events: sortByStart(events),
    bucket: { ...bucket, name: null, created: undefined, data: "{}" },
  }));
}

function sortByStart(events: readonly ForeignDraft[]): ForeignDraft[] {
  return [...events].sort((a, b) => a.timestamp - b.timestamp);
}

/** Events as parts of documents, separated by commas, about `most` at a time; equal ones stay together. */
export function* batchEventTexts(
  events: readonly ForeignDraft[],
  batchEvents: number,
): Generator<{ readonly text: string; readonly count: number }> {
  let texts: string[] = [];
  for (const [index, { timestamp, duration, data }] of events.entries()) {
    if (texts.length >= batchEvents && events[index - 1]?.timestamp !== timestamp) {
      yield { text: texts.join(), count: texts.length };
      texts = [];
    }
    texts.push(eventText({ timestamp, duration, data: JSON.stringify(data) }));
  }
  if (texts.length > 0) yield { text: texts.join(), count: texts.length };
}
