import type { BucketDraft, BucketSummary } from "../domain/bucket.js";
import type { AcceptedDraft, EventDraft, StoredEvent } from "../domain/event.js";
import type { Micros } from "../domain/time.js";
import { ActivityError, noSuchBucket, quote } from "../errors.js";
import type { BucketChangeKind } from "../storage/changes.js";
import type { EventRead, TimeRange, VersionToken } from "../storage/storage.js";
import type { EventFiltering, EventSelection, ExportedBucket, TimelineRead } from "./event-reads.js";
import type { Moved } from "./identity/moved.js";
import { versionAt } from "./identity/redirected-source.js";
import type { Redirects } from "./identity/redirects.js";
import type { ImportCounts, SpooledBucket } from "./import.js";
import { ProtectedService } from "./protected-service.js";
import { ChangedMeanwhile, retrying } from "./retrying.js";
import type { TimelineRequest } from "./timeline.js";
import type { RestoredBucket, Restoring } from "./trash/restoring.js";

const ACTIONS: Readonly<Partial<Record<BucketChangeKind, "created" | "updated" | "deleted">>> = {
  "bucket-created": "created",
  "bucket-updated": "updated",
  "bucket-deleted": "deleted",
};

/**
 * The service for those who may name a bucket by an id that it had (docs/buckets.md#redirects): reports and reads go to
 * the bucket that the id leads to. What changes or deletes is meant for the bucket that is named, and goes no further.
 */
export class RedirectedService extends ProtectedService {
  /** Which bucket an id leads to. */
  get redirects(): Redirects {
    return this.shared.redirects;
  }

  override heartbeat(bucketId: string, beat: EventDraft, pulsetimeMicros: Micros): Promise<AcceptedDraft> {
    return this.#led(bucketId, (id) => super.heartbeat(id, beat, pulsetimeMicros));
  }

  override insertEvents(bucketId: string, drafts: readonly EventDraft[]): Promise<readonly AcceptedDraft[]> {
    return this.#led(bucketId, (id) => super.insertEvents(id, drafts));
  }

  override createBucket(
    bucketId: string,
    draft: BucketDraft,
    drafts: readonly EventDraft[] = [],
  ): Promise<readonly StoredEvent[] | undefined> {
    return retrying(async () => {
      try {
        return await this.#led(bucketId, (id) => super.createBucket(id, draft, drafts));
      } catch (thrown) {
        if (thrown instanceof ChangedMeanwhile) this.redirects.forget();
        throw thrown;
      }
    });
  }

  protected override async mergeBuckets(buckets: readonly SpooledBucket[]): Promise<ImportCounts> {
    const led: SpooledBucket[] = [];
    for (const bucket of buckets) led.push({ ...bucket, bucketId: await this.shared.redirects.of(bucket.bucketId) });
    return super.mergeBuckets(led);
  }

  override getBucket(bucketId: string): Promise<BucketSummary> {
    return this.#ledToRead(bucketId, (id) => super.getBucket(id));
  }

  override readEvents(bucketId: string, range: EventSelection): Promise<EventRead> {
    return this.#ledToRead(bucketId, async (id) => {
      const read = await super.readEvents(id, range);
      return id === bucketId ? read : { ...read, version: versionAt(id, read.version) };
    });
  }

  override readTimeline(bucketId: string, request: TimelineRequest): Promise<TimelineRead> {
    return this.#ledToRead(bucketId, async (id) => {
      const read = await super.readTimeline(id, request);
      return id === bucketId ? read : { ...read, version: versionAt(id, read.version) };
    });
  }

  override versionOf(bucketId: string): VersionToken | Promise<VersionToken> {
    const end = this.shared.redirects.of(bucketId);
    if (end === bucketId) return super.versionOf(bucketId);
    return (async () => {
      const id = await end;
      const version = await super.versionOf(id);
      // What is known of a bucket that may not be read is not told, not even that it stays as it is.
      if (id === bucketId) return version;
      return this.sees(id) ? versionAt(id, version) : undefined;
    })();
  }

  override countEvents(bucketId: string, range: TimeRange & EventFiltering): Promise<number> {
    return this.#ledToRead(bucketId, (id) => super.countEvents(id, range));
  }

  override getEvent(bucketId: string, eventId: number): Promise<StoredEvent> {
    return this.#ledToRead(bucketId, (id) => super.getEvent(id, eventId));
  }

  override exportBuckets(bucketId?: string): Promise<ExportedBucket[]> {
    if (bucketId === undefined) return super.exportBuckets();
    return this.#ledToRead(bucketId, (id) => super.exportBuckets(id));
  }

  /** For buckets that have other ids, other hostnames or other events now: nobody may go on by what was known. */
  bucketsMoved({ moves, changes }: Moved): void {
    this.shared.redirects.forget();
    this.forgetAccess();
    for (const { from, to } of moves) this.shared.privacy.bucketRenamed(from, to);
    for (const { kind, bucketId } of changes) {
      const action = ACTIONS[kind];
      if (action === undefined) this.announce("change", { kind, bucketId });
      else this.announce("bucket", { action, bucketId });
    }
  }

  /** An id that a bucket has again leads nowhere else. */
  override async restoreTrash(id: string, restoring: Restoring): Promise<RestoredBucket[]> {
    try {
      return await super.restoreTrash(id, restoring);
    } finally {
      this.shared.redirects.forget();
      this.shared.privacy.bucketsRestored();
    }
  }

  /** Forgets what is in memory: the storage was emptied behind it. */
  override forget(): void {
    super.forget();
    this.shared.redirects.forget();
  }

  /** Nothing is waited for once redirects are known: writes reach the storage in the order of the calls. */
  #led<Result>(bucketId: string, call: (id: string) => Promise<Result>): Promise<Result> {
    const end = this.shared.redirects.of(bucketId);
    if (typeof end === "string") return this.#tried(bucketId, end, call);
    // Both are read at once. What goes wrong here goes wrong again where it is waited for.
    this.shared.privacy.ready()?.catch(() => undefined);
    return end.then((id) => this.#tried(bucketId, id, call));
  }

  /**
   * Again as often as the bucket was renamed in the meantime: a write that found none has changed nothing.
   *
   * @param isAgain whether this id was tried just before
   */
  #tried<Result>(
    bucketId: string,
    id: string,
    call: (id: string) => Promise<Result>,
    isAgain = false,
  ): Promise<Result> {
    return call(id).catch(async (thrown: unknown) => {
      if (!ActivityError.is(thrown)) throw thrown;
      const { redirects } = this.shared;
      const now = thrown.code === "NO_SUCH_BUCKET" ? await redirects.now(bucketId) : undefined;
      // The bucket may have been renamed and have its id back by now.
      const isBack = now === id && !isAgain && (await redirects.isEnd(id));
      if (now === undefined || (now === id && !isBack)) throw this.#toldOf(bucketId, id, thrown);
      return this.#tried(bucketId, now, call, isBack);
    });
  }

  /** A refusal in the words of who named one bucket and may not know of the other one. */
  #toldOf(bucketId: string, id: string, thrown: ActivityError): ActivityError {
    if (id === bucketId || this.knows(id)) return thrown;
    if (thrown.code === "NO_SUCH_BUCKET") return noSuchBucket(bucketId);
    if (thrown.code !== "FORBIDDEN") return thrown;
    return new ActivityError("FORBIDDEN", `bucket ${quote(bucketId)} takes no such change from this key`);
  }

  /** Reading needs the right to read the bucket itself, too: who makes a redirect opens nothing by it. */
  #ledToRead<Result>(bucketId: string, call: (id: string) => Promise<Result>): Promise<Result> {
    return this.#led(bucketId, (id) => {
      if (id !== bucketId && !this.sees(id)) return Promise.reject(noSuchBucket(bucketId));
      return call(id);
    });
  }
}
