import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { ClientBucket } from "../../client/index.js";
import { isUnknownHost } from "../../domain/unknown-host.js";
import { knownBuckets } from "../buckets.js";
import { UNCATEGORIZED } from "../categories.js";
import { effectiveCategories } from "../category-state.js";
import { useMinutes } from "../minutes.js";
import { WhenKnown } from "../parts/when-known.js";
import { type Calendar, type Period, periodOfRoute, routeOfPeriod } from "../period.js";
import { reportRequest } from "../report.js";
import { href, navigate, type Params, route } from "../router.js";
import { currentCalendar, saveSetting, settings } from "../settings.js";
import { common } from "../texts/common.js";
import { t as shell } from "../texts/shell.js";
import { t } from "../texts/timesheet.js";
import { HostPicker } from "./activity/host-picker.js";
import { choosableHosts, type Hosts, hostsOf } from "./activity/hosts.js";
import { Toolbar } from "./activity/toolbar.js";
import { choiceOf, choosableNames, PROJECT_KEY, printChoice, type SheetChoice, TIMESHEET } from "./timesheet/choice.js";
import { Choices } from "./timesheet/choices.js";
import { ClientBar, clientParams } from "./timesheet/client-bar.js";
import { CLIENTS, clientPeriod, presetOf, readClients } from "./timesheet/clients.js";
import { sheetRequests } from "./timesheet/requests.js";
import { SheetView } from "./timesheet/sheet-view.js";

const VIEW = "timesheet";
/** Maximum number of days, for readability and to limit requests. */
const MAX_DAYS = 366;

/** Days as rows, categories or projects as columns: to read, print and share. */
export default function TimesheetView(): JSX.Element {
  const now = useMinutes();
  return <WhenKnown>{() => <TimesheetOfRoute now={now} />}</WhenKnown>;
}

function TimesheetOfRoute({ now }: { readonly now: number }): JSX.Element {
  const calendar = currentCalendar.value;
  const [, kind = "week", ...dates] = route.value.path;
  const period = kind === "day" ? undefined : periodOfRoute([kind, ...dates], calendar, now);
  if (period === undefined || daysIn(period) > MAX_DAYS) return <NoSuchPeriod isLong={period !== undefined} />;
  return <Timesheet {...{ period, calendar, now }} />;
}

function daysIn({ first, last }: Period): number {
  return (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1;
}

interface TimesheetProps {
  readonly period: Period;
  readonly calendar: Calendar;
  readonly now: number;
}

function Timesheet({ period, calendar, now }: TimesheetProps): JSX.Element {
  const { params } = route.value;
  const all = knownBuckets.value;
  const hosts = hostsOf(params, all);
  const choice = choiceOf(params, settings.value[TIMESHEET]);
  const hostParams: Params = { host: params.get("host") ?? undefined, hosts: params.get("hosts") ?? undefined };
  // The choice of a preset, which is not saved as the default.
  const preset = params.get("preset") ?? undefined;
  const kept: Params = { ...hostParams, ...printChoice(choice), preset };
  const place = [VIEW, ...routeOfPeriod(period)];
  // The address contains the complete choice, so that a copied link shows the same sheet.
  useEffect(() => {
    if (!params.has("by")) navigate(place, kept, { replace: true });
  }, [params]);

  function choose(next: SheetChoice): void {
    navigate(place, { ...kept, ...printChoice(next) }, { replace: true });
    if (preset === undefined) saveDefault(next);
  }

  function saveDefault(next: SheetChoice): void {
    // The address contains it; saving it for later may fail.
    void saveSetting(TIMESHEET, printChoice(next)).catch(() => undefined);
  }

  const clients = readClients(settings.value[CLIENTS]);
  const clientPath = [VIEW, ...routeOfPeriod(clientPeriod(period, calendar, now))];
  const names = useMemo(() => choosableNames(effectiveCategories.value), [effectiveCategories.value]);
  const requests =
    hosts && hasBuckets(all, hosts, choice) && sheetRequests(reportRequest(period, calendar, hosts), choice);
  return (
    <div class="activity timesheet">
      <Toolbar
        {...{ period, calendar, now, params: kept }}
        view={[VIEW]}
        without="day"
        hosts={<HostPicker names={choosableHosts(all)} chosen={hosts} path={place} params={kept} />}
      />
      <ClientBar
        {...{ clients, choice, preset, hostParams }}
        names={names.filter(([top]) => top !== UNCATEGORIZED)}
        path={clientPath}
        onSaved={(client) =>
          client === undefined
            ? navigate(place, hostParams)
            : navigate(clientPath, clientParams(choice, client, hostParams))
        }
      />
      {preset !== undefined && (
        <p class="row sheet-preset">
          {t("preset")}
          <button
            type="button"
            onClick={() => {
              saveDefault(choice);
              navigate(place, { ...kept, preset: undefined }, { replace: true });
            }}
          >
            {t("saveDefault")}
          </button>
          <a href={href(place, hostParams)}>{t("useDefault")}</a>
        </p>
      )}
      <Choices
        {...{ choice, names }}
        onChoose={choose}
        onReport={(next) => navigate(place, { ...kept, ...printChoice(next), preset: "report" })}
      />
      {!requests ? (
        <section class="card">
          <h2>{common("noData")}</h2>
          <p>{t("nothingWhy")}</p>
        </section>
      ) : (
        <SheetView
          {...{ period, calendar, choice, clients, requests, now }}
          isOfClient={clients.some((client) => presetOf(client) === preset)}
          hosts={hosts?.kind === "one" ? [hosts.host] : choosableHosts(all)}
          hostParams={hostParams}
        />
      )}
    </div>
  );
}

/** Whether anything can be counted. */
function hasBuckets(all: readonly ClientBucket[], hosts: Hosts, { by }: SheetChoice): boolean {
  const types =
    by === PROJECT_KEY ? ["app.editor.activity"] : ["currentwindow", "app", "web.tab.current", "general.stopwatch"];
  const isOfHost = (hostname: string): boolean =>
    hosts.kind === "all" || hostname === hosts.host || (by === PROJECT_KEY && isUnknownHost(hostname));
  return all.some(({ type, hostname }) => types.includes(type) && isOfHost(hostname));
}

function NoSuchPeriod({ isLong }: { readonly isLong: boolean }): JSX.Element {
  return (
    <section class="card">
      <h1>{shell("timesheet")}</h1>
      <p>{isLong ? t("tooLong", { count: MAX_DAYS }) : t("noPeriod")}</p>
      <p>
        <a href={href([VIEW])}>{t("thisWeek")}</a>
      </p>
    </section>
  );
}
