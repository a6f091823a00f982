// Each kind of write as a test carries it out.
import { DraftList } from "../../src/service/import/spool.js";
import type { Service } from "../../src/service/service.js";
import type { Write, WriteKind } from "../../src/service/write.js";

export const ID = "diary";
export const FREE = "free";
/** Long ago, for retention. */
export const EVENT = { timestamp: 1_500_000_000_000_000, duration: 60_000_000, data: { app: "x" } };
export const LATER: typeof EVENT = { ...EVENT, timestamp: EVENT.timestamp + 3_600_000_000 };
export const BUCKET = { type: "t", client: "c", hostname: "h", name: null, created: 0, data: {} };
const SELECTION = { filter: ["app=x"], preview: false, permanent: false };

export interface Row<Kind extends WriteKind> {
  /**
   * How the write changes the bucket: it adds to it, alters it, or leaves it alone. `skips`: it passes over protected
   * buckets, whoever the caller is.
   */
  readonly does: "add" | "alter" | "nothing" | "skips";
  /** A write that concerns the bucket, and has an effect if it is allowed. */
  write(service: Service): Write<Kind> | Promise<Write<Kind>>;
}

async function entryOf(service: Service): Promise<string> {
  return (await service.execute({ kind: "deleteEvent", bucketId: ID, eventId: 2 }))?.entry ?? "";
}

/** A row for each kind. */
export const ROWS: { readonly [Kind in WriteKind]: Row<Kind> } = {
  heartbeat: {
    does: "add",
    write: () => ({ kind: "heartbeat", bucketId: ID, beat: EVENT, pulsetimeMicros: 1_000_000 }),
  },
  insertEvents: { does: "add", write: () => ({ kind: "insertEvents", bucketId: ID, drafts: [EVENT] }) },
  createBucket: {
    does: "nothing",
    write: () => ({ kind: "createBucket", bucketId: "new", bucket: BUCKET, drafts: [EVENT] }),
  },
  updateBucket: { does: "alter", write: () => ({ kind: "updateBucket", bucketId: ID, patch: { client: "other" } }) },
  deleteBucket: { does: "alter", write: () => ({ kind: "deleteBucket", bucketId: ID, isConfirmed: true }) },
  deleteEvent: { does: "alter", write: () => ({ kind: "deleteEvent", bucketId: ID, eventId: 1 }) },
  deleteEvents: { does: "alter", write: () => ({ kind: "deleteEvents", bucketId: ID, eventIds: [1] }) },
  deleteMatching: { does: "alter", write: () => ({ kind: "deleteMatching", buckets: {}, selection: SELECTION }) },
  splitEvent: {
    does: "alter",
    write: () => ({ kind: "splitEvent", bucketId: ID, eventId: 1, at: EVENT.timestamp + 1 }),
  },
  moveEvent: { does: "alter", write: () => ({ kind: "moveEvent", bucketId: ID, eventId: 1, targetId: FREE }) },
  importBuckets: {
    does: "add",
    write() {
      const events = new DraftList();
      events.add({ ...EVENT, data: { app: "imported" } });
      // The other one is not imported either where this one is refused.
      const other = { bucketId: "imported", draft: BUCKET, events: new DraftList() };
      return { kind: "importBuckets", buckets: [other, { bucketId: ID, draft: BUCKET, events }] };
    },
  },
  putSetting: { does: "nothing", write: () => ({ kind: "putSetting", key: "theme", value: "dark" }) },
  restoreTrash: {
    does: "add",
    async write(service) {
      const restoring = { bucket: null, merge: false };
      return { kind: "restoreTrash", entryId: await entryOf(service), restoring };
    },
  },
  removeTrash: {
    does: "alter",
    write: async (service) => ({ kind: "removeTrash", entryIds: [await entryOf(service)] }),
  },
  setAccess: { does: "nothing", write: () => ({ kind: "setAccess", bucketId: FREE, access: "append-only" }) },
  renameBucket: { does: "alter", write: () => ({ kind: "renameBucket", bucketId: ID, to: "new", changing: {} }) },
  setBucketHost: {
    does: "alter",
    write: () => ({ kind: "setBucketHost", bucketId: ID, hostname: "new", changing: {} }),
  },
  renameHost: { does: "alter", write: () => ({ kind: "renameHost", hostname: "h", to: "new", changing: {} }) },
  mergeBuckets: { does: "alter", write: () => ({ kind: "mergeBuckets", bucketId: FREE, from: [ID], changing: {} }) },
  undo: {
    does: "alter",
    async write(service) {
      const changing = {};
      const done = await service.execute({ kind: "setBucketHost", bucketId: ID, hostname: "h2", changing });
      return { kind: "undo", undoId: done.undo ?? "" };
    },
  },
  deleteRedirect: {
    does: "nothing",
    async write(service) {
      await service.execute({ kind: "createBucket", bucketId: "old", bucket: BUCKET, drafts: [] });
      await service.execute({ kind: "renameBucket", bucketId: "old", to: "new", changing: {} });
      return { kind: "deleteRedirect", from: "old" };
    },
  },
  applyPrivacy: {
    does: "skips",
    write() {
      const rules = [{ when: { key: "app", equals: "x" }, then: "drop" }] as never;
      return { kind: "applyPrivacy", application: { rules, bucket: ID, preview: false } };
    },
  },
  runRetention: {
    does: "skips",
    async write(service) {
      await service.execute({ kind: "putSetting", key: "retention_rules", value: [{ buckets: ID, keepDays: 365 }] });
      return { kind: "runRetention" };
    },
  },
};
