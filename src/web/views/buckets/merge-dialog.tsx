import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientMerging } from "../../../client/care-types.js";
import type { ClientBucket } from "../../../client/client-types.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { Field } from "../../parts/field.js";
import { t } from "../../texts/care.js";
import { mergePair } from "./joining.js";
import { MergePreview } from "./merge-preview.js";
import { type Overlaps, OverlapsField } from "./overlaps-field.js";
import { TargetField } from "./target-field.js";

const REDIRECTS = { always: "redirectAlways", until: "redirectUntil", never: "redirectNever" } as const;

type Redirecting = keyof typeof REDIRECTS;

export interface MergeDialogProps {
  /** Id of the bucket that becomes part of another one. */
  readonly from: string;
  readonly all: readonly ClientBucket[];
  readonly onClose: () => void;
  readonly onDone: (done: ClientMerging) => void;
}

/** Merges a bucket into another one, once it was seen what that changes. */
export function MergeDialog({ from, all, onClose, onDone }: MergeDialogProps): JSX.Element {
  const [into, setInto] = useState("");
  const [overlaps, setOverlaps] = useState<Overlaps>("keep-both");
  const [redirecting, setRedirecting] = useState<Redirecting>("always");
  const [until, setUntil] = useState("");
  const redirect = redirecting === "until" && until !== "" ? `${until}T00:00:00Z` : redirecting !== "never";
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
      <Field label={t("redirect")}>
        <select value={redirecting} onChange={({ currentTarget: { value } }) => setRedirecting(value as Redirecting)}>
          {Object.entries(REDIRECTS).map(([one, label]) => (
            <option key={one} value={one}>
              {t(label)}
            </option>
          ))}
        </select>
      </Field>
      {redirecting === "until" && (
        <Field label={t("until")}>
          <input type="date" value={until} required onInput={({ currentTarget: { value } }) => setUntil(value)} />
        </Field>
      )}
      {into !== "" && (
        <MergePreview
          what={JSON.stringify([into, overlaps, redirect])}
          ask={async (signal) => [await merge(true, signal)]}
        />
      )}
    </ConfirmDialog>
  );
}
