import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { common } from "../texts/common.js";
import { Dialog } from "./dialog.js";
import { Failure } from "./failure.js";

export interface ConfirmDialogProps {
  readonly title: string;
  /** Description of the effect. */
  readonly children: ComponentChildren;
  /** Label of the confirm button. */
  readonly action: string;
  /** Runs the action; errors are shown. The owner removes the dialog afterwards. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  /** Checks the fields before the action; errors are shown at the fields. */
  readonly canConfirm?: () => boolean;
  /** Whether the effect is still unknown, which disables the button. */
  readonly isBlocked?: boolean;
  /** @default true */
  readonly isDanger?: boolean;
}

/** Asks for confirmation before an action. */
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
