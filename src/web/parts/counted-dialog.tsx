import type { ComponentChildren, JSX } from "preact";
import { useLoad } from "../load.js";
import { common } from "../texts/common.js";
import { ConfirmDialog } from "./confirm-dialog.js";
import { Failure } from "./failure.js";

export interface CountedDialogProps<Counted> {
  readonly title: string;
  /** Fields that change what is counted. */
  readonly choices?: ComponentChildren;
  /** Says all that the count depends on; it is counted anew when that changes. @default "" */
  readonly selection?: string;
  /** Counts what would be done. */
  readonly count: (signal: AbortSignal) => Promise<Counted>;
  readonly isNothing: (counted: Counted) => boolean;
  /** What stands there when there is nothing to do. */
  readonly nothing: string;
  /** What would be done. */
  readonly children: (counted: Counted) => ComponentChildren;
  /** What is done, as the button says it; it cannot be pressed before the count is there. */
  readonly action: (counted: Counted | undefined) => string;
  /** Does it; what it throws is shown. The owner takes the dialog away afterwards. */
  readonly onConfirm: (counted: Counted) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is done, once it has been counted what that is. */
export function CountedDialog<Counted>(props: CountedDialogProps<Counted>): JSX.Element {
  const { title, choices, selection = "", count, isNothing, nothing, children, action, onConfirm, onClose } = props;
  const counted = useLoad(selection, count);
  const found = counted.state === "ready" && !isNothing(counted.value) ? counted.value : undefined;
  const said = { loading: common("counting"), ready: found === undefined ? nothing : "", failed: "" };
  return (
    <ConfirmDialog
      title={title}
      action={action(found)}
      isBlocked={found === undefined}
      onConfirm={async () => found && onConfirm(found)}
      onClose={onClose}
    >
      {choices}
      {found !== undefined && children(found)}
      {counted.state === "failed" && (
        <Failure title={common("couldNotDo")} error={counted.error} retry={counted.retry} />
      )}
      <p role="status">{said[counted.state]}</p>
    </ConfirmDialog>
  );
}
