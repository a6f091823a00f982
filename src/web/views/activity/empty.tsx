import type { JSX } from "preact";
import { useLoad } from "../../load.js";
import { type Calendar, type Period, periodAround, routeOfPeriod } from "../../period.js";
import { href, type Params } from "../../router.js";
import { titleOf } from "./names.js";
import { nearestDay } from "./nearest.js";
import type { Source } from "./source.js";

export interface EmptyProps {
  readonly source: Source;
  readonly period: Period;
  readonly calendar: Calendar;
  readonly params: Params;
}

/** Says that there is nothing, and where there is something. */
export function Empty({ source, period, calendar, params }: EmptyProps): JSX.Element {
  const { telling } = source;
  const key = JSON.stringify([telling.map(({ id }) => id), period.start, period.end]);
  const nearest = useLoad(key, async (signal) => ({
    key,
    day: await nearestDay(telling, period, calendar, signal),
  }));
  // A link to look at; where it cannot be found out there is none.
  const day = nearest.state === "ready" && nearest.value.key === key ? nearest.value.day : undefined;
  const target = day && periodAround(period.kind, day, calendar);
  return (
    <section class="card activity-empty">
      <h2>Nobody was active here</h2>
      <p>No active time was recorded in this {period.kind === "range" ? "period" : period.kind}.</p>
      {target && (
        <p>
          <a href={href(routeOfPeriod(target), params)}>Go to {titleOf(target)}</a>
        </p>
      )}
    </section>
  );
}

/** Hosts that report something, but not what is in front. */
export function Silent({ params }: { readonly params: Params }): JSX.Element {
  return (
    <section class="card">
      <h2>Nothing to add up here</h2>
      <p>
        This host has no bucket of windows or editors. <a href={href(["timeline"], params)}>Its timeline</a> and{" "}
        <a href={href(["buckets"])}>all buckets</a> show what there is.
      </p>
    </section>
  );
}
