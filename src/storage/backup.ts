import type { EventBatch } from "../domain/batch.js";
import type { Bucket } from "../domain/bucket.js";
import type { EventDraft, StoredEvent } from "../domain/event.js";
import { isJsonObject, type JsonValue } from "../domain/json.js";
import { ActivityError, quote } from "../errors.js";
import {
  CLOCK_KIND,
  DEVICE_KIND,
  INCARNATIONS_KIND,
  isBackedUp,
  REDIRECTS_KIND,
  type RecordStore,
  SUMMARIES_KIND,
} from "./records.js";
import type { Storage } from "./storage.js";

/** One item of a backup. A bucket's events follow it, in ascending order and with their IDs. */
export type BackupItem =
  | { readonly kind: "setting"; readonly key: string; readonly value: JsonValue }
  | { readonly kind: "record"; readonly recordKind: string; readonly key: string; readonly value: JsonValue }
  | { readonly kind: "bucket"; readonly bucket: Bucket; readonly events: number }
  | { readonly kind: "events"; readonly bucketId: string; readonly batch: EventBatch };

/** Options of a restoration. */
export interface RestoreOptions {
  /**
   * Adds to the content of the storage: existing settings and records are kept, and an existing bucket gets the events
   * that it lacks, under new IDs. Without this option the storage must be empty.
   * @default false
   */
  readonly merge?: boolean | undefined;
  /** Called from time to time. */
  readonly onProgress?: ((progress: RestoreProgress) => void) | undefined;
}

/** The backup is read twice: it is checked completely before the first write. */
export type RestoreStep = "check" | "write";

/** The progress of a restoration. */
export interface RestoreProgress {
  readonly step: RestoreStep;
  /** Events so far. */
  readonly doneEvents: number;
  /** Events of the backup; `undefined` while it is checked. */
  readonly totalEvents: number | undefined;
}

/** The results of a restoration. */
export interface RestoreReport {
  readonly settings: number;
  readonly records: number;
  /** Created buckets. */
  readonly buckets: number;
  /** Existing buckets that got missing events. */
  readonly bucketsMerged: number;
  readonly events: number;
}

/** Events per write. */
const STEP_LENGTH = 10_000;
/** Events between two progress reports. */
const PROGRESS_EVENTS = 20_000;

/**
 * Fills a storage from a backup: buckets, events with their IDs, settings, and records, including the device ID. The
 * first write comes after the backup was read completely. A later failure keeps everything written before it.
 *
 * @param open starts to read the backup, for each of the two steps
 * @throws ActivityError `INVALID_INPUT` for a storage that is not empty; errors of reading and writing
 */
export async function restoreBackup(
  storage: Storage,
  open: (step: RestoreStep) => AsyncIterable<BackupItem>,
  { merge = false, onProgress = () => {} }: RestoreOptions = {},
): Promise<RestoreReport> {
  await storage.ready();
  if (!merge) await refuseFilled(storage);
  let totalEvents = 0;
  let told = 0;
  for await (const item of open("check")) {
    if (item.kind !== "events") continue;
    totalEvents += item.batch.length;
    if (totalEvents - told < PROGRESS_EVENTS) continue;
    onProgress({ step: "check", doneEvents: totalEvents, totalEvents: undefined });
    told = totalEvents;
  }
  const writer = new Restoration(storage, merge);
  told = 0;
  for await (const item of open("write")) {
    await writer.write(item);
    if (writer.doneEvents - told < PROGRESS_EVENTS) continue;
    onProgress({ step: "write", doneEvents: writer.doneEvents, totalEvents });
    told = writer.doneEvents;
  }
  const report = await writer.end();
  onProgress({ step: "write", doneEvents: writer.doneEvents, totalEvents });
  return report;
}

async function refuseFilled(storage: Storage): Promise<void> {
  const item = await firstItem(storage);
  if (item === undefined) return;
  throw new ActivityError("INVALID_INPUT", `the storage must be empty, got ${describe(item)}`);
}

/** Kinds of records that describe the bucket named by their key. */
const OF_BUCKETS: ReadonlySet<string> = new Set([INCARNATIONS_KIND, REDIRECTS_KIND]);

/** Records that a server writes into an empty storage by itself. */
const OWN_KINDS: readonly string[] = [DEVICE_KIND, CLOCK_KIND, SUMMARIES_KIND];

/** The first item of a storage; `undefined` for an empty storage, even if a server has used it. */
export async function firstItem(storage: Storage): Promise<BackupItem | undefined> {
  for await (const item of storage.backup()) {
    if (item.kind !== "record" || !OWN_KINDS.includes(item.recordKind)) return item;
  }
  return undefined;
}

function describe(item: BackupItem): string {
  if (item.kind === "setting") return `the setting ${quote(item.key)}`;
  if (item.kind === "record") return `records of ${quote(item.recordKind)}`;
  return item.kind === "bucket" ? `the bucket ${quote(item.bucket.id)}` : "events";
}

/** Whether a redirect resolves to its own ID through the stored redirects. */
async function closesCircle(redirects: RecordStore, from: string, redirect: JsonValue): Promise<boolean> {
  const seen = new Set<string>();
  for (let at: JsonValue | undefined = redirect; at !== undefined; ) {
    const to = isJsonObject(at) ? at["to"] : undefined;
    if (to === from) return true;
    if (typeof to !== "string" || seen.has(to)) return false;
    seen.add(to);
    at = await redirects.get(to);
  }
  return false;
}

/** Writes items in their order, events in steps. */
class Restoration {
  doneEvents = 0;
  readonly #storage: Storage;
  readonly #merge: boolean;
  readonly #counts = { settings: 0, records: 0, buckets: 0, bucketsMerged: 0, events: 0 };
  /** The bucket that the events belong to, and whether it existed before. */
  #target: { readonly bucketId: string; readonly isOld: boolean } | undefined;
  #waiting: StoredEvent[] = [];

  constructor(storage: Storage, merge: boolean) {
    this.#storage = storage;
    this.#merge = merge;
  }

  async write(item: BackupItem): Promise<void> {
    if (item.kind === "events") return this.#addEvents(item.batch);
    await this.#flush(this.#waiting.length);
    if (item.kind === "setting") await this.#putSetting(item);
    else if (item.kind === "record") await (isBackedUp(item) ? this.#putRecord(item) : undefined);
    else {
      const created = await this.#storage.createBucket(item.bucket);
      this.#target = { bucketId: item.bucket.id, isOld: created === undefined };
      if (created !== undefined) this.#counts.buckets++;
      else if (this.#merge) this.#counts.bucketsMerged++;
      else throw new ActivityError("INVALID_INPUT", `bucket ${quote(item.bucket.id)} already exists`);
    }
  }

  async end(): Promise<RestoreReport> {
    await this.#flush(this.#waiting.length);
    return this.#counts;
  }

  async #putSetting({ key, value }: Extract<BackupItem, { kind: "setting" }>): Promise<void> {
    if (this.#merge && (await this.#storage.settings.get(key)) !== undefined) return;
    await this.#storage.settings.put(key, value);
    this.#counts.settings++;
  }

  async #putRecord({ recordKind, key, value }: Extract<BackupItem, { kind: "record" }>): Promise<void> {
    const records = this.#storage.records(recordKind);
    for (;;) {
      const found = await records.get(key);
      if (this.#merge && (found !== undefined || (await this.#isOfOther(recordKind, key)))) return;
      if (this.#merge && recordKind === REDIRECTS_KIND && (await closesCircle(records, key, value))) return;
      if (await records.compareAndSet(key, found, value)) break;
    }
    this.#counts.records++;
  }

  /**
   * An existing bucket is not the one in the backup: no undo from the backup may change it, and no redirect may hide
   * it.
   */
  async #isOfOther(recordKind: string, key: string): Promise<boolean> {
    return OF_BUCKETS.has(recordKind) && (await this.#storage.getBucket(key)) !== undefined;
  }

  async #addEvents(batch: EventBatch): Promise<void> {
    for (const event of batch.events()) this.#waiting.push(event);
    this.doneEvents += batch.length;
    if (this.#waiting.length < STEP_LENGTH) return;
    // Equal events must stay in one step for merging; they have equal timestamps, which are adjacent.
    const last = this.#waiting.at(-1)?.timestamp;
    const cut = this.#waiting.findLastIndex(({ timestamp }) => timestamp !== last) + 1;
    await this.#flush(cut);
  }

  async #flush(length: number): Promise<void> {
    if (length === 0) return;
    if (this.#target === undefined) throw new Error("events come before their bucket");
    const { bucketId, isOld } = this.#target;
    const drafts: readonly EventDraft[] = this.#waiting.slice(0, length);
    this.#waiting = this.#waiting.slice(length);
    if (isOld) this.#counts.events += await this.#storage.mergeEvents(bucketId, drafts);
    else this.#counts.events += (await this.#storage.putEvents(bucketId, drafts)).length;
  }
}
