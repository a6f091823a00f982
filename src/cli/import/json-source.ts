import { createSplitter } from "../../codec/document-splitter.js";
import { isJsonObject, type JsonValue } from "../../domain/json.js";
import { type Micros, parseTimestamp } from "../../domain/time.js";
import { detectWrapping, type ExportWrapping, parseForeignBucket } from "../../foreign/export-shapes.js";
import { quotePath } from "../data-folder.js";
import { LaunchError, printable } from "../launch-error.js";
import { formatCount } from "../tools/report.js";
import { readText } from "./read-file.js";
import type { EventBatchText, Source, SourceBucket } from "./source.js";

/** Facts about a list of events. */
interface ListFacts {
  count: number;
  invalid: number;
  first: Micros | undefined;
  last: Micros | undefined;
}

/** A piece of a list of events. */
interface ListBatch extends EventBatchText {
  readonly list: number;
}

/**
 * Opens an export document of any shape. Reads it twice, for the facts and for the events, and never keeps all of it in
 * memory.
 *
 * @param beginning of its text
 * @throws LaunchError for invalid JSON, and for JSON that is not an export
 */
export async function openExportSource(file: string, beginning: string): Promise<Source> {
  const wrapping = detectWrapping(beginning);
  const lists: ListFacts[] = [];
  const frames: string[] = [];
  for await (const batch of readLists(file, wrapping, { lists, onFrame: (text) => void frames.push(text) })) void batch;
  const frame = JSON.parse(frames[0] ?? "null") as JsonValue;
  const buckets = isJsonObject(frame) ? frame["buckets"] : undefined;
  if (!isJsonObject(buckets)) throw new LaunchError(`${quotePath(file)} is JSON, but not a known export`);
  const invalid = lists.reduce((sum, list) => sum + list.invalid, 0);
  const losses = invalid === 0 ? [] : [`${formatCount(invalid, "event")}: invalid`];

  const reading = readLists(file, wrapping, { lists: [], onFrame: () => {} });
  let pending: ListBatch | undefined;
  async function* readListEvents(list: number): AsyncGenerator<EventBatchText> {
    for (;;) {
      if (pending === undefined) {
        const step = await reading.next();
        if (step.done) return;
        pending = step.value;
      }
      if (pending.list > list) return;
      const batch = pending;
      pending = undefined;
      if (batch.list === list) yield batch;
    }
  }

  const found = Object.entries(buckets).map(([key, value]): SourceBucket & { readonly list: number } => {
    const fields = isJsonObject(value) ? value : {};
    const events = fields["events"];
    const list = Array.isArray(events) ? Number(events[0]) : -1;
    const { count = 0, first, last } = lists[list] ?? {};
    const read = (): AsyncIterable<EventBatchText> => readListEvents(list);
    return { bucket: parseForeignBucket(key, fields), events: count, first, last, list, read };
  });
  return {
    kind: wrapping.name,
    buckets: found.sort((a, b) => a.list - b.list),
    settings: new Map(),
    losses,
    async close() {
      await reading.return(undefined);
    },
  };
}

interface ListHandlers {
  readonly lists: ListFacts[];
  onFrame(text: string): void;
}

/** The events of all lists, in the order of the file. */
async function* readLists(
  file: string,
  { before, after }: ExportWrapping,
  { lists, onFrame }: ListHandlers,
): AsyncGenerator<ListBatch, void> {
  let ready: ListBatch[] = [];
  let lastText: string | undefined;
  const factsOf = (list: number): ListFacts => {
    lists[list] ??= { count: 0, invalid: 0, first: undefined, last: undefined };
    return lists[list];
  };
  const defect = (reason: string): never => {
    throw new LaunchError(`${quotePath(file)} is not complete JSON: ${reason}`);
  };
  const splitter = createSplitter({
    batch(list, text) {
      const facts = factsOf(list);
      let events: readonly JsonValue[];
      try {
        events = JSON.parse(`[${text}]`) as readonly JsonValue[];
      } catch (cause) {
        return defect(cause instanceof Error ? printable(cause.message) : "an event is broken");
      }
      if (events.length === 0) return;
      noteRange(facts, events);
      const opening = timestampOf(events[0]);
      ready.push({ list, text, count: events.length, canSplitBefore: opening !== undefined && opening !== lastText });
      lastText = timestampOf(events.at(-1));
    },
    skip: (list) => void factsOf(list).invalid++,
    defect,
  });
  splitter.write(before);
  for await (const text of readText(file)) {
    splitter.write(text);
    yield* ready;
    ready = [];
  }
  splitter.write(after);
  const frame = splitter.end();
  yield* ready;
  try {
    JSON.parse(frame);
  } catch (cause) {
    defect(cause instanceof Error ? printable(cause.message) : "it is not JSON");
  }
  onFrame(frame);
}

function timestampOf(event: JsonValue | undefined): string | undefined {
  const timestamp = isJsonObject(event) ? event["timestamp"] : undefined;
  return typeof timestamp === "string" ? timestamp : undefined;
}

function noteRange(facts: ListFacts, events: readonly JsonValue[]): void {
  facts.count += events.length;
  for (const event of events) {
    const start = parseTimestamp(timestampOf(event) ?? "");
    if (start === undefined) continue;
    facts.first = Math.min(facts.first ?? start, start);
    facts.last = Math.max(facts.last ?? start, start);
  }
}
