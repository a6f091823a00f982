import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { messageOfFailure } from "../../api.js";
import { type CategoryColors, createColors } from "../../category-colors.js";
import { effectiveCategories } from "../../category-state.js";
import { foldRows } from "../../filter/fold.js";
import { Head } from "../../filter/head.js";
import { Nothing } from "../../filter/nothing.js";
import { filtered } from "../../filter/state.js";
import { formatDuration } from "../../format.js";
import { type Reloadable, shownOf, useLoad } from "../../load.js";
import { Failure } from "../../parts/failure.js";
import { type Calendar, isCurrent, type Period } from "../../period.js";
import { filterTexts, type Params } from "../../router.js";
import { alwaysActivePattern } from "../../settings.js";
import type { Row, Summary } from "./answer.js";
import { Duration } from "./duration.js";
import { Empty, Silent } from "./empty.js";
import { Hours } from "./hours.js";
import { LeftOut } from "./left-out.js";
import { categoryLines, lineOf, sumOf } from "./lines.js";
import { askedFor, type Bars, loadBars, loadProjects, loadSummary, type Of } from "./load-period.js";
import { type Line, Panel } from "./panel.js";
import { acceptedOf, isRefusal, type Told } from "./refused.js";
import { editorProgramOf, programOf, type Source } from "./source.js";

export interface NumbersProps {
  readonly source: Source;
  readonly period: Period;
  readonly calendar: Calendar;
  /** Unix milliseconds; a later one has a current period read again. */
  readonly now: number;
  readonly params: Params;
}

/** Of what has neither a name nor a category. */
const NAMELESS_COLOR = "var(--control)";

/** Longest list, since nobody reads more. */
const MOST_SHOWN = 200;

/** Less is not worth a word, in seconds. */
const LEAST_TWICE = 1;

/** What is known of a value now. */
interface Seen<Value> {
  readonly value: Value | undefined;
  /** Whether it is that of another period, which stays until the new one is there. */
  readonly isOld: boolean;
  /** Whether there is none yet. */
  readonly isAwaited: boolean;
  readonly failure: { readonly error: unknown; readonly retry: () => void } | undefined;
}

/** All numbers of a period. */
export function Numbers({ source, period, calendar, now, params }: NumbersProps): JSX.Element {
  const categories = effectiveCategories.value;
  const told = acceptedOf({ categories, pattern: alwaysActivePattern.value });
  const classifying = filtered(told.classifying);
  const program = programOf(source, classifying);
  const barProgram = programOf(source, classifying, { onlyCategories: true });
  const editorProgram = editorProgramOf(source, classifying);
  const summaries = useAnswer(period, program, told, (text, signal) => loadSummary(period, text, signal));
  const charts = useAnswer(period, barProgram, told, (text, signal) => loadBars(period, calendar, text, signal));
  const editors = useAnswer(period, editorProgram, told, (text, signal) => loadProjects(period, text, signal));
  const loads = [summaries, charts, editors];
  const retry = (): void => {
    for (const load of loads) load.retry();
  };
  useRefresh(isCurrent(period, now), now, retry);
  const summary = seenOf(summaries, period, program, retry);
  const bars = seenOf(charts, period, barProgram, retry);
  const projects = withoutFailureOf(bars, seenOf(editors, period, editorProgram, retry));
  const colors = createColors(categories);
  if (program === undefined && editorProgram === undefined) return <Silent params={params} />;
  const isFiltered = filterTexts.value.length > 0;
  if (isNothing(summary, program) && isNothing(projects, editorProgram)) {
    if (isFiltered) return <Nothing {...{ period, params }} />;
    return (
      <>
        <LeftOut refused={told.refused} />
        <Empty {...{ source, period, calendar, params }} />
      </>
    );
  }
  const isOld = summary.isOld || bars.isOld;
  const isBusy = [summary, bars, projects].some(({ isOld, isAwaited }) => isOld || isAwaited);
  return (
    <div class="activity-numbers" data-old={isOld} aria-busy={isBusy}>
      <LeftOut refused={told.refused} />
      <Head
        {...{ source, classifying, period, calendar, program: barProgram }}
        seconds={summary.isOld ? undefined : summary.value?.seconds}
        handles={handlesOf(summary.value, projects.value)}
      />
      {program !== undefined && (
        <>
          <section class="card activity-chart">
            <Total {...{ summary, bars, period }} />
            <div class="activity-hours">
              {bars.failure !== undefined && (
                <Failure title={`${whatFailed(summary, bars)} could not be read.`} {...bars.failure} />
              )}
              {bars.value !== undefined && (
                <Hours bars={bars.value} zone={calendar.zone} {...{ period, colors, params }} />
              )}
            </div>
          </section>
          {summary.failure !== undefined && !isSame(summary.failure, bars.failure) && (
            <Failure title="The numbers could not be read." {...summary.failure} />
          )}
        </>
      )}
      <div class="activity-panels">
        {program !== undefined && <Lists {...{ summary, colors, source }} />}
        {isShown(projects) && (program === undefined || isShown(summary)) && (
          <Panel
            title="Editor projects"
            column="Project"
            nameless="no project"
            lines={projects.value?.map((row) => lineOf(row, "var(--accent)"))}
            whole={sumOf(projects.value)}
            failure={projects.failure}
          />
        )}
      </div>
    </div>
  );
}

interface ListsProps {
  readonly summary: Seen<Summary>;
  readonly colors: CategoryColors;
  readonly source: Source;
}

function Lists({ summary: { value }, colors, source }: ListsProps): JSX.Element | null {
  // One message is enough for all of them; and what comes all at once pushes nothing down.
  if (value === undefined) return null;
  const byCategory = (row: Row): Line => lineOf(row, row.category ? colors.of(row.category) : NAMELESS_COLOR);
  const { seconds: whole, categories, apps, titles, sites } = value;
  // So that three columns come out even.
  const others = Number(source.hasSites || source.hasHiddenSites) + Number(source.editors.length > 0);
  const width = (["narrow", "whole", "wide"] as const)[others];
  return (
    <>
      <Panel
        title="Categories"
        column="Category"
        nameless="no name"
        lines={categoryLines(categories, colors)}
        whole={whole}
      />
      <Panel title="Apps" column="App" nameless="no app" lines={apps.map(byCategory)} whole={whole} />
      {source.hasSites && (
        <Panel
          title="Sites"
          column="Site"
          nameless="no site"
          lines={sites.map((row) => lineOf(row, "var(--accent)"))}
          whole={sumOf(sites)}
        />
      )}
      {source.hasHiddenSites && (
        <section class="card activity-panel activity-narrow">
          <h2>Sites</h2>
          <p class="quiet">
            Not shown for all hosts together: a page counts while its browser is in front, which is told host by host.
            Choose one host to see its sites.
          </p>
        </section>
      )}
      <Panel
        width={width}
        title="Titles"
        column="Title"
        nameless="no title"
        lines={(filterTexts.value.length > 0 ? foldRows(titles) : titles).slice(0, MOST_SHOWN).map(byCategory)}
        whole={whole}
      />
    </>
  );
}

/** What rows can be searched for by. */
function handlesOf(
  summary: Summary | undefined,
  projects: readonly Row[] | undefined,
): readonly (string | undefined)[] {
  const rows = [...(summary?.apps ?? []), ...(summary?.sites ?? []), ...(projects ?? [])];
  return rows.map(({ handle }) => handle);
}

interface TotalProps {
  readonly summary: Seen<Summary>;
  readonly bars: Seen<Bars>;
  readonly period: Period;
}

function Total({ summary: { value, failure }, bars, period }: TotalProps): JSX.Element {
  const sums = bars.value?.times.map((part) => part.reduce((sum, { seconds }) => sum + seconds, 0)) ?? [];
  const days = bars.value?.parts[0]?.unit === "day" ? sums.filter((seconds) => seconds > 0).length : 0;
  const twice = value?.once === undefined ? 0 : value.seconds - value.once;
  return (
    <p class="activity-total">
      <span>Active time</span>
      <strong>{value === undefined ? failure ? "–" : "…" : <Duration seconds={value.seconds} />}</strong>
      {period.first !== period.last && value !== undefined && days > 1 && (
        <span>
          {formatDuration(value.seconds / days)} a day on {days} days
        </span>
      )}
      {twice > LEAST_TWICE && (
        <span>
          {formatDuration(twice)} of it are counted more than once, as several hosts were active at the same time: the
          official UI adds up likewise.
        </span>
      )}
    </p>
  );
}

/** One message stands for all that says the same. */
function whatFailed(summary: Seen<Summary>, bars: Seen<Bars>): string {
  return isSame(summary.failure, bars.failure) ? "The numbers" : "The chart";
}

/** Whether two failures would say the same: once is enough. */
function isSame(one: Seen<unknown>["failure"], other: Seen<unknown>["failure"]): boolean {
  return one !== undefined && other !== undefined && messageOfFailure(one.error) === messageOfFailure(other.error);
}

function withoutFailureOf<Value>(other: Seen<unknown>, seen: Seen<Value>): Seen<Value> {
  return isSame(seen.failure, other.failure) ? { ...seen, failure: undefined } : seen;
}

/** Panels wait for those before them. */
function isShown({ value, failure }: Seen<unknown>): boolean {
  return value !== undefined || failure !== undefined;
}

function useAnswer<Value>(
  period: Period,
  program: string | undefined,
  told: Told,
  load: (program: string, signal: AbortSignal) => Promise<Of<Value>>,
): Reloadable<Of<Value> | undefined> {
  const key = program === undefined ? "" : askedFor(period, program);
  return useLoad(key, async (signal) => {
    if (program === undefined) return undefined;
    try {
      return await load(program, signal);
    } catch (error) {
      if (signal.aborted || !isRefusal(error, program, told)) throw error;
      // It is asked anew without what was refused, which aborts this.
      return new Promise<never>(() => undefined);
    }
  });
}

function seenOf<Value>(
  answer: Reloadable<Of<Value> | undefined>,
  period: Period,
  program: string | undefined,
  retry: () => void,
): Seen<Value> {
  if (program === undefined) return { value: undefined, isOld: false, isAwaited: false, failure: undefined };
  const shown = shownOf(answer);
  const isOld = shown !== undefined && shown.asked !== askedFor(period, program);
  const isAwaited = shown === undefined && answer.state === "loading";
  const failure = answer.state === "failed" ? { error: answer.error, retry } : undefined;
  // What failed for this period must not show the numbers of another one.
  return {
    value: isOld && failure !== undefined ? undefined : shown?.value,
    isOld: isOld && failure === undefined,
    isAwaited,
    failure,
  };
}

/** Whether it is known that there is nothing. */
function isNothing(seen: Seen<Summary | readonly Row[]>, program: string | undefined): boolean {
  if (program === undefined) return true;
  if (seen.value === undefined || seen.isOld || seen.failure !== undefined) return false;
  return "seconds" in seen.value
    ? seen.value.seconds === 0 && seen.value.apps.length === 0 && seen.value.sites.length === 0
    : seen.value.length === 0;
}

/** Calls back when the time has gone on while the period is the current one. */
function useRefresh(isOn: boolean, now: number, refresh: () => void): void {
  const first = useRef(now);
  useEffect(() => {
    if (isOn && first.current !== now) refresh();
    first.current = now;
  }, [now]);
}
