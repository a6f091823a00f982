export { backOff, delay } from "./back-off.js";
export type { ClientPrivacy, ClientPrivacyPreview, ClientPrivacyRule, ClientPrivacyTrial } from "./care-types.js";
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
  ClientEventRange,
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
  ClientRange,
  ClientSession,
  ClientSessionState,
  ClientSessions,
  ClientSettings,
  ClientTimeline,
  ClientTimelineRange,
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
export type { Fetch } from "./transport.js";
export { type WaitOptions, waitForServer } from "./wait.js";
