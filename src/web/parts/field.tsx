import type { ComponentChildren, JSX } from "preact";

export interface FieldProps {
  readonly label: string;
  /** The control. */
  readonly children: ComponentChildren;
  readonly hint?: ComponentChildren;
  /** What is wrong with what was typed. */
  readonly error?: string | undefined;
}

/** A control with its label in front. */
export function Field({ label, children, hint, error }: FieldProps): JSX.Element {
  return (
    <div class="field">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is the child */}
      <label>
        <span class="field-label">{label}</span>
        {children}
      </label>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <FieldError text={error} />
    </div>
  );
}

/** Says what is wrong, if anything is. */
export function FieldError({ text }: { readonly text: string | undefined }): JSX.Element | null {
  if (text === undefined) return null;
  return (
    <p class="field-error" role="alert">
      <bdi>{text}</bdi>
    </p>
  );
}
