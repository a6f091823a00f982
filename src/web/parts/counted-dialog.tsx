import type { ComponentChildren, JSX } from "preact";
import { useLoad } from "../load.js";
import { common } from "../texts/common.js";
import { ConfirmDialog } from "./confirm-dialog.js";
import { Failure } from "./failure.js";

export interface CountedDialogProps<Counted> {
  readonly title: string;
  /** Fields that affect the count. */
  readonly choices?: ComponentChildren;
  /** Identifies everything that the count depends on; a change counts again. @default "" */
  readonly selection?: string;
  /** Counts the affected items. */
  readonly count: (signal: AbortSignal) => Promise<Counted>;
  readonly isNothing: (counted: Counted) => boolean;
  /** Message without affected items. */
  readonly nothing: string;
  /** Description of the effect. */
  readonly children: (counted: Counted) => ComponentChildren;
  /** Label of the confirm button, which is disabled until the count is known. */
  readonly action: (counted: Counted | undefined) => string;
  /** Runs the action; errors are shown. The owner removes the dialog afterwards. */
  readonly onConfirm: (counted: Counted) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for confirmation after counting the affected items. */
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
