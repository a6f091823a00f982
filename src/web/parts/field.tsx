import type { ComponentChildren, JSX } from "preact";

export interface FieldProps {
  readonly label: string;
  /** The control. */
  readonly children: ComponentChildren;
  readonly hint?: ComponentChildren;
  /** Error in the input. */
  readonly error?: string | undefined;
}

/** A control with its label. */
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

/** Shows an error, if there is one. */
export function FieldError({ text }: { readonly text: string | undefined }): JSX.Element | null {
  if (text === undefined) return null;
  return (
    <p class="field-error" role="alert">
      <bdi>{text}</bdi>
    </p>
  );
}
