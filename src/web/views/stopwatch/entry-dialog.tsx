import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatDuration } from "../../format.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { Field } from "../../parts/field.js";
import { zone } from "../../settings.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/stopwatch.js";
import { type EntryContext, type EntryFields, printMoment, readEntry } from "./entry-form.js";

export interface EntryDialogProps {
  readonly title: string;
  /** Initial label. */
  readonly label: string;
  readonly ground: Omit<EntryContext, "zone">;
  /** Stores the entry; errors are shown. If it has no end, the end equals the start. */
  readonly onSave: (label: string, start: number, end: number) => Promise<void>;
  readonly onClose: () => void;
}

type Timed = "from" | "to";

/** Edits label, start and end of an entry. Errors in times are shown when a field loses the focus. */
export function EntryDialog({ title, label, ground, onSave, onClose }: EntryDialogProps): JSX.Element {
  const { before, isRunning = false } = ground;
  const [fields, setFields] = useState<EntryFields>({
    ...{ label, from: printMoment(before.start, zone.value), to: printMoment(before.end, zone.value) },
  });
  const [left, setLeft] = useState<readonly Timed[]>([]);
  const { start, end, problems } = readEntry(fields, { ...ground, zone: zone.value });

  function check(): boolean {
    setLeft(["from", "to"]);
    return Object.keys(problems).length === 0;
  }
  async function save(): Promise<void> {
    if (start === undefined || end === undefined) return;
    await onSave(fields.label, start, end);
    onClose();
  }
  function problemAt(name: Timed): string | undefined {
    const problem = left.includes(name) ? problems[name] : undefined;
    return problem && t(problem);
  }
  const timeField = (name: Timed, hint?: string): JSX.Element => (
    <Field label={t(name)} hint={hint} error={problemAt(name)}>
      <input
        type="datetime-local"
        class="wide"
        step={1}
        value={fields[name]}
        aria-invalid={problemAt(name) !== undefined}
        onInput={({ currentTarget: { value } }) => {
          setFields((typed) => ({ ...typed, [name]: value }));
          setLeft((names) => names.filter((one) => one !== name));
        }}
        onBlur={() => setLeft((names) => [...names, name])}
      />
    </Field>
  );
  const isRead = start !== undefined && end !== undefined && problems.to === undefined;
  return (
    <ConfirmDialog {...{ title, onClose }} action={common("save")} isDanger={false} canConfirm={check} onConfirm={save}>
      <Field label={t("label")}>
        <input
          class="wide"
          list="stopwatch-labels"
          maxLength={500}
          value={fields.label}
          onInput={({ currentTarget: { value } }) => setFields((typed) => ({ ...typed, label: value }))}
        />
      </Field>
      {timeField("from")}
      {!isRunning && timeField("to", isRead ? formatDuration((end - start) / 1000) : undefined)}
      <p class="hint">{t("times", { zone: zone.value })}</p>
    </ConfirmDialog>
  );
}
