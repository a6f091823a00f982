import type { JsonValue } from "../src/domain/json.js";
import { noSuchBucket, storageClosed } from "../src/errors.js";
import type { BackupItem } from "../src/storage/backup.js";
import { DEVICE_KIND, deviceIdIn, isExpected, type RecordStore } from "../src/storage/records.js";
import type { DestroyableStorage, SettingsStore } from "../src/storage/storage.js";
import { MemoryBucket } from "./memory-bucket.js";
import { MemoryChanges } from "./memory-changes.js";
import { SerialQueues } from "./memory-queues.js";
import { type MemoryContent, type Numbered, transactInMemory } from "./memory-transaction.js";

/**
 * Keeps everything in process memory: for tests, and for servers whose data may be lost. The reference for other
 * adapters.
 *
 * @returns a storage; nothing survives its `close()`
 */
export function memory(): DestroyableStorage {
  const buckets = new Map<string, Numbered>();
  const values = new Map<string, JsonValue>();
  const kinds = new Map<string, Map<string, JsonValue>>();
  let isClosed = false;
  const ids = { next: 1 };
  let nextNo = 0;
  /** How often bucket records have changed. */
  let listVersion = 0;
  const changes = new MemoryChanges(assertOpen);

  const queues = new SerialQueues();

  function assertOpen(): void {
    if (isClosed) throw storageClosed();
  }

  function getState(bucketId: string): MemoryBucket {
    assertOpen();
    const found = buckets.get(bucketId);
    if (found === undefined) throw noSuchBucket(bucketId);
    return found.state;
  }

  function versionOf(bucketId: string | null): string | undefined {
    if (isClosed) return undefined;
    if (bucketId === null) return String(listVersion);
    const found = buckets.get(bucketId);
    return found && `${found.no}.${found.state.changes}`;
  }

  /** Makes a change when no transaction holds the bucket. */
  async function runUnlocked<T>(bucketId: string, change: () => T): Promise<T> {
    const before = queues.before(bucketId);
    if (before !== undefined) await before;
    assertOpen();
    return change();
  }

  function changeBucket<T>(bucketId: string, change: (state: MemoryBucket) => T): Promise<T> {
    return runUnlocked(bucketId, () => change(getState(bucketId)));
  }

  /** Notifies readers that events were written, if any were. */
  function notifyWritten<T>(bucketId: string, answer: T, count: number): T {
    if (count > 0) changes.bucket("events-written", bucketId);
    return answer;
  }

  const content: MemoryContent = {
    ...{ buckets, kinds, ids, queues, assertOpen, versionOf },
    nextNo: () => nextNo++,
    listChanged() {
      listVersion++;
    },
    changes,
  };

  const settings: SettingsStore = {
    async get(key) {
      assertOpen();
      return values.get(key);
    },
    async list() {
      assertOpen();
      return new Map(values);
    },
    async put(key, value) {
      assertOpen();
      values.set(key, value);
      changes.setting(key);
    },
    async delete(key) {
      assertOpen();
      const isDeleted = values.delete(key);
      if (isDeleted) changes.setting(key);
      return isDeleted;
    },
  };

  function records(kind: string): RecordStore {
    return {
      async get(key) {
        assertOpen();
        return kinds.get(kind)?.get(key);
      },
      async list() {
        assertOpen();
        return new Map(kinds.get(kind));
      },
      async compareAndSet(key, expected, value) {
        assertOpen();
        const entries = kinds.get(kind) ?? new Map<string, JsonValue>();
        if (!isExpected(entries.get(key), expected)) return false;
        if (value === undefined) entries.delete(key);
        else entries.set(key, value);
        kinds.set(kind, entries);
        return true;
      },
    };
  }

  /** All current data. */
  function snapshot(): Iterable<BackupItem> {
    const kept = Array.from(values);
    const keptRecords = Array.from(kinds, ([kind, entries]) => [kind, Array.from(entries)] as const);
    const states = Array.from(
      buckets.values(),
      ({ state }) => [state.bucket, state.length, state.read({ order: "oldest" })] as const,
    );
    return (function* (): Generator<BackupItem> {
      for (const [key, value] of kept) yield { kind: "setting", key, value };
      for (const [recordKind, entries] of keptRecords) {
        for (const [key, value] of entries) yield { kind: "record", recordKind, key, value };
      }
      for (const [bucket, events, batches] of states) {
        yield { kind: "bucket", bucket, events };
        for (const batch of batches) yield { kind: "events", bucketId: bucket.id, batch };
      }
    })();
  }

  async function close(): Promise<void> {
    isClosed = true;
    buckets.clear();
    values.clear();
    kinds.clear();
    changes.close();
  }

  return {
    traits: { adapter: "memory", durability: "nothing", snapshotReads: true, multiProcess: false },
    settings,
    records,

    async ready() {
      assertOpen();
    },

    deviceId: () => deviceIdIn(records(DEVICE_KIND)),

    async listBuckets() {
      assertOpen();
      return Array.from(buckets.values(), ({ state }) => state.bucket);
    },

    async getBucket(bucketId) {
      assertOpen();
      return buckets.get(bucketId)?.state.bucket;
    },

    async summaries(bucketIds = Array.from(buckets.keys())) {
      assertOpen();
      return bucketIds.flatMap((bucketId) => buckets.get(bucketId)?.state.summary() ?? []);
    },

    createBucket: (bucket, drafts = [], unless) =>
      runUnlocked(bucket.id, () => {
        if (buckets.has(bucket.id) || (unless && kinds.get(unless.recordKind)?.has(unless.key))) return undefined;
        const state = new MemoryBucket(bucket, ids);
        const events = state.put(drafts);
        buckets.set(bucket.id, { no: nextNo++, state });
        listVersion++;
        changes.bucket("bucket-created", bucket.id);
        if (drafts.length > 0) changes.bucket("events-written", bucket.id);
        return events;
      }),

    updateBucket: (bucketId, patch) =>
      runUnlocked(bucketId, () => {
        const found = buckets.get(bucketId);
        if (found === undefined) return false;
        found.state.bucket = { ...found.state.bucket, ...patch };
        listVersion++;
        changes.bucket("bucket-updated", bucketId);
        return true;
      }),

    deleteBucket: (bucketId) =>
      runUnlocked(bucketId, () => {
        const isDeleted = buckets.delete(bucketId);
        if (isDeleted) {
          listVersion++;
          changes.bucket("bucket-deleted", bucketId);
        }
        return isDeleted;
      }),

    putEvents: (bucketId, drafts) =>
      changeBucket(bucketId, (state) => notifyWritten(bucketId, state.put(drafts), drafts.length)),
    mergeEvents: (bucketId, drafts) =>
      changeBucket(bucketId, (state) => {
        const count = state.merge(drafts);
        return notifyWritten(bucketId, count, count);
      }),
    heartbeat: (bucketId, beat, pulsetimeMicros) =>
      changeBucket(bucketId, (state) => notifyWritten(bucketId, state.heartbeat(beat, pulsetimeMicros), 1)),
    getEvent: async (bucketId, eventId) => getState(bucketId).get(eventId),
    countEvents: async (bucketId, range = {}) => getState(bucketId).count(range),
    deleteEvents: (bucketId, eventIds) =>
      changeBucket(bucketId, (state) => {
        const count = state.delete(eventIds);
        if (count > 0) changes.bucket("events-deleted", bucketId);
        return count;
      }),
    transact: (bucketIds, plan) => transactInMemory(content, bucketIds, plan),

    async read(bucketId, range = {}) {
      const batches = getState(bucketId).read(range);
      return { version: versionOf(bucketId), batches: checkEach(batches, assertOpen) };
    },

    versions: (bucketIds) => bucketIds.map(versionOf),
    rangeVersions(bucketId, ranges) {
      const found = isClosed ? undefined : buckets.get(bucketId);
      return ranges.map((range) => found && `${found.no}.${found.state.latestChange(range)}`);
    },
    changes: (after) => changes.feed(after),

    backup: () => checkEach(snapshot(), assertOpen),

    async verify() {
      assertOpen();
      let events = 0;
      for (const { state } of buckets.values()) events += state.length;
      return { problems: [], buckets: buckets.size, events, bytes: 0 };
    },

    close,
    destroy: close,
  };
}

/** Yields items, and checks before the first one and before each. */
async function* checkEach<T>(items: Iterable<T>, check: () => void): AsyncGenerator<T> {
  check();
  for (const item of items) {
    check();
    yield item;
  }
}
