export { type BackupCounts, type BackupHeader, serializeBackup } from "./codec/backup.js";
export { parseBackup } from "./codec/parse-backup.js";
export type { DocumentSource } from "./codec/source.js";
export {
  type BatchColumns,
  type DataTable,
  EventBatch,
  type TableColumns,
  type Utf8Texts,
} from "./domain/batch.js";
export type { Bucket, BucketDraft, BucketPatch, BucketSummary } from "./domain/bucket.js";
export {
  byTime,
  counterAbove,
  type EventDraft,
  endOf,
  type Numbered,
  numbered,
  type OrderedEvent,
  overlaps,
  positionOf,
  type StoredEvent,
} from "./domain/event.js";
export { mergeHeartbeat } from "./domain/heartbeat.js";
export { type JsonObject, type JsonValue, sameJson } from "./domain/json.js";
export { type Micros, microsToSeconds, parseTimestamp, secondsToMicros, serializeTimestamp } from "./domain/time.js";
export { UnknownDrafts } from "./domain/unknown-drafts.js";
export { ActivityError, type ErrorCode, noSuchBucket, storageClosed, storageFull } from "./errors.js";
export type { ApiBrowserPage, ApiBrowserRequest } from "./http/api-browser.js";
export type { AccessRequest, Authorize, Verdict } from "./http/authorize.js";
export type { ServerFetch } from "./http/fetch.js";
export type { Listener, ListenOptions } from "./http/listen.js";
export type { NodeHandler } from "./http/node.js";
export { prepareNodeServer } from "./http/node-server.js";
export type { Logger } from "./logger.js";
export type { ActivityServerOptions } from "./options.js";
export type { QueryLimits } from "./query/budget.js";
export { QueryError, type QueryErrorType } from "./query/query-error.js";
export { type ActivityServer, createActivityServer } from "./server.js";
export {
  type CreateBucketWrite,
  type DeleteBucketWrite,
  type DeleteEventWrite,
  type HeartbeatWrite,
  type Hooks,
  type Identity,
  type ImportWrite,
  type InsertWrite,
  type SettingWrite,
  type UpdateBucketWrite,
  veto,
} from "./service/hooks.js";
export type { ImportCounts, ImportedBucket, ImportResult } from "./service/import.js";
export type { Buckets, EventReader, Events, InProcess, Settings } from "./service/in-process.js";
export type { QueryInput, TimeperiodInput } from "./service/in-process-query.js";
export type { BucketInput, BucketPatchInput, EventInput, RangeInput, TimeInput } from "./service/input-coercion.js";
export type {
  BucketNotice,
  EventNotice,
  HeartbeatNotice,
  ImportNotice,
  NoticeListener,
  Notices,
} from "./service/notices.js";
export type { BackupItem } from "./storage/backup.js";
export type { StorageHealth, StorageProblem, VerifyProgress, VerifyReport } from "./storage/health.js";
export { DEVICE_KEY, DEVICE_KIND, deviceIdIn, type RecordStore } from "./storage/records.js";
export {
  type RestoreOptions,
  type RestoreProgress,
  type RestoreReport,
  type RestoreStep,
  restoreBackup,
} from "./storage/restore.js";
export type {
  Durability,
  EventRange,
  EventRead,
  SettingsStore,
  Storage,
  StorageTraits,
  TimeRange,
  Version,
} from "./storage/storage.js";
export { VERSION } from "./util/version.js";
