import type { JSX } from "preact";
import type { CategoryColors } from "../../category-colors.js";
import { foldRows } from "../../filter/fold.js";
import type { Span } from "../../goals.js";
import { shownGoals } from "../../goals-state.js";
import { MOST_ROWS, MOST_TITLES } from "../../program-lists.js";
import { filterTexts } from "../../router.js";
import { t } from "../../texts/activity.js";
import { common } from "../../texts/common.js";
import { t as shell } from "../../texts/shell.js";
import { ROWS_BEFORE } from "./comparison.js";
import { categoryLines, goneCategories, goneRows, type RowsBefore, rowLines } from "./lines.js";
import { Panel, type PanelProps } from "./panel.js";
import { type ListName, type Row, type Summary, sumSeconds } from "./results.js";
import type { Source } from "./source.js";

export interface ListsProps {
  /** `undefined` if it could not be loaded. */
  readonly summary: Summary | undefined;
  readonly before: Summary | undefined;
  readonly colors: CategoryColors;
  readonly source: Source;
  readonly span: Span;
  /** Dates of the period. */
  readonly dates: readonly string[];
  /** Description of the comparison. */
  readonly compared: string;
  /** Loads a complete list. */
  readonly loadAll: (list: ListName, signal: AbortSignal) => Promise<readonly Row[]>;
}

/** Categories, apps, sites and titles. */
export function Lists({
  summary,
  before,
  colors,
  source,
  span,
  dates,
  compared,
  loadAll,
}: ListsProps): JSX.Element | null {
  // One message suffices for all lists, and lists that appear together do not shift each other.
  if (summary === undefined) return null;
  const { seconds: whole, categories, sites } = summary;
  // Fills three columns evenly.
  const others = Number(source.hasSites || source.hasHiddenSites) + Number(source.editors.length > 0);
  const width = (["narrow", "whole", "wide"] as const)[others];
  const context = { colors, span, goals: shownGoals.value ?? [], before: before?.categories };
  const list = (name: ListName, shades: CategoryColors | undefined): Pick<PanelProps, "lines" | "gone" | "loadAll"> => {
    const isFolded = name === "titles" && filterTexts.value.length > 0;
    const fold = (rows: readonly Row[]): readonly Row[] => (isFolded ? foldRows(rows) : rows);
    const rows = fold(summary[name]);
    const past = beforeOf(before?.[name], fold);
    const isCut = summary[name].length >= (isFolded ? MOST_TITLES : MOST_ROWS);
    return {
      lines: rowLines(rows, past, shades),
      gone: goneRows(rows, past, isCut),
      loadAll: isCut ? async (signal) => rowLines(fold(await loadAll(name, signal)), past, shades) : undefined,
    };
  };
  return (
    <>
      <Panel
        title={shell("categories")}
        column={t("category")}
        nameless={t("noName")}
        lines={categoryLines(categories, context)}
        gone={goneCategories(categories, before?.categories)}
        {...{ whole, dates, compared }}
      />
      <Panel
        {...{ whole, dates, compared }}
        title={common("apps")}
        column={t("app")}
        nameless={t("noApp")}
        {...list("apps", colors)}
      />
      {source.hasSites && (
        <Panel
          {...{ dates, compared }}
          title={t("sites")}
          column={t("site")}
          nameless={t("noSite")}
          {...list("sites", undefined)}
          whole={sumSeconds(sites)}
        />
      )}
      {source.hasHiddenSites && (
        <section class="card activity-panel activity-narrow">
          <h2>{t("sites")}</h2>
          <p class="quiet">{t("hiddenSites")}</p>
        </section>
      )}
      <Panel
        {...{ width, whole, dates, compared }}
        title={common("titles")}
        column={t("title")}
        nameless={t("noTitle")}
        {...list("titles", colors)}
      />
    </>
  );
}

export interface ProjectsProps {
  readonly rows: readonly Row[] | undefined;
  /** Dates of the period. */
  readonly dates: readonly string[];
  readonly compared: string;
  readonly before: readonly Row[] | undefined;
  readonly failure: PanelProps["failure"];
}

/** Projects in editors. */
export function Projects({ rows, dates, compared, before, failure }: ProjectsProps): JSX.Element {
  const past = beforeOf(before);
  return (
    <Panel
      title={t("projects")}
      column={t("project")}
      nameless={t("noProject")}
      lines={rows && rowLines(rows, past, undefined)}
      gone={goneRows(rows ?? [], past, false)}
      whole={sumSeconds(rows)}
      {...{ dates, compared, failure }}
    />
  );
}

function beforeOf(
  rows: readonly Row[] | undefined,
  fold: (rows: readonly Row[]) => readonly Row[] = (same) => same,
): RowsBefore | undefined {
  return rows && { rows: fold(rows), isCut: rows.length >= ROWS_BEFORE };
}
