import { createWebDoors } from "./http/web-doors.js";
import type { ActivityServerOptions } from "./options.js";
import { type ActivityServer, assembleServer } from "./server.js";

export { type BackupCounts, type BackupHeader, serializeBackup } from "./codec/backup.js";
export { parseBackup } from "./codec/parse-backup.js";
export type { DocumentSource } from "./codec/source.js";
export { type CsvOptions, toCsv } from "./codec/to-csv.js";
export type { AcceptedEvent, ActivityEvent, ActivityEventDraft } from "./domain/activity-event.js";
export type { Bucket, BucketDraft, BucketPatch, BucketSummary } from "./domain/bucket.js";
export type { Fault, FaultPlace } from "./domain/fault.js";
export type { JsonObject, JsonValue } from "./domain/json.js";
export type { KeyScope } from "./domain/key-scope.js";
export {
  type DurationInput,
  type DurationMicros,
  type Micros,
  microsToSeconds,
  parseTimestamp,
  secondsToMicros,
  type TimeInput,
  type TimestampMicros,
} from "./domain/time.js";
export {
  type BucketDefinition,
  type BucketDefinitions,
  type BucketPlace,
  bucket,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from "./domain/typed-buckets.js";
export { ActivityError, type ActivityErrorOptions, type ErrorCode } from "./errors.js";
export type { ApiBrowserPage, ApiBrowserRequest } from "./http/api-browser.js";
export type { MountableApp } from "./http/app.js";
export {
  type AccessDecision,
  type AccessRequest,
  type Allowed,
  type Authorize,
  allow,
  type Denied,
  deny,
} from "./http/authorize.js";
export type { ConnectionLimits } from "./http/connections.js";
export type { DashboardOptions, DashboardView } from "./http/dashboard-options.js";
export type { FetchInput, ServerFetch } from "./http/fetch.js";
export { type ContextOptions, handlers, type RouteHandler, type RouteHandlers } from "./http/handlers.js";
export type { ListeningSocket, ListenOptions } from "./http/listen.js";
export type { NodeHandler } from "./http/node.js";
export { prepareNodeServer } from "./http/node-server.js";
export type { RequestOptions } from "./http/request-context.js";
export type { TlsCertificate, TlsFiles, TlsOptions } from "./http/tls.js";
export type { Logger } from "./logger.js";
export type { ActivityServerOptions } from "./options.js";
export type {
  DropEvent,
  PrivacyBuckets,
  PrivacyCondition,
  PrivacyPattern,
  PrivacyRule,
  PrivacyValue,
  RedactKeys,
  ReplaceData,
} from "./privacy/rule.js";
export type { QueryLimits, QueryLimitsInput } from "./query/budget.js";
export { QueryError, type QueryErrorType } from "./query/query-error.js";
export type { RetentionCounts } from "./retention/rule.js";
export type { ActivityServer } from "./server.js";
export type { BucketAccess } from "./service/access/bucket-access.js";
export type { ExtensionInfo } from "./service/access/extensions.js";
export type { KeyInfo } from "./service/access/key-record.js";
export type { NewKey } from "./service/access/keys.js";
export type { PairingApproval, PairingQuestion } from "./service/access/pairing.js";
export type { SessionInfo } from "./service/access/sessions.js";
export type { SignInLink } from "./service/access/sign-in-links.js";
export {
  type CreateBucketWrite,
  type DeleteBucketWrite,
  type DeleteEventWrite,
  type HeartbeatWrite,
  type ImportWrite,
  type InsertWrite,
  type SettingWrite,
  type UpdateBucketWrite,
  type VetoOptions,
  veto,
  type WriteHooks,
} from "./service/hooks.js";
export type { Undone } from "./service/identity/identity.js";
export type { MergedBucket } from "./service/identity/merge.js";
export type { Merging } from "./service/identity/merger.js";
export type { OverlapPolicy } from "./service/identity/overlaps.js";
export type { Redirect } from "./service/identity/redirects.js";
export type { RelabelledBucket, Relabelling } from "./service/identity/relabeller.js";
export type { Undo, UndoKind } from "./service/identity/undo.js";
export type { ImportCounts, ImportedBucket, ImportResult } from "./service/import.js";
export type {
  DeletionOptions,
  InProcessApi,
  InProcessBuckets,
  InProcessEvents,
} from "./service/in-process.js";
export type {
  BucketPatchInput,
  BucketRenamingInput,
  ChangingInput,
  DeletionInput,
  EmptiedTrash,
  EventsDeletion,
  HostnameChangeInput,
  HostRenamingInput,
  InProcessExtensions,
  InProcessIdentity,
  InProcessKeys,
  InProcessPairing,
  InProcessPrivacy,
  InProcessRetention,
  InProcessSessions,
  InProcessSettings,
  InProcessTrash,
  KeyInput,
  MergingInput,
  PairingChangesInput,
  RestoringInput,
  ServerInfo,
  WideDeletionInput,
} from "./service/in-process-calls.js";
export type { FeedMessage, FeedOptions } from "./service/in-process-feed.js";
export type { QueryInput, TimeperiodInput } from "./service/in-process-query.js";
export type { EventReader } from "./service/in-process-reader.js";
export type {
  FoundEvent,
  FoundRows,
  GroupedSearchInput,
  SearchEvents,
  SearchGroup,
  SearchInput,
  SearchSummary,
} from "./service/in-process-search.js";
export {
  type DefinedBuckets,
  defineBuckets,
  type TypedBucket,
  type TypedBuckets,
  type TypedEventInput,
} from "./service/in-process-typed.js";
export type { Watcher, WatcherOptions } from "./service/in-process-watcher.js";
export {
  type BucketInput,
  type EventInput,
  micros,
  type RangeInput,
  serializeTime as serializeTimestamp,
} from "./service/input-coercion.js";
export type {
  BucketNotice,
  ChangeNotice,
  EventNotice,
  HeartbeatNotice,
  ImportNotice,
  NoticeListener,
  ServerNotices,
} from "./service/notices.js";
export type { AppliedBucket, PrivacyApplyInput } from "./service/privacy/apply-rules.js";
export type {
  PrivacyCounts,
  PrivacyExample,
  PrivacyPreview,
  PrivacyPreviewInput,
  RulePreview,
} from "./service/privacy/preview.js";
export type { QuotaOptions } from "./service/quota.js";
export type { RetentionRun } from "./service/retention/log.js";
export type { BucketRetention, RetentionRule } from "./service/retention/retention.js";
export type { Maintenance } from "./service/retention/schedule.js";
export type { Deleted, DeletedEvents, TrashEntry } from "./service/trash/entry.js";
export type { RestoredBucket } from "./service/trash/restore.js";
export {
  type BackupItem,
  type RestoreOptions,
  type RestoreProgress,
  type RestoreReport,
  type RestoreStep,
  restoreBackup,
} from "./storage/backup.js";
export type { BucketChangeKind, Change, ChangePage } from "./storage/changes.js";
export type { StorageHealth, StorageProblem, VerifyProgress, VerifyReport } from "./storage/health.js";
export type { StorageSource } from "./storage/lazy-storage.js";
export type { DestroyableStorage, Durability, Storage, StorageTraits } from "./storage/storage.js";
export type { StorageUsage } from "./storage/usage.js";
export type { TenantsOptions } from "./tenant-options.js";
export { createTenants, type Tenants } from "./tenants.js";
export { VERSION } from "./util/version.js";

/**
 * Creates a server over a storage. It does not listen or write before you use it.
 *
 * TypeScript infers the type of the identity from `authorize` if that is before `hooks`. Otherwise, name it:
 * `createActivityServer<User>({ ... })`, or with the context that your app passes with requests, `<User, { session:
 * Session }>`.
 *
 * @throws TypeError for invalid options
 */
export function createActivityServer<Identity extends object = object, Context = never>(
  options: ActivityServerOptions<Identity, Context>,
): ActivityServer<Identity, Context> {
  return assembleServer(options, createWebDoors);
}
