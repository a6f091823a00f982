import type { JSX } from "preact";
import { isDate } from "../wall-clock.js";

export interface DateFieldProps {
  readonly label: string;
  /** `YYYY-MM-DD`. */
  readonly value: string;
  readonly onPick: (date: string) => void;
}

/** Called with a valid date. */
export function DateField({ label, value, onPick }: DateFieldProps): JSX.Element {
  return (
    <label class="activity-date">
      <span>{label}</span>
      <input
        type="date"
        value={value}
        min="1970-01-02"
        max="2199-12-30"
        required
        // Ignores intermediate values while a year is typed.
        onChange={({ currentTarget }) => isDate(currentTarget.value) && onPick(currentTarget.value)}
      />
    </label>
  );
}
