import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientEvent, NewEvent } from "../../../client/client-types.js";
import { currentMicros } from "../../../domain/time.js";
import { formatDuration } from "../../format.js";
import { Dialog } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { SaveActions } from "../../parts/save-actions.js";
import { zone } from "../../settings.js";
import { t } from "../../texts/bucket.js";
import { common } from "../../texts/common.js";
import { t as shell } from "../../texts/shell.js";
import { DataFields, simpleFields } from "./data-fields.js";
import { type EventFields, fieldsOf, freshFields, printData, readData, readDuration, readForm } from "./event-form.js";

export interface EventDialogProps {
  /** The event to change; `undefined` = a new one. */
  readonly event: ClientEvent | undefined;
  /** Initial data of a new event. */
  readonly template: string;
  /** Stores the event; errors are shown. */
  readonly onSave: (event: NewEvent) => Promise<void>;
  readonly onClose: () => void;
}

const FIELDS = ["start", "duration", "data"] as const;

/** Edits or adds an event. */
export function EventDialog({ event, template, onSave, onClose }: EventDialogProps): JSX.Element {
  const [first] = useState(() =>
    event === undefined
      ? { ...freshFields(currentMicros(Date.now), zone.value), data: template }
      : fieldsOf(event, zone.value),
  );
  const [fields, setFields] = useState<EventFields>(first);
  const [refused, setRefused] = useState<readonly (keyof EventFields)[]>([]);
  const [error, setError] = useState<unknown>();
  const [isSaving, setIsSaving] = useState(false);
  const data = readData(fields.data);
  const hasFields = typeof data === "object" && simpleFields(data).length > 0;
  const [isJson, setIsJson] = useState(!hasFields);
  const length = readDuration(fields.duration);
  const read = readForm(fields, zone.value);
  const problemAt = (field: keyof EventFields): string | undefined =>
    "problems" in read && refused.includes(field) ? read.problems[field] : undefined;

  function edit(field: keyof EventFields, value: string): void {
    setFields((before) => ({ ...before, [field]: value }));
    setRefused((before) => before.filter((one) => one !== field));
  }
  async function save(submit: Event): Promise<void> {
    submit.preventDefault();
    if ("problems" in read) return setRefused(FIELDS.filter((field) => read.problems[field] !== undefined));
    setIsSaving(true);
    setError(undefined);
    try {
      // Unchanged times keep their full precision.
      const kept = event !== undefined && fields.start === first.start ? { timestamp: event.timestamp } : {};
      await onSave({ ...read.event, ...kept });
    } catch (thrown) {
      setError(thrown);
      setIsSaving(false);
    }
  }

  return (
    <Dialog title={t(event === undefined ? "addEvent" : "editEvent")} onClose={onClose}>
      <form onSubmit={save} noValidate>
        <Field label={common("start")} hint={t("startHint", { zone: zone.value })} error={problemAt("start")}>
          <input
            type="text"
            value={fields.start}
            autocomplete="off"
            onInput={({ currentTarget }) => edit("start", currentTarget.value)}
          />
        </Field>
        <Field
          label={common("duration")}
          hint={typeof length === "number" ? t("durationRead", { length: formatDuration(length) }) : t("durationHint")}
          error={problemAt("duration")}
        >
          <input
            type="text"
            inputMode="decimal"
            value={fields.duration}
            autocomplete="off"
            onInput={({ currentTarget }) => edit("duration", currentTarget.value)}
          />
        </Field>
        {!isJson && typeof data === "object" ? (
          <DataFields data={data} onChange={(changed) => edit("data", printData(changed))} />
        ) : (
          <Field label={shell("data")} hint={common("jsonObject")} error={problemAt("data")}>
            <textarea
              class="code"
              rows={8}
              spellcheck={false}
              value={fields.data}
              onInput={({ currentTarget }) => edit("data", currentTarget.value)}
            />
          </Field>
        )}
        {hasFields && (
          <button type="button" class="plain" onClick={() => setIsJson(!isJson)}>
            {t(isJson ? "asFields" : "asJson")}
          </button>
        )}
        <SaveActions
          error={error}
          isBusy={isSaving}
          onClose={onClose}
          action={event === undefined ? t("add") : common("save")}
        />
      </form>
    </Dialog>
  );
}
