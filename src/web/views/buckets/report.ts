import { refreshBuckets } from "../../buckets.js";
import type { Done } from "../../parts/notice.js";
import { t } from "../../texts/notice.js";
import { forgetCounts } from "./counts.js";

/** Tells of a change, with what takes it back. */
export type Report = (text: string, undo?: () => Promise<unknown>) => void;

/** Whom to tell that a bucket is different now. */
export interface Listener {
  readonly onClose: () => void;
  readonly onDone: (done: Done) => void;
}

/** Makes a function that tells of changes of a bucket, and of those that were taken back. */
export function reportOf(bucketId: string, { onClose, onDone }: Listener): Report {
  return function report(text: string, undo?: () => Promise<unknown>): void {
    forgetCounts(bucketId);
    void refreshBuckets();
    onClose();
    onDone({
      text,
      undo:
        undo &&
        (async () => {
          await undo();
          report(t("undone"));
        }),
    });
  };
}
