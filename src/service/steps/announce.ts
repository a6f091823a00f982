import { activityEvent, activityEvents } from "../../domain/activity-event.js";
import type { StoredEvent } from "../../domain/event.js";
import type { BucketChangeKind } from "../../storage/changes.js";
import { type ServerNotices, toChange } from "../notices.js";
import type { BucketChanges, StoredBy, Write, WriteContext, WriteKind } from "../write.js";

type Tell = <Name extends keyof ServerNotices>(name: Name, notice: ServerNotices[Name]) => void;
type Step<Kind extends WriteKind> = (write: Write<Kind>, stored: StoredBy<Kind>, tell: Tell) => void;

/**
 * Last step: adds stored changes to the feed, and notifies listeners. The commit step calls it as soon as the storage
 * has a change, so notices keep the order of the writes.
 */
export function announce<Kind extends WriteKind>(
  write: Write<Kind>,
  stored: StoredBy<Kind>,
  { parts: { announcer, feed }, by }: WriteContext,
): void {
  feed.active?.add(write, stored, feed.active.hub);
  const { context: _, ...told } = by;
  const tell: Tell = (name, notice) => {
    announcer.announce(name, { ...told, ...notice });
    const change = announcer.hasListeners("change") ? toChange(name, notice) : undefined;
    if (change !== undefined) announcer.announce("change", { ...told, ...change });
  };
  (STEPS[write.kind] as unknown as Step<Kind>)(write, stored, tell);
}

const STEPS: { readonly [Kind in WriteKind]: Step<Kind> } = {
  heartbeat({ bucketId }, event, tell) {
    // A rule dropped it.
    if (event.id === null) return;
    tell("heartbeat", { bucketId, event: activityEvent({ ...event, id: event.id }) });
  },
  insertEvents: tellInserted,
  createBucket(write, events, tell) {
    tell("bucket", { action: "created", bucketId: write.bucketId });
    tellInserted(write, events, tell);
  },
  updateBucket: ({ bucketId }, _, tell) => tell("bucket", { action: "updated", bucketId }),
  deleteBucket: ({ bucketId }, _, tell) => tell("bucket", { action: "deleted", bucketId }),
  deleteEvent: ({ bucketId, eventId }, _, tell) => tell("event", { action: "deleted", bucketId, eventId }),
  deleteEvents: ({ bucketId }, _, tell) => tell("change", { kind: "events-deleted", bucketId }),
  deleteMatching: tellChanges,
  splitEvent: tellInserted,
  moveEvent({ bucketId, eventId, targetId }, event, tell) {
    tell("event", { action: "deleted", bucketId, eventId });
    tell("event", { action: "inserted", bucketId: targetId, events: activityEvents([event]) });
  },
  importBuckets(write, stored, tell) {
    // Its buckets have no separate notices.
    if ("length" in stored) {
      for (const change of stored) tell("change", change);
      return;
    }
    const bucketIds = [...new Set(write.buckets.map(({ bucketId }) => bucketId))];
    tell("import", { ...stored, bucketIds });
  },
  putSetting: ({ key }, _, tell) => tell("change", { kind: "setting", key }),
  restoreTrash(_, restored, tell) {
    for (const { bucketId, created } of restored) {
      if (created) tell("bucket", { action: "created", bucketId });
      else tell("change", { kind: "events-written", bucketId });
    }
  },
  renameBucket: tellMoved,
  setBucketHost: tellMoved,
  renameHost: tellMoved,
  mergeBuckets: tellMoved,
  undo: tellMoved,
  applyPrivacy: tellChanges,
  runRetention: tellChanges,
  // They change nothing that listeners are notified of.
  removeTrash: tellNothing,
  setAccess: tellNothing,
  deleteRedirect: tellNothing,
};

const ACTIONS: Readonly<Partial<Record<BucketChangeKind, "created" | "updated" | "deleted">>> = {
  "bucket-created": "created",
  "bucket-updated": "updated",
  "bucket-deleted": "deleted",
};

function tellInserted({ bucketId }: { readonly bucketId: string }, stored: readonly StoredEvent[], tell: Tell): void {
  if (stored.length > 0) tell("event", { action: "inserted", bucketId, events: activityEvents(stored) });
}

function tellChanges(_write: Write, changes: BucketChanges, tell: Tell): void {
  for (const { kind, bucketId } of changes) {
    const action = ACTIONS[kind];
    if (action === undefined) tell("change", { kind, bucketId });
    else tell("bucket", { action, bucketId });
  }
}

function tellMoved(write: Write, { changes }: StoredBy<"undo">, tell: Tell): void {
  tellChanges(write, changes, tell);
}

function tellNothing(): void {}
