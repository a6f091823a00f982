import type { Done } from "../../parts/notice.js";
import { t } from "../../texts/notice.js";
import type { Said } from "../../texts/text.js";
import { recount } from "./counts.js";

/** Tells of a change, with what takes it back. @param entries of the trash, which that needs */
export type Report = (say: Said, undo?: () => Promise<unknown>, entries?: readonly string[]) => void;

/** Whom to tell that a bucket is different now. */
export interface Listener {
  readonly onClose: () => void;
  readonly onDone: (done: Done) => void;
}

/** Makes a function that tells of changes of buckets, and of those that were taken back. */
export function reportOf({ onClose, onDone }: Listener): Report {
  return function report(say: Said, undo?: () => Promise<unknown>, entries?: readonly string[]): void {
    void recount();
    onClose();
    onDone({
      ...{ say, entries },
      undo:
        undo &&
        (async () => {
          await undo();
          report(() => t("undone"));
        }),
    });
  };
}
