import { PRIVACY_FAULTS } from "../../../privacy/faults.js";
import { REGEX_FAULTS } from "../../../regex/faults.js";
import { RETENTION_FAULTS } from "../../../retention/faults.js";

const CODES = {
  INVALID_INPUT: "The request is invalid: {message}",
  QUERY_FAILED: "The query has an error: {message}",
  QueryParseException: "The query has a syntax error: {message}",
  QueryInterpretException: "The query failed: {message}",
  QueryFunctionException: "A function argument is invalid: {message}",
  QUERY_TOO_LARGE: "This exceeds a limit of the server: {message}",
  NO_SUCH_BUCKET: "This bucket does not exist.",
  NO_SUCH_EVENT: "This event does not exist, or no longer.",
  NO_SUCH_KEY: "A key with this name does not exist.",
  NO_SUCH_SESSION: "This session has ended.",
  NO_SUCH_PAIRING: "This pairing request has expired.",
  NO_SUCH_REDIRECT: "This ID is not redirected anymore.",
  NO_SUCH_UNDO: "This can no longer be undone.",
  NO_SUCH_ENTRY: "This is no longer in the trash.",
  NO_SUCH_ROUTE: "The server does not know this address.",
  CONFLICT: "The current data does not allow this: {message}",
  METHOD_NOT_ALLOWED: "The server does not support this here.",
  TOO_LARGE: "This is too large for the server.",
  TOO_SLOW: "The request did not arrive in time.",
  HEAD_TOO_LARGE: "The headers of the request are too large.",
  TOO_MANY_REQUESTS: "Too many requests are waiting. Try again later.",
  BUSY: "The server is busy. Try again later.",
  UNSUPPORTED_TYPE: "The server cannot read data of this type.",
  ALREADY_ANSWERED: "Internal server error. See the server log.",
  CHANGES_GONE: "Internal server error. See the server log.",
  STORAGE_FULL: "The storage is full. Nothing was stored.",
  QUOTA_EXCEEDED: "You reached your storage limit.",
  STORAGE_FAILED: "The storage failed: {message}",
  STORAGE_CORRUPT: "Stored data is damaged: {message}",
  STORAGE_TOO_NEW: "The storage was written by a later version.",
  STORAGE_TOO_OLD: "The storage was written by an earlier version.",
  STORAGE_UNUSABLE: "The storage cannot be opened.",
  STORAGE_UNSUPPORTED: "The storage of this server cannot do this atomically.",
  STORAGE_CLOSED: "The server is closing.",
  STORAGE_LOCKED: "The storage is open elsewhere.",
  unknown: "The server reported: {message}",
} as const;

const FAULTS = {
  noSuchBucket: "The bucket {bucket} does not exist.",
  bodyTooLarge: "This is too large: the server accepts at most {limit} bytes.",
  importStopped:
    "The storage is full. {events} events and {buckets} new buckets are stored. Import again for the rest.",
  notErased: "This is deleted, but may still be in the files. The server will try again to erase it.",
  someDeleted: "Only {deleted} of {all} entries are deleted.",
  notJson: "The document is not valid JSON.",
  notExport: 'The document must look like {"buckets": {"<id>": {...}}}.',
  linkUsed: "This link was used before or is older than a minute. Create another one.",
  noSuchVariable: "The variable {name} does not exist.",
  noSuchVariableBut: "The variable {name} does not exist. Did you mean {like}?",
  noSuchFunction: "The function {name} does not exist.",
  noSuchFunctionBut: "The function {name} does not exist. Did you mean {like}?",
  functionNotCalled: "{name} is a function: call it with {name}(...).",
  unexpected: "{found} is unexpected here.",
  signExpected: "Expected {sign} here, got {found}.",
  programCutOff: "The query ends too early.",
  openText: "This string has no closing {quote}.",
  signUnknown: "The character {sign} is unexpected here.",
  neverReturns: "The query never sets RETURN.",
  argumentsUnfit: "{function} does not take {given} arguments.",
  eventsWanted: "Argument {index} of {function} must be a list of events.",
  textWanted: "Argument {index} of {function} must be a string.",
  numberWanted: "Argument {index} of {function} must be a number.",
  patternAt: "{fault}, at character {at} of the pattern",
} as const;

/**
 * Server messages. The English page shows the messages of the server, so that nothing loads these: they are the source
 * of the translations. Errors about signing in or missing permissions are in `common`.
 */
export const serverTexts: typeof CODES &
  typeof FAULTS &
  typeof REGEX_FAULTS &
  typeof PRIVACY_FAULTS &
  typeof RETENTION_FAULTS = { ...CODES, ...FAULTS, ...REGEX_FAULTS, ...PRIVACY_FAULTS, ...RETENTION_FAULTS };
