import type { BucketDraft } from "../domain/bucket.js";
import type { AcceptedDraft, EventDraft, StoredEvent } from "../domain/event.js";
import type { Micros } from "../domain/time.js";
import type { BucketChangeKind } from "../storage/changes.js";
import { followRedirects } from "./identity/follow-redirects.js";
import type { Moved } from "./identity/moved.js";
import type { Redirects } from "./identity/redirects.js";
import type { ImportCounts, SpooledBucket } from "./import.js";
import { ProtectedService } from "./protected-service.js";
import { ChangedMeanwhile, retrying } from "./retrying.js";
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
    await this.ready();
    return super.mergeBuckets(buckets.map((bucket) => ({ ...bucket, bucketId: this.redirects.of(bucket.bucketId) })));
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

  #led<Result>(bucketId: string, call: (id: string) => Promise<Result>): Promise<Result> {
    return followRedirects(bucketId, { shared: this.shared, grants: this.grants }, call);
  }
}
