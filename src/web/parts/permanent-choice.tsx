import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { t } from "../texts/trash.js";

export interface PermanentChoiceProps {
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

/** The choice to delete permanently, with an explanation. */
export function PermanentChoice({ value, onChange }: PermanentChoiceProps): JSX.Element {
  const hint = useId();
  return (
    <div class="field">
      <label>
        <input
          type="checkbox"
          checked={value}
          aria-describedby={hint}
          onChange={({ currentTarget: { checked } }) => onChange(checked)}
        />
        {t("pastTrash")}
      </label>
      <p id={hint} class={value ? "field-error" : "hint"}>
        {value ? t("forGood") : t("keptInTrash")}
      </p>
    </div>
  );
}
