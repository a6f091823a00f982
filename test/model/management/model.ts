import { computeLimits, planChanges } from "../../../src/retention/plan.js";
import { readRetentionRules } from "../../../src/retention/read-rules.js";
import type { RetentionRule } from "../../../src/service/retention/retention.js";
import {
  type Bucket,
  copyOf,
  type Entry,
  type Event,
  type Exported,
  HIDDEN,
  type Item,
  inOrder,
  KEPT_LONG,
  type MergeUndo,
  type Redirect,
  Refusal,
  sameEvent,
  type Undo,
} from "./state.js";

/** What events a deletion by filter is about. */
export interface Selection {
  readonly start: number;
  readonly end: number;
  readonly app: string;
}

/**
 * A server as docs/guides/buckets.md, docs/guides/trash.md and docs/guides/retention.md describe it: what happens to
 * events.
 */
export class Model {
  now = 0;
  readonly buckets: Map<string, Bucket> = new Map();
  readonly redirects: Map<string, Redirect> = new Map();
  trash: Entry[] = [];
  undos: Undo[] = [];
  readonly exports: Exported[] = [];
  #uids = 0;

  /** The id of the bucket that is meant by an id. */
  resolve(id: string): string {
    let at = id;
    for (;;) {
      const redirect = this.redirects.get(at);
      if (redirect === undefined || !this.isInForce(redirect)) return at;
      at = redirect.to;
    }
  }

  isInForce({ until }: Redirect): boolean {
    return until === null || until > this.now;
  }

  bucket(id: string): Bucket {
    const found = this.buckets.get(id);
    if (found === undefined) throw new Refusal("NO_SUCH_BUCKET");
    return found;
  }

  /** @returns whether it was created */
  create(id: string, hostname: string, events: readonly Event[]): boolean {
    if (this.buckets.has(this.resolve(id))) return false;
    this.addBucket({ id: this.resolve(id), hostname, created: this.now }, events);
    return true;
  }

  addBucket(record: Pick<Bucket, "id" | "hostname" | "created">, events: readonly Event[]): void {
    const bucket = { ...record, uid: ++this.#uids, isNoted: false, events: [...events], target: undefined };
    this.buckets.set(bucket.id, bucket);
    // One that has ended goes.
    this.redirects.delete(bucket.id);
  }

  heartbeat(id: string, beat: Event, pulsetime: number): void {
    const bucket = this.bucket(this.resolve(id));
    const noted = bucket.target;
    const isThere = noted !== undefined && bucket.events.includes(noted);
    const last = isThere ? noted : inOrder(bucket.events).at(-1);
    const length = last === undefined ? 0 : beat.at + beat.length - last.at;
    const isMerged =
      last !== undefined && last.app === beat.app && beat.at >= last.at && beat.at <= last.at + last.length + pulsetime;
    if (last !== undefined && isMerged) last.length = Math.max(last.length, length);
    else bucket.events.push(beat);
    bucket.target = isMerged ? last : beat;
  }

  /** Stores events; those with an id take the place of others. */
  put(bucket: Bucket, events: readonly Event[]): void {
    if (events.length === 0) return;
    bucket.target = undefined;
    for (const event of events) {
      const there = event.id === undefined ? undefined : bucket.events.find(({ id }) => id === event.id);
      if (there === undefined) bucket.events.push(event);
      else Object.assign(there, event);
    }
  }

  insert(id: string, events: readonly Event[]): void {
    this.put(this.bucket(this.resolve(id)), events);
  }

  remove(bucket: Bucket, events: readonly Event[]): void {
    bucket.events = bucket.events.filter((event) => !events.includes(event));
  }

  move(from: Bucket, event: Event, to: Bucket): void {
    if (from === to) throw new Refusal("INVALID_INPUT");
    this.remove(from, [event]);
    this.noteMoved(from, [event]);
    this.put(to, [{ ...event, id: undefined }]);
  }

  split(bucket: Bucket, event: Event, at: number): void {
    const end = event.at + event.length;
    if (at <= event.at || at >= end) throw new Refusal("INVALID_INPUT");
    this.noteMoved(bucket, [event]);
    const second = { ...event, id: undefined, at, length: end - at };
    this.put(bucket, [{ ...event, length: at - event.at }, second]);
  }

  noteMoved(bucket: Bucket, events: readonly Event[]): void {
    for (const { moved } of this.mergesInto(bucket)) for (const { id } of events) moved.add(id as number);
  }

  /** Those that can still be undone, the latest first. */
  mergesInto({ uid }: Bucket): MergeUndo[] {
    return this.undos.filter(
      (undo): undo is MergeUndo => undo.kind === "merge" && undo.into.uid === uid && this.canUndo(undo),
    );
  }

  canUndo(undo: Undo): boolean {
    const isHeld = undo.kind === "label" || this.trash.some(({ id }) => id === undo.entry.id);
    return isHeld && this.now < undo.time + KEPT_LONG;
  }

  find(bucket: Bucket, { start, end, app }: Selection): Event[] {
    return bucket.events.filter((event) => {
      const isBefore = event.at + event.length <= start && event.at < start;
      return event.app === app && event.at < end && !isBefore;
    });
  }

  /** Deletes events of buckets into one entry of the trash. @param entryId `null`: skips the trash */
  deleteEvents(found: readonly (readonly [Bucket, readonly Event[]])[], entryId: string | null): void {
    const items = found.flatMap(([bucket, events]) => (events.length === 0 ? [] : [this.itemOf(bucket, events)]));
    for (const [bucket, events] of found) this.remove(bucket, events);
    if (entryId !== null) this.trash.unshift({ id: entryId, deleted: this.now, items });
  }

  itemOf(bucket: Bucket, events: readonly Event[], whole?: Bucket): Item {
    const { id: bucketId, hostname, created, isNoted, uid } = bucket;
    return { bucketId, hostname, created, whole, events: events.map(copyOf), uid: isNoted ? uid : undefined };
  }

  deleteBucket(id: string, entryId: string | null): void {
    const bucket = this.bucket(id);
    this.buckets.delete(id);
    if (entryId === null) return;
    this.trash.unshift({ id: entryId, deleted: this.now, items: [this.itemOf(bucket, bucket.events, bucket)] });
  }

  entry(id: string): Entry {
    const found = this.trash.find((entry) => entry.id === id);
    if (found === undefined || found.deleted + KEPT_LONG <= this.now) throw new Refusal("NO_SUCH_ENTRY");
    return found;
  }

  restore(entry: Entry, chosen: string | undefined, merge: boolean): void {
    this.entry(entry.id);
    if (chosen !== undefined && entry.items.length > 1) throw new Refusal("INVALID_INPUT");
    const targets = entry.items.map(({ bucketId, whole }) => {
      return chosen ?? (whole === undefined ? this.resolve(bucketId) : bucketId);
    });
    const isThere = targets.map((id) => this.buckets.has(id));
    for (const [index, { whole }] of entry.items.entries()) {
      const isSecond = targets.indexOf(targets[index] as string) < index;
      if ((isSecond || isThere[index]) && whole !== undefined && !merge) throw new Refusal("CONFLICT");
    }
    const pending = targets.map((id) => {
      const bucket = this.buckets.get(id);
      return bucket !== undefined && this.mergesInto(bucket).length > 0;
    });
    this.trash = this.trash.filter((each) => each !== entry);
    for (const [index, item] of entry.items.entries()) {
      const target = targets[index] as string;
      const isSecond = targets.indexOf(target) < index;
      if (!isSecond && !isThere[index]) this.#bringBack(item, target);
      else {
        const bucket = this.bucket(target);
        const isOwn = target === item.bucketId || target === chosen;
        const isSame = item.uid !== undefined && item.uid === bucket.uid;
        const keepsIds = !isSecond && isOwn && (!pending[index] || isSame);
        const taken = new Set(bucket.events.map(({ id }) => id));
        const events = item.whole?.events ?? item.events;
        this.put(
          bucket,
          events.map((each) => (keepsIds && !taken.has(each.id) ? copyOf(each) : { ...each, id: undefined })),
        );
      }
    }
  }

  #bringBack({ whole, hostname, created, events }: Item, id: string): void {
    if (whole === undefined) this.addBucket({ id, hostname, created }, events.map(copyOf));
    else {
      this.redirects.delete(id);
      this.buckets.set(id, Object.assign(whole, { id }));
    }
  }

  /** The rules count what is stored before any of them has changed it. */
  applyPrivacy(app: string, isDrop: boolean, ids: ReadonlyMap<string, readonly [undo: string, entry: string]>): void {
    for (const [bucketId, [id, entryId]] of ids) {
      const bucket = this.bucket(bucketId);
      const events = bucket.events.filter((event) => event.app === app);
      const entry = { id: entryId, deleted: this.now, items: [this.itemOf(bucket, events)] };
      this.trash.unshift(entry);
      bucket.isNoted = true;
      if (isDrop) this.remove(bucket, events);
      else
        this.put(
          bucket,
          events.map((event) => ({ ...event, app: HIDDEN })),
        );
      this.undos.unshift({ id, kind: "privacy", time: this.now, redirects: [], entry, bucket, bucketId, isDrop });
    }
  }

  retain(rules: readonly RetentionRule[]): void {
    const second = 1_000_000;
    for (const bucket of this.buckets.values()) {
      const limits = computeLimits(readRetentionRules(rules, "rules"), bucket.id, this.now * second);
      if (limits === undefined) continue;
      const waits = this.mergesInto(bucket).length > 0;
      const events = inOrder(bucket.events).map(({ id, at, length, app }) => {
        return { id: id as number, timestamp: at * second, duration: length * second, data: { app } };
      });
      const plan = planChanges(events, waits ? { ...limits, summarizeUntil: Number.NEGATIVE_INFINITY } : limits);
      const removed = new Set(plan.removed.map(({ id }) => id));
      this.remove(
        bucket,
        bucket.events.filter(({ id }) => removed.has(id as number)),
      );
      const summaries = plan.added.map(({ timestamp, duration, data }): Event => {
        return { id: undefined, at: timestamp / second, length: duration / second, app: String(data["app"]) };
      });
      this.put(bucket, summaries);
    }
  }

  import({ id: exportedId, hostname, created, events }: Exported): void {
    const id = this.resolve(exportedId);
    const bucket = this.buckets.get(id);
    const fresh = events.filter((event) => !bucket?.events.some((each) => sameEvent(each, event)));
    const drafts = fresh.map((event) => ({ ...event, id: undefined }));
    if (bucket === undefined) this.addBucket({ id, hostname, created }, drafts);
    else this.put(bucket, drafts);
  }
}
