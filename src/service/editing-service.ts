import { ActivityService } from "./service.js";
import type { ServiceOptions, Shared } from "./shared.js";
import type { TrashEntry } from "./trash/entry.js";
import type { RestoredBucket, Restoring } from "./trash/restoring.js";
import type { Trash } from "./trash/trash.js";

/** The service with what takes deletions back. */
export class EditingService extends ActivityService {
  protected readonly trash: Trash;

  constructor(options: ServiceOptions, shared?: Shared) {
    super(options, shared);
    this.trash = options.trash;
  }

  /** What can be restored, the latest first (docs/trash.md). */
  listTrash(): Promise<TrashEntry[]> {
    return this.trash.list();
  }

  /**
   * Puts an entry of the trash back.
   *
   * @throws ActivityError `NO_SUCH_ENTRY`; `CONFLICT` where the id of a bucket is taken
   */
  async restoreTrash(id: string, restoring: Restoring): Promise<RestoredBucket[]> {
    const restored = await this.trash.restore(id, restoring);
    for (const { bucketId, isNew } of restored) {
      if (isNew) this.announce("bucket", { action: "created", bucketId });
      else this.announce("change", { kind: "events-written", bucketId });
    }
    return restored;
  }

  /**
   * Deletes entries of the trash for good; all of them unless ids are given.
   *
   * @returns those that were there
   */
  async removeTrash(ids?: readonly string[]): Promise<TrashEntry[]> {
    return this.trash.remove(ids ?? (await this.trash.list()).map(({ id }) => id));
  }
}
