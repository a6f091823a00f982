import type { TransactionChange, TransactionView } from "../../storage/transaction.js";
import type { RefuseIn } from "../access/bucket-access.js";
import type { Bin } from "./bin.js";
import type { Extent, KeptEntry, TrashEntry } from "./entry.js";

/** What is deleted, and how. */
export interface Deleting {
  /** For people. */
  readonly reason: string;
  /** Past the trash (docs/trash.md#for-good). */
  readonly isPermanent?: boolean;
  /** Whether the plan may put notes into the bin. */
  readonly hasNotes?: boolean;
  /** Called for each bucket in the step that deletes. `undefined`: the caller is not bound by the access of buckets. */
  readonly refuse: RefuseIn | undefined;
  /** Called at once when something was deleted, so that notices keep the order of the writes. */
  readonly tell?: () => void;
}

/** What was deleted. */
export interface Deletion extends Extent {
  /** `undefined`: nothing was deleted, or for good. */
  readonly entry: TrashEntry | undefined;
}

/** The changes of a transaction that deletes. */
export type Plan = (view: TransactionView, bin: Bin) => Promise<readonly TransactionChange[]>;

/** The changes of a transaction that takes an entry out of the trash. */
export type TakingPlan = (view: TransactionView, entry: KeptEntry) => Promise<readonly TransactionChange[]>;
