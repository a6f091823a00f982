import type { JSX } from "preact";
import type { ClientEvent } from "../../../client/client-types.js";
import type { ClientBucket } from "../../../client/index.js";
import { formatTime, shorten } from "../../format.js";
import { useLoad } from "../../load.js";
import { type Calendar, type Period, periodAround, routeOfPeriod } from "../../period.js";
import { filterTexts, href, type Params } from "../../router.js";
import { t } from "../../texts/activity-empty.js";
import { common } from "../../texts/common.js";
import { newestIn } from "./moments.js";
import { titleOf } from "./names.js";
import { nearestDay } from "./nearest.js";

export interface EmptyProps {
  /** Buckets whose events indicate activity. */
  readonly telling: readonly ClientBucket[];
  readonly period: Period;
  readonly calendar: Calendar;
  readonly params: Params;
}

export type SilentProps = Pick<EmptyProps, "params">;

/** Message for an empty period, with links to periods with activity. */
export function Empty({ telling, period, calendar, params }: EmptyProps): JSX.Element {
  const key = JSON.stringify([telling.map(({ id }) => id), period.start, period.end]);
  const isFiltered = filterTexts.value.length > 0;
  const nearest = useLoad(`${key}${isFiltered}`, async (signal) => ({
    key,
    day: await nearestDay(telling, period, calendar, signal),
    // A filter may exclude all time.
    moment: isFiltered ? undefined : await newestIn(telling, period, signal),
  }));
  // Omits the link if the day cannot be determined.
  const { day, moment } =
    nearest.state === "ready" && nearest.value.key === key ? nearest.value : { day: undefined, moment: undefined };
  const target = day && periodAround(period.kind, day, calendar);
  if (moment !== undefined && isWithoutTime(moment, Date.now())) return <Moment event={moment} zone={calendar.zone} />;
  return (
    <section class="card activity-empty">
      <h2>{t("noActivity")}</h2>
      <p>{t(`none_${period.kind}`)}</p>
      {target && (
        <p>
          <a href={href(routeOfPeriod(target), params)}>{t("goTo", { period: titleOf(target) })}</a>
        </p>
      )}
    </section>
  );
}

/** Whether an event has no duration yet: time counts up to now. */
function isWithoutTime({ timestamp, duration }: ClientEvent, now: number): boolean {
  return duration === 0 || Date.parse(timestamp) + duration * 1000 > now;
}

/** Explains that events without duration are reported, and how they get one. */
function Moment({ event, zone }: { readonly event: ClientEvent; readonly zone: string }): JSX.Element {
  const { app, title } = event.data;
  const what = [app, title].filter((text) => typeof text === "string" && text !== "").join(" – ");
  return (
    <section class="card activity-empty">
      <h2>{t("reported")}</h2>
      <p>{t("moment", { time: formatTime(event.timestamp, zone, true), what: shorten(what, 200) || t("anEvent") })}</p>
      <p class="quiet">{t("momentWhy")}</p>
    </section>
  );
}

/** Message for hosts that report events, but no windows. */
export function Silent({ params }: SilentProps): JSX.Element {
  return (
    <section class="card">
      <h2>{common("noData")}</h2>
      <p>
        {t.rich("silentWhy", {
          timeline: <a href={href(["timeline"], params)}>{t("itsTimeline")}</a>,
          buckets: <a href={href(["buckets"])}>{t("allBuckets")}</a>,
        })}
      </p>
    </section>
  );
}
