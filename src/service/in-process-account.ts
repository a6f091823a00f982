import { encode } from "../api/codec.js";
import type { Calls } from "../api/methods.js";
import { SCHEMA_LIST } from "../api/schemas.js";
import { serializeDocument, serializeExported } from "../codec/export.js";
import { wireBucket } from "../codec/serialize-buckets.js";
import { EventBatch } from "../domain/batch.js";
import type { JsonObject, JsonValue } from "../domain/json.js";
import { currentMicros, serializeTimestamp } from "../domain/time.js";
import { ifCode } from "../errors.js";
import type { MainSpace } from "../storage/space.js";
import { BUCKET_ACCESS_KIND } from "./access/bucket-access.js";
import type { InProcessSide } from "./in-process-calls.js";
import { PRIVATE_TIMES_KIND } from "./privacy/private-times.js";
import type { Service } from "./service.js";
import { parseEntry, type StoredItem, TRASH_KIND } from "./trash/entry.js";
import { parseBucketId } from "./validation.js";

/** Version of the format, which docs/guides/closing-an-account.md describes. */
const VERSION = 1;

export interface AccountParts {
  readonly calls: Calls<InProcessSide>;
  readonly service: Service;
  readonly storage: MainSpace;
  /** Now, in Unix milliseconds. */
  readonly clock: () => number;
}

/**
 * Serializes all data of a person in chunks, none of which cuts a character. It is an export document with further
 * members before its buckets, so an import takes it.
 */
export async function* serializeAccount(parts: AccountParts): AsyncGenerator<string | Uint8Array> {
  const head = JSON.stringify(await readHead(parts));
  yield `${head.slice(0, -1)},"trash":[`;
  yield* serializeTrash(parts);
  let isFirst = true;
  for await (const piece of serializeDocument(await parts.service.visible.exportBuckets())) {
    // The first one opens the document.
    yield isFirst ? `],${String(piece).slice(1)}` : piece;
    isFirst = false;
  }
}

/** All but buckets and trash: it fits in memory. */
async function readHead({ calls, storage, clock }: AccountParts): Promise<JsonObject> {
  const { keys, sessions, extensions, identity, retention, settings } = calls;
  const privateTimes = await storage.records(PRIVATE_TIMES_KIND).list();
  return {
    format: "activity-server-account",
    version: VERSION,
    created: serializeTimestamp(currentMicros(clock)),
    info: encode(SCHEMA_LIST.Info, await calls.info()),
    settings: (await settings.list()) as JsonValue,
    keys: (await keys.list()).map((key) => encode(SCHEMA_LIST.Key, key)),
    sessions: (await sessions.list()).map((session) => encode(SCHEMA_LIST.Session, session)),
    extensions: (await extensions.list()).map((extension) => encode(SCHEMA_LIST.Extension, extension)),
    access: Object.fromEntries(await storage.records(BUCKET_ACCESS_KIND).list()),
    private_times: Object.fromEntries(Array.from(privateTimes, ([id, times]) => [id, serializeTimes(times)])),
    redirects: (await identity.redirects()).map((redirect) => encode(SCHEMA_LIST.Redirect, redirect)),
    undoable: (await identity.undoable()).map((undo) => encode(SCHEMA_LIST.Undo, undo)),
    retention_runs: (await retention.log()).map((run) => encode(SCHEMA_LIST.RetentionRun, run)),
  };
}

function serializeTimes(times: JsonValue): JsonValue {
  return Array.isArray(times) ? times.map((time) => serializeTimestamp(Number(time))) : times;
}

async function* serializeTrash({ calls, storage }: AccountParts): AsyncGenerator<string | Uint8Array> {
  const kept = await storage.records(TRASH_KIND).list();
  let comma = "";
  for (const entry of await calls.trash.list()) {
    const { items = [] } = parseEntry(entry.id, kept.get(entry.id) ?? null) ?? {};
    yield `${comma}${JSON.stringify(encode(SCHEMA_LIST.TrashEntry, entry)).slice(0, -1)},"contents":[`;
    comma = "";
    for (const item of items) {
      yield `${comma}${JSON.stringify(wireBucket(item.bucket)).slice(0, -1)},"events":[`;
      yield* serializeExported(readItemEvents(item, storage));
      yield "]}";
      comma = ",";
    }
    yield "]}";
    comma = ",";
  }
}

/** The events of an item; none if it was restored or deleted in the meantime. */
async function* readItemEvents({ hiddenId, inline }: StoredItem, storage: MainSpace): AsyncGenerator<EventBatch> {
  if (inline.length > 0) yield EventBatch.from(inline);
  if (hiddenId === null) return;
  const read = await storage.readTrash(hiddenId).catch(ifCode("NO_SUCH_BUCKET", undefined));
  if (read !== undefined) yield* read.batches;
}

export async function* serializeExport(service: Service, bucketId: string | undefined): AsyncGenerator<string> {
  const buckets = await service.visible.exportBuckets(bucketId === undefined ? undefined : parseBucketId(bucketId));
  yield* decodePieces(serializeDocument(buckets));
}

/** Each piece contains whole events, so no character is cut in two. */
export async function* decodePieces(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  for await (const piece of pieces) yield typeof piece === "string" ? piece : decoder.decode(piece);
}

const decoder: TextDecoder = new TextDecoder();
