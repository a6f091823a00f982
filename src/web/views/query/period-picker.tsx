import type { JSX } from "preact";
import { Field } from "../../parts/field.js";
import { type Calendar, rangeOf } from "../../period.js";
import { t } from "../../texts/query.js";
import { isDate } from "../../wall-clock.js";
import { CHOICES, type Choice, type ChosenPeriod, choosePeriod } from "./period-choice.js";

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
      <Field label={t("period")}>
        <select value={choice} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {CHOICES.map((name) => (
            <option key={name} value={name}>
              {labelOf(name)}
            </option>
          ))}
        </select>
      </Field>
      {choice === "custom" && (
        <>
          <Field label={t("firstDay")}>
            <input
              type="date"
              value={period.first}
              onChange={({ currentTarget }) => change(currentTarget.value, period.last)}
            />
          </Field>
          <Field label={t("lastDay")}>
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

function labelOf(choice: Choice): string {
  return choice === "7d" || choice === "30d" ? t("lastDays", { count: Number.parseInt(choice, 10) }) : t(choice);
}
