import { type DomainOf, decode } from "../api/codec.js";
import { SCHEMA_LIST } from "../api/schemas.js";
import { type ActivityEventDraft, activityEvent, activityEvents } from "../domain/activity-event.js";
import type { BucketDraft } from "../domain/bucket.js";
import type { AcceptedDraft, EventDraft, StoredEvent } from "../domain/event.js";
import type { JsonValue } from "../domain/json.js";
import type { DurationMicros, Micros } from "../domain/time.js";
import { createTimeSlice } from "../util/time-slice.js";
import type { Grants } from "./access/grants.js";
import type { WriteHooks } from "./hooks.js";
import { DraftList } from "./import/spool.js";
import type { ImportCounts, ImportedBucket, SpooledBucket } from "./import.js";
import { lengthOf, programParser, settingOf } from "./input-coercion.js";
import { type Announcer, changeOf, type ServerNotices } from "./notices.js";
import { PROGRAM } from "./program-source.js";
import type { ProtectedServiceOptions } from "./protected-service.js";
import { RedirectedService } from "./redirected-service.js";
import type { Shared } from "./shared.js";
import type { Deleted, DeletedEvents } from "./trash/entry.js";
import type { FoundEvents } from "./trash/matching.js";
import { checkedBucketId, checkedId, checkedNewBucketId, checkedText, patchOf, refuseDefect } from "./validation.js";

/** What a hooked service needs besides a service. */
export interface HookedServiceOptions extends ProtectedServiceOptions {
  readonly hooks: WriteHooks;
  readonly announcer: Announcer;
}

/** Who asks, for hooks and listeners; empty = the program itself, or somebody without a name. */
type By = { readonly identity?: object };

/**
 * The service with what an embedder wants to say before a write and to hear after it. Reads are as they are. Without a
 * hook nothing is waited for before a write, so that writes reach the storage in the order of the calls.
 */
export class HookedService extends RedirectedService {
  readonly #options: HookedServiceOptions;
  readonly #by: By;
  /** Services for who has no name, by what they may do: most requests come from few callers. */
  #byGrants: WeakMap<Grants, HookedService> | undefined;

  constructor(options: HookedServiceOptions, grants?: Grants, by: By = {}, shared?: Shared) {
    super(options, grants, shared);
    this.#options = options;
    this.#by = by;
  }

  /** The same service on behalf of somebody. @param identity hooks and listeners are told */
  actingFor(grants: Grants, identity?: object): HookedService {
    if (identity !== undefined) return new HookedService(this.#options, grants, { identity }, this.shared);
    this.#byGrants ??= new WeakMap();
    let service = this.#byGrants.get(grants);
    if (service === undefined) {
      service = new HookedService(this.#options, grants, {}, this.shared);
      this.#byGrants.set(grants, service);
    }
    return service;
  }

  protected override announce<Name extends keyof ServerNotices>(name: Name, notice: ServerNotices[Name]): void {
    const { announcer } = this.#options;
    announcer.announce(name, { ...this.#by, ...notice });
    if (!announcer.hasListeners("change")) return;
    const change = changeOf(name, notice);
    if (change !== undefined) announcer.announce("change", { ...this.#by, ...change });
  }

  override heartbeat(bucketId: string, beat: EventDraft, pulsetimeMicros: Micros): Promise<AcceptedDraft> {
    const { hooks, announcer } = this.#options;
    // By far the most frequent write: nothing is made, and nothing waited for, for nobody.
    const isHeard = announcer.hasListeners("heartbeat") || announcer.hasListeners("change");
    if (hooks.beforeHeartbeat === undefined && !isHeard) {
      return super.heartbeat(bucketId, beat, pulsetimeMicros);
    }
    return this.#watchedHeartbeat(bucketId, beat, pulsetimeMicros);
  }

  async #watchedHeartbeat(bucketId: string, beat: EventDraft, pulsetimeMicros: Micros): Promise<AcceptedDraft> {
    const { hooks } = this.#options;
    let write = { bucketId, beat, pulsetimeMicros };
    if (hooks.beforeHeartbeat !== undefined) {
      const changed = await hooks.beforeHeartbeat({
        ...this.#by,
        bucketId,
        beat: activityEvent(beat),
        pulsetimeMicros: pulsetimeMicros as DurationMicros,
      });
      if (changed) {
        write = checkedWrite("beforeHeartbeat", () => ({
          bucketId: checkedBucketId(changed.bucketId),
          beat: programParser.event(changed.beat, "beat", false),
          pulsetimeMicros: lengthOf(changed.pulsetimeMicros, "pulsetimeMicros"),
        }));
      }
    }
    const event = await super.heartbeat(write.bucketId, write.beat, write.pulsetimeMicros);
    // Nothing was stored of one that a rule dropped.
    if (event.id === null) return event;
    // Listeners look for it where it was stored.
    await this.ready();
    const end = this.redirects.of(write.bucketId);
    this.announce("heartbeat", { bucketId: end, event: activityEvent({ ...event, id: event.id }) });
    return event;
  }

  override async insertEvents(bucketId: string, drafts: readonly EventDraft[]): Promise<readonly AcceptedDraft[]> {
    const { hooks } = this.#options;
    if (hooks.beforeInsert === undefined) return super.insertEvents(bucketId, drafts);
    const changed = await hooks.beforeInsert({ ...this.#by, bucketId, events: activityEvents(drafts) });
    if (!changed) return super.insertEvents(bucketId, drafts);
    const write = checkedWrite("beforeInsert", () => ({
      bucketId: checkedBucketId(changed.bucketId),
      events: eventsOf(changed.events, true),
    }));
    return super.insertEvents(write.bucketId, write.events);
  }

  override async deleteEvent(bucketId: string, eventId: number, isPermanent?: boolean): Promise<Deleted | undefined> {
    const { hooks } = this.#options;
    if (hooks.beforeDeleteEvent === undefined) return super.deleteEvent(bucketId, eventId, isPermanent);
    const changed = await hooks.beforeDeleteEvent({ ...this.#by, bucketId, eventId });
    if (!changed) return super.deleteEvent(bucketId, eventId, isPermanent);
    const write = checkedWrite("beforeDeleteEvent", () => ({
      bucketId: checkedBucketId(changed.bucketId),
      eventId: checkedId(changed.eventId, "the event"),
    }));
    return super.deleteEvent(write.bucketId, write.eventId, isPermanent);
  }

  override async deleteEvents(
    bucketId: string,
    eventIds: readonly number[],
    isPermanent?: boolean,
  ): Promise<DeletedEvents> {
    await this.beforeDeletion([{ bucketId, eventIds: [...new Set(eventIds)] }]);
    return super.deleteEvents(bucketId, eventIds, isPermanent);
  }

  /** Whoever refuses to delete an event refuses the deletion of many, too. What a hook would change is left. */
  protected override async beforeDeletion(
    found: readonly Pick<FoundEvents, "bucketId" | "eventIds">[],
  ): Promise<boolean> {
    const { hooks } = this.#options;
    if (hooks.beforeDeleteEvent === undefined) return false;
    for (const { bucketId, eventIds } of found) {
      for (const eventId of eventIds) await hooks.beforeDeleteEvent({ ...this.#by, bucketId, eventId });
    }
    return true;
  }

  override async splitEvent(
    bucketId: string,
    eventId: number,
    at: Micros,
  ): Promise<readonly [StoredEvent, StoredEvent]> {
    const { hooks } = this.#options;
    if (hooks.beforeInsert !== undefined) {
      await this.refuseMoving(bucketId, bucketId);
      const events = [activityEvent(await this.visible.getEvent(bucketId, eventId))];
      await hooks.beforeInsert({ ...this.#by, bucketId, events });
    }
    return super.splitEvent(bucketId, eventId, at);
  }

  override async moveEvent(bucketId: string, eventId: number, targetId: string): Promise<StoredEvent> {
    const { hooks } = this.#options;
    await this.refuseMoving(bucketId, targetId);
    await hooks.beforeDeleteEvent?.({ ...this.#by, bucketId, eventId });
    if (hooks.beforeInsert !== undefined) {
      const { id: _, ...draft } = await this.visible.getEvent(bucketId, eventId);
      await hooks.beforeInsert({ ...this.#by, bucketId: targetId, events: [activityEvent(draft)] });
    }
    return super.moveEvent(bucketId, eventId, targetId);
  }

  override async createBucket(
    bucketId: string,
    draft: BucketDraft,
    drafts: readonly EventDraft[] = [],
  ): Promise<readonly StoredEvent[] | undefined> {
    const { hooks } = this.#options;
    if (hooks.beforeCreateBucket === undefined) return super.createBucket(bucketId, draft, drafts);
    const changed = await hooks.beforeCreateBucket({
      ...this.#by,
      bucketId,
      bucket: draft,
      events: activityEvents(drafts),
    });
    if (!changed) return super.createBucket(bucketId, draft, drafts);
    const write = checkedWrite("beforeCreateBucket", () => ({
      bucketId: checkedNewBucketId(changed.bucketId),
      bucket: programParser.bucket(changed.bucket, "bucket"),
      events: eventsOf(changed.events, false),
    }));
    return super.createBucket(write.bucketId, write.bucket, write.events);
  }

  override async updateBucket(bucketId: string, fields: DomainOf<"BucketPatch">): Promise<void> {
    const patch = patchOf(fields);
    const { hooks } = this.#options;
    if (hooks.beforeUpdateBucket === undefined) return super.updateBucket(bucketId, patch);
    const changed = await hooks.beforeUpdateBucket({ ...this.#by, bucketId, patch });
    if (!changed) return super.updateBucket(bucketId, patch);
    const write = checkedWrite("beforeUpdateBucket", () => ({
      bucketId: checkedBucketId(changed.bucketId),
      patch: patchOf(decode(SCHEMA_LIST.BucketPatch, changed.patch, "patch", PROGRAM) as DomainOf<"BucketPatch">),
    }));
    return super.updateBucket(write.bucketId, write.patch);
  }

  override async deleteBucket(bucketId: string, confirmed: boolean, isPermanent?: boolean): Promise<Deleted> {
    this.refuseUnconfirmed(confirmed);
    const { hooks } = this.#options;
    if (hooks.beforeDeleteBucket === undefined) return super.deleteBucket(bucketId, confirmed, isPermanent);
    const changed = await hooks.beforeDeleteBucket({ ...this.#by, bucketId });
    const id = changed ? checkedWrite("beforeDeleteBucket", () => checkedBucketId(changed.bucketId)) : bucketId;
    return super.deleteBucket(id, confirmed, isPermanent);
  }

  /** The hook gets all of them. */
  protected override get holdsImports(): boolean {
    return this.#options.hooks.beforeImport !== undefined;
  }

  protected override async mergeBuckets(spooled: readonly SpooledBucket[]): Promise<ImportCounts> {
    const { hooks } = this.#options;
    if (hooks.beforeImport === undefined) return super.mergeBuckets(spooled);
    const buckets = spooled.map((bucket) => ({ ...bucket, events: activityEvents(bucket.events.toArray()) }));
    const changed = await hooks.beforeImport({ ...this.#by, buckets });
    if (!changed) return super.mergeBuckets(spooled);
    return super.mergeBuckets((await importedOf(changed.buckets, buckets)).map(listed));
  }

  override async putSetting(key: string, value: JsonValue): Promise<JsonValue> {
    refuseDefect(value, "the setting");
    const { hooks } = this.#options;
    if (hooks.beforeSetting === undefined) return super.putSetting(key, value);
    const changed = await hooks.beforeSetting({ ...this.#by, key, value });
    if (!changed) return super.putSetting(key, value);
    const write = checkedWrite("beforeSetting", () => ({
      key: checkedText(changed.key, "key"),
      value: settingOf(changed.value),
    }));
    return super.putSetting(write.key, write.value);
  }
}

/**
 * Checks what a hook has made of a write as if it had come from outside.
 *
 * @throws Error for what is not valid: the embedder's fault, not that of whoever asked for the write
 */
function checkedWrite<W>(hook: keyof WriteHooks, read: () => W): W {
  try {
    return read();
  } catch (cause) {
    throw new Error(`${hook} returned no valid write: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

function eventsOf(events: readonly EventDraft[], keepId: boolean): EventDraft[] {
  return Array.from(events, (event, index) => programParser.event(event, `event ${index}`, keepId));
}

function listed(bucket: ImportedBucket): SpooledBucket {
  const events = new DraftList();
  for (const event of bucket.events) events.add(event);
  return { ...bucket, events };
}

/** Buckets and events that a hook passes on as they are need no second look. */
async function importedOf(
  buckets: readonly ImportedBucket[],
  given: readonly ImportedBucket[],
): Promise<ImportedBucket[]> {
  const known = new Set<unknown>(given);
  const knownEvents = new Set(given.flatMap(({ events }) => events));
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
        activityEvent(programParser.event(event, `event ${events.length}`, false));
      events.push(knownEvents.has(event) ? event : checkedWrite("beforeImport", checkedEvent));
      await timeSlice.yield();
    }
    const record = checkedWrite("beforeImport", () => ({
      bucketId: checkedBucketId(bucket?.bucketId),
      draft: programParser.bucket(bucket?.draft, `bucket ${JSON.stringify(bucket?.bucketId)}`),
    }));
    checked.push({ ...record, events });
  }
  return checked;
}
