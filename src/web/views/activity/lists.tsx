import type { JSX } from "preact";
import type { CategoryColors } from "../../category-colors.js";
import { foldRows } from "../../filter/fold.js";
import type { Report, ReportRequest, ReportRow } from "../../report.js";
import { t } from "../../texts/activity.js";
import { common } from "../../texts/common.js";
import { t as periods } from "../../texts/period.js";
import { t as shell } from "../../texts/shell.js";
import type { Hosts } from "./hosts.js";
import {
  categoryLines,
  compared,
  distractionLines,
  goneCategories,
  goneRows,
  rowLines,
  withShortNames,
} from "./lines.js";
import { Panel, type PanelProps } from "./panel.js";
import { loadRest } from "./requested.js";
import { type ListPart, type Row, rowsOf } from "./rows.js";

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
export function Lists(props: ListsProps): JSX.Element {
  const { report, hosts } = props;
  const has = hasKind(report);
  const [hasWindows, hasDistractions, hasSites, hasProjects, hasHosts] = [
    has("window", "phone", "stopwatch") || report.totals.active > 0,
    (report.groups["distracting app"]?.rows.length ?? 0) > 0,
    has("browser"),
    has("editor"),
    hosts.kind === "all" && (report.groups["host"]?.total ?? 0) > 1,
  ];
  // Fills three columns evenly.
  const others = [hasDistractions, hasSites, hasProjects, hasHosts].filter(Boolean).length;
  const parts: readonly (readonly [isShown: boolean, part: ListPart, width?: PanelProps["width"]])[] = [
    [hasWindows, "category"],
    [hasWindows, "app"],
    [hasDistractions, "distraction"],
    [hasSites, "site"],
    [hasHosts, "host"],
    [hasWindows, "title", (["narrow", "whole", "wide"] as const)[others % 3]],
    [hasProjects, "project"],
    [hasProjects, "file", "wide"],
    [hasProjects, "language"],
  ];
  return (
    <>
      {parts.map(([isShown, part, width]) => isShown && <Panel key={part} {...panelOf(part, props)} {...{ width }} />)}
    </>
  );
}

/** What a list is called, its first column, and a row without a name. */
export function namesOfList(part: ListPart): Pick<PanelProps, "title" | "column" | "nameless"> {
  const names = {
    category: [shell("categories"), t("category"), t("noName")],
    app: [common("apps"), t("app"), t("noApp")],
    distraction: [t("distractions"), t("app"), t("noTitle")],
    site: [t("sites"), t("site"), t("noSite")],
    host: [t("devices"), periods("host"), periods("noHost")],
    title: [common("titles"), t("title"), t("noTitle")],
    project: [t("projects"), t("project"), t("noProject")],
    file: [t("files"), t("file"), t("noFile")],
    language: [t("languages"), t("language"), t("noLanguage")],
  } as const;
  const [title, column, nameless] = names[part];
  return { title, column, nameless };
}

function hasKind({ coverage }: Report): (...kinds: readonly string[]) => boolean {
  return (...kinds) => coverage.some(({ kind }) => kinds.includes(kind));
}

/** The panel of a list. */
export function panelOf(part: ListPart, props: ListsProps): PanelProps {
  const { report, request, colors, dates, compared: than } = props;
  const { groups, goals, totals } = report;
  const before = report.compared?.groups ?? {};
  const shared = { ...namesOfList(part), dates, compared: than };
  if (part === "category") {
    return {
      ...shared,
      lines: categoryLines(groups["category"], { colors, goals }),
      gone: goneCategories(groups["category"], before["category"]),
      whole: totals.active,
    };
  }
  const has = hasKind(report);
  // Android has activities instead of titles, and stopwatches have labels but no apps.
  const titleField = ({ app }: ReportRow): string =>
    has("stopwatch") && app === null ? "label" : has("window", "browser") ? "title" : "classname";
  if (part === "distraction") {
    const whole = groups["distracting app"]?.seconds ?? 0;
    return { ...shared, lines: distractionLines(groups, colors, titleField), whole };
  }
  const group = groups[part];
  const shades = part === "app" || part === "title" ? colors : undefined;
  const isFolded = part === "title" && (request.filter?.length ?? 0) > 0;
  const past = fold(rowsOf(before[part], undefined), isFolded);
  const linesOf = (rows: readonly Row[]) => {
    const lines = rowLines(isFolded && report.compared ? compared(fold(rows, isFolded), past) : rows, shades);
    return part === "project" || part === "file" ? withShortNames(lines) : lines;
  };
  const field = part === "host" ? undefined : part === "title" ? titleField : part;
  const rows = rowsOf(group, field);
  const next = group?.next ?? null;
  return {
    ...shared,
    lines: linesOf(rows),
    // Beyond the end of the list, there may be more.
    gone: next === null ? withShortNames(goneRows(fold(rows, isFolded), past)) : [],
    whole: shades === undefined && part !== "host" ? (group?.seconds ?? 0) : totals.active,
    loadAll:
      next === null
        ? undefined
        : async (signal) => linesOf([...rows, ...rowsOf(await loadRest(request, part, next, signal), field, next)]),
  };
}

function fold(rows: readonly Row[], isFolded: boolean): readonly Row[] {
  return isFolded ? foldRows(rows) : rows;
}
