import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Calendar, Period } from "../period.js";
import { filterTexts } from "../router.js";
import type { Hosts } from "../views/activity/hosts.js";
import { titleOf } from "../views/activity/names.js";
import { Actions } from "./actions.js";
import { noteHandles } from "./known.js";
import { FilterSummary } from "./summary.js";

export interface HeadProps {
  readonly period: Period;
  readonly calendar: Calendar;
  readonly hosts: Hosts;
  /** Days with results; `undefined` if there is only one day, or until known. */
  readonly days: number | undefined;
  /** `undefined` until known. */
  readonly seconds: number | undefined;
  /** Conditions of the displayed rows. */
  readonly handles: readonly (string | undefined)[];
  /** Called when stored data have changed. */
  readonly onChange: () => void;
}

/** Results of the filter, with the number of days. */
export function Head(props: HeadProps): JSX.Element {
  const { hosts, period, calendar, days, seconds, handles, onChange } = props;
  useEffect(() => noteHandles(handles), [handles]);
  const head = useRef<HTMLDivElement>(null);
  // Scrolls to the results after a click on a row far below.
  useEffect(() => {
    if ((head.current?.getBoundingClientRect().top ?? 0) < 0) head.current?.scrollIntoView({ block: "center" });
  }, [filterTexts.value]);
  const name = titleOf(period);
  return (
    <div ref={head} class="filter-head">
      <FilterSummary period={name} seconds={seconds} days={days} />
      <Actions {...{ hosts, period, calendar, name, seconds }} onChange={onChange} />
    </div>
  );
}
