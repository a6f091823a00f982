import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { JsonValue } from "../../../domain/json.js";
import { shorten } from "../../format.js";
import { Failure } from "../../parts/failure.js";
import { Field } from "../../parts/field.js";
import { dayAt, type Period } from "../../period.js";
import { currentCalendar, saveSetting, settings } from "../../settings.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/query.js";
import { addQuery, dayOffsets, readSaved, removeQuery, SAVED_QUERIES } from "./saved.js";

export interface SaverProps {
  readonly text: string;
  readonly period: Period;
}

/** Saves a program under a name, and deletes saved ones. */
export function Saver({ text, period }: SaverProps): JSX.Element {
  const chosen = readSaved(settings.value[SAVED_QUERIES]).find(({ query_code }) => query_code === text);
  const [name, setName] = useState<string | undefined>();
  const [failure, setFailure] = useState<unknown>();

  async function change(make: (value: JsonValue) => JsonValue): Promise<void> {
    try {
      await saveSetting(SAVED_QUERIES, make);
      setFailure(undefined);
      setName(undefined);
    } catch (error) {
      setFailure(error);
    }
  }
  function save(event: Event): void {
    event.preventDefault();
    const given = name?.trim() ?? "";
    const { first, last } = period;
    const offsets = dayOffsets(first, last, dayAt(Date.now(), currentCalendar.value));
    const query = { name: given, query_code: text, startdate: first, enddate: last, ...offsets };
    if (given !== "") void change((value) => addQuery(value, query));
  }
  return (
    <div class="query-save">
      {name === undefined ? (
        <>
          {chosen !== undefined && (
            <button type="button" onClick={() => void change((value) => removeQuery(value, chosen.id))}>
              {t("delete", { name: shorten(chosen.name, 40) })}
            </button>
          )}
          <button type="button" onClick={() => setName(chosen?.name ?? "")}>
            {t("saveAs")}
          </button>
        </>
      ) : (
        <form onSubmit={save}>
          <Field label={common("name")}>
            <input
              value={name}
              required
              maxLength={200}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          </Field>
          <button type="submit">{common("save")}</button>
          <button type="button" onClick={() => setName(undefined)}>
            {common("cancel")}
          </button>
        </form>
      )}
      {failure !== undefined && <Failure error={failure} title={common("unsaved")} />}
    </div>
  );
}
