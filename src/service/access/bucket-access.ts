import type { DomainOf } from "../../api/codec.js";
import type { JsonValue } from "../../domain/json.js";
import { ActivityError, noSuchBucket, quote } from "../../errors.js";
import type { Storage } from "../../storage/storage.js";
import { type TransactionView, transactOn } from "../../storage/transaction.js";
import type { Waiting } from "../../util/waiting.js";
import { ChangedMeanwhile, retrying } from "../retrying.js";
import type { Grants } from "./grants.js";
import { RecordCache, RecordMemory } from "./record-cache.js";

/** What may be done with a bucket by those who are not its operator (docs/keys.md#protected-buckets). */
export type BucketAccess = DomainOf<"BucketAccess">["access"];

/** All of them. */
export const BUCKET_ACCESS: readonly BucketAccess[] = ["open", "append-only", "read-only"];

/** The ways in which a bucket can be changed: `add` new events, extend the newest one included, or anything else. */
export type Change = "add" | "alter";

/**
 * Looks at the access of a bucket again, in the transaction that changes it: it may have been set since the request
 * began.
 *
 * @throws ActivityError `FORBIDDEN`
 */
export type RefuseIn = (view: Pick<TransactionView, "getRecord">, bucketId: string, change: Change) => Promise<void>;

/** @returns `undefined` for an operator, whom the access of buckets does not bind */
export function refuseIn({ standing }: Pick<Grants, "standing">): RefuseIn | undefined {
  return standing === "operator" ? undefined : refuseByAccess;
}

const refuseByAccess: RefuseIn = async (view, bucketId, change) => {
  refuseChange(accessIn(await view.getRecord(BUCKET_ACCESS_KIND, bucketId)), change, bucketId);
};

/** Records of this kind hold the access of buckets that are not open. */
export const BUCKET_ACCESS_KIND = "bucket-access";

/** The access of buckets that are not open, in records beside the buckets: these have no field for it. */
export class BucketAccessRules {
  readonly #memory: RecordMemory;
  readonly #records: RecordCache<BucketAccess>;

  /** @param memory what is looked up together with the access of buckets */
  constructor(storage: Pick<Storage, "records">, memory: RecordMemory = new RecordMemory()) {
    this.#memory = memory;
    this.#records = new RecordCache(() => storage.records(BUCKET_ACCESS_KIND), parsed, memory);
  }

  /** To wait for before a lookup. */
  ready(): Waiting {
    return this.#memory.ready();
  }

  /** The access of a bucket, after `ready()`. */
  of(bucketId: string): BucketAccess {
    return this.#records.all.get(bucketId) ?? "open";
  }

  /**
   * Sets the access of a bucket in the step that finds it: an access that a deleted bucket leaves would be that of the
   * next one with its id.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`, `STORAGE_UNSUPPORTED` for a storage without transactions
   */
  async setOf(storage: Storage, bucketId: string, access: BucketAccess): Promise<void> {
    const value = access === "open" ? undefined : access;
    await retrying(async () => {
      const isDone = await transactOn(storage, [bucketId], async (view) => {
        if ((await view.getBucket(bucketId)) === undefined) throw noSuchBucket(bucketId);
        const expected = await view.getRecord(BUCKET_ACCESS_KIND, bucketId);
        return [{ kind: "record", recordKind: BUCKET_ACCESS_KIND, key: bucketId, expected, value }];
      });
      if (!isDone) throw new ChangedMeanwhile();
    });
    this.forgetAll();
  }

  set(bucketId: string, access: BucketAccess): Promise<void> {
    return this.#records.change(bucketId, () => (access === "open" ? undefined : access));
  }

  /** Forgets what is in memory: records were changed behind it. */
  forgetAll(): void {
    this.#records.forget();
  }
}

function parsed(value: JsonValue | undefined): BucketAccess | undefined {
  return BUCKET_ACCESS.find((access) => access === value);
}

/** The access that a record tells, also one that is missing. */
export function accessIn(record: JsonValue | undefined): BucketAccess {
  return parsed(record) ?? "open";
}

/** @throws ActivityError `FORBIDDEN` for a change that the access of a bucket does not let pass */
export function refuseChange(access: BucketAccess, change: Change, bucketId: string): void {
  if (access === "open" || (access === "append-only" && change === "add")) return;
  throw new ActivityError(
    "FORBIDDEN",
    `bucket ${quote(bucketId)} is ${access}; an operator can change its access to open`,
  );
}
