import type { JsonObject } from "../domain/json.js";

/**
 * The meaning of each error code for a client: the status of its responses, and when they are sent. `type`, `message`
 * and `details` are an example of their body, whose schema is `ErrorMessage` unless another one is named. The source of
 * both responses and the API description.
 */
export const ERRORS = {
  INVALID_INPUT: {
    status: 400,
    meaning: `A field, a parameter, the path, a header or a document is invalid, and the message names it. Or the
        body is incomplete, or your app has read it before.`,
    message: "limit must be an integer, got 'ten'",
    details: { fault: "fieldUnfit", values: {}, place: { field: "limit" }, reason: "must be an integer, got 'ten'" },
  },
  QUERY_FAILED: {
    status: 400,
    meaning: "The program has an error. The message and `place` have the line and column.",
    schema: "QueryError",
    type: "QueryInterpretException",
    message: "no variable 'event', did you mean 'events'? (line 2, column 10)\n  RETURN = event;\n           ^",
    details: {
      fault: "noSuchVariableBut",
      values: { name: "'event'", like: "'events'" },
      place: { line: 2, column: 10 },
      reason: "no variable 'event', did you mean 'events'?",
    },
  },
  UNAUTHORIZED: {
    status: 401,
    meaning: `The API needs a key, and the request has none or an invalid one: unknown, expired, revoked, malformed or
        repeated. Or the sign-in link was used before or is too old, or a deletion lacks force=1.`,
    message: "an API key is needed: send the header Authorization: Bearer <key>; POST /api/0/pairing asks for one",
    details: { fault: "keyNeeded", values: {} },
  },
  FORBIDDEN: {
    status: 403,
    meaning: `The page's origin is not trusted, the key lacks a scope, the bucket is protected, or your app denied the
        request.`,
    message: "this origin may call nothing; list it in `cors` to trust it",
  },
  VETOED: {
    status: 403,
    meaning: "A hook of your app refused the write. The message is the hook's own, and the type marks the veto.",
    schema: "Veto",
    type: "Vetoed",
    message: "this bucket is read-only",
  },
  NO_SUCH_BUCKET: {
    status: 404,
    meaning: "No bucket has this ID, or the key may not read it.",
    message: "no bucket named 'afk_desk'",
    details: { fault: "noSuchBucket", values: { bucket: "afk_desk" } },
  },
  NO_SUCH_EVENT: {
    status: 404,
    meaning: "The bucket has no event with this ID.",
    message: "bucket 'window_desk' has no event with id 7",
  },
  NO_SUCH_KEY: { status: 404, meaning: "No key has this name.", message: "no key is named 'phone'" },
  NO_SUCH_SESSION: {
    status: 404,
    meaning: "No session has this ID; it may have ended.",
    message: "no session has the ID 'kq3v9x1m'",
  },
  NO_SUCH_PAIRING: {
    status: 404,
    meaning: "No pairing request has this code or secret. The owner has decided about it, or it has expired.",
    message: "no pairing request has this code (they expire after 5 minutes)",
  },
  NO_SUCH_REDIRECT: {
    status: 404,
    meaning: "No redirect begins at this ID; it may have ended.",
    message: "the id 'window_desk' is not redirected",
  },
  NO_SUCH_UNDO: {
    status: 404,
    meaning: "No change has this undo ID; it was undone or has expired.",
    message: "no change with the undo ID '5f0c81ab42d7'; if something could, it was undone already or has expired",
  },
  CONFLICT: {
    status: 409,
    meaning: "The current data does not allow this, or it was done already. The message shows the reason.",
    message: "no bucket has the hostname 'laptop'",
  },
  NO_SUCH_ENTRY: {
    status: 404,
    meaning: "The trash has no entry with this ID; it may have been restored, or has expired.",
    message: "the trash has no entry '5f0c81ab-42d7'; if it had one, it was restored already, deleted, or has expired",
  },
  NO_SUCH_ROUTE: { status: 404, meaning: "Nothing is at this path.", message: "there is nothing at this path" },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: "The path exists, but not the method. The header Allow lists the methods.",
    message: "PATCH is not offered here, only GET, HEAD, OPTIONS",
  },
  TOO_LARGE: {
    status: 413,
    meaning: "The body, or an event in it, is larger than this server accepts.",
    message: "the body is larger than 33554432 bytes",
    details: { fault: "bodyTooLarge", values: { limit: 33554432 } },
  },
  UNSUPPORTED_TYPE: {
    status: 415,
    meaning: "The body has another content type than those listed, has none, or is compressed.",
    message: "no Content-Type cannot be read here; send application/json",
  },
  // Without a code: the socket gives up before there is a request.
  TOO_SLOW: {
    status: 408,
    meaning: "The request did not arrive within the limits of Node.js; the connection is closed.",
    message: "the request did not arrive in time",
  },
  HEAD_TOO_LARGE: {
    status: 431,
    meaning: "The path and the headers together are larger than 64 KiB, or there are more than 500 headers.",
    message: "the request headers are too large",
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    meaning: "Three other pairing requests wait for the owner; try again after the time in Retry-After.",
    message: "three pairing requests are already waiting; try again after the owner has decided one",
  },
  BUSY: {
    status: 503,
    meaning: `Too many queries, imports, bulk operations or large bodies are in progress, and nothing of this was
        started; try again after the time in Retry-After.`,
    message: "the server is busy: too many queries are running; try again later",
  },
  ALREADY_ANSWERED: {
    status: 500,
    meaning: "`nodeHandler` received a request that already has a response; logged, never sent.",
    message: "internal error; see the server's log",
  },
  STORAGE_FULL: {
    status: 507,
    meaning: `The disk is full. Nothing of the request was stored, unless the message reports a part of an import.
        Reads and permanent deletions continue.`,
    message: "no space left, nothing of this was stored",
  },
  QUOTA_EXCEEDED: {
    status: 507,
    meaning: `The server's quota is used up. Nothing of the request was stored, unless the message reports a part of an
        import. Deletions continue; try again after the time in Retry-After.`,
    message: "the quota of 100000 events is used up, nothing of this was stored; delete events",
  },
  STORAGE_FAILED: {
    status: 503,
    meaning: `The storage could not read or write. Nothing of the request was stored, unless the message reports
        otherwise; try again after the time in Retry-After.`,
    message: "the storage cannot be written to; nothing of this was stored",
  },
  STORAGE_CORRUPT: {
    status: 500,
    meaning: `Stored data is damaged, and nothing was changed. For a segment, the message names the bucket and the time
        range.`,
    message: "events of bucket 'window_desk' from 2024-03-01T10:00:00+00:00 to 2024-03-01T10:20:00+00:00 are damaged",
  },
  STORAGE_TOO_NEW: {
    status: 500,
    meaning: "A newer version wrote the storage.",
    message: "the storage cannot be opened: a later version wrote it",
  },
  STORAGE_TOO_OLD: {
    status: 500,
    meaning: "An earlier version wrote the storage. Move its data first.",
    message: "the storage cannot be opened: an earlier version wrote it",
  },
  STORAGE_UNUSABLE: { status: 500, meaning: "The storage cannot be opened.", message: "the storage cannot be opened" },
  STORAGE_UNSUPPORTED: {
    status: 501,
    meaning: "The server's storage has no transactions, which this operation needs. Nothing was changed.",
    message: "the storage 'json-file' has no transactions, so it cannot do this in one step",
  },
  STORAGE_CLOSED: {
    status: 503,
    meaning: "The server or the storage is closing or closed.",
    message: "the storage is closed",
  },
  STORAGE_LOCKED: {
    status: 503,
    meaning: "Another process uses the storage, or a LevelDB folder is open elsewhere.",
    message: "the storage cannot be opened: it is open elsewhere",
  },
  CHANGES_GONE: {
    status: 500,
    meaning: "A cursor into the changes is too old; never sent.",
    message: "internal error; see the server's log",
  },
  QUERY_TOO_LARGE: {
    status: 503,
    meaning: "The query needs more time, events or memory than the server allows.",
    message: "the query is too large: it took longer than 60000 ms (queryLimits.timeMillis)",
  },
} as const;

export type AnsweredError = keyof typeof ERRORS;

interface Example {
  readonly type?: string;
  readonly message: string;
  readonly details?: JsonObject;
}

export function exampleOf(code: AnsweredError): JsonObject {
  const { type, message, details }: Example = ERRORS[code];
  return { ...(type && { type }), message, ...(code !== "TOO_SLOW" && { code }), ...details };
}
