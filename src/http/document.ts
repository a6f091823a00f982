import { JSONParser } from "@streamparser/json";
import type { EventDraft } from "../domain/event.js";
import { isJsonObject, type JsonObject, type JsonValue, rememberText } from "../domain/json.js";
import { ActivityError } from "../errors.js";
import type { ImportedBucket } from "../import.js";
import { createPace } from "../pace.js";
import { tooLarge } from "./body.js";
import { invalid, parseBucketDraft, parseDraft } from "./wire.js";

/** What an export document holds, checked and ready to be written. */
export interface ImportDocument {
  readonly buckets: readonly ImportedBucket[];
  /** Events that were left out because they are not valid. */
  readonly invalidEvents: number;
}

/** The events of one `events` list, as far as it has been read. */
interface EventList {
  readonly drafts: EventDraft[];
  invalid: number;
}

/** Distinct data held at a time to be shared. */
const MAX_DISTINCT = 20_000;

/** Bytes parsed in one go. */
const SLICE_BYTES = 16 * 1024;

/**
 * Reads an export document (contract rest.md 4.7) while it arrives: each event becomes a draft as soon as it is
 * complete, so that neither the text nor the parsed document is held as a whole, and other requests run in between.
 * The structure is checked at the end; only then anything may be written.
 *
 * @param limitBytes largest document
 * @throws ActivityError `INVALID_INPUT` for text that is not JSON or not such a document, `TOO_LARGE`
 */
export async function readDocument(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limitBytes: number,
): Promise<ImportDocument> {
  const reader = createReader();
  const pace = createPace();
  let seen = 0;
  for await (const chunk of bytes) {
    seen += chunk.length;
    if (seen > limitBytes) throw tooLarge(limitBytes);
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      reader.write(chunk.subarray(at, at + SLICE_BYTES));
      await pace.breathe();
    }
  }
  return documentOf(reader.end(), reader.listOf);
}

interface Reader {
  write(bytes: Uint8Array): void;
  /** The document, with its events taken out. */
  end(): JsonValue;
  /** The events that stood in a list of the document. */
  listOf(list: readonly JsonValue[]): EventList;
}

function createReader(): Reader {
  // A key can occur twice in an object; the lists are kept apart, and the document tells at the end which one counts.
  const lists = new Map<unknown, EventList>();
  const distinct = new Map<string, JsonObject>();
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const parser = new JSONParser({ paths: ["$", "$.buckets.*.events.*"] });
  let top: JsonValue | undefined;
  let defect: string | undefined;

  parser.onError = (error) => {
    defect ??= error.message;
  };
  parser.onValue = ({ value, key, parent }) => {
    if (parent === undefined) top = value as JsonValue;
    else if (Array.isArray(parent) && typeof key === "number") {
      collect(parent, value as JsonValue);
      parent[key] = null;
    }
  };

  function collect(parent: unknown, value: JsonValue): void {
    const list = lists.get(parent) ?? { drafts: [], invalid: 0 };
    lists.set(parent, list);
    try {
      const draft = parseDraft(value, "the event", false);
      list.drafts.push({ ...draft, data: shared(draft.data) });
    } catch (thrown) {
      // One bad event must not block years of data (contract rest.md 4.7).
      if (!ActivityError.is(thrown)) throw thrown;
      list.invalid++;
    }
  }

  /** Many events have equal data: one object stands for all of them, and its text need not be printed again. */
  function shared(data: JsonObject): JsonObject {
    const text = JSON.stringify(data);
    const known = distinct.get(text);
    if (known !== undefined) return known;
    if (distinct.size >= MAX_DISTINCT) distinct.clear();
    distinct.set(text, data);
    rememberText(data, text);
    return data;
  }

  function refuseDefect(): void {
    if (defect !== undefined) throw invalid(`the document is not JSON: ${defect}`);
  }

  return {
    write(bytes) {
      try {
        // The parser would replace what is not UTF-8, and so change data silently.
        utf8.decode(bytes, { stream: true });
      } catch {
        defect ??= "it is not UTF-8 text";
      }
      if (defect === undefined) parser.write(bytes);
      refuseDefect();
    },
    end() {
      if (!parser.isEnded) parser.end();
      refuseDefect();
      if (top === undefined) throw invalid("the document is empty; JSON is expected");
      return top;
    },
    listOf: (list) => lists.get(list) ?? { drafts: [], invalid: 0 },
  };
}

function documentOf(top: JsonValue, listOf: Reader["listOf"]): ImportDocument {
  const buckets = isJsonObject(top) ? top.buckets : undefined;
  if (!isJsonObject(buckets)) throw invalid('the document must look like {"buckets": {"<id>": {...}}}');
  let invalidEvents = 0;
  const imported = Object.entries(buckets).map(([key, value]): ImportedBucket => {
    const field = `bucket ${JSON.stringify(key)}`;
    const draft = parseBucketDraft(value, field);
    const { id = null, events = null } = isJsonObject(value) ? value : {};
    if (id !== null && typeof id !== "string") throw invalid(`id of ${field} is not a text; a text is expected`);
    if (events !== null && !Array.isArray(events))
      throw invalid(`events of ${field} is not a list; a list is expected`);
    const list = listOf(events ?? []);
    invalidEvents += list.invalid;
    return { bucketId: id ?? key, draft, events: list.drafts };
  });
  return { buckets: imported, invalidEvents };
}
