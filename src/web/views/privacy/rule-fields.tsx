import type { JSX } from "preact";
import { Field } from "../../parts/field.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/privacy.js";
import { BucketPattern } from "../data/bucket-pattern.js";
import type { RowProps } from "../data/rule-editor.js";
import type { PrivacyFields } from "./form.js";

/** Keys that common watchers write. */
const KEYS = ["title", "app", "url", "file", "project", "status"];

type Name = "key" | "value" | "keys" | "replacement" | "data" | "json";

/** The fields of one privacy rule. */
export function RuleFields({ fields, onChange, errorAt }: RowProps<PrivacyFields>): JSX.Element {
  const text = (name: Name): object => ({
    value: fields[name],
    autocomplete: "off",
    spellcheck: false,
    onInput: ({ currentTarget: { value } }: { readonly currentTarget: HTMLInputElement }) =>
      onChange({ [name]: value }),
  });
  if (fields.json !== undefined) {
    return (
      <div class="wide">
        <Field label={t("json")}>
          <textarea class="code" rows={6} {...text("json")} />
        </Field>
      </div>
    );
  }
  const isPattern = fields.test === "matches";
  return (
    <>
      <BucketPattern
        value={fields.buckets}
        placeholder="*"
        error={errorAt("when.buckets")}
        onChange={(buckets) => onChange({ buckets })}
      />
      <Field label={common("key")} hint={t("keyHint")} error={errorAt("when.key")}>
        <input list="data-keys" {...text("key")} />
      </Field>
      {fields.key !== "" && (
        <>
          <Field label={t("test")}>
            <Choice of={["matches", "equals"]} value={fields.test} onChange={(test) => onChange({ test })} />
          </Field>
          <Field
            label={isPattern ? t("pattern") : common("value")}
            hint={isPattern ? t("patternHint") : t("valueHint")}
            error={errorAt("when.matches", "when.equals")}
          >
            <input {...text("value")} />
          </Field>
        </>
      )}
      <Field label={t("action")} error={errorAt("then")}>
        <Choice of={["drop", "redact", "replace"]} value={fields.action} onChange={(action) => onChange({ action })} />
      </Field>
      {fields.action === "redact" && (
        <>
          <Field label={t("keys")} hint={t("keysHint")} error={errorAt("then.redact.keys")}>
            <input {...text("keys")} />
          </Field>
          <Field label={t("replacement")} hint={t("replacementHint")} error={errorAt("then.redact.with")}>
            <input {...text("replacement")} />
          </Field>
        </>
      )}
      {fields.action === "replace" && (
        <Field label={t("data")} hint={common("jsonObject")} error={errorAt("then.replace")}>
          <textarea class="code" rows={3} {...text("data")} />
        </Field>
      )}
      {fields.key !== "" && isPattern && (
        <label class="wide rule-option">
          <input
            type="checkbox"
            checked={fields.ignoreCase}
            onChange={({ currentTarget: { checked } }) => onChange({ ignoreCase: checked })}
          />
          {common("ignoreCase")}
        </label>
      )}
    </>
  );
}

type Choosable = PrivacyFields["test" | "action"];

interface ChoiceProps<Value extends Choosable> {
  readonly of: readonly Value[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends Choosable>({ of, value, onChange }: ChoiceProps<Value>): JSX.Element {
  return (
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}>
      {of.map((one) => (
        <option key={one} value={one}>
          {labelOf(one)}
        </option>
      ))}
    </select>
  );
}

function labelOf(choice: Choosable): string {
  return t(choice);
}

/** Suggestions for keys; render once per view. */
export function DataKeys(): JSX.Element {
  return (
    <datalist id="data-keys">
      {KEYS.map((key) => (
        <option key={key} value={key} />
      ))}
    </datalist>
  );
}
