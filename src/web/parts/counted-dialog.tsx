import type { ComponentChildren, JSX } from "preact";
import { useLoad } from "../load.js";
import { common } from "../texts/common.js";
import { ConfirmDialog } from "./confirm-dialog.js";
import { Dialog } from "./dialog.js";
import { Failure } from "./failure.js";

export interface CountedDialogProps<Counted> {
  readonly title: string;
  /** Counts what would be done. */
  readonly count: (signal: AbortSignal) => Promise<Counted>;
  readonly isNothing: (counted: Counted) => boolean;
  /** What stands there when there is nothing to do. */
  readonly nothing: string;
  /** What would be done. */
  readonly children: (counted: Counted) => ComponentChildren;
  /** What is done, as the button says it. */
  readonly action: (counted: Counted) => string;
  /** Does it; what it throws is shown. The owner takes the dialog away afterwards. */
  readonly onConfirm: (counted: Counted) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is done, once it has been counted what that is. */
export function CountedDialog<Counted>(props: CountedDialogProps<Counted>): JSX.Element {
  const { title, count, isNothing, nothing, children, action, onConfirm, onClose } = props;
  const counted = useLoad("", count);
  if (counted.state === "ready" && !isNothing(counted.value)) {
    const { value } = counted;
    return (
      <ConfirmDialog title={title} action={action(value)} onConfirm={() => onConfirm(value)} onClose={onClose}>
        {children(value)}
      </ConfirmDialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {counted.state === "failed" ? (
        <Failure title={common("couldNotDo")} error={counted.error} retry={counted.retry} />
      ) : (
        <p role="status">{counted.state === "ready" ? nothing : common("counting")}</p>
      )}
      <p class="actions">
        <button type="button" onClick={onClose}>
          {common("cancel")}
        </button>
      </p>
    </Dialog>
  );
}
