import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatDuration } from "../../format.js";
import { Field } from "../../parts/field.js";
import { zone } from "../../settings.js";
import { t } from "../../texts/stopwatch.js";
import { type EntryContext, type EntryFields, printMoment, type ReadEntry, readEntry } from "./entry-form.js";

type Timed = "from" | "to";

/** Fields of an entry, and their content. */
export interface EntryForm extends ReadEntry {
  readonly label: string;
  readonly labelField: JSX.Element;
  readonly timeFields: JSX.Element;
  /** Shows errors at the fields. @returns whether there are none */
  readonly check: () => boolean;
}

/** Fields for label, start and end of an entry. Errors in times are shown when a field loses the focus. */
export function useEntryForm(first: string, ground: Omit<EntryContext, "zone">): EntryForm {
  const { before, isRunning = false } = ground;
  const [fields, setFields] = useState<EntryFields>({
    ...{ label: first, from: printMoment(before.start, zone.value), to: printMoment(before.end, zone.value) },
  });
  const [left, setLeft] = useState<readonly Timed[]>([]);
  const read = readEntry(fields, { ...ground, zone: zone.value });
  const { start, end, problems } = read;

  function check(): boolean {
    setLeft(["from", "to"]);
    return Object.keys(problems).length === 0;
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
  return {
    ...{ ...read, label: fields.label, check },
    labelField: (
      <Field label={t("label")}>
        <input
          class="wide"
          list="stopwatch-labels"
          maxLength={500}
          value={fields.label}
          onInput={({ currentTarget: { value } }) => setFields((typed) => ({ ...typed, label: value }))}
        />
      </Field>
    ),
    timeFields: (
      <>
        {timeField("from")}
        {!isRunning && timeField("to", isRead ? formatDuration((end - start) / 1000) : undefined)}
      </>
    ),
  };
}
