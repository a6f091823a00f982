import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { common } from "../texts/common.js";
import { Dialog } from "./dialog.js";
import { Failure } from "./failure.js";

export interface ConfirmDialogProps {
  readonly title: string;
  /** What will be. */
  readonly children: ComponentChildren;
  /** What is done, as the button says it. */
  readonly action: string;
  /** Does it; what it throws is shown. The owner takes the dialog away afterwards. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  /** Whether it can be done, asked before; what is wrong stands at its field. */
  readonly canConfirm?: () => boolean;
  /** Whether it is not yet known what would be done. */
  readonly isBlocked?: boolean;
  /** @default true */
  readonly isDanger?: boolean;
}

/** Asks before something is done. */
export function ConfirmDialog(props: ConfirmDialogProps): JSX.Element {
  const { title, children, action, onConfirm, onClose, canConfirm, isBlocked = false, isDanger = true } = props;
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  async function confirm(event: Event): Promise<void> {
    event.preventDefault();
    if (canConfirm?.() === false) return;
    setIsBusy(true);
    setError(undefined);
    try {
      await onConfirm();
    } catch (thrown) {
      setError(thrown);
      setIsBusy(false);
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={confirm}>
        {children}
        {error !== undefined && <Failure title={common("couldNotDo")} error={error} />}
        <p class="actions">
          <button type="button" autofocus={isDanger} onClick={onClose}>
            {common("cancel")}
          </button>
          <button type="submit" class={isDanger ? "danger" : "primary"} disabled={isBusy || isBlocked}>
            {action}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
