// The parts for adapters: the interface, its types, and functions that adapters share. Published as
// activity-server/adapter.

export {
  type BatchColumns,
  type DataTable,
  EventBatch,
  type TableColumns,
  type Utf8Texts,
} from "../domain/batch.js";
export type { Bucket, BucketPatch, BucketSummary } from "../domain/bucket.js";
export {
  byTime,
  counterAbove,
  type EventDraft,
  endOf,
  type NumberedEvents,
  numbered,
  type OrderedEvent,
  overlaps,
  positionOf,
  type StoredEvent,
} from "../domain/event.js";
export { mergeHeartbeat } from "../domain/heartbeat.js";
export { type JsonObject, type JsonValue, sameJson } from "../domain/json.js";
export type { Micros } from "../domain/time.js";
export { UnknownDrafts } from "../domain/unknown-drafts.js";
export { ActivityError, type ErrorCode, noSuchBucket, storageClosed, storageFull } from "../errors.js";
export type { Logger } from "../logger.js";
export type { CacheMemory, CacheShare } from "../util/memory-budget.js";
export type { BackupItem } from "./backup.js";
export {
  type BucketChangeKind,
  type Change,
  type ChangePage,
  type ChangeSource,
  changeFeed,
  changesGone,
} from "./changes.js";
export type { StorageHealth, StorageProblem, VerifyProgress, VerifyReport } from "./health.js";
export { DEVICE_KEY, DEVICE_KIND, deviceIdIn, type RecordName, type RecordStore } from "./records.js";
export type {
  DestroyableStorage,
  Durability,
  EventRange,
  EventRead,
  SettingsStore,
  Storage,
  StorageTraits,
  TimeRange,
  VersionToken,
} from "./storage.js";
export {
  assertHolds,
  batchesIn,
  bucketTaken,
  type DraftSource,
  type HeldView,
  heldBuckets,
  heldView,
  type TransactionChange,
  type TransactionPlan,
  type TransactionView,
} from "./transaction.js";
