import type { Done } from "../../parts/notice.js";
import { t } from "../../texts/notice.js";
import type { LazyText } from "../../texts/text.js";
import { recount } from "./counts.js";

/** Reports a change with its undo action. @param entries trash entries that undoing requires */
export type Report = (say: LazyText, undo?: () => Promise<unknown>, entries?: readonly string[]) => void;

/** Callbacks of a bucket change. */
export interface Listener {
  readonly onClose: () => void;
  readonly onDone: (done: Done) => void;
}

/** Creates a function that reports changes of buckets, including undone ones. */
export function reportOf({ onClose, onDone }: Listener): Report {
  return function report(say: LazyText, undo?: () => Promise<unknown>, entries?: readonly string[]): void {
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
