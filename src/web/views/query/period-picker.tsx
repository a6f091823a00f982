import type { JSX } from "preact";
import { Field } from "../../parts/field.js";
import { type Calendar, rangeOf } from "../../period.js";
import { isDate } from "../../wall-clock.js";
import { CHOICES, type Choice, type ChosenPeriod, choosePeriod } from "./period-choice.js";

const LABELS: Readonly<Record<Choice, string>> = {
  today: "Today",
  yesterday: "Yesterday",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  custom: "From … to …",
};

export interface PeriodPickerProps {
  readonly chosen: ChosenPeriod;
  readonly calendar: Calendar;
  readonly onChoose: (chosen: ChosenPeriod) => void;
}

export function PeriodPicker({ chosen, calendar, onChoose }: PeriodPickerProps): JSX.Element {
  const { choice, period } = chosen;
  function choose(given: string): void {
    const next = CHOICES.find((candidate) => candidate === given) ?? "today";
    onChoose(next === "custom" ? { choice: next, period } : choosePeriod(next, calendar, Date.now()));
  }
  function change(first: string, last: string): void {
    if (isDate(first) && isDate(last)) onChoose({ choice: "custom", period: rangeOf(first, last, calendar) });
  }
  return (
    <>
      <Field label="Period">
        <select value={choice} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {CHOICES.map((name) => (
            <option key={name} value={name}>
              {LABELS[name]}
            </option>
          ))}
        </select>
      </Field>
      {choice === "custom" && (
        <>
          <Field label="First day">
            <input
              type="date"
              value={period.first}
              onChange={({ currentTarget }) => change(currentTarget.value, period.last)}
            />
          </Field>
          <Field label="Last day">
            <input
              type="date"
              value={period.last}
              onChange={({ currentTarget }) => change(period.first, currentTarget.value)}
            />
          </Field>
        </>
      )}
    </>
  );
}
