import type { JSX } from "preact";
import { Field } from "../../parts/field.js";
import { t } from "../../texts/care.js";

const KINDS = ["always", "until", "never"] as const;

/** Whether to redirect reports to the old ID. */
export interface Redirecting {
  readonly kind: (typeof KINDS)[number];
  /** Its last day, `YYYY-MM-DD`; "" until chosen. */
  readonly until: string;
}

export const ALWAYS_REDIRECTING: Redirecting = { kind: "always", until: "" };

/** The value for the API. */
export function redirectOf({ kind, until }: Redirecting): boolean | string {
  return kind === "until" && until !== "" ? `${until}T00:00:00Z` : kind !== "never";
}

/** Labels of the kinds. */
export interface RedirectLabels {
  readonly always: "redirectAlways" | "redirectToNew";
  readonly until: "redirectUntil" | "redirectToNewUntil";
  readonly never: "redirectNever";
}

export interface RedirectFieldProps {
  readonly labels: RedirectLabels;
  readonly hint?: string;
  readonly value: Redirecting;
  readonly onChange: (value: Redirecting) => void;
}

/** Selects whether and until when to redirect. */
export function RedirectField({ labels, hint, value, onChange }: RedirectFieldProps): JSX.Element {
  return (
    <>
      <Field label={t("redirect")} {...(hint !== undefined && { hint })}>
        <select
          value={value.kind}
          onChange={({ currentTarget }) => onChange({ ...value, kind: currentTarget.value as Redirecting["kind"] })}
        >
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(labels[kind])}
            </option>
          ))}
        </select>
      </Field>
      {value.kind === "until" && (
        <Field label={t("until")}>
          <input
            type="date"
            value={value.until}
            required
            onInput={({ currentTarget }) => onChange({ ...value, until: currentTarget.value })}
          />
        </Field>
      )}
    </>
  );
}
