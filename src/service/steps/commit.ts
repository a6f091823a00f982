import { currentMicros } from "../../domain/time.js";
import { noSuchBucket } from "../../errors.js";
import { refuseTrashId } from "../../storage/space.js";
import { lacksTransactions } from "../../storage/transaction.js";
import { createAccessCheck } from "../access/bucket-access.js";
import { createUnredirectedBucket } from "../identity/create-bucket.js";
import type { MoveCallbacks } from "../identity/identity.js";
import { importBuckets } from "../import.js";
import { checkRuleSetting } from "../privacy/active-rules.js";
import { type KeptDrafts, toAccepted } from "../privacy/privacy.js";
import { checkRetentionSetting } from "../retention/retention.js";
import { deleteMatching } from "../trash/delete-matching.js";
import { moveEvent, splitEvent } from "../trash/edit-event.js";
import { type Deleted, noSuchEntry } from "../trash/entry.js";
import { BUCKET_DELETED, EVENT_DELETED, EVENTS_DELETED } from "../trash/reasons.js";
import { findOversize, parseSettingKey } from "../validation.js";
import type { ResultOf, StoredBy, Write, WriteContext, WriteKind } from "../write.js";
import { authorizeAdding } from "./authorize.js";
import { admitImported } from "./check-quota.js";
import { isHooked, runHooks } from "./run-hooks.js";

/** The input of a commit in addition to the write. */
interface CommitContext<Kind extends WriteKind> {
  readonly context: WriteContext;
  /** The drafts of the write after the privacy rules. */
  readonly kept: KeptDrafts;
  /** Called as soon as the storage has a change. */
  readonly stored: (what: StoredBy<Kind>) => void;
}

type Step<Kind extends WriteKind> = (write: Write<Kind>, committing: CommitContext<Kind>) => Promise<ResultOf<Kind>>;

/** Fifth step: changes stored data. */
export function commit<Kind extends WriteKind>(
  write: Write<Kind>,
  committing: CommitContext<Kind>,
): Promise<ResultOf<Kind>> {
  return (STEPS[write.kind] as unknown as Step<Kind>)(write, committing);
}

const STEPS: { readonly [Kind in WriteKind]: Step<Kind> } = {
  async heartbeat({ bucketId, beat, pulsetimeMicros }, { context, stored }) {
    const event = await context.parts.shared.privacy.heartbeat(bucketId, beat, pulsetimeMicros);
    stored(event);
    return event;
  },

  async insertEvents({ bucketId, drafts }, { context, kept, stored }) {
    const events = await context.parts.storage.putEvents(bucketId, kept.drafts);
    stored(events);
    return toAccepted(drafts, kept, events);
  },

  async createBucket({ bucketId, bucket: draft }, { context: { parts }, kept, stored }) {
    const { storage } = parts;
    const oversize = findOversize(draft, bucketId);
    // A bucket from before the limit stays unchanged.
    if (oversize !== undefined && (await storage.getBucket(bucketId)) === undefined) throw oversize;
    refuseTrashId(bucketId);
    const isLocal = draft.hostname === LOCAL_HOSTNAME;
    const now = currentMicros(parts.clock);
    const { type, client, name, created = now } = draft;
    const bucket = {
      ...{ id: bucketId, type, client, name, created },
      hostname: isLocal ? parts.hostname : draft.hostname,
      data: isLocal ? { ...draft.data, device_id: await storage.deviceId() } : draft.data,
    };
    return createUnredirectedBucket(storage, bucket, kept.drafts, now, stored);
  },

  async updateBucket({ bucketId, patch }, { context, stored }) {
    const oversize = findOversize(patch);
    if (oversize !== undefined) throw oversize;
    if (!(await context.parts.storage.updateBucket(bucketId, patch))) throw noSuchBucket(bucketId);
    stored(undefined);
  },

  async deleteBucket({ bucketId, isPermanent = false }, { context, stored }) {
    const { trash, shared } = context.parts;
    const tell = () => {
      shared.privacy.bucketDeleted(bucketId);
      stored(undefined);
    };
    const deleting = { reason: BUCKET_DELETED, isPermanent, refuse: createAccessCheck(context.grants), tell };
    const deleted = await trash.deleteBucket(bucketId, deleting);
    if (deleted === undefined) throw noSuchBucket(bucketId);
    return hideForeignEntry(bucketId, deleted, context);
  },

  async deleteEvent({ bucketId, eventId, isPermanent = false }, { context, stored }) {
    const tell = () => stored(undefined);
    const deleting = { reason: EVENT_DELETED, isPermanent, refuse: createAccessCheck(context.grants), tell };
    const { count, entry } = await context.parts.trash.deleteEvents(bucketId, [eventId], deleting);
    return count === 0 ? undefined : hideForeignEntry(bucketId, { entry }, context);
  },

  deleteEvents({ bucketId, eventIds, isPermanent = false }, { context, stored }) {
    const tell = () => stored(undefined);
    const deleting = { reason: EVENTS_DELETED, isPermanent, refuse: createAccessCheck(context.grants), tell };
    return context.parts.trash.deleteEvents(bucketId, eventIds, deleting);
  },

  deleteMatching(write, { context, stored }) {
    const { storage, trash, hooks } = context.parts;
    return deleteMatching(write, {
      ...{ storage, trash },
      refuse: createAccessCheck(context.grants),
      approve: isHooked("deleteEvents", hooks)
        ? async ({ bucketId, eventIds }) => void (await runHooks({ kind: "deleteEvents", bucketId, eventIds }, context))
        : undefined,
      tell: (bucketIds) => stored(bucketIds.map((bucketId) => ({ kind: "events-deleted", bucketId }))),
    });
  },

  async splitEvent({ bucketId, eventId, at }, { context: { parts, grants }, stored }) {
    const halves = await splitEvent(
      { storage: parts.storage, refuse: createAccessCheck(grants) },
      bucketId,
      eventId,
      at,
    );
    stored(halves);
    return halves;
  },

  async moveEvent({ bucketId, eventId, targetId }, { context: { parts, grants }, stored }) {
    const within = { storage: parts.storage, refuse: createAccessCheck(grants) };
    const event = await moveEvent(within, bucketId, eventId, targetId);
    stored(event);
    return event;
  },

  async importBuckets({ buckets }, { context, stored }) {
    const { parts } = context;
    const { storage, shared } = parts;
    const now = currentMicros(parts.clock);
    const jobs = buckets.map(({ bucketId, draft, events }) => {
      refuseTrashId(bucketId);
      return { bucket: { ...draft, id: bucketId, created: draft.created ?? now }, runs: events.runs };
    });
    const counts = await importBuckets(storage, jobs, {
      keep: async (bucketId, drafts) => {
        await shared.ready();
        await admitImported(bucketId, drafts, context);
        const kept = shared.privacy.applyNow(bucketId, drafts) ?? (await shared.privacy.apply(bucketId, drafts));
        // Last: each wait before may be long.
        await shared.ready();
        authorizeAdding(bucketId, context);
        return kept;
      },
      leadsTo: (bucketId) => shared.redirects.resolveStored(bucketId),
      create: async (bucket) =>
        (await createUnredirectedBucket(storage, bucket, [], currentMicros(parts.clock))) !== undefined,
      tell: (kind, bucketId) => stored([{ kind, bucketId }]),
    });
    stored(counts);
    return counts;
  },

  async putSetting({ key, value }, { context: { parts }, stored }) {
    checkRuleSetting(key, value);
    checkRetentionSetting(key, value);
    const { settings } = parts.storage;
    if (value === null) await settings.delete(parseSettingKey(key));
    else await settings.put(parseSettingKey(key), value);
    await parts.shared.privacy.forgetSetting(key);
    stored(undefined);
    return value;
  },

  async restoreTrash({ entryId, restoring, targets }, { context, stored }) {
    const { trash, shared } = context.parts;
    if (targets === undefined) throw noSuchEntry(entryId);
    try {
      const restored = await trash.restore(targets, restoring, createAccessCheck(context.grants));
      stored(restored);
      return restored;
    } finally {
      // An ID that a bucket has again no longer redirects.
      shared.redirects.forget();
      shared.privacy.bucketsRestored();
    }
  },

  removeTrash({ entryIds = [] }, { context: { parts, grants } }) {
    const refuse = createAccessCheck(grants);
    const { redirects } = parts.shared;
    return parts.trash.remove(
      entryIds,
      refuse && ((view, bucketId, change) => refuse(view, redirects.resolve(bucketId), change)),
    );
  },

  async setAccess({ bucketId, access: wanted }, { context: { parts } }) {
    const { storage, access } = parts;
    try {
      await access.setInTransaction(storage, bucketId, wanted);
    } catch (thrown) {
      if (!lacksTransactions(thrown)) throw thrown;
      if ((await storage.getBucket(bucketId)) === undefined) throw noSuchBucket(bucketId);
      await access.set(bucketId, wanted);
    }
    await parts.shared.privacy.settleDelayed();
  },

  renameBucket: ({ bucketId, to, changing }, committing) =>
    committing.context.parts.identity.rename(bucketId, to, changing, createMoveCallbacks(committing)),

  setBucketHost: ({ bucketId, hostname, changing }, committing) =>
    committing.context.parts.identity.setHostname(bucketId, hostname, changing, createMoveCallbacks(committing)),

  renameHost: ({ hostname, to, changing }, committing) =>
    committing.context.parts.identity.renameHost(hostname, to, changing, createMoveCallbacks(committing)),

  mergeBuckets: ({ bucketId, from, changing }, committing) =>
    committing.context.parts.identity.merge(bucketId, from, changing, createMoveCallbacks(committing)),

  undo: ({ undoId }, committing) => committing.context.parts.identity.undo(undoId, createMoveCallbacks(committing)),

  async deleteRedirect({ from }, { context }) {
    await context.parts.identity.deleteRedirect(from);
  },

  applyPrivacy: ({ application }, { context, stored }) =>
    context.parts.applying.apply(application, (bucketId) => stored([{ kind: "events-written", bucketId }])),

  runRetention({ share }, { context: { parts }, stored }) {
    const tell = (bucketId: string) => stored([{ kind: "events-deleted", bucketId }]);
    return share === undefined ? parts.retention.runNow(tell) : parts.retention.run(share, tell);
  },
};

/** All kinds of writes. */
export const WRITE_KINDS: readonly WriteKind[] = Object.keys(STEPS) as WriteKind[];

const LOCAL_HOSTNAME = "!local";

/** A hook may have chosen a bucket whose trash entries the caller may not see. */
function hideForeignEntry(bucketId: string, { entry }: Deleted, { grants }: WriteContext): Deleted {
  return { entry: grants.allows("write", bucketId) ? entry : null };
}

/**
 * For changes of IDs and hostnames: checks access again, and clears caches of the moved buckets before other callers
 * see the change.
 */
function createMoveCallbacks({
  context: { parts, grants },
  stored,
}: Pick<CommitContext<"renameBucket" | "undo">, "context" | "stored">): MoveCallbacks {
  return {
    refuse: createAccessCheck(grants),
    tell(moved) {
      parts.shared.redirects.forget();
      parts.access.forget();
      for (const { from, to } of moved.moves) parts.shared.privacy.bucketRenamed(from, to);
      stored(moved);
    },
  };
}
