import type { JSX } from "preact";
import type { JsonObject, JsonValue } from "../../../domain/json.js";
import { Field } from "../../parts/field.js";
import { t } from "../../texts/timeline.js";

export interface DataFieldsProps {
  readonly data: JsonObject;
  readonly onChange: (data: JsonObject) => void;
}

/** Edits the simple values of data by field. Lists, objects and nulls stay. */
export function DataFields({ data, onChange }: DataFieldsProps): JSX.Element {
  return (
    <>
      {simpleFields(data).map(([name, value]) => (
        <Field key={name} label={name}>
          <ValueInput {...{ name, value }} onChange={(changed) => onChange({ ...data, [name]: changed })} />
        </Field>
      ))}
    </>
  );
}

type Simple = string | number | boolean;

/** Fields that have an input. */
export function simpleFields(data: JsonObject): readonly (readonly [name: string, value: Simple])[] {
  return Object.entries(data).flatMap(([name, value]) => (isSimple(value) ? [[name, value] as const] : []));
}

function isSimple(value: JsonValue): value is Simple {
  return ["string", "number", "boolean"].includes(typeof value);
}

interface ValueInputProps {
  readonly name: string;
  readonly value: Simple;
  readonly onChange: (value: Simple) => void;
}

function ValueInput({ name, value, onChange }: ValueInputProps): JSX.Element {
  if (typeof value === "boolean") {
    return <input type="checkbox" checked={value} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />;
  }
  if (typeof value === "number") {
    return (
      <input
        type="number"
        step="any"
        // Not controlled: the browser has no value for a number that is not finished.
        defaultValue={String(value)}
        onInput={({ currentTarget: { valueAsNumber } }) => Number.isNaN(valueAsNumber) || onChange(valueAsNumber)}
      />
    );
  }
  if (name === "status" && (value === "afk" || value === "not-afk")) {
    return (
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="not-afk">{t("present")}</option>
        <option value="afk">{t("away")}</option>
      </select>
    );
  }
  const onInput = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
    onChange(currentTarget.value);
  // An input of one line would drop line breaks.
  if (value.includes("\n")) return <textarea rows={4} value={value} onInput={onInput} />;
  return <input class="wide" value={value} autocomplete="off" onInput={onInput} />;
}
