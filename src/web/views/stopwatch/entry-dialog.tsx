import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatDate, formatDuration, formatMoment } from "../../format.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { Field } from "../../parts/field.js";
import { zone } from "../../settings.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/stopwatch.js";
import { type EntryFields, type EntryGround, nextDayExample, printMoment, readEntry } from "./entry-form.js";

export interface EntryDialogProps {
  readonly title: string;
  /** What the label begins with. */
  readonly label: string;
  readonly ground: Omit<EntryGround, "zone">;
  /** Stores it; what it throws is shown. Without an end the end is the start. */
  readonly onSave: (label: string, start: number, end: number) => Promise<void>;
  readonly onClose: () => void;
}

type Timed = "from" | "to";

/** Asks for label, start and end of an entry. What is wrong with a time stands below it once it is left. */
export function EntryDialog({ title, label, ground, onSave, onClose }: EntryDialogProps): JSX.Element {
  const { before, isRunning = false } = ground;
  const printed = (instant: number | undefined): string =>
    instant === undefined ? "" : printMoment(instant, zone.value);
  const [fields, setFields] = useState<EntryFields>({
    ...{ label, from: printed(before?.start), to: printed(before?.end) },
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
    if (problem !== "backwards") return problem && t(problem);
    return t(problem, { example: nextDayExample(start ?? 0, end ?? 0, zone.value) });
  }
  const timeField = (name: Timed, example: string, hint: string | undefined): JSX.Element => (
    <Field label={t(name)} hint={hint} error={problemAt(name)}>
      <input
        class="wide"
        placeholder={example}
        autocomplete="off"
        value={fields[name]}
        aria-invalid={problemAt(name) !== undefined}
        onInput={({ currentTarget: { value } }) => {
          setFields((typed) => ({ ...typed, [name]: value }));
          setLeft((names) => names.filter((one) => one !== name));
        }}
        onChange={({ currentTarget: { value } }) => value.trim() !== "" && setLeft((names) => [...names, name])}
      />
    </Field>
  );
  const length = start === undefined || end === undefined ? "" : ` · ${formatDuration((end - start) / 1000)}`;
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
      {timeField("from", "9:30", start === undefined ? undefined : formatMoment(start, zone.value))}
      {!isRunning &&
        timeField(
          "to",
          "11:00",
          end === undefined || problems.to !== undefined ? undefined : `${formatMoment(end, zone.value)}${length}`,
        )}
      <p class="hint">
        {t("timeHint", { date: formatDate(ground.date, "UTC") })} {t("times", { zone: zone.value })}
      </p>
    </ConfirmDialog>
  );
}
