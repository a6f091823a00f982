import type { SentOf } from "../api/codec.js";
import type { Named } from "../api/schemas.js";

export type { Fault, FaultPlace } from "../domain/fault.js";
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

/** Fields of a bucket to change; what is absent or null stays. */
export type BucketChanges = SentOf<"BucketPatch">;
/** A bucket, as it comes back. Times are texts in UTC. */
export type ClientBucket = Named<"Bucket">;
/** Which server this is. */
export type ServerInfo = Named<"Info">;
/** What may be done with a bucket by those who have no admin key. */
export type ClientBucketAccess = Named<"BucketAccess">["access"];
/** What is known of a key. Times are texts in UTC. */
export type ClientKey = Named<"Key">;
/** A key that was just made: `key` is told this once. */
export type NewClientKey = Named<"NewKey">;
/** A key to be made. */
export type ClientKeyCreation = SentOf<"KeyCreation">;
/** By which somebody signs in once, at `path` below the server. */
export type SignInLink = Named<"SignInLink">;
/** A session that was just begun: `secret` is told this once. */
export type NewClientSession = Named<"NewSession">;
/** Whether the page is signed in, and whether it has to be. */
export type ClientSessionState = Named<"SessionState">;
/** What is known of a session. Times are texts in UTC. */
export type ClientSession = Named<"Session">;
/** A key to ask for: its name, and what it is to open. */
export type ClientPairingRequest = SentOf<"PairingRequest">;
/** A question that waits for the owner: `code` to be shown, `secret` to collect the key with. */
export type NewClientPairing = Named<"NewPairing">;
/** What the owner has answered so far; the key with `approved`. */
export type ClientPairingOutcome = Named<"PairingOutcome">;
/** Who waits for an answer of the owner. */
export type ClientPairingQuestion = Named<"PairingQuestion">;
/** What the owner changes about what was asked for. */
export type ClientPairingChanges = SentOf<"PairingChanges">;
/** What was approved. */
export type ClientPairingApproval = Named<"PairingApproval">;
/** What was decided about a browser extension. */
export type ClientExtension = Named<"Extension">;
/** Buckets with their events, newest first and without ids, by bucket id. */
export type ExportDocument = Named<"ExportDocument">;
/** What an import takes: an export document, of this server or of one that it is compatible with. */
export type ImportDocument = SentOf<"ImportDocument">;
/** What an import did. */
export type ImportCounts = Named<"ImportCounts">;
/** What renaming did, or would do. Times are texts in UTC. */
export type ClientRelabelling = Named<"Relabelling">;
/** What merging did, or would do. */
export type ClientMerging = Named<"Merging">;
/** An id that leads to a bucket with another one. */
export type ClientRedirect = Named<"Redirect">;
/** A change that can be undone. */
export type ClientUndo = Named<"Undo">;
/** A change that was undone. */
export type ClientUndone = Named<"Undone">;
/** A privacy rule, as the settings hold it. */
export type ClientPrivacyRule = SentOf<"PrivacyRule">;
/** Which rules to try, and on what. */
export type ClientPrivacyTrial = SentOf<"PrivacyTrial">;
/** What rules would do. Times are texts in UTC, lengths seconds. */
export type ClientPrivacyPreview = Named<"PrivacyPreview">;
/** Rules to apply, and what to apply them to. */
export type ClientPrivacyApplication = SentOf<"PrivacyApplication">;
/** What rules did to buckets. */
export type ClientAppliedPrivacy = Named<"AppliedPrivacy">;
/** What a deletion by range and filter did, or would do. */
export type ClientEventsDeletion = Named<"EventsDeletion">;
/** What one deletion put into the trash. Times are texts in UTC, lengths seconds. */
export type ClientTrashEntry = Named<"TrashEntry">;
/** A bucket that something went back to. */
export type ClientRestoredBucket = Named<"RestoredBucket">;
/** What is kept of old events, and how long. */
export type ClientRetentionRule = SentOf<"RetentionRule">;
/** What retention does to a bucket: events that are too old, too short, and that summaries replace. */
export type ClientBucketRetention = Named<"BucketRetention">;
/** What a run of retention did. */
export type ClientRetentionRun = Named<"RetentionRun">;
/** Whether the storage is sound; more of it for who has an admin key. */
export type ClientHealth = Named<"Health">;
/** Events to be drawn: `events`, each cut to the range, or, where these are many, `bin_duration`, `bins` and `data`. */
export type ClientTimeline = Named<"Timeline">;
/** An event that was found, or a part of it that was active. */
export type ClientSearchEvent = Named<"SearchEvent">;
/** Events that are alike. */
export type ClientSearchGroup = Named<"SearchGroup">;
/** What all that was found comes to, whatever the limit. */
export type ClientSearchSummary = Named<"SearchSummary">;
