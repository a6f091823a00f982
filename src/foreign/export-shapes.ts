import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";
import { parseTimestamp } from "../domain/time.js";
import type { ForeignBucket } from "./event-text.js";

/** Text to put around a file so that it becomes an export document. */
export interface ExportWrapping {
  /** A name for people. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const WHOLE: ExportWrapping = { name: "export", before: "", after: "" };
/** Old servers sent the buckets without anything around them. */
const BUCKETS: ExportWrapping = { name: "export of an old server", before: '{"buckets":', after: "}" };
/** A single bucket without anything around it. The key is used if it has no ID. */
const BUCKET: ExportWrapping = { name: "export of one bucket", before: '{"buckets":{"imported":', after: "}}" };

const FIELDS = "id|type|name|client|hostname|created|data|events|metadata|last_updated|device_id";
const ONE_BUCKET = new RegExp(`^\\s*\\{\\s*"(?:${FIELDS})"\\s*:`);
const FIRST_VALUE = /^\s*\{\s*"((?:[^"\\]|\\.)*)"\s*:\s*(.)/s;

/** Detects the shape of an export by its beginning, among all shapes that servers have written. */
export function detectWrapping(beginning: string): ExportWrapping {
  const [, key, first] = FIRST_VALUE.exec(beginning) ?? [];
  if (key === "buckets") return WHOLE;
  if (ONE_BUCKET.test(beginning)) return BUCKET;
  return first === "{" ? BUCKETS : WHOLE;
}

/** Reads a bucket of an export. @param key of the document; the bucket's own ID takes precedence */
export function parseForeignBucket(
  key: string,
  { id, type, client, hostname, name, created, data }: JsonObject,
): ForeignBucket {
  const text = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "unknown");
  return {
    id: typeof id === "string" ? id : key,
    type: text(type),
    client: text(client),
    hostname: text(hostname),
    name: typeof name === "string" ? name : null,
    created: typeof created === "string" && parseTimestamp(created) !== undefined ? created : undefined,
    data: JSON.stringify(isJsonObject(data) ? data : {}),
  };
}
