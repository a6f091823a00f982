// The period of a program, as selected in the page and stored in the address.
import { type Calendar, dayAt, type Period, rangeOf } from "../../period.js";
import { addDays, isDate } from "../../wall-clock.js";

export const CHOICES = ["today", "yesterday", "7d", "30d", "custom"] as const;
export type Choice = (typeof CHOICES)[number];

/** A choice with its days. */
export interface ChosenPeriod {
  readonly choice: Choice;
  readonly period: Period;
}

/** Parses `period=7d`, or `from=2026-11-01&to=2026-11-10`; invalid values mean today. */
export function readPeriod(params: URLSearchParams, calendar: Calendar, now: number): ChosenPeriod {
  const [from, to] = [params.get("from") ?? "", params.get("to") ?? ""];
  if (isDate(from) && isDate(to)) return { choice: "custom", period: rangeOf(from, to, calendar) };
  const choice = CHOICES.find((candidate) => candidate === params.get("period")) ?? "today";
  return choosePeriod(choice, calendar, now);
}

/** The days of a choice; `custom` starts as today. */
export function choosePeriod(choice: Choice, calendar: Calendar, now: number): ChosenPeriod {
  const today = dayAt(now, calendar);
  const [before, length] = { today: [0, 1], yesterday: [1, 1], "7d": [6, 7], "30d": [29, 30], custom: [0, 1] }[
    choice
  ] as [number, number];
  const first = addDays(today, -before);
  return { choice, period: rangeOf(first, addDays(first, length - 1), calendar) };
}

/** The address parameters. */
export function printPeriod({ choice, period }: ChosenPeriod): Readonly<Record<string, string | undefined>> {
  return choice === "custom" ? { from: period.first, to: period.last } : { period: choice };
}

/** The request parameter. */
export function timeperiodOf({ start, end }: Period): string {
  return `${new Date(start).toISOString()}/${new Date(end).toISOString()}`;
}
