import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.js";
import { parseTimestamp, secondsToMicros } from "../../domain/time.js";
import { readCsvEvents } from "../../foreign/csv.js";
import { eventText, type ForeignBucket } from "../../foreign/event-text.js";
import { ForeignFormatError, type ProgramEvents } from "../../foreign/program-events.js";
import { areHeartbeats, readWakapiCsv, readWakatime } from "../../foreign/wakatime.js";
import { quoted } from "../data-folder.js";
import { LaunchError } from "../launch-error.js";
import { counted } from "../tools/report.js";
import { bucketOf } from "./json-source.js";
import { readWhole } from "./read-file.js";
import type { EventBatchText, Source } from "./source.js";

// Files that are read as a whole: those of other programs, and lists in JSON.

/** @throws LaunchError for what is no such file */
export async function openCsvSource(file: string, bucketId: string | undefined): Promise<Source> {
  const text = await readWhole(file);
  const columns = text
    .slice(0, text.search(/[\r\n]|$/))
    .split(/[,;\t]/)
    .map((name) => name.trim().replace(/^"|"$/g, ""));
  return sourceOf(file, () => {
    return areHeartbeats(columns) ? readWakapiCsv(text) : readCsvEvents(text, { bucketId });
  });
}

/** @throws LaunchError for what is no such file */
export async function openWakatimeSource(file: string): Promise<Source> {
  const value = await readJson(file);
  return sourceOf(file, () => readWakatime(value));
}

/** Opens a list: of buckets with their events, of events, or of heartbeats. @throws LaunchError for any other */
export async function openListSource(file: string, bucketId: string | undefined): Promise<Source> {
  const value = await readJson(file);
  const list = Array.isArray(value) ? value : isJsonObject(value) ? value["buckets"] : undefined;
  const first: JsonValue = Array.isArray(list) ? (list[0] ?? {}) : {};
  const fields = isJsonObject(first) ? first : {};
  if (areHeartbeats(Object.keys(fields))) return sourceOf(file, () => readWakatime(list as JsonValue));
  const buckets = (list as readonly JsonValue[]).filter(isJsonObject);
  if ("timestamp" in fields) {
    if (bucketId === undefined) throw new LaunchError(`${quoted(file)} is a list of events; --bucket ID says of what`);
    return listsOf([{ bucket: bucketOf(bucketId, { client: "activity-server import" }), events: buckets }]);
  }
  if (!Array.isArray(fields["events"])) throw new LaunchError(`${quoted(file)} is JSON, but no export of a known kind`);
  return listsOf(
    buckets.map((bucket) => ({
      bucket: bucketOf("imported", bucket),
      events: (Array.isArray(bucket["events"]) ? bucket["events"] : []).filter(isJsonObject),
    })),
  );
}

async function readJson(file: string): Promise<JsonValue> {
  try {
    return JSON.parse(await readWhole(file)) as JsonValue;
  } catch (cause) {
    if (cause instanceof LaunchError) throw cause;
    throw new LaunchError(`${quoted(file)} is no whole JSON`);
  }
}

function listsOf(lists: readonly { bucket: ForeignBucket; events: readonly JsonObject[] }[]): Source {
  const programs = lists.map(({ bucket, events }) => {
    const drafts = events.map((event) => {
      const timestamp = parseTimestamp(String(event["timestamp"]));
      const { duration = 0, data = {} } = event;
      if (timestamp === undefined || typeof duration !== "number" || !isJsonObject(data)) return undefined;
      return { timestamp, duration: secondsToMicros(duration), data };
    });
    const valid = drafts.filter((draft) => draft !== undefined);
    return { name: "list", bucket, events: valid, invalid: drafts.length - valid.length };
  });
  return opened(programs);
}

function sourceOf(file: string, read: () => readonly ProgramEvents[]): Source {
  try {
    return opened(
      read().map(({ bucket, ...rest }) => {
        return { ...rest, bucket: { ...bucket, name: null, created: undefined, data: "{}" } };
      }),
    );
  } catch (cause) {
    if (cause instanceof ForeignFormatError) throw new LaunchError(`${quoted(file)}: ${cause.message}`);
    throw cause;
  }
}

type Program = Omit<ProgramEvents, "bucket"> & { readonly bucket: ForeignBucket };

function opened(programs: readonly Program[]): Source {
  const invalid = programs.reduce((sum, program) => sum + program.invalid, 0);
  const buckets = programs.map(({ bucket, events }) => {
    const sorted = [...events].sort((a, b) => a.timestamp - b.timestamp);
    return {
      bucket,
      events: sorted.length,
      first: sorted[0]?.timestamp,
      last: sorted.at(-1)?.timestamp,
      read: () => batchesOf(sorted),
    };
  });
  return {
    kind: programs[0]?.name ?? "empty file",
    buckets,
    settings: new Map(),
    losses: invalid === 0 ? [] : [`${counted(invalid, "entry").replace(/entrys$/, "entries")}: not valid`],
    close: async () => undefined,
  };
}

const BATCH_EVENTS = 1000;

function* batchesOf(events: Program["events"]): Generator<EventBatchText> {
  let texts: string[] = [];
  for (const [index, { timestamp, duration, data }] of events.entries()) {
    if (texts.length >= BATCH_EVENTS && events[index - 1]?.timestamp !== timestamp) {
      yield { text: texts.join(), count: texts.length, isApart: true };
      texts = [];
    }
    texts.push(eventText({ timestamp, duration, data: JSON.stringify(data) }));
  }
  if (texts.length > 0) yield { text: texts.join(), count: texts.length, isApart: true };
}
