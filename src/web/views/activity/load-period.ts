// Asks the server for the numbers of a period.
import type { JsonValue } from "../../../domain/json.js";
import { client } from "../../api.js";
import { type Calendar, MOST_PARTS, type Part, type Period, partsOf } from "../../period.js";
import { type CategoryTime, type Row, readCategoryTimes, readProjects, readSummary, type Summary } from "./answer.js";

/** A value with what it was asked for, so that nothing is taken for the numbers of another period. */
export interface Of<Value> {
  readonly asked: string;
  readonly value: Value;
}

/** The bars of a chart. */
export interface Bars {
  readonly parts: readonly Part[];
  readonly times: readonly (readonly CategoryTime[])[];
}

/** Names what an answer depends on. */
export function askedFor({ kind, start, end }: Period, program: string): string {
  return JSON.stringify([kind, start, end, program]);
}

/** The numbers of a period as a whole. */
export async function loadSummary(period: Period, program: string, signal: AbortSignal): Promise<Of<Summary>> {
  const [answer] = await ask([period], program, signal);
  return { asked: askedFor(period, program), value: readSummary(answer) };
}

/** The numbers of its parts, as many as can be in one request at a time. */
export async function loadBars(
  period: Period,
  calendar: Calendar,
  program: string,
  signal: AbortSignal,
): Promise<Of<Bars>> {
  const parts = partsOf(period, calendar);
  const times: (readonly CategoryTime[])[] = [];
  for (let from = 0; from < parts.length; from += MOST_PARTS) {
    const answers = await ask(parts.slice(from, from + MOST_PARTS), program, signal);
    times.push(...answers.map((answer) => readCategoryTimes(answer)));
  }
  return { asked: askedFor(period, program), value: { parts, times } };
}

/** What editors saw. */
export async function loadProjects(period: Period, program: string, signal: AbortSignal): Promise<Of<readonly Row[]>> {
  const [answer] = await ask([period], program, signal);
  return { asked: askedFor(period, program), value: readProjects(answer) };
}

function ask(
  periods: readonly { readonly start: number; readonly end: number }[],
  query: string,
  signal: AbortSignal,
): Promise<JsonValue[]> {
  const timeperiods = periods.map(({ start, end }) => ({ start: new Date(start), end: new Date(end) }));
  return client.query({ timeperiods, query }, { signal });
}
