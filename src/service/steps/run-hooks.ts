import { type DomainOf, decode } from "../../api/codec.js";
import { SCHEMA_LIST } from "../../api/schemas.js";
import { type ActivityEventDraft, activityEvent, activityEvents } from "../../domain/activity-event.js";
import type { BucketDraft } from "../../domain/bucket.js";
import type { EventDraft, StoredEvent } from "../../domain/event.js";
import { looksLikeMillis } from "../../domain/millis.js";
import type { DurationMicros, Micros } from "../../domain/time.js";
import { messageOf } from "../../errors.js";
import { createTimeSlice } from "../../util/time-slice.js";
import type { WriteHooks } from "../hooks.js";
import { DraftList } from "../import/spool.js";
import type { ImportedBucket, SpooledBucket } from "../import.js";
import { copyJson, parseEventDuration, parseSetting, programParser, toTimestamp } from "../input-coercion.js";
import { PROGRAM } from "../program-source.js";
import { getExistingEvent } from "../trash/edit-event.js";
import {
  createParser,
  type Parser,
  parseBucketId,
  parseId,
  parseNewBucketId,
  parseString,
  toPatch,
} from "../validation.js";
import type { Write, WriteContext, WriteKind } from "../write.js";

/** The hooks for a kind of write, and how to call them. */
interface Step<Kind extends WriteKind> {
  readonly names: readonly (keyof WriteHooks)[];
  /** @returns the validated write of a hook; nothing if it did not change */
  readonly run: (write: Write<Kind>, context: WriteContext) => Promise<Partial<Write<Kind>> | undefined>;
}

/** Whether your app has a hook for a kind of write. */
export function isHooked(kind: WriteKind, hooks: WriteHooks): boolean {
  return STEPS[kind]?.names.some((name) => hooks[name] !== undefined) ?? false;
}

/**
 * Third step: passes a write to the hooks of your app, which may reject or replace it.
 *
 * @throws Error for an invalid write of a hook: a mistake of your app, not of the caller
 */
export async function runHooks<Kind extends WriteKind>(
  write: Write<Kind>,
  context: WriteContext,
): Promise<Write<Kind>> {
  const step = STEPS[write.kind] as Step<Kind> | undefined;
  const changed = await step?.run(write, context);
  return changed === undefined ? write : { ...write, ...changed };
}

const STEPS: { readonly [Kind in WriteKind]: Step<Kind> | undefined } = {
  heartbeat: {
    names: ["beforeHeartbeat"],
    async run({ bucketId, beat, pulsetimeMicros }, { parts: { hooks }, by }) {
      const shown = { bucketId, beat: activityEvent(beat), pulsetimeMicros: pulsetimeMicros as DurationMicros };
      const changed = await hooks.beforeHeartbeat?.({ ...by, ...shown });
      if (!changed) return undefined;
      return validateWrite("beforeHeartbeat", () => ({
        bucketId: parseBucketId(changed.bucketId),
        beat: createHookParser([beat]).event(changed.beat, "beat", false),
        pulsetimeMicros: parseEventDuration(changed.pulsetimeMicros, "pulsetimeMicros"),
      }));
    },
  },
  insertEvents: {
    names: ["beforeInsert"],
    async run({ bucketId, drafts }, { parts: { hooks }, by }) {
      const changed = await hooks.beforeInsert?.({ ...by, bucketId, events: activityEvents(drafts) });
      // Another list, since a hook in JavaScript may change this one, whose batch would still have the old events.
      if (!changed) return { drafts: [...drafts] };
      return validateWrite("beforeInsert", () => ({
        bucketId: parseBucketId(changed.bucketId),
        drafts: parseEvents(changed.events, drafts, true),
      }));
    },
  },
  createBucket: {
    names: ["beforeCreateBucket"],
    async run({ bucketId, bucket, drafts }, { parts: { hooks }, by }) {
      const changed = await hooks.beforeCreateBucket?.({ ...by, bucketId, bucket, events: activityEvents(drafts) });
      if (!changed) return undefined;
      return validateWrite("beforeCreateBucket", () => ({
        bucketId: parseNewBucketId(changed.bucketId),
        bucket: createHookParser([], [bucket]).bucket(changed.bucket, "bucket"),
        drafts: parseEvents(changed.events, drafts, false),
      }));
    },
  },
  updateBucket: {
    names: ["beforeUpdateBucket"],
    async run({ bucketId, patch }, { parts: { hooks }, by }) {
      const changed = await hooks.beforeUpdateBucket?.({ ...by, bucketId, patch });
      if (!changed) return undefined;
      return validateWrite("beforeUpdateBucket", () => ({
        bucketId: parseBucketId(changed.bucketId),
        patch: toPatch(decode(SCHEMA_LIST.BucketPatch, changed.patch, "patch", PROGRAM) as DomainOf<"BucketPatch">),
      }));
    },
  },
  deleteBucket: {
    names: ["beforeDeleteBucket"],
    async run({ bucketId }, { parts: { hooks }, by }) {
      const changed = await hooks.beforeDeleteBucket?.({ ...by, bucketId });
      if (!changed) return undefined;
      return validateWrite("beforeDeleteBucket", () => ({ bucketId: parseBucketId(changed.bucketId) }));
    },
  },
  deleteEvent: {
    names: ["beforeDeleteEvent"],
    async run({ bucketId, eventId }, { parts: { hooks }, by }) {
      const changed = await hooks.beforeDeleteEvent?.({ ...by, bucketId, eventId });
      if (!changed) return undefined;
      return validateWrite("beforeDeleteEvent", () => ({
        bucketId: parseBucketId(changed.bucketId),
        eventId: parseId(changed.eventId, "the event"),
      }));
    },
  },
  // A hook that rejects the deletion of an event rejects the deletion of many as well. Ignores other changes by the
  // hook.
  deleteEvents: {
    names: ["beforeDeleteEvent"],
    async run({ bucketId, eventIds }, { parts: { hooks }, by }) {
      for (const eventId of new Set(eventIds)) await hooks.beforeDeleteEvent?.({ ...by, bucketId, eventId });
      return undefined;
    },
  },
  splitEvent: {
    names: ["beforeInsert"],
    async run({ bucketId, eventId }, { parts: { hooks, storage }, by }) {
      const events = [activityEvent(await getExistingEvent(storage, bucketId, eventId))];
      await hooks.beforeInsert?.({ ...by, bucketId, events });
      return undefined;
    },
  },
  moveEvent: {
    names: ["beforeDeleteEvent", "beforeInsert"],
    async run({ bucketId, eventId, targetId }, { parts: { hooks, storage }, by }) {
      await hooks.beforeDeleteEvent?.({ ...by, bucketId, eventId });
      if (hooks.beforeInsert === undefined) return undefined;
      const { id: _, ...draft }: StoredEvent = await getExistingEvent(storage, bucketId, eventId);
      await hooks.beforeInsert({ ...by, bucketId: targetId, events: [activityEvent(draft)] });
      return undefined;
    },
  },
  importBuckets: {
    names: ["beforeImport"],
    async run(write, { parts: { hooks }, by }) {
      const buckets = write.buckets.map((bucket) => ({ ...bucket, events: activityEvents(bucket.events.toArray()) }));
      const changed = await hooks.beforeImport?.({ ...by, buckets });
      if (!changed) return undefined;
      return { buckets: (await checkImported(changed.buckets, buckets)).map(toSpooled) };
    },
  },
  putSetting: {
    names: ["beforeSetting"],
    async run({ key, value }, { parts: { hooks }, by }) {
      const changed = await hooks.beforeSetting?.({ ...by, key, value });
      if (!changed) return undefined;
      return validateWrite("beforeSetting", () => ({
        key: parseString(changed.key, "key"),
        value: parseSetting(changed.value),
      }));
    },
  },

  // The commit step passes each found event as a `deleteEvents`.
  deleteMatching: undefined,
  // These have no hooks.
  restoreTrash: undefined,
  removeTrash: undefined,
  setAccess: undefined,
  renameBucket: undefined,
  setBucketHost: undefined,
  renameHost: undefined,
  mergeBuckets: undefined,
  undo: undefined,
  deleteRedirect: undefined,
  applyPrivacy: undefined,
  runRetention: undefined,
};

/** Validates the result of a hook like input. */
function validateWrite<Changed>(hook: keyof WriteHooks, read: () => Changed): Changed {
  try {
    return read();
  } catch (cause) {
    // The value is event data; the cause contains it for loggers that show complete errors.
    const reason = messageOf(cause).replace(/, got .*/s, "");
    throw new Error(`${hook} returned no valid write: ${reason}`, { cause });
  }
}

function parseEvents(events: readonly EventDraft[], given: readonly EventDraft[], keepId: boolean): EventDraft[] {
  const parser = createHookParser(given);
  return Array.from(events, (event, index) => parser.event(event, `event ${index}`, keepId));
}

/** Parses the result of a hook. A timestamp that the hook received is valid, even if it looks like milliseconds. */
function createHookParser(events: Iterable<EventDraft>, buckets: readonly BucketDraft[] = []): Parser {
  const known = new Set<unknown>(buckets.map(({ created }) => created).filter(looksLikeMillis));
  for (const { timestamp } of events) if (looksLikeMillis(timestamp)) known.add(timestamp);
  if (known.size === 0) return programParser;
  const instant = (value: unknown, field: string) => (known.has(value) ? (value as Micros) : toTimestamp(value, field));
  return createParser({ instant, length: parseEventDuration, json: copyJson });
}

function toSpooled(bucket: ImportedBucket): SpooledBucket {
  const events = new DraftList();
  for (const event of bucket.events) events.add(event);
  return { ...bucket, events };
}

/** Unchanged buckets and events need no second validation. */
async function checkImported(
  buckets: readonly ImportedBucket[],
  given: readonly ImportedBucket[],
): Promise<ImportedBucket[]> {
  const known = new Set<unknown>(given);
  const knownEvents = new Set(given.flatMap(({ events }) => events));
  const parser = createHookParser(
    knownEvents,
    given.map(({ draft }) => draft),
  );
  const timeSlice = createTimeSlice();
  const checked: ImportedBucket[] = [];
  for (const bucket of Array.from(buckets)) {
    if (known.has(bucket)) {
      checked.push(bucket);
      continue;
    }
    const events: ActivityEventDraft[] = [];
    for (const event of Array.from(bucket?.events ?? [])) {
      const checkedEvent = (): ActivityEventDraft =>
        activityEvent(parser.event(event, `event ${events.length}`, false));
      events.push(knownEvents.has(event) ? event : validateWrite("beforeImport", checkedEvent));
      await timeSlice.yield();
    }
    const record = validateWrite("beforeImport", () => ({
      bucketId: parseBucketId(bucket?.bucketId),
      draft: parser.bucket(bucket?.draft, `bucket ${JSON.stringify(bucket?.bucketId)}`),
    }));
    checked.push({ ...record, events });
  }
  return checked;
}
