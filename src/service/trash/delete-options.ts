import type { TransactionChange, TransactionView } from "../../storage/transaction.js";
import type { AccessCheck } from "../access/bucket-access.js";
import type { Bin } from "./bin.js";
import type { Extent, StoredEntry, TrashEntry } from "./entry.js";

/** Options of a deletion. */
export interface DeleteOptions {
  /** Description for people. */
  readonly reason: string;
  /** Skips the trash (docs/reference/trash.md#permanent-deletion). */
  readonly isPermanent?: boolean;
  /** Whether the plan may put notes into the bin. */
  readonly hasNotes?: boolean;
  /**
   * Called for each bucket in the step that deletes. `undefined`: the access of buckets does not restrict the caller.
   */
  readonly refuse: AccessCheck | undefined;
  /** Called at once after a deletion, so that notices keep the order of the writes. */
  readonly tell?: () => void;
}

/** The result of a deletion. */
export interface Deletion extends Extent {
  /** `undefined`: nothing was deleted, or permanently. */
  readonly entry: TrashEntry | undefined;
}

/** Returns the changes of a transaction that deletes. */
export type DeletionPlan = (view: TransactionView, bin: Bin) => Promise<readonly TransactionChange[]>;

/** Returns the changes of a transaction that removes an entry from the trash. */
export type RemovalPlan = (view: TransactionView, entry: StoredEntry) => Promise<readonly TransactionChange[]>;
