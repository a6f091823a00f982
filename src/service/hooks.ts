import type { ActivityEventDraft } from "../domain/activity-event.js";
import type { BucketDraft, BucketPatch } from "../domain/bucket.js";
import type { JsonValue } from "../domain/json.js";
import type { DurationMicros } from "../domain/time.js";
import { ActivityError } from "../errors.js";
import type { ImportedBucket } from "./import.js";

/** Common fields of all writes. */
interface Write<Identity extends object, Context> {
  /** The caller, as `authorize` or `server.as()` named it; absent if neither did. */
  readonly identity?: Identity;
  /** What your app passed with the request; absent in process and if it passed nothing. */
  readonly context?: Context;
}

/** A write to one bucket. */
interface BucketWrite<Identity extends object, Context> extends Write<Identity, Context> {
  readonly bucketId: string;
}

/** A heartbeat before it is stored. */
export interface HeartbeatWrite<Identity extends object = object, Context = unknown>
  extends BucketWrite<Identity, Context> {
  readonly beat: ActivityEventDraft;
  /** The pulsetime of the heartbeat, in microseconds. */
  readonly pulsetimeMicros: DurationMicros;
}

/** Events before they are stored; one with an `id` replaces that event. */
export interface InsertWrite<Identity extends object = object, Context = unknown>
  extends BucketWrite<Identity, Context> {
  readonly events: readonly ActivityEventDraft[];
}

/** A deletion of an event. */
export interface DeleteEventWrite<Identity extends object = object, Context = unknown>
  extends BucketWrite<Identity, Context> {
  readonly eventId: number;
}

/** A bucket to create, with its initial events. It may already exist. */
export interface CreateBucketWrite<Identity extends object = object, Context = unknown>
  extends BucketWrite<Identity, Context> {
  readonly bucket: BucketDraft;
  readonly events: readonly ActivityEventDraft[];
}

/** A change of a bucket's fields. */
export interface UpdateBucketWrite<Identity extends object = object, Context = unknown>
  extends BucketWrite<Identity, Context> {
  readonly patch: BucketPatch;
}

/** A deletion of a bucket with its events. */
export type DeleteBucketWrite<Identity extends object = object, Context = unknown> = BucketWrite<Identity, Context>;

/** Buckets with their events, to merge into the existing ones. */
export interface ImportWrite<Identity extends object = object, Context = unknown> extends Write<Identity, Context> {
  readonly buckets: readonly ImportedBucket[];
}

/** A new value of a setting; `null` removes it. */
export interface SettingWrite<Identity extends object = object, Context = unknown> extends Write<Identity, Context> {
  readonly key: string;
  readonly value: JsonValue;
}

/** The result of a hook: a replacement for the write, or nothing to keep it unchanged. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only observes returns nothing
type Changed<W> = W | undefined | void | Promise<W | undefined | void>;

/** A method, so that functions of less specific writes fit. */
type Hook<Given, Returned> = { run(write: Given): Changed<Returned> }["run"];

/**
 * Functions of your app that see writes before they are stored, from every interface. A hook gets a valid write and may
 * return another one, which is validated like input. It may `throw veto("...")`: nothing is written, and the caller
 * gets the error. Another `ActivityError` keeps its status. Any other error is a fault of your app: 500, logged,
 * nothing written.
 */
export interface WriteHooks<Identity extends object = object, Context = unknown> {
  readonly beforeHeartbeat?: Hook<HeartbeatWrite<Identity, Context>, HeartbeatWrite<Identity>> | undefined;
  readonly beforeInsert?: Hook<InsertWrite<Identity, Context>, InsertWrite<Identity>> | undefined;
  readonly beforeDeleteEvent?: Hook<DeleteEventWrite<Identity, Context>, DeleteEventWrite<Identity>> | undefined;
  readonly beforeCreateBucket?: Hook<CreateBucketWrite<Identity, Context>, CreateBucketWrite<Identity>> | undefined;
  readonly beforeUpdateBucket?: Hook<UpdateBucketWrite<Identity, Context>, UpdateBucketWrite<Identity>> | undefined;
  readonly beforeDeleteBucket?: Hook<DeleteBucketWrite<Identity, Context>, DeleteBucketWrite<Identity>> | undefined;
  readonly beforeImport?: Hook<ImportWrite<Identity, Context>, ImportWrite<Identity>> | undefined;
  readonly beforeSetting?: Hook<SettingWrite<Identity, Context>, SettingWrite<Identity>> | undefined;
}

/** The names of all hooks, in the order of `WriteHooks`. */
export const HOOK_NAMES: readonly (keyof WriteHooks)[] = [
  "beforeHeartbeat",
  "beforeInsert",
  "beforeDeleteEvent",
  "beforeCreateBucket",
  "beforeUpdateBucket",
  "beforeDeleteBucket",
  "beforeImport",
  "beforeSetting",
];

/** The response to a rejected write. */
export interface VetoOptions {
  /**
   * The status of the response, from 400 to 599. Queues and watchers keep the write and retry at 408, 425, 429 and 500
   * or above. @default 403
   */
  readonly status?: number | undefined;
  /** Seconds after which the client may retry, in the header Retry-After. @default none */
  readonly retryAfter?: number | undefined;
}

/**
 * Creates the error with which a hook rejects a write: `throw veto("private windows are not recorded")`. Over HTTP the
 * response is 403 with the message; in process the call rejects with it. To reject a write only for now: `throw
 * veto("too many events", { status: 429, retryAfter: 60 })`.
 *
 * @throws TypeError for an invalid status or time
 */
export function veto(message: string, { status, retryAfter }: VetoOptions = {}): ActivityError {
  if (status !== undefined && !(Number.isInteger(status) && status >= 400 && status <= 599)) {
    throw new TypeError(`status must be an integer from 400 to 599, got ${String(status)}`);
  }
  if (retryAfter !== undefined && !(retryAfter >= 0 && Number.isFinite(retryAfter))) {
    throw new TypeError(`retryAfter must be a number of seconds from 0, got ${String(retryAfter)}`);
  }
  return new ActivityError("VETOED", message, { status, retryAfter });
}
