import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type CsvCell, wholeSeconds } from "../../csv.js";
import { linkOf } from "../../filter/state.js";
import { formatCount, formatRough, formatShare, shorten } from "../../format.js";
import type { Targets } from "../../goals.js";
import { CsvButton } from "../../parts/csv-button.js";
import { Failure } from "../../parts/failure.js";
import { Name } from "../../parts/name.js";
import { t } from "../../texts/activity.js";
import { common } from "../../texts/common.js";
import { Duration } from "./duration.js";
import { describeDays, limitText } from "./limit-text.js";
import { type LineOrder, sortedLines } from "./line-order.js";
import { PAGE_OF_LINES, useAllLines } from "./use-all-lines.js";

/** A segment of a bar. */
export interface Segment {
  /** `undefined` = neutral, for uncategorized time. */
  readonly color: string | undefined;
  readonly seconds: number;
  /** Whether it is hatched, like uncategorized time. */
  readonly isHatched?: boolean;
}

/** A line of a panel. */
export interface Line {
  readonly key: string;
  readonly label: string;
  /** What is displayed instead of the label, which the tooltip shows. */
  readonly shown?: string | undefined;
  /** Parent of the line, for screen readers. */
  readonly within?: string | undefined;
  readonly note?: string | undefined;
  readonly seconds: number;
  readonly segments: readonly Segment[];
  /** Difference from the previous period, in seconds; `undefined` = unknown. */
  readonly change?: number | undefined;
  /** Marks on the bar. */
  readonly targets?: Targets | undefined;
  /** Indentation level. @default 0 */
  readonly depth?: number;
  /** The filter condition for it, which the label sets. */
  readonly handle?: string | undefined;
  /** Whether `#` in the label is a placeholder for numbers. */
  readonly isFolded?: boolean | undefined;
}

export interface PanelProps {
  readonly title: string;
  /** Heading of the first column. */
  readonly column: string;
  /** Text for an empty label. */
  readonly nameless: string;
  readonly lines: readonly Line[];
  /** Lines that only the previous period has, shown by their change. */
  readonly gone?: readonly Line[] | undefined;
  /** Dates of the period, for the file name. */
  readonly dates: readonly string[];
  /** Description of the comparison. */
  readonly compared: string;
  /** Total that bars and shares relate to, in seconds. */
  readonly whole: number;
  /** Loads all lines, if the given ones are only the first. */
  readonly loadAll?: ((signal: AbortSignal) => Promise<readonly Line[]>) | undefined;
  /** Width in columns: one, two or all. @default "narrow" */
  readonly width?: "narrow" | "wide" | "whole" | undefined;
  /** The link of a line's condition. @default adds it to the current filter */
  readonly linkTo?: ((handle: string) => string) | undefined;
}

const FEW = 10;
/** Maximum length of labels in characters, in lines and tooltips. */
const MAX_SHOWN = 200;
const MAX_TITLE_CHARACTERS = 1000;

/** A list of durations in a card. */
export function Panel(props: PanelProps): JSX.Element {
  const { title, lines, dates, width = "narrow" } = props;
  return (
    <section class={`card activity-panel activity-${width}`}>
      <div class="row spread activity-panel-head">
        <h2>{title}</h2>
        {lines.length > 0 && <CsvButton name={title} dates={dates} rows={() => linesAsRows(props, lines)} />}
      </div>
      <Lines {...props} />
    </section>
  );
}

/** A list of durations. Shows the first lines, and more on demand. */
export function Lines(props: PanelProps): JSX.Element {
  const { title, column, nameless, lines, gone = [], whole, linkTo = linkOf } = props;
  const [order, setOrder] = useState<LineOrder>({ by: "time", descending: true });
  const all = useAllLines(lines, props.loadAll);
  const given = all.lines;
  const isTree = given.some(({ depth = 0 }) => depth > 0);
  const ordered = sortedLines(order.by === "change" ? [...given, ...gone] : given, order, isTree);
  const shown = ordered.slice(0, all.isOpen ? all.most : FEW);
  const sort = (by: LineOrder["by"]): void => setOrder({ by, descending: order.by === by ? !order.descending : true });
  return (
    <>
      {all.failure !== undefined && <Failure {...all.failure} />}
      {lines.length === 0 && <p class="quiet">{t("nothingHere")}</p>}
      {shown.length > 0 && (
        <table class="activity-lines">
          <caption class="unseen">{t("caption", { title, length: formatRough(whole) })}</caption>
          <colgroup>
            <col />
            <col class="activity-time" />
            <col class="activity-share" />
            <col class="activity-diff" />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">{column}</th>
              <SortHead {...{ order, sort }} by="time" label={common("time")} />
              <th scope="col" class="number activity-share">
                {t("share")}
              </th>
              <SortHead {...{ order, sort }} by="change" label="±" title={t("change")} />
            </tr>
          </thead>
          <tbody>
            {shown.map((line) => (
              <LineRow key={line.key} {...{ line, nameless, whole, linkTo }} />
            ))}
          </tbody>
        </table>
      )}
      {(lines.length > FEW || props.loadAll !== undefined) && (
        <p class="row activity-more">
          {all.isOpen && ordered.length > all.most && (
            <>
              <button type="button" onClick={all.showMore}>
                {common("countMore", { count: Math.min(PAGE_OF_LINES, ordered.length - all.most) })}
                <span class="unseen">: {title}</span>
              </button>
              <span class="quiet">
                {t("someOf", { shown: formatCount(all.most), all: formatCount(ordered.length) })}
              </span>
            </>
          )}
          <button type="button" aria-expanded={all.isOpen} disabled={all.isLoading} onClick={all.toggle}>
            {all.isOpen ? t("showFewer") : props.loadAll ? common("showAll") : t("showAllOf", { count: lines.length })}
            <span class="unseen">: {title}</span>
          </button>
        </p>
      )}
      {whole > 0 && shown.length > 0 && (
        <p class="quiet activity-whole-note">
          {t("bars", { length: formatRough(whole) })}
          {shown.some(({ isFolded }) => isFolded) && ` ${common("anyNumber")}`}
          {(["goal", "limit"] as const).map(
            (name) =>
              shown.some(({ targets }) => (targets?.[name] ?? whole + 1) <= whole) && (
                <span key={name} class="activity-tick-key">
                  <span class={`activity-tick is-${name}`} aria-hidden="true" /> {t(name)}
                </span>
              ),
          )}
        </p>
      )}
    </>
  );
}

/** All lines as table rows, without empty columns; durations are in whole seconds. */
async function linesAsRows({ column, compared, loadAll }: PanelProps, given: readonly Line[]): Promise<CsvCell[][]> {
  const lines = loadAll === undefined ? given : await loadAll(new AbortController().signal);
  const columns: readonly (readonly [head: string, cell: (line: Line) => CsvCell])[] = [
    [column, ({ label }) => label],
    [t("csvWithin"), ({ within }) => within],
    [t("csvNote"), ({ note }) => note],
    [t("csvSeconds"), ({ seconds }) => wholeSeconds(seconds)],
    [t("csvChange", { period: compared }), ({ change }) => change && wholeSeconds(change)],
  ];
  const used = columns.filter(([, cell], at) => at === 0 || lines.some((line) => (cell(line) ?? "") !== ""));
  return [used.map(([head]) => head), ...lines.map((line) => used.map(([, cell]) => cell(line)))];
}

interface SortHeadProps {
  readonly by: LineOrder["by"];
  readonly label: string;
  readonly title?: string;
  readonly order: LineOrder;
  readonly sort: (by: LineOrder["by"]) => void;
}

function SortHead({ by, label, title, order, sort }: SortHeadProps): JSX.Element {
  const isOn = order.by === by;
  const direction = order.descending ? "descending" : "ascending";
  return (
    <th scope="col" class="number" aria-sort={isOn ? direction : "none"}>
      <button type="button" class="activity-sort" title={title} onClick={() => sort(by)}>
        {label}
        {title !== undefined && <span class="unseen"> {title}</span>}
        <span aria-hidden="true">{isOn ? (order.descending ? " ↓" : " ↑") : ""}</span>
      </button>
    </th>
  );
}

interface LineRowProps {
  readonly line: Line;
  readonly nameless: string;
  readonly whole: number;
  readonly linkTo: (handle: string) => string;
}

function LineRow({ line, nameless, whole, linkTo }: LineRowProps): JSX.Element {
  const { label, shown = label, within, note, seconds, change, depth = 0, targets, handle } = line;
  const name = label === "" ? <em class="quiet">({nameless})</em> : <Name text={shorten(shown, MAX_SHOWN)} />;
  const text = note ? `${label} · ${note}` : label;
  return (
    <tr>
      <th scope="row" style={{ paddingInlineStart: `${depth * 16}px` }}>
        <span class="activity-name" title={shorten(text, MAX_TITLE_CHARACTERS)}>
          {within !== undefined && <span class="unseen">{`${within} > `}</span>}
          {handle === undefined ? (
            name
          ) : (
            <a class="handle" href={linkTo(handle)}>
              {name}
            </a>
          )}
          {note ? (
            <span class="quiet">
              {" "}
              · <bdi>{shorten(note, MAX_SHOWN)}</bdi>
            </span>
          ) : null}
        </span>
        <LineBar {...{ line, whole }} />
        <TargetWords {...{ targets, seconds }} />
      </th>
      <td class="number">
        <Duration seconds={seconds} />
      </td>
      <td class="number quiet activity-share">{formatShare(seconds, whole)}</td>
      <td class="number quiet">{change === undefined ? "" : changeText(change)}</td>
    </tr>
  );
}

function changeText(change: number): string {
  if (Math.abs(change) < 0.5) return "=";
  return `${change > 0 ? "+" : "−"}${formatRough(Math.abs(change))}`;
}

/** The bar below the name; its length is the share of the total. */
function LineBar({ line: { segments, targets = {} }, whole }: Pick<LineRowProps, "line" | "whole">): JSX.Element {
  const shareOf = (seconds: number): string => `${(whole > 0 ? (seconds / whole) * 100 : 0).toFixed(2)}%`;
  return (
    <span class="activity-track" aria-hidden="true">
      {segments.map(({ color, seconds, isHatched }, index) => (
        <span
          key={index}
          class={isHatched ? "activity-bar is-hatched" : "activity-bar"}
          style={{ inlineSize: shareOf(seconds), "--bar": color ?? "var(--control)" }}
        />
      ))}
      {(["goal", "limit"] as const).map((name) => {
        const target = targets[name];
        if (target === undefined || target > whole) return null;
        return (
          <span
            key={name}
            class={`activity-tick is-${name}`}
            style={{ insetInlineStart: shareOf(target) }}
            title={t(`${name}Is`, { length: formatRough(target) })}
          />
        );
      })}
    </span>
  );
}

interface TargetWordsProps {
  readonly targets: Targets | undefined;
  readonly seconds: number;
}

function TargetWords({ targets: { goal, limit, days } = {}, seconds }: TargetWordsProps): JSX.Element | null {
  if (goal === undefined && limit === undefined) return null;
  return (
    <span class="activity-target quiet">
      {goal !== undefined && t("goalIs", { length: formatRough(goal) })}
      {goal !== undefined && limit !== undefined && ", "}
      {limit !== undefined && days?.limit === undefined && (
        <span class={seconds > limit ? "bad" : undefined}>{limitText(seconds, limit)}</span>
      )}
      {days?.limit !== undefined && (
        <span class={days.limit.met < days.limit.count ? "bad" : undefined}>
          {`${t("limitIs", { length: formatRough(limit ?? 0) })}, ${describeDays("limit", days.limit)}`}
        </span>
      )}
    </span>
  );
}
