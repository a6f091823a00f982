import type { JSX } from "preact";
import { knownBuckets } from "../../buckets.js";
import { Field } from "../../parts/field.js";
import { t } from "../../texts/rules.js";

export interface BucketPatternProps {
  readonly value: string;
  readonly placeholder?: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Edits the bucket pattern of a rule. */
export function BucketPattern({ value, placeholder, error, onChange }: BucketPatternProps): JSX.Element {
  return (
    <Field label={t("buckets")} hint={t("bucketsHint")} error={error}>
      <input
        value={value}
        list="bucket-patterns"
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </Field>
  );
}

/** Suggestions for patterns; render once per view. */
export function BucketPatterns(): JSX.Element {
  const ids = knownBuckets.value.map(({ id }) => id);
  // All buckets of one kind of watcher, on any host.
  const kinds = ids.filter((id) => id.includes("_")).map((id) => `${id.slice(0, id.indexOf("_"))}_*`);
  return (
    <datalist id="bucket-patterns">
      {[...new Set(["*", ...kinds, ...ids])].map((pattern) => (
        <option key={pattern} value={pattern} />
      ))}
    </datalist>
  );
}
