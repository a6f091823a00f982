import type { JSX } from "preact";
import { formatRough } from "../../format.js";
import { type Period, routeOfPeriod } from "../../period.js";
import { href, type Params } from "../../router.js";
import { t } from "../../texts/activity.js";
import type { AdjacentPeriod } from "./adjacent.js";
import { shortNameOf, titleOf, weekdayOf } from "./names.js";

export interface AdjacentPeriodsProps {
  readonly adjacent: readonly AdjacentPeriod[];
  readonly period: Period;
  readonly params: Params;
}

/** Nearby periods as small bars with links. */
export function AdjacentPeriods({ adjacent, period, params }: AdjacentPeriodsProps): JSX.Element {
  const most = Math.max(1, ...adjacent.map(({ seconds = 0 }) => seconds));
  return (
    <nav class={`activity-adjacent is-${period.kind}`} aria-label={t("nearby")} dir="ltr">
      {adjacent.map(({ period: one, seconds }) => (
        <a
          // Periods of another kind are new elements, which do not move.
          key={`${one.kind} ${one.start}`}
          href={href(routeOfPeriod(one), params)}
          aria-current={one.start === period.start ? "page" : undefined}
          title={seconds === undefined ? titleOf(one) : `${titleOf(one)}: ${formatRough(seconds)}`}
        >
          <span class="activity-column" aria-hidden="true">
            <span style={{ height: `${(((seconds ?? 0) / most) * 100).toFixed(1)}%` }} />
          </span>
          <span>
            {one.kind === "day" && <span class="activity-weekday">{weekdayOf(one)} </span>}
            {shortNameOf(one)}
          </span>
          {seconds !== undefined && <span class="unseen">: {formatRough(seconds)}</span>}
        </a>
      ))}
    </nav>
  );
}
