import { type DataTable, EventBatch } from "../domain/batch.js";
import { type JsonObject, serializeObject } from "../domain/json.js";
import type { Dict, Value } from "../query/values.js";
import { isDict, isEventBatch, isPlainList } from "../query/values.js";
import { joinBytes } from "../util/bytes.js";
import { LruCache } from "../util/lru-cache.js";
import type { CacheMemory } from "../util/memory-budget.js";
import { serializeEvent, serializeEvents } from "./serialize-events.js";

/** Memory for serialized results, in bytes. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Characters to serialize and encode at a time. */
const CHUNK = 32 * 1024;

/** Up to this many events are joined with the text around them. */
const FEW_EVENTS = 8;

/** Events per part in which shared data are searched for. */
const PART_EVENTS = 4_096;
/** Number of events that shows whether they share data. */
const TRIED_EVENTS = 16_384;
/** Share of events with distinct data above which the search for shared data does not pay off. */
const MAX_NEW_DATA = 0.5;

const encoder: TextEncoder = new TextEncoder();

/** Serializes query results. Caches the output of results that may be requested again. */
export class ResultSerializer {
  readonly #kept: LruCache<object, Uint8Array>;
  /** Results that were requested before: most are requested once, so that caching them would waste memory. */
  readonly #seen: WeakSet<object> = new WeakSet();

  constructor(memory?: CacheMemory) {
    this.#kept = new LruCache(KEPT_BYTES, { memory, name: "serialized results" });
  }

  /**
   * The results in chunks, which must not be changed: a list with one value per period
   * (docs/reference/compatibility.md#programs-over-http).
   */
  *serialize(results: readonly Value[]): Generator<string | Uint8Array> {
    let lead = "[";
    for (const result of results) {
      yield lead;
      if (typeof result === "object" && result !== null) yield* this.#serializeKept(result);
      else yield* serializeValue(result);
      lead = ",";
    }
    yield results.length === 0 ? "[]" : "]";
  }

  *#serializeKept(result: Value & object): Generator<Uint8Array> {
    const before = this.#kept.get(result);
    if (before !== undefined) {
      yield before;
      return;
    }
    let chunks: Uint8Array[] | undefined = this.#seen.has(result) ? [] : undefined;
    this.#seen.add(result);
    let length = 0;
    for (const chunk of encodeChunks(serializeValue(result))) {
      length += chunk.length;
      if (length > this.#kept.limit / 4) chunks = undefined;
      chunks?.push(chunk);
      yield chunk;
    }
    if (chunks !== undefined) this.#kept.put(result, joinBytes(chunks), length);
  }
}

/** Encodes all chunks, joining short strings. */
function* encodeChunks(chunks: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let text = "";
  for (const chunk of chunks) {
    if (typeof chunk === "string") {
      text += chunk;
      if (text.length < CHUNK) continue;
    }
    if (text !== "") yield encoder.encode(text);
    text = "";
    if (typeof chunk !== "string") yield chunk;
  }
  if (text !== "") yield encoder.encode(text);
}

function* serializeValue(value: Value): Generator<string | Uint8Array> {
  if (typeof value === "string") yield* serializeText(value);
  else if (typeof value !== "object" || value === null) yield JSON.stringify(value);
  else if (isDict(value)) yield* serializeDict(value);
  else if (isPlainList(value)) yield* serializeList(value);
  else if (isEventBatch(value)) yield* serializeBatch(value);
  else yield serializeEvent(value.list.eventAt(value.index));
}

/** Serializes a string in chunks, since programs can create very long ones. */
function* serializeText(text: string): Generator<string> {
  if (text.length <= CHUNK) {
    yield JSON.stringify(text);
    return;
  }
  let lead = '"';
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + CHUNK, text.length);
    // Never splits a surrogate pair, since JSON would escape its halves.
    if (to < text.length && isLeadingHalf(text.charCodeAt(to - 1))) to--;
    yield lead + JSON.stringify(text.slice(from, to)).slice(1, -1);
    lead = "";
    from = to;
  }
  yield '"';
}

function isLeadingHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function* serializeList(items: readonly Value[]): Generator<string | Uint8Array> {
  let lead = "[";
  for (const item of items) {
    yield lead;
    yield* serializeValue(item);
    lead = ",";
  }
  yield items.length === 0 ? "[]" : "]";
}

function* serializeDict(members: Dict): Generator<string | Uint8Array> {
  let lead = "{";
  for (const [key, value] of members) {
    yield `${lead}${JSON.stringify(key)}:`;
    yield* serializeValue(value);
    lead = ",";
  }
  yield members.size === 0 ? "{}" : "}";
}

function* serializeBatch(batch: EventBatch): Generator<string | Uint8Array> {
  if (batch.length <= FEW_EVENTS) {
    let lead = "[";
    for (let index = 0; index < batch.length; index++) {
      yield lead + serializeEvent(batch.eventAt(index));
      lead = ",";
    }
    yield batch.length === 0 ? "[]" : "]";
    return;
  }
  yield "[";
  // Keeps one chunk back, since the comma at the end of the last one must be removed.
  let waiting: Uint8Array | undefined;
  for (const part of splitBatch(batch)) {
    for (const chunk of serializeEvents(part, { withIds: true })) {
      if (waiting !== undefined) yield waiting;
      waiting = chunk;
    }
  }
  if (waiting !== undefined) yield waiting.subarray(0, -1);
  yield "]";
}

/** Splits a batch into parts that serialize shared data objects only once. */
function* splitBatch(batch: EventBatch): Generator<EventBatch> {
  const shared = new SharedTexts();
  for (let from = 0; from < batch.length; from += PART_EVENTS) {
    const part = batch.slice(from, Math.min(from + PART_EVENTS, batch.length));
    const isWorthIt = from < TRIED_EVENTS || shared.size < from * MAX_NEW_DATA;
    // Tables of distinct data already share them.
    if (part.table.size < part.length || !isWorthIt) yield part;
    else yield shared.applyTo(part);
  }
}

/** Distinct data of a result with their JSON. */
class SharedTexts implements DataTable {
  readonly #refs: Map<JsonObject, number> = new Map();
  readonly #values: JsonObject[] = [];
  readonly #texts: string[] = [];

  get size(): number {
    return this.#values.length;
  }

  valueAt(ref: number): JsonObject {
    return this.#values[ref] as JsonObject;
  }

  textAt(ref: number): string {
    let text = this.#texts[ref];
    if (text === undefined) {
      text = serializeObject(this.valueAt(ref));
      this.#texts[ref] = text;
    }
    return text;
  }

  /** The events with references into this table. */
  applyTo({ timestamps, durations, ids, datas }: EventBatch): EventBatch {
    return EventBatch.withTable({ timestamps, durations, ids, refs: this.#refsOf(datas), table: this });
  }

  #refsOf(datas: readonly JsonObject[]): Uint32Array {
    const refs = new Uint32Array(datas.length);
    for (let index = 0; index < datas.length; index++) {
      const data = datas[index] as JsonObject;
      let ref = this.#refs.get(data);
      if (ref === undefined) {
        ref = this.#values.push(data) - 1;
        this.#refs.set(data, ref);
      }
      refs[index] = ref;
    }
    return refs;
  }
}
