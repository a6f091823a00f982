import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { labelOf, UNCATEGORIZED } from "../../categories.js";
import type { CategoryColors } from "../../category-colors.js";
import { datesOf, wholeSeconds } from "../../csv.js";
import { formatRough } from "../../format.js";
import { Chart, type ChartSeries } from "../../parts/chart.js";
import { CsvButton } from "../../parts/csv-button.js";
import { HorizontalScroll } from "../../parts/horizontal-scroll.js";
import type { Part, Period } from "../../period.js";
import { filterTexts, href, navigate, type Params } from "../../router.js";
import { t } from "../../texts/activity.js";
import { type Bars, sumByTopCategory, sumSeconds } from "./bars.js";
import { Duration } from "./duration.js";
import { markOf, periodName } from "./names.js";
import { formatLine, linesFor } from "./scale.js";

/** Further layers would be indistinguishable. */
const MAX_LAYERS = 8;
const OTHER_COLOR = "#b9a88f";
const HEIGHT = 240;
/** Fewer bars would be too wide. */
const LEAST_BARS = 6;

export interface HoursProps {
  readonly bars: Bars;
  readonly period: Period;
  readonly zone: string;
  readonly colors: CategoryColors;
  /** Active time of each part in the previous period; `undefined` = not loaded yet. */
  readonly ghosts?: readonly number[] | undefined;
  /** Parameters that links of bars preserve. */
  readonly params: Params;
  /** The filter that they preserve. @default the current one */
  readonly filter?: readonly string[] | undefined;
}

/** Time by part of the period: a bar chart in layers by category, and the same as a table. */
export function Hours({
  bars,
  period,
  zone,
  colors,
  ghosts,
  params,
  filter = filterTexts.value,
}: HoursProps): JSX.Element {
  const [pointed, setPointed] = useState<number>();
  const { parts, times } = bars;
  const layers = createLayers(bars, colors);
  const sums = times.map((groups) => sumSeconds(groups));
  const [unit = "hour"] = parts.map((one) => one.unit);
  const [from, to] = unit === "hour" ? cropped(sums) : [0, parts.length];
  const cut = <Value,>(values: readonly Value[]): readonly Value[] => values.slice(from, to);
  const lines = linesFor(Math.max(0, ...cut(sums), ...cut(ghosts ?? [])), unit === "hour" ? 3600 : 0);
  const part = pointed === undefined ? undefined : parts[pointed];
  const isWeek = period.kind === "week" || (unit === "day" && parts.length <= 7);
  return (
    <>
      <Chart
        label={t("chart", { what: t(`active_${unit}`) })}
        height={HEIGHT}
        marks={cut(parts).map((one) => markOf(one, zone, isWeek))}
        series={layers.map((layer) => ({ ...layer, values: cut(layer.values) }))}
        ghosts={ghosts && cut(ghosts)}
        lines={lines}
        formatLine={formatLine}
        onPoint={(index) => setPointed(index === undefined ? undefined : index + from)}
        onPick={(index) => {
          const target = parts[index + from];
          if (target !== undefined) navigate(...locatePart(target, params), { filter });
        }}
      />
      <div class="activity-legend" aria-hidden="true">
        <p>
          {part === undefined
            ? t(`active_${unit}`)
            : pointedText(periodName(part, zone), sums[pointed ?? 0] ?? 0, ghosts && (ghosts[pointed ?? 0] ?? 0))}
        </p>
        {layers.map(({ name, color, isHatched, values }) => (
          <span key={name} class="activity-key">
            <span class={isHatched ? "activity-swatch is-hatched" : "activity-swatch"} style={{ "--bar": color }} />
            <span class="activity-name">
              <bdi>{name}</bdi>
            </span>
            {part !== undefined && <span class="quiet">{formatRough(values[pointed ?? 0] ?? 0)}</span>}
          </span>
        ))}
        <span class="activity-key">
          <span class="activity-swatch is-ghost" />
          <span class="activity-name">{t("before")}</span>
        </span>
      </div>
      <PartsDetails {...{ parts, layers, sums, ghosts, zone, period, params, filter }} />
    </>
  );
}

export interface PartsDetailsProps {
  readonly parts: readonly Part[];
  readonly layers: readonly Pick<ChartSeries, "name" | "values">[];
  readonly sums: readonly number[];
  readonly ghosts: readonly number[] | undefined;
  readonly zone: string;
  readonly period: Period;
  readonly params: Params;
  readonly filter: readonly string[];
}

/** The values of a chart as a table and as CSV. */
export function PartsDetails({ period, params, filter, ...shown }: PartsDetailsProps): JSX.Element {
  const { parts, layers, sums } = shown;
  const [unit = "hour"] = parts.map((one) => one.unit);
  return (
    <details class="activity-table">
      <summary>{t("asTable")}</summary>
      <PartsTable {...shown} unit={unit} linkTo={(part) => href(...locatePart(part, params), filter)} />
      <p class="row activity-more">
        <CsvButton
          name={t(`active_${unit}`)}
          dates={datesOf(period)}
          rows={() => [
            ["start", "end", "seconds", ...layers.map(({ name }) => name)],
            ...parts.map(({ start, end }, at) => [
              ...[isoIn(start), isoIn(end), wholeSeconds(sums[at] ?? 0)],
              ...layers.map(({ values }) => wholeSeconds(values[at] ?? 0)),
            ]),
          ]}
        />
      </p>
    </details>
  );
}

export function pointedText(part: string, seconds: number, before: number | undefined): string {
  const said = { part, length: formatRough(seconds) };
  return before === undefined ? t("pointed", said) : t("pointedBefore", { ...said, before: formatRough(before) });
}

function isoIn(instant: number): string {
  return new Date(instant).toISOString();
}

/** Bars of a day to show: those with activity, one more on each side, and a minimum number. */
function cropped(sums: readonly number[]): readonly [from: number, to: number] {
  const first = sums.findIndex((seconds) => seconds > 0);
  if (first < 0) return [0, sums.length];
  const last = sums.findLastIndex((seconds) => seconds > 0);
  const from = Math.max(0, first - 1);
  const to = Math.min(sums.length, Math.max(last + 2, from + LEAST_BARS));
  return [Math.max(0, Math.min(from, to - LEAST_BARS)), to];
}

/** Link target of a bar: the period that it represents. */
export function locatePart(part: Part, params: Params): [path: readonly string[], params: Params] {
  const { date } = part;
  switch (part.unit) {
    case "hour": {
      const [start, end] = [part.start, part.end].map((instant) => new Date(instant).toISOString());
      return [["timeline"], { start, end, host: params["host"] }];
    }
    case "year":
      return [["year", date.slice(0, 4)], params];
    case "month":
      return [["month", date.slice(0, 7)], params];
    default:
      return [[part.unit, date], params];
  }
}

/** Top-level categories, longest at the bottom; the rest joined; uncategorized at the top. */
function createLayers({ times }: Bars, colors: CategoryColors): readonly ChartSeries[] {
  const tops = times.map(sumByTopCategory);
  const names = [...sumByTopCategory(times.flat()).keys()].filter((name) => name !== UNCATEGORIZED);
  const few = names.length > MAX_LAYERS ? names.slice(0, MAX_LAYERS - 1) : names;
  const layers = few.map((name) => ({
    name,
    color: colors.of([name]),
    values: tops.map((sums) => sums.get(name) ?? 0),
  }));
  const rest = (name: string, color: string, of: readonly string[], isHatched = false): ChartSeries => ({
    ...{ name, color, isHatched },
    values: tops.map((sums) => of.reduce((sum, one) => sum + (sums.get(one) ?? 0), 0)),
  });
  const last = [
    rest(t("others"), OTHER_COLOR, names.slice(few.length)),
    rest(labelOf([UNCATEGORIZED]), colors.of([UNCATEGORIZED]), [UNCATEGORIZED], true),
  ];
  return [...layers, ...last.filter(({ values }) => values.some((seconds) => seconds > 0))];
}

interface TableProps extends Omit<PartsDetailsProps, "period" | "params" | "filter"> {
  readonly unit: Part["unit"];
  readonly linkTo: (part: Part) => string;
}

function PartsTable({ parts, layers, sums, ghosts, zone, unit, linkTo }: TableProps): JSX.Element {
  return (
    <HorizontalScroll label={t(`active_${unit}`)}>
      <table>
        <caption class="unseen">{t("byCategory", { what: t(`active_${unit}`) })}</caption>
        <thead>
          <tr>
            <th scope="col">{t(`unit_${unit}`)}</th>
            <th scope="col" class="number">
              {t("active")}
            </th>
            {layers.map(({ name }) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
            <th scope="col" class="number">
              {t("before")}
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part, index) => (
            <tr key={part.start}>
              <th scope="row">
                <a href={linkTo(part)}>{periodName(part, zone)}</a>
              </th>
              <td class="number">
                <Duration seconds={sums[index] ?? 0} />
              </td>
              {layers.map(({ name, values }) => (
                <td key={name} class="number">
                  <Duration seconds={values[index] ?? 0} />
                </td>
              ))}
              <td class="number quiet">{ghosts === undefined ? "" : <Duration seconds={ghosts[index] ?? 0} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </HorizontalScroll>
  );
}
