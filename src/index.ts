export type { Bucket, BucketPatch, BucketSummary } from "./domain/bucket.js";
export type { EventDraft, PrintedEvent, StoredEvent } from "./domain/event.js";
export type { JsonObject, JsonValue } from "./domain/json.js";
export type { Micros } from "./domain/time.js";
export { ActivityError, type ErrorCode } from "./errors.js";
export type { Listener, ListenOptions } from "./http/listen.js";
export type { NodeHandler } from "./http/node.js";
export { prepareNodeServer } from "./http/node-server.js";
export type { Logger } from "./logger.js";
export {
  type ActivityServer,
  type ActivityServerOptions,
  createActivityServer,
} from "./server.js";
export type {
  Durability,
  EventRange,
  SettingsStore,
  Storage,
  StorageTraits,
  TimeRange,
} from "./storage.js";
export { VERSION } from "./version.js";
