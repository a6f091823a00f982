import type { JSX } from "preact";
import { Field } from "../../parts/field.js";
import { BucketPattern } from "../data/bucket-pattern.js";
import type { RowProps } from "../data/rule-editor.js";
import type { PrivacyFields } from "./form.js";

const texts = {
  key: "Key",
  keyHint: "A key of the event's data. Empty: every event of these buckets.",
  test: "Condition",
  tests: { matches: "Matches pattern", equals: "Equals" },
  pattern: "Pattern",
  patternHint: "A regular expression, found anywhere in the text.",
  value: "Value",
  valueHint: "Text or JSON.",
  ignoreCase: "Ignore case",
  action: "Action",
  actions: { drop: "Drop the event", redact: "Redact keys", replace: "Replace all data" },
  keys: "Keys to redact",
  keysHint: "With commas between them.",
  replacement: "Replacement",
  replacementHint: "Empty: [redacted].",
  data: "New data",
  dataHint: "A JSON object.",
  json: "Rule as JSON",
};

/** Keys that watchers of the usual kinds write. */
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
        <Field label={texts.json}>
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
      <Field label={texts.key} hint={texts.keyHint} error={errorAt("when.key")}>
        <input list="data-keys" {...text("key")} />
      </Field>
      {fields.key !== "" && (
        <>
          <Field label={texts.test}>
            <Choice of={texts.tests} value={fields.test} onChange={(test) => onChange({ test })} />
          </Field>
          <Field
            label={isPattern ? texts.pattern : texts.value}
            hint={isPattern ? texts.patternHint : texts.valueHint}
            error={errorAt("when.matches", "when.equals")}
          >
            <input {...text("value")} />
          </Field>
        </>
      )}
      <Field label={texts.action} error={errorAt("then")}>
        <Choice of={texts.actions} value={fields.action} onChange={(action) => onChange({ action })} />
      </Field>
      {fields.action === "redact" && (
        <>
          <Field label={texts.keys} hint={texts.keysHint} error={errorAt("then.redact.keys")}>
            <input {...text("keys")} />
          </Field>
          <Field label={texts.replacement} hint={texts.replacementHint} error={errorAt("then.redact.with")}>
            <input {...text("replacement")} />
          </Field>
        </>
      )}
      {fields.action === "replace" && (
        <Field label={texts.data} hint={texts.dataHint} error={errorAt("then.replace")}>
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
          {texts.ignoreCase}
        </label>
      )}
    </>
  );
}

interface ChoiceProps<Value extends string> {
  readonly of: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ of, value, onChange }: ChoiceProps<Value>): JSX.Element {
  return (
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}>
      {(Object.entries(of) as [Value, string][]).map(([one, label]) => (
        <option key={one} value={one}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** What is offered as a key; once in a view. */
export function DataKeys(): JSX.Element {
  return (
    <datalist id="data-keys">
      {KEYS.map((key) => (
        <option key={key} value={key} />
      ))}
    </datalist>
  );
}
