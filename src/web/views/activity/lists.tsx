import type { JSX } from "preact";
import type { CategoryColors } from "../../category-colors.js";
import { foldRows } from "../../filter/fold.js";
import type { Report, ReportRequest, ReportRow } from "../../report.js";
import { filterTexts } from "../../router.js";
import { t } from "../../texts/activity.js";
import { common } from "../../texts/common.js";
import { t as periods } from "../../texts/period.js";
import { t as shell } from "../../texts/shell.js";
import type { Hosts } from "./hosts.js";
import { categoryLines, compared, goneCategories, goneRows, rowLines, withShortNames } from "./lines.js";
import { Panel, type PanelProps } from "./panel.js";
import { loadRest } from "./requested.js";
import { type ListName, type Row, rowsOf } from "./rows.js";

export interface ListsProps {
  readonly report: Report;
  /** The request of the report. */
  readonly request: ReportRequest;
  readonly hosts: Hosts;
  readonly colors: CategoryColors;
  /** Dates of the period. */
  readonly dates: readonly string[];
  /** Description of the comparison. */
  readonly compared: string;
}

/** Categories, apps, sites, devices, titles, projects, files and languages. */
export function Lists({ report, request, hosts, colors, dates, compared: than }: ListsProps): JSX.Element {
  const { groups, coverage, goals, totals } = report;
  const before = report.compared?.groups ?? {};
  const has = (...kinds: readonly string[]): boolean => coverage.some(({ kind }) => kinds.includes(kind));
  const [hasWindows, hasSites, hasProjects, hasHosts] = [
    has("window", "phone", "stopwatch") || totals.active > 0,
    has("browser"),
    has("editor"),
    hosts.kind === "all" && (groups["host"]?.total ?? 0) > 1,
  ];
  // Fills three columns evenly.
  const others = [hasSites, hasProjects, hasHosts].filter(Boolean).length;
  const width = (["narrow", "whole", "wide"] as const)[others % 3];
  // Android has activities instead of titles, and stopwatches have labels but no apps.
  const titleField = ({ app }: ReportRow): string =>
    has("stopwatch") && app === null ? "label" : has("window", "browser") ? "title" : "classname";
  const shared = { dates, compared: than };
  const list = (
    name: ListName,
    shades: CategoryColors | undefined = undefined,
  ): Pick<PanelProps, "lines" | "gone" | "loadAll" | "whole"> => {
    const group = groups[name];
    const isFolded = name === "title" && filterTexts.value.length > 0;
    const past = fold(rowsOf(before[name], undefined), isFolded);
    const linesOf = (rows: readonly Row[]) => {
      const lines = rowLines(isFolded && report.compared ? compared(fold(rows, isFolded), past) : rows, shades);
      return name === "project" || name === "file" ? withShortNames(lines) : lines;
    };
    const field = name === "host" ? undefined : name === "title" ? titleField : name;
    const rows = rowsOf(group, field);
    const next = group?.next ?? null;
    return {
      lines: linesOf(rows),
      // Beyond the end of the list, there may be more.
      gone: next === null ? withShortNames(goneRows(fold(rows, isFolded), past)) : [],
      whole: shades === undefined && name !== "host" ? (group?.seconds ?? 0) : totals.active,
      loadAll:
        next === null
          ? undefined
          : async (signal) => {
              return linesOf([...rows, ...rowsOf(await loadRest(request, name, next, signal), field, next)]);
            },
    };
  };
  return (
    <>
      {hasWindows && (
        <>
          <Panel
            {...shared}
            title={shell("categories")}
            column={t("category")}
            nameless={t("noName")}
            lines={categoryLines(groups["category"], { colors, goals })}
            gone={goneCategories(groups["category"], before["category"])}
            whole={totals.active}
          />
          <Panel {...shared} title={common("apps")} column={t("app")} nameless={t("noApp")} {...list("app", colors)} />
        </>
      )}
      {hasSites && <Panel {...shared} title={t("sites")} column={t("site")} nameless={t("noSite")} {...list("site")} />}
      {hasHosts && (
        <Panel
          {...shared}
          title={t("devices")}
          column={periods("host")}
          nameless={periods("noHost")}
          {...list("host")}
        />
      )}
      {hasWindows && (
        <Panel
          {...{ ...shared, width }}
          title={common("titles")}
          column={t("title")}
          nameless={t("noTitle")}
          {...list("title", colors)}
        />
      )}
      {hasProjects && (
        <>
          <Panel
            {...shared}
            title={t("projects")}
            column={t("project")}
            nameless={t("noProject")}
            {...list("project")}
          />
          <Panel
            {...{ ...shared, width: "wide" as const }}
            title={t("files")}
            column={t("file")}
            nameless={t("noFile")}
            {...list("file")}
          />
          <Panel
            {...shared}
            title={t("languages")}
            column={t("language")}
            nameless={t("noLanguage")}
            {...list("language")}
          />
        </>
      )}
    </>
  );
}

function fold(rows: readonly Row[], isFolded: boolean): readonly Row[] {
  return isFolded ? foldRows(rows) : rows;
}
