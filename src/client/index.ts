export { backOff, delay } from "./back-off.js";
export type {
  ClientBucketRetention,
  ClientHealth,
  ClientPrivacy,
  ClientPrivacyPreview,
  ClientPrivacyRule,
  ClientPrivacyTrial,
  ClientRetention,
  ClientRetentionRule,
  ClientRetentionRun,
} from "./care-types.js";
export { type ClientOptions, createClient, type RequestHeaders } from "./client.js";
export type {
  AcceptedClientEvent,
  ActivityClient,
  BucketChanges,
  CallOptions,
  ClientBucket,
  ClientBucketAccess,
  ClientBuckets,
  ClientEvent,
  ClientEvents,
  ClientExtension,
  ClientExtensions,
  ClientKey,
  ClientKeyCreation,
  ClientKeys,
  ClientPairing,
  ClientPairingApproval,
  ClientPairingChanges,
  ClientPairingOutcome,
  ClientPairingQuestion,
  ClientPairingRequest,
  ClientQuery,
  ClientSession,
  ClientSessionState,
  ClientSessions,
  ClientSettings,
  ExportDocument,
  ImportCounts,
  ImportDocument,
  Instant,
  NewBucket,
  NewClientKey,
  NewClientPairing,
  NewClientSession,
  NewEvent,
  NewFilledBucket,
  ServerInfo,
  SignInLink,
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
export type { ClientEventRange, ClientRange, ClientTimeline, ClientTimelineRange } from "./read-types.js";
export type { Fetch } from "./transport.js";
export { type WaitOptions, waitForServer } from "./wait.js";
