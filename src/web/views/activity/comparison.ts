// Context of a period: the previous period, its neighbors, and the active times. Loaded after the numbers of the
// period.
import type { Calendar, Period } from "../../period.js";
import type { Classifying } from "../../programs.js";
import { computeRhythm, type Rhythm } from "./active-ranges.js";
import { findExact, useAnswer } from "./displayed.js";
import {
  type Bars,
  type Keyed,
  loadActiveRanges,
  loadBars,
  loadProjects,
  loadSummary,
  loadSums,
  requestKey,
} from "./load-period.js";
import { adjacentPeriods, type PreviousPeriod, previousPeriod } from "./previous-period.js";
import type { ValidParameters } from "./rejected.js";
import type { Row, Summary } from "./results.js";
import { editorProgramOf, programOf, type Source } from "./source.js";

export interface ComparisonProps {
  readonly source: Source;
  readonly classifying: Classifying;
  readonly parameters: ValidParameters;
  readonly period: Period;
  readonly calendar: Calendar;
  readonly now: number;
  /** Whether the numbers of the period are loaded. */
  readonly isOn: boolean;
}

/** Loaded parts of the comparison; `undefined` = not loaded yet. */
export interface Comparison {
  readonly before: PreviousPeriod;
  readonly summary: Summary | undefined;
  readonly projects: readonly Row[] | undefined;
  /** All bars of the previous period, including those after the compared part. */
  readonly bars: Bars | undefined;
  readonly rhythm: Rhythm | undefined;
  readonly adjacent: readonly AdjacentPeriod[];
}

/** A nearby period of the same kind. */
export interface AdjacentPeriod {
  readonly period: Period;
  readonly seconds: number | undefined;
}

/** Rows of the previous period: more than displayed, so that few displayed rows lack a comparison. */
export const ROWS_BEFORE = 1000;
const MINUTE = 60_000;

export function useComparison(props: ComparisonProps): Comparison {
  const { source, classifying, parameters, period, calendar, now, isOn } = props;
  const before = previousPeriod(period, calendar, now);
  const others = adjacentPeriods(period, calendar, now);
  const wide = { rows: ROWS_BEFORE, lean: true };
  const programs = {
    summary: programOf(source, classifying, wide),
    bars: programOf(source, classifying, { onlyCategories: true }),
    projects: editorProgramOf(source, classifying, wide),
    stretches: programOf(source, classifying, { only: "stretches" }),
    sums: programOf(source, classifying, { only: "duration" }),
  };
  const shared = { parameters, isOn };
  const past = { ...shared, period: before.period, until: before.until };
  const present = { ...shared, period, until: now };
  const summary = useDeferred({ ...past, program: programs.summary }, (question, signal) =>
    loadSummary(question, signal, ROWS_BEFORE),
  );
  const stretches = useDeferred({ ...present, program: programs.stretches }, loadActiveRanges);
  const sums = useDeferred({ ...present, program: programs.sums }, (question, signal) =>
    loadSums(others, question, signal),
  );
  const bars = useDeferred({ ...past, until: before.period.end, program: programs.bars }, (question, signal) =>
    loadBars(question, calendar, signal),
  );
  const projects = useDeferred({ ...past, program: programs.projects }, (question, signal) =>
    loadProjects(question, signal, ROWS_BEFORE),
  );
  return {
    before,
    ...{ summary, projects, bars },
    rhythm: stretches && computeRhythm(stretches, period, calendar),
    adjacent: others.map((other, index) => ({ period: other, seconds: sums?.[index] })),
  };
}

interface DeferredRequest {
  readonly period: Period;
  readonly program: string | undefined;
  readonly until: number;
  readonly parameters: ValidParameters;
  readonly isOn: boolean;
}

type Load<Value> = (
  question: { readonly period: Period; readonly program: string; readonly until: number },
  signal: AbortSignal,
) => Promise<Keyed<Value>>;

/** Loads a secondary value, and reloads it each minute during the current period. */
function useDeferred<Value>(
  { period, program, until, parameters, isOn }: DeferredRequest,
  load: Load<Value>,
): Value | undefined {
  const minute = Math.floor(Math.min(until, period.end) / MINUTE);
  const answer = useAnswer(
    isOn ? `${requestKey(period, program ?? "")} ${minute}` : "",
    program,
    parameters,
    (text, signal) => load({ period, program: text, until }, signal),
  );
  return findExact(answer, period, program);
}
