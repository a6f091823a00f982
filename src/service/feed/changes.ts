import type { ChangeNotice } from "../notices.js";
import type { BucketChanges, StoredBy, Write, WriteKind } from "../write.js";
import type { FeedHub } from "./hub.js";

type Step<Kind extends WriteKind> = (write: Write<Kind>, stored: StoredBy<Kind>, hub: FeedHub) => void;

/** Adds a stored change to the feed. */
export function addToFeed<Kind extends WriteKind>(write: Write<Kind>, stored: StoredBy<Kind>, hub: FeedHub): void {
  (STEPS[write.kind] as unknown as Step<Kind>)(write, stored, hub);
}

const STEPS: { readonly [Kind in WriteKind]: Step<Kind> } = {
  heartbeat({ bucketId, beat }, event, hub) {
    // A rule dropped it.
    if (event.id === null) return;
    const isNew = event.timestamp === beat.timestamp && event.duration === beat.duration;
    hub.heartbeat(bucketId, { ...event, id: event.id }, isNew);
  },
  insertEvents({ bucketId, drafts }, events, hub) {
    const given = new Set(drafts.map(({ id }) => id));
    hub.stored(bucketId, events, ({ id }) => (given.has(id) ? "replaced" : "inserted"));
  },
  createBucket({ bucketId }, events, hub) {
    hub.bucket("created", bucketId);
    hub.stored(bucketId, events, () => "inserted");
  },
  updateBucket: ({ bucketId }, _, hub) => hub.bucket("updated", bucketId),
  deleteBucket: ({ bucketId }, _, hub) => hub.bucketDeleted(bucketId),
  deleteEvent: ({ bucketId, eventId }, _, hub) => hub.deleted(bucketId, [eventId]),
  deleteEvents: ({ bucketId, eventIds }, _, hub) => hub.deleted(bucketId, eventIds),
  deleteMatching: addChanges,
  splitEvent: ({ bucketId, eventId }, halves, hub) =>
    hub.stored(bucketId, halves, ({ id }) => (id === eventId ? "replaced" : "inserted")),
  moveEvent({ bucketId, eventId, targetId }, event, hub) {
    hub.deleted(bucketId, [eventId]);
    hub.stored(targetId, [event], () => "inserted");
  },
  importBuckets(_, stored, hub) {
    if ("length" in stored) for (const change of stored) addNotice(change, hub);
  },
  putSetting: ({ key }, _, hub) => hub.setting(key),
  restoreTrash(_, restored, hub) {
    for (const { bucketId, created } of restored) {
      addNotice({ kind: created ? "bucket-created" : "events-written", bucketId }, hub);
    }
  },
  renameBucket: addMoved,
  setBucketHost: addMoved,
  renameHost: addMoved,
  mergeBuckets: addMoved,
  undo: addMoved,
  applyPrivacy: addChanges,
  runRetention: addChanges,
  // They change nothing that a reader can see.
  removeTrash: addNothing,
  setAccess: addNothing,
  deleteRedirect: addNothing,
};

function addChanges(_write: Write, changes: BucketChanges, hub: FeedHub): void {
  for (const change of changes) addNotice(change, hub);
}

function addMoved(_write: Write, { moves, changes }: StoredBy<"undo">, hub: FeedHub): void {
  const created = new Set(changes.flatMap(({ kind, bucketId }) => (kind === "bucket-created" ? [bucketId] : [])));
  const moved = new Set(moves.flatMap(({ from, to }) => (created.has(to) ? [from, to] : [from])));
  for (const { from, to } of moves) hub.bucketMoved(created.has(to) ? "renamed" : "merged", from, to);
  for (const change of changes) {
    const isTold = moved.has(change.bucketId) && change.kind.startsWith("bucket-");
    if (!isTold) addNotice(change, hub);
  }
}

function addNothing(): void {}

/** Adds a change that is known without its content. */
export function addNotice(notice: ChangeNotice, hub: FeedHub): void {
  switch (notice.kind) {
    case "missed":
      hub.reset();
      break;
    case "setting":
      hub.setting(notice.key);
      break;
    case "bucket-created":
      hub.bucket("created", notice.bucketId);
      // It may have events already.
      hub.changed(notice.bucketId);
      break;
    case "bucket-updated":
      hub.bucket("updated", notice.bucketId);
      break;
    case "bucket-deleted":
      hub.bucketDeleted(notice.bucketId);
      break;
    case "events-written":
    case "events-deleted":
      hub.changed(notice.bucketId);
  }
}
