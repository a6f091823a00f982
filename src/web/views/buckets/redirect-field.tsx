import type { JSX } from "preact";
import { Field } from "../../parts/field.js";
import { t } from "../../texts/care.js";

const KINDS = ["always", "until", "never"] as const;

/** Whether a watcher that still reports to the old id is redirected. */
export interface Redirecting {
  readonly kind: (typeof KINDS)[number];
  /** The last day of it, `YYYY-MM-DD`; "" until it is chosen. */
  readonly until: string;
}

export const ALWAYS_REDIRECTING: Redirecting = { kind: "always", until: "" };

/** As the API takes it. */
export function redirectOf({ kind, until }: Redirecting): boolean | string {
  return kind === "until" && until !== "" ? `${until}T00:00:00Z` : kind !== "never";
}

/** How a dialog names the kinds. */
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

/** Chooses whether, and until when, a watcher is redirected. */
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
