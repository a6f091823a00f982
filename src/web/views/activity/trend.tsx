import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { keyOf, labelOf } from "../../categories.js";
import type { CategoryColors } from "../../category-colors.js";
import { formatRough, shorten } from "../../format.js";
import { ChartFrame, type ChartScale } from "../../parts/chart.js";
import type { Period } from "../../period.js";
import { filterTexts, navigate, type Params } from "../../router.js";
import { t } from "../../texts/activity.js";
import type { Bars } from "./bars.js";
import { locatePart, PartsDetails, pointedText } from "./hours.js";
import { markOf, periodName } from "./names.js";
import { formatLine, linesFor } from "./scale.js";
import { otherCategories, type TrendLine, topCategories, trendLine } from "./trend-lines.js";

const HEIGHT = 240;
/** Dots of more points would touch each other, in CSS pixels. */
const DOT_ROOM = 12;
const LONGEST_OPTION = 60;

export interface TrendProps {
  readonly bars: Bars;
  /** The period before, up to the time that is compared; `undefined` without a comparison. */
  readonly before: Bars | undefined;
  readonly period: Period;
  readonly zone: string;
  readonly colors: CategoryColors;
  /** Unix milliseconds; there are no lines in the future. */
  readonly now: number;
  /** Parameters that links of parts preserve. */
  readonly params: Params;
  /** The filter that they preserve. @default the current one */
  readonly filter?: readonly string[] | undefined;
}

/** Time by part of the period as lines: all active time, and categories of choice. */
export function Trend({ period, params, filter = filterTexts.value, ...input }: TrendProps): JSX.Element {
  const { bars, before, zone, now } = input;
  const [drawn, setDrawn] = useState<ReadonlySet<string>>(new Set([keyOf([])]));
  const [added, setAdded] = useState<readonly (readonly string[])[]>([]);
  const [hasBefore, setHasBefore] = useState(true);
  const [pointed, setPointed] = useState<number>();
  const { parts } = bars;
  const tops = topCategories(bars);
  const own = added.filter((name) => !tops.some((top) => keyOf(top) === keyOf(name)));
  const offered = [[], ...tops, ...own];
  const lines = offered.map((name) => trendLine(name, input));
  const [active] = lines as [TrendLine];
  const shown = lines.filter(({ key }) => drawn.has(key));
  const pasts = hasBefore ? shown.flatMap((line) => (line.before ? [{ ...line, before: line.before }] : [])) : [];
  const longest = Math.max(0, ...shown.flatMap(({ values }) => values), ...pasts.flatMap(({ before }) => before));
  const [unit = "day"] = parts.map((one) => one.unit);
  const isWeek = period.kind === "week" || (unit === "day" && parts.length <= 7);
  const part = pointed === undefined ? undefined : parts[pointed];
  const toggle = (key: string): void => {
    const next = new Set(drawn);
    if (!next.delete(key)) next.add(key);
    setDrawn(next);
  };

  function draw({ centerOf, heightOf, base, step }: ChartScale): JSX.Element {
    const points = (values: readonly number[]): (readonly [number, number])[] =>
      values.map((value, index) => [centerOf(index), base - heightOf(value)]);
    const path = (values: readonly number[]): string => `M${points(values).join("L")}`;
    return (
      <>
        {pasts.map(({ key, color, before }) => (
          <path key={`before ${key}`} class="trend-before" stroke={color} d={path(before)} />
        ))}
        {shown.map(({ key, color, values }) => (
          <g key={key} style={{ stroke: color, fill: color }}>
            <path class="trend-line" d={values.length === 0 ? "" : path(values)} />
            {(step >= DOT_ROOM || values.length === 1) &&
              points(values).map(([x, y]) => <circle key={x} cx={x} cy={y} r={3} />)}
          </g>
        ))}
      </>
    );
  }

  return (
    <>
      <ChartFrame
        label={t("trend", { what: t(`active_${unit}`) })}
        height={HEIGHT}
        marks={parts.map((one) => markOf(one, zone, isWeek))}
        lines={linesFor(longest, 0)}
        formatLine={formatLine}
        draw={draw}
        onPoint={setPointed}
        onPick={(index) => {
          const target = parts[index];
          if (target !== undefined) navigate(...locatePart(target, params), { filter });
        }}
      />
      <fieldset class="activity-legend trend-lines">
        <legend class="unseen">{t("lines")}</legend>
        <p aria-hidden="true">
          {part === undefined || pointed === undefined || part.start > now
            ? t(`active_${unit}`)
            : pointedText(periodName(part, zone), active.values[pointed] ?? 0, active.before?.[pointed])}
        </p>
        {lines.map(({ key, name, color, values }) => (
          <LineChoice key={key} isOn={drawn.has(key)} onToggle={() => toggle(key)} color={color}>
            <bdi>{name.length === 0 ? t("active") : labelOf(name)}</bdi>
            {pointed !== undefined && pointed < values.length && (
              <span class="quiet"> {formatRough(values[pointed] ?? 0)}</span>
            )}
          </LineChoice>
        ))}
        {before !== undefined && (
          <LineChoice isOn={hasBefore} onToggle={() => setHasBefore(!hasBefore)} color={undefined}>
            {t("before")}
          </LineChoice>
        )}
        <CategoryChoice
          names={otherCategories(bars, offered)}
          onChoose={(name) => {
            setAdded([...added, name]);
            setDrawn(new Set([...drawn, keyOf(name)]));
          }}
        />
      </fieldset>
      <PartsDetails
        {...{ parts, zone, period, params, filter }}
        sums={active.values}
        ghosts={active.before}
        layers={shown
          .filter(({ name }) => name.length > 0)
          .flatMap(({ name, values, before }) => [
            { name: labelOf(name), values },
            ...(hasBefore && before ? [{ name: t("lineBefore", { line: labelOf(name) }), values: before }] : []),
          ])}
      />
    </>
  );
}

interface LineChoiceProps {
  readonly isOn: boolean;
  readonly onToggle: () => void;
  /** `undefined` for the period before. */
  readonly color: string | undefined;
  readonly children: JSX.Element | readonly (JSX.Element | false)[] | string;
}

/** Shows or hides a line. */
function LineChoice({ isOn, onToggle, color, children }: LineChoiceProps): JSX.Element {
  return (
    <label class="activity-key trend-key">
      <input type="checkbox" checked={isOn} onChange={onToggle} />
      <span class={color === undefined ? "trend-swatch is-before" : "trend-swatch"} style={{ "--bar": color }} />
      <span class="activity-name">{children}</span>
    </label>
  );
}

interface CategoryChoiceProps {
  readonly names: readonly (readonly string[])[];
  readonly onChoose: (name: readonly string[]) => void;
}

/** Adds the line of another category. */
function CategoryChoice({ names, onChoose }: CategoryChoiceProps): JSX.Element | null {
  if (names.length === 0) return null;
  return (
    <select
      class="trend-other"
      aria-label={t("otherCategory")}
      value=""
      onChange={({ currentTarget }) => {
        const name = names.find((one) => keyOf(one) === currentTarget.value);
        if (name !== undefined) onChoose(name);
        currentTarget.value = "";
      }}
    >
      <option value="">{t("otherCategory")}</option>
      {names.map((name) => (
        <option key={keyOf(name)} value={keyOf(name)}>
          {shorten(labelOf(name), LONGEST_OPTION)}
        </option>
      ))}
    </select>
  );
}
