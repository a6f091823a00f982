import type { ComponentChildren, JSX } from "preact";
import { common } from "../texts/common.js";
import { Failure } from "./failure.js";

interface SaveActionsProps {
  /** The failure of the last attempt. */
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  /** @default "Save" */
  readonly action?: string;
  /** Other buttons, before these. */
  readonly children?: ComponentChildren;
}

/** The end of a form in a dialog: a failure, and the buttons to cancel and to save. */
export function SaveActions({ error, isBusy, onClose, action, children }: SaveActionsProps): JSX.Element {
  return (
    <>
      {error !== undefined && <Failure title={common("unsaved")} error={error} />}
      <p class="actions">
        {children}
        <button type="button" onClick={onClose}>
          {common("cancel")}
        </button>
        <button type="submit" class="primary" disabled={isBusy}>
          {action ?? common("save")}
        </button>
      </p>
    </>
  );
}
