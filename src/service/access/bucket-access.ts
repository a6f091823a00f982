import type { DomainOf } from "../../api/codec.js";
import type { JsonValue } from "../../domain/json.js";
import { ActivityError, noSuchBucket, quote } from "../../errors.js";
import type { Storage } from "../../storage/storage.js";
import { type TransactionView, transactOn } from "../../storage/transaction.js";
import type { Waiting } from "../../util/waiting.js";
import { ConcurrentChange, retryOnChange } from "../retry-on-change.js";
import type { Grants } from "./grants.js";
import { RecordCache, RecordCaches } from "./record-cache.js";

/** The changes to a bucket that callers other than its operator may make (docs/reference/keys.md#protected-buckets). */
export type BucketAccess = DomainOf<"BucketAccess">["access"];

/** All kinds of access. */
export const BUCKET_ACCESS: readonly BucketAccess[] = ["open", "append-only", "read-only"];

/** Kinds of changes to a bucket: `add` stores new events or extends the newest one, `alter` is any other change. */
export type AccessChange = "add" | "alter";

/**
 * Checks the access of a bucket again, in the transaction that changes it: it may have changed since the request
 * started.
 *
 * @throws ActivityError `FORBIDDEN`
 */
export type AccessCheck = (
  view: Pick<TransactionView, "getRecord">,
  bucketId: string,
  change: AccessChange,
) => Promise<void>;

/** @returns `undefined` for an operator: every change is allowed */
export function createAccessCheck({ standing }: Pick<Grants, "standing">): AccessCheck | undefined {
  return standing === "operator" ? undefined : refuseByAccess;
}

const refuseByAccess: AccessCheck = async (view, bucketId, change) => {
  refuseChange(readAccess(await view.getRecord(BUCKET_ACCESS_KIND, bucketId)), change, bucketId);
};

/** Records of this kind contain the access of buckets that are not open. */
export const BUCKET_ACCESS_KIND = "bucket-access";

/** The access of buckets that are not open, in separate records, since buckets have no field for it. */
export class BucketAccessRules {
  readonly #caches: RecordCaches;
  readonly #records: RecordCache<BucketAccess>;

  /** @param caches kinds of records that are looked up together with the access of buckets */
  constructor(storage: Pick<Storage, "records">, caches: RecordCaches = new RecordCaches()) {
    this.#caches = caches;
    this.#records = new RecordCache(() => storage.records(BUCKET_ACCESS_KIND), parseAccess, caches);
  }

  /** Await it before a lookup. */
  ready(): Waiting {
    return this.#caches.ready();
  }

  /** The access of a bucket, after `ready()`. */
  get(bucketId: string): BucketAccess {
    return this.#records.all.get(bucketId) ?? "open";
  }

  /**
   * Sets the access of a bucket in the step that finds it: otherwise the access of a deleted bucket would apply to the
   * next one with its ID.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`, `STORAGE_UNSUPPORTED` for a storage without transactions
   */
  async setInTransaction(storage: Storage, bucketId: string, access: BucketAccess): Promise<void> {
    const value = access === "open" ? undefined : access;
    await retryOnChange(async () => {
      const isDone = await transactOn(storage, [bucketId], async (view) => {
        if ((await view.getBucket(bucketId)) === undefined) throw noSuchBucket(bucketId);
        const expected = await view.getRecord(BUCKET_ACCESS_KIND, bucketId);
        return [{ kind: "record", recordKind: BUCKET_ACCESS_KIND, key: bucketId, expected, value }];
      });
      if (!isDone) throw new ConcurrentChange();
    });
    this.forget();
  }

  set(bucketId: string, access: BucketAccess): Promise<void> {
    return this.#records.change(bucketId, () => (access === "open" ? undefined : access));
  }

  /** Clears the cache after records were changed elsewhere. */
  forget(): void {
    this.#records.forget();
  }
}

function parseAccess(value: JsonValue | undefined): BucketAccess | undefined {
  return BUCKET_ACCESS.find((access) => access === value);
}

/** The access in a record; the default if the record is missing. */
export function readAccess(record: JsonValue | undefined): BucketAccess {
  return parseAccess(record) ?? "open";
}

/** @throws ActivityError `FORBIDDEN` for a change that the access of a bucket does not allow */
export function refuseChange(access: BucketAccess, change: AccessChange, bucketId: string): void {
  if (access === "open" || (access === "append-only" && change === "add")) return;
  throw new ActivityError(
    "FORBIDDEN",
    `bucket ${quote(bucketId)} is ${access}; an operator can change its access to open`,
  );
}
