import { PRIVACY_FAULTS } from "../../../privacy/faults.js";
import { REGEX_FAULTS } from "../../../regex/faults.js";
import { RETENTION_FAULTS } from "../../../retention/faults.js";

const CODES = {
  INVALID_INPUT: "Something in the request is wrong. The server says: {message}",
  QUERY_FAILED: "The program has a mistake. The server says: {message}",
  QueryParseException: "The program cannot be read. The server says: {message}",
  QueryInterpretException: "The program cannot be carried out. The server says: {message}",
  QueryFunctionException: "A function does not take what it was given. The server says: {message}",
  QUERY_TOO_LARGE: "This uses up more than the server grants. The server says: {message}",
  NO_SUCH_BUCKET: "There is no such bucket.",
  NO_SUCH_EVENT: "There is no such event, or no longer.",
  NO_SUCH_KEY: "There is no key of this name.",
  NO_SUCH_SESSION: "This session has ended.",
  NO_SUCH_PAIRING: "Nobody asks under this code any more.",
  NO_SUCH_REDIRECT: "This id is not redirected any more.",
  NO_SUCH_UNDO: "This can no longer be undone.",
  NO_SUCH_ENTRY: "The trash no longer holds this.",
  NO_SUCH_ROUTE: "The server does not know this address.",
  CONFLICT: "The data do not allow this now. The server says: {message}",
  METHOD_NOT_ALLOWED: "The server does not offer this here.",
  TOO_LARGE: "This is too large for the server.",
  TOO_SLOW: "The request did not arrive in time.",
  HEAD_TOO_LARGE: "The request has too much in its head.",
  TOO_MANY_REQUESTS: "Others are waiting for an answer. Try again later.",
  BUSY: "The server is busy. Try again later.",
  UNSUPPORTED_TYPE: "The server cannot read data of this type.",
  ALREADY_ANSWERED: "Something went wrong in the server. Its log says more.",
  CHANGES_GONE: "Something went wrong in the server. Its log says more.",
  STORAGE_FULL: "The storage is full. Nothing of this was stored.",
  QUOTA_EXCEEDED: "You may not store more.",
  STORAGE_FAILED: "The storage could not do this. The server says: {message}",
  STORAGE_CORRUPT: "What is stored is damaged. The server says: {message}",
  STORAGE_TOO_NEW: "The storage was written by a later version.",
  STORAGE_TOO_OLD: "The storage was written by an earlier version.",
  STORAGE_UNUSABLE: "The storage cannot be opened.",
  STORAGE_UNSUPPORTED: "The storage of this server cannot do this in one step.",
  STORAGE_CLOSED: "The server is closing.",
  STORAGE_LOCKED: "The storage is open elsewhere.",
  unknown: "The server says: {message}",
} as const;

const FAULTS = {
  noSuchBucket: "There is no bucket named {bucket}.",
  bodyTooLarge: "This is too large: the server takes {limit} bytes at most.",
  importStopped:
    "The storage is full. {events} events and {buckets} new buckets are stored. Import again for the rest.",
  notErased: "This is deleted, but may still be in the files. The server tries again to remove it.",
  someDeleted: "Only {deleted} of {all} entries are deleted.",
  notJson: "The document is not valid JSON.",
  notExport: 'The document must look like {"buckets": {"<id>": {...}}}.',
  linkUsed: "This link was used before or is older than a minute. Make another one.",
  noSuchVariable: "There is no variable {name}.",
  noSuchVariableBut: "There is no variable {name}. Did you mean {like}?",
  noSuchFunction: "There is no function {name}.",
  noSuchFunctionBut: "There is no function {name}. Did you mean {like}?",
  functionNotCalled: "{name} is a function: call it with {name}(...).",
  unexpected: "{found} is not expected here.",
  signExpected: "{sign} is expected here, not {found}.",
  programCutOff: "The program ends too early.",
  openText: "This text has no closing {quote}.",
  signUnknown: "{sign} has no meaning here.",
  neverReturns: "The program never sets RETURN.",
  argumentsUnfit: "{function} takes another number of arguments, not {given}.",
  eventsWanted: "Argument {index} of {function} has to be a list of events.",
  textWanted: "Argument {index} of {function} has to be a text.",
  numberWanted: "Argument {index} of {function} has to be a number.",
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
