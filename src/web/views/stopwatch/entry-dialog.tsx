import type { JSX } from "preact";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { zone } from "../../settings.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/stopwatch.js";
import { useEntryForm } from "./entry-fields.js";
import type { EntryContext } from "./entry-form.js";

export interface EntryDialogProps {
  readonly title: string;
  /** Initial label. */
  readonly label: string;
  readonly ground: Omit<EntryContext, "zone">;
  /** Stores the entry; errors are shown. If it has no end, the end equals the start. */
  readonly onSave: (label: string, start: number, end: number) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Edits label, start and end of an entry. */
export function EntryDialog({ title, label: first, ground, onSave, onClose }: EntryDialogProps): JSX.Element {
  const { label, start, end, labelField, timeFields, check } = useEntryForm(first, ground);
  async function save(): Promise<void> {
    if (start === undefined || end === undefined) return;
    await onSave(label, start, end);
    onClose();
  }
  return (
    <ConfirmDialog {...{ title, onClose }} action={common("save")} isDanger={false} canConfirm={check} onConfirm={save}>
      {labelField}
      {timeFields}
      <p class="hint">{t("times", { zone: zone.value })}</p>
    </ConfirmDialog>
  );
}
