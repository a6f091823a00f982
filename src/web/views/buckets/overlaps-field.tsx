import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { t } from "../../texts/care.js";

const OVERLAPS = { "keep-both": "keepBoth", "cut-older": "cutOlder", "first-wins": "firstWins" } as const;

/** Handling of overlapping events. */
export type Overlaps = keyof typeof OVERLAPS;

export interface OverlapsFieldProps {
  readonly value: Overlaps;
  readonly onChange: (value: Overlaps) => void;
}

/** Selects the handling of overlapping events. */
export function OverlapsField({ value, onChange }: OverlapsFieldProps): JSX.Element {
  const name = useId();
  return (
    <fieldset class="choices">
      <legend>{t("overlaps")}</legend>
      {Object.entries(OVERLAPS).map(([one, label]) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === value} onChange={() => onChange(one as Overlaps)} />
          <span>
            {t(label)} <span class="quiet">{t(`${label}Hint`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
