import type { SentOf } from "../api/codec.js";
import type { Named } from "../api/schemas.js";

export type { Fault, FaultPlace } from "../domain/fault.js";
export type { KeyScope } from "../domain/key-scope.js";
export {
  type BucketDefinition,
  type BucketDefinitions,
  type BucketPlace,
  bucket,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from "../domain/typed-buckets.js";
export { backOff, delay } from "./back-off.js";
export type {
  ClientExtensions,
  ClientIdentity,
  ClientKeys,
  ClientPairing,
  ClientPrivacy,
  ClientRetention,
  ClientSessions,
  ClientSettings,
  ClientTrash,
} from "./calls.js";
export { type ClientOptions, createClient, type RequestHeaders } from "./client.js";
export type {
  AcceptedClientEvent,
  ActivityClient,
  CallOptions,
  ClientBuckets,
  ClientDeleted,
  ClientDeletedEvents,
  ClientEditing,
  ClientEvent,
  ClientEventRange,
  ClientEvents,
  ClientFeedMessage,
  ClientFeedRequest,
  ClientGroupedSearch,
  ClientQuery,
  ClientRange,
  ClientSearch,
  ClientSearchRows,
  ClientTables,
  ClientTimelineRange,
  DeletionCallOptions,
  Instant,
  NewBucket,
  NewEvent,
  NewFilledBucket,
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
export {
  type ClientDefinedBuckets,
  type ClientTypedBucket,
  type ClientTypedBuckets,
  defineBuckets,
  type NewTypedEvent,
} from "./typed-buckets.js";
export { type WaitOptions, waitForServer } from "./wait.js";

/** Fields of a bucket to change; absent or null fields stay. */
export type BucketChanges = SentOf<"BucketPatch">;
/** A received bucket. Times are strings in UTC. */
export type ClientBucket = Named<"Bucket">;
/** Name, version and device of a server. */
export type ServerInfo = Named<"Info">;
/** Access to a bucket without an admin key. */
export type ClientBucketAccess = Named<"BucketAccess">["access"];
/** A key without its secret. Times are strings in UTC. */
export type ClientKey = Named<"Key">;
/** A new key: only this response contains `key`. */
export type NewClientKey = Named<"NewKey">;
export type ClientKeyCreation = SentOf<"KeyCreation">;
/** A link to sign in once, at `path` below the server. */
export type SignInLink = Named<"SignInLink">;
/** A new session: only this response contains `secret`. */
export type NewClientSession = Named<"NewSession">;
/** Whether the page is signed in, and whether it must be. */
export type ClientSessionState = Named<"SessionState">;
/** A session. Times are strings in UTC. */
export type ClientSession = Named<"Session">;
/** A request for a key: its name and scopes. */
export type ClientPairingRequest = SentOf<"PairingRequest">;
/** A pairing request: show `code` to the owner, and collect the key with `secret`. */
export type NewClientPairing = Named<"NewPairing">;
/** The owner's decision so far; with `approved`, the key. */
export type ClientPairingOutcome = Named<"PairingOutcome">;
/** A request that waits for the owner. */
export type ClientPairingQuestion = Named<"PairingQuestion">;
/** The owner's changes to a pairing request. */
export type ClientPairingChanges = SentOf<"PairingChanges">;
/** The approved request. */
export type ClientPairingApproval = Named<"PairingApproval">;
/** The decision about a browser extension. */
export type ClientExtension = Named<"Extension">;
/** Buckets with their events, newest first and without IDs, by bucket ID. */
export type ExportDocument = Named<"ExportDocument">;
/** The input of an import: an export document of this server or of a compatible one. */
export type ImportDocument = SentOf<"ImportDocument">;
export type ImportCounts = Named<"ImportCounts">;
/** The result of a rename, done or previewed. Times are strings in UTC. */
export type ClientRelabelling = Named<"Relabelling">;
/** The result of a merge, done or previewed. */
export type ClientMerging = Named<"Merging">;
/** An ID that redirects to another bucket. */
export type ClientRedirect = Named<"Redirect">;
/** A change that can be undone. */
export type ClientUndo = Named<"Undo">;
export type ClientUndone = Named<"Undone">;
/** A privacy rule, as in the settings. */
export type ClientPrivacyRule = SentOf<"PrivacyRule">;
/** The rules to try, and the data to try them on. */
export type ClientPrivacyTrial = SentOf<"PrivacyTrial">;
/** The effects of rules. Times are strings in UTC, durations are in seconds. */
export type ClientPrivacyPreview = Named<"PrivacyPreview">;
/** The rules to apply, and the data to apply them to. */
export type ClientPrivacyApplication = SentOf<"PrivacyApplication">;
/** The effects of rules on buckets. */
export type ClientAppliedPrivacy = Named<"AppliedPrivacy">;
/** The result of a deletion by range and filter, done or previewed. */
export type ClientEventsDeletion = Named<"EventsDeletion">;
/** The trash entry of one deletion. Times are strings in UTC, durations are in seconds. */
export type ClientTrashEntry = Named<"TrashEntry">;
/** A bucket with restored data. */
export type ClientRestoredBucket = Named<"RestoredBucket">;
/** A rule for how long old events are kept, and how exactly. */
export type ClientRetentionRule = SentOf<"RetentionRule">;
/** The effects of retention on a bucket: events that are too old, too short, or replaced by summaries. */
export type ClientBucketRetention = Named<"BucketRetention">;
export type ClientRetentionRun = Named<"RetentionRun">;
/** The state of the storage, with more details for an admin key. */
export type ClientHealth = Named<"Health">;
/** Events to draw: `events`, each cut to the range, or, if there are many, `bin_duration`, `bins` and `data`. */
export type ClientTimeline = Named<"Timeline">;
/** A found event, or its active part. */
export type ClientSearchEvent = Named<"SearchEvent">;
/** A group of similar events. */
export type ClientSearchGroup = Named<"SearchGroup">;
/** The totals of all found events, whatever the limit. */
export type ClientSearchSummary = Named<"SearchSummary">;
