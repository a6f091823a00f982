import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { client } from "../api.js";
import { type Reloadable, useLoad } from "../load.js";
import { type Calendar, daysOf, type Period, periodAround } from "../period.js";
import type { Classifying } from "../programs.js";
import { filterTexts } from "../router.js";
import { titleOf } from "../views/activity/names.js";
import { readCategoryTimes } from "../views/activity/results.js";
import type { Source } from "../views/activity/source.js";
import { Actions } from "./actions.js";
import { noteHandles } from "./known.js";
import { FilterSummary } from "./summary.js";

export interface HeadProps {
  readonly period: Period;
  readonly calendar: Calendar;
  readonly source: Source;
  readonly classifying: Classifying;
  /** The program for the time of categories; without it days are not counted. */
  readonly program: string | undefined;
  /** `undefined` until known. */
  readonly seconds: number | undefined;
  /** Conditions of the displayed rows. */
  readonly handles: readonly (string | undefined)[];
  /** Called when stored data have changed. */
  readonly onChange: () => void;
}

/** Results of the filter, with the number of days. Empty without a filter. */
export function Head(props: HeadProps): JSX.Element | null {
  const { source, classifying, period, calendar, program, seconds, handles, onChange } = props;
  useEffect(() => noteHandles(handles), [handles]);
  const isFiltered = filterTexts.value.length > 0;
  const head = useRef<HTMLDivElement>(null);
  // Scrolls to the results after a click on a row far below.
  useEffect(() => {
    if ((head.current?.getBoundingClientRect().top ?? 0) < 0) head.current?.scrollIntoView({ block: "center" });
  }, [filterTexts.value]);
  // Loaded after the main numbers, which are more urgent.
  const counts = isFiltered && program !== undefined && period.first !== period.last && seconds !== undefined;
  const days = useDays(period, calendar, counts ? program : undefined);
  if (!isFiltered) return null;
  const name = titleOf(period);
  const renew = (): void => {
    onChange();
    days.retry();
  };
  return (
    <div ref={head} class="filter-head">
      <FilterSummary period={name} seconds={seconds} days={days.state === "ready" ? days.value : undefined} />
      <Actions {...{ source, classifying, period, calendar, name, seconds }} onChange={renew} />
    </div>
  );
}

/** Counts the days of a period with any time. */
function useDays(period: Period, calendar: Calendar, query: string | undefined): Reloadable<number | undefined> {
  const { first, last } = period;
  return useLoad(JSON.stringify([first, last, calendar, query]), async (signal) => {
    if (query === undefined) return undefined;
    // Excludes the future, which has no active time.
    const now = Date.now();
    const days = daysOf(period, calendar).map((date) => periodAround("day", date, calendar));
    const timeperiods = days
      .filter(({ start }) => start < now)
      .map(({ start, end }) => ({ start: new Date(start), end: new Date(Math.min(end, now)) }));
    if (timeperiods.length === 0) return 0;
    const answers = await client.query({ timeperiods, query }, { signal });
    return answers.filter((answer) => readCategoryTimes(answer).some(({ seconds }) => seconds > 0)).length;
  });
}
