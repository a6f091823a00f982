import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientBucket, ClientMerging } from "../../../client/index.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { t } from "../../texts/care.js";
import { mergePair } from "./joining.js";
import { MergePreview } from "./merge-preview.js";
import { type Overlaps, OverlapsField } from "./overlaps-field.js";
import { ALWAYS_REDIRECTING, RedirectField, type RedirectLabels, redirectOf } from "./redirect-field.js";
import { TargetField } from "./target-field.js";

const REDIRECTS: RedirectLabels = { always: "redirectAlways", until: "redirectUntil", never: "redirectNever" };

export interface MergeDialogProps {
  /** ID of the bucket to merge into another one. */
  readonly from: string;
  readonly all: readonly ClientBucket[];
  readonly onClose: () => void;
  readonly onDone: (done: ClientMerging) => void;
}

/** Merges a bucket into another one, after a preview. */
export function MergeDialog({ from, all, onClose, onDone }: MergeDialogProps): JSX.Element {
  const [into, setInto] = useState("");
  const [overlaps, setOverlaps] = useState<Overlaps>("keep-both");
  const [redirecting, setRedirecting] = useState(ALWAYS_REDIRECTING);
  const redirect = redirectOf(redirecting);
  const merge = (preview: boolean, signal?: AbortSignal): Promise<ClientMerging> =>
    mergePair({ from, into }, { overlaps, redirect }, { preview, ...(signal && { signal }) });
  return (
    <ConfirmDialog
      title={t("mergeTitle", { id: from })}
      action={t("merge")}
      isDanger={false}
      onConfirm={async () => onDone(await merge(false))}
      onClose={onClose}
    >
      <TargetField from={from} all={all} value={into} onChange={setInto} />
      <OverlapsField value={overlaps} onChange={setOverlaps} />
      <RedirectField labels={REDIRECTS} value={redirecting} onChange={setRedirecting} />
      {into !== "" && (
        <MergePreview
          what={JSON.stringify([into, overlaps, redirect])}
          ask={async (signal) => [await merge(true, signal)]}
        />
      )}
    </ConfirmDialog>
  );
}
