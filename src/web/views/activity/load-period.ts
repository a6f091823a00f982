// Loads the numbers of a period. The future has no active time, so that it is not requested.

import type { JsonValue } from "../../../domain/json.js";
import { slicesOf } from "../../../util/slices.js";
import { client } from "../../api.js";
import { type Calendar, MOST_PARTS, type Part, type Period, partsOf } from "../../period.js";
import { MOST_ROWS } from "../../program-lists.js";
import { type ActiveRange, readActiveRanges } from "./active-ranges.js";
import {
  type CategoryTime,
  type ListName,
  type Row,
  readCategoryTimes,
  readProjects,
  readRows,
  readSummary,
  type Summary,
} from "./results.js";

/** A value with the key of its request, so that it is never shown for another period. */
export interface Keyed<Value> {
  readonly asked: string;
  readonly value: Value;
}

/** The bars of a chart. */
export interface Bars {
  readonly parts: readonly Part[];
  readonly times: readonly (readonly CategoryTime[])[];
}

/** Parameters of a request. */
export interface PeriodRequest {
  readonly period: Period;
  readonly program: string;
  /** End of the time in Unix milliseconds: now, or earlier. */
  readonly until: number;
}

type Span = Pick<Period, "start" | "end">;

/** A key for everything that a response depends on. */
export function requestKey({ kind, start, end }: Period, program: string): string {
  return JSON.stringify([kind, start, end, program]);
}

function requestResult<Value>({ period, program }: PeriodRequest, value: Value): Keyed<Value> {
  return { asked: requestKey(period, program), value };
}

/** Loads the numbers of a complete period. @param rows row limit of the program */
export async function loadSummary(
  question: PeriodRequest,
  signal: AbortSignal,
  rows: number = MOST_ROWS,
): Promise<Keyed<Summary>> {
  const [answer] = await ask([question.period], question, signal);
  return requestResult(question, readSummary(answer, rows));
}

/** Loads the numbers of its parts, as many per request as possible. */
export async function loadBars(question: PeriodRequest, calendar: Calendar, signal: AbortSignal): Promise<Keyed<Bars>> {
  const parts = partsOf(question.period, calendar);
  const times: (readonly CategoryTime[])[] = [];
  for (const slice of slicesOf(parts, MOST_PARTS)) {
    const answers = await ask(slice, question, signal);
    times.push(...answers.map((answer) => readCategoryTimes(answer)));
  }
  return requestResult(question, { parts, times });
}

/** Loads the activity in editors. */
export async function loadProjects(
  question: PeriodRequest,
  signal: AbortSignal,
  rows: number = MOST_ROWS,
): Promise<Keyed<readonly Row[]>> {
  const [answer] = await ask([question.period], question, signal);
  return requestResult(question, readProjects(answer, rows));
}

/** Loads a complete list. */
export async function loadRows(question: PeriodRequest, list: ListName, signal: AbortSignal): Promise<readonly Row[]> {
  const [answer] = await ask([question.period], question, signal);
  return readRows(list, answer);
}

/** Loads the active times. */
export async function loadActiveRanges(
  question: PeriodRequest,
  signal: AbortSignal,
): Promise<Keyed<readonly ActiveRange[]>> {
  const [answer] = await ask([question.period], question, signal);
  return requestResult(question, readActiveRanges(answer));
}

/** Loads the active time of several periods, in seconds. */
export async function loadSums(
  periods: readonly Period[],
  question: PeriodRequest,
  signal: AbortSignal,
): Promise<Keyed<readonly number[]>> {
  const answers = await ask(periods, question, signal);
  return requestResult(
    question,
    answers.map((answer) => (typeof answer === "number" ? answer : 0)),
  );
}

/** Queries time ranges up to now; `undefined` for those in the future. */
async function ask(
  spans: readonly Span[],
  { program, until }: PeriodRequest,
  signal: AbortSignal,
): Promise<(JsonValue | undefined)[]> {
  const begun = spans.filter(({ start }) => start < until);
  const timeperiods = begun.map(({ start, end }) => ({ start: new Date(start), end: new Date(Math.min(end, until)) }));
  const answers = begun.length === 0 ? [] : await client.query({ timeperiods, query: program }, { signal });
  const byStart = new Map(begun.map(({ start }, index) => [start, answers[index]]));
  return spans.map(({ start }) => byStart.get(start));
}
