export { backOff, delay } from "./back-off.js";
export { type ClientOptions, createClient, type RequestHeaders } from "./client.js";
export type {
  ActivityClient,
  BucketChanges,
  CallOptions,
  ClientBucket,
  ClientBucketAccess,
  ClientBuckets,
  ClientEvent,
  ClientEventRange,
  ClientEvents,
  ClientKey,
  ClientKeyCreation,
  ClientKeys,
  ClientQuery,
  ClientRange,
  ClientSettings,
  ClientTimeline,
  ClientTimelineRange,
  ExportDocument,
  ImportCounts,
  ImportDocument,
  Instant,
  NewBucket,
  NewClientKey,
  NewEvent,
  NewFilledBucket,
  ServerInfo,
} from "./client-types.js";
export { type ConnectableServer, type ConnectOptions, connect } from "./connect.js";
export {
  ActivityClientError,
  type ClientErrorCode,
  type ClientErrorDetails,
  type ClientFailure,
  type ErrorResponse,
  isActivityClientError,
  isTransient,
} from "./errors.js";
export type { ClientHooks, ReceivedResponse, SentRequest } from "./hooks.js";
export type { Fetch } from "./transport.js";
export { type WaitOptions, waitForServer } from "./wait.js";
