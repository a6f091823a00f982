import type { JSX } from "preact";
import type { ClientBucket } from "../../client/index.js";
import { knownBuckets } from "../buckets.js";
import { useMinutes } from "../minutes.js";
import { WhenKnown } from "../parts/when-known.js";
import { type Calendar, dayAt, type Period, periodOfRoute, routeOfPeriod } from "../period.js";
import { href, type Params, route } from "../router.js";
import { currentCalendar } from "../settings.js";
import { t } from "../texts/activity.js";
import { t as periods } from "../texts/period.js";
import { t as shell } from "../texts/shell.js";
import { HostPicker } from "./activity/host-picker.js";
import { choosableHosts, defaultHosts, type Hosts, hostsOf, tellingBuckets } from "./activity/hosts.js";
import { hostText } from "./activity/names.js";
import { Numbers, type NumbersProps } from "./activity/numbers.js";
import { Toolbar } from "./activity/toolbar.js";

/** Activity in a day, week, month or range: when, and on what. */
export default function ActivityView(): JSX.Element {
  const now = useMinutes();
  return <WhenKnown>{() => <ActivityOfRoute now={now} />}</WhenKnown>;
}

function ActivityOfRoute({ now }: { readonly now: number }): JSX.Element {
  const { path, params } = route.value;
  const calendar = currentCalendar.value;
  const period = periodOfRoute(path, calendar, now);
  const kept = keptParams(params);
  if (period === undefined) return <NoSuchPeriod today={dayAt(now, calendar)} params={kept} />;
  return <Activity {...{ period, calendar, now, params: kept }} />;
}

interface ActivityProps {
  readonly period: Period;
  readonly calendar: Calendar;
  readonly now: number;
  readonly params: Params;
}

function Activity({ period, calendar, now, params }: ActivityProps): JSX.Element {
  const all = knownBuckets.value;
  const names = choosableHosts(all);
  const fallback = defaultHosts(all);
  const chosen = hostsOf(route.value.params, all);
  return (
    <div class="activity">
      <Toolbar
        {...{ period, calendar, now, params }}
        hosts={<HostPicker names={names} chosen={chosen} path={routeOfPeriod(period)} />}
      />
      {chosen === undefined ? (
        <NoWatcher />
      ) : chosen.kind === "one" && !all.some(({ hostname }) => hostname === chosen.host) ? (
        <>
          <UnknownHost host={chosen.host} names={names} period={period} shown={fallback} />
          {fallback !== undefined && (
            <Numbers {...sourceOf(fallback, all)} {...{ period, calendar, now }} params={{}} />
          )}
        </>
      ) : (
        <Numbers {...sourceOf(chosen, all)} {...{ period, calendar, now, params }} />
      )}
    </div>
  );
}

function sourceOf(hosts: Hosts, all: readonly ClientBucket[]): Pick<NumbersProps, "hosts" | "telling"> {
  return { hosts, telling: tellingBuckets(hosts, all) };
}

/** Parameters that links within the view preserve. */
function keptParams(params: URLSearchParams): Params {
  const chart = params.get("chart") ?? undefined;
  if (params.get("hosts") === "all") return { hosts: "all", chart };
  return { host: params.get("host") ?? undefined, chart };
}

function NoWatcher(): JSX.Element {
  return (
    <section class="card">
      <h2>{t("nobody")}</h2>
      <p>
        <a href={href(["welcome"])}>{t("howToStart")}</a>
      </p>
    </section>
  );
}

interface UnknownHostProps {
  readonly host: string;
  readonly names: readonly string[];
  readonly period: Period;
  /** The hosts shown instead. */
  readonly shown: Hosts | undefined;
}

/** Message for an unknown host: hosts can be renamed, but addresses persist. */
function UnknownHost({ host, names, period, shown }: UnknownHostProps): JSX.Element {
  return (
    <section class="card">
      <h2>{t("unknownHost", { host: host.slice(0, 200) })}</h2>
      <p>
        {t("unknownHostWhy")}
        {shown !== undefined &&
          ` ${t("shownInstead", { host: shown.kind === "all" ? periods("allHosts") : hostText(shown.host) })}`}
      </p>
      <ul>
        {names.slice(0, 20).map((name) => (
          <li key={name}>
            <a href={href(routeOfPeriod(period), { host: name })}>{hostText(name)}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoSuchPeriod({ today, params }: { readonly today: string; readonly params: Params }): JSX.Element {
  return (
    <section class="card">
      <h1>{t("noPeriod")}</h1>
      <p>
        {t("noPeriodWhy")} <a href={href(["day", today], params)}>{shell("toToday")}</a>
      </p>
    </section>
  );
}
