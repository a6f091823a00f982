import type { JSX } from "preact";
import type { ClientBucket } from "../../../client/index.js";
import { Field } from "../../parts/field.js";
import { t } from "../../texts/care.js";

export interface TargetFieldProps {
  /** ID of the source bucket. */
  readonly from: string;
  readonly all: readonly ClientBucket[];
  /** `""` until chosen. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Selects another bucket. */
export function TargetField({ from, all, value, onChange }: TargetFieldProps): JSX.Element {
  return (
    <Field label={t("target")}>
      <select value={value} required onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{t("choose")}</option>
        {targetsOf(from, all).map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** All other buckets, the same type first, since they contain the same kind of events. */
function targetsOf(from: string, all: readonly ClientBucket[]): readonly string[] {
  const type = all.find(({ id }) => id === from)?.type;
  const others = all.filter(({ id }) => id !== from);
  const [same, rest] = [others.filter((one) => one.type === type), others.filter((one) => one.type !== type)];
  return [...same, ...rest].map(({ id }) => id);
}
