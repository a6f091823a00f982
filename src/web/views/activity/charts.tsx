import type { JSX } from "preact";
import { type LazyComponent, lazy } from "../../parts/lazy.js";
import { Skeleton } from "../../parts/skeleton.js";
import type { ReportGroup } from "../../report.js";
import { href, route } from "../../router.js";
import { t } from "../../texts/activity.js";
import { styled } from "../../views-style.js";
import type { CategoryMapProps } from "./category-map.js";
import { Hours } from "./hours.js";
import { previousSums } from "./previous-period.js";
import type { TrendProps } from "./trend.js";

/** Loaded lazily, since the bars are shown first. */
export const Trend: LazyComponent<TrendProps> = lazy<TrendProps>(
  async () => (await styled(import("./trend.js"))).Trend,
);
export const CategoryMap: LazyComponent<CategoryMapProps> = lazy<CategoryMapProps>(
  async () => (await styled(import("./category-map.js"))).CategoryMap,
);

const KINDS = ["bars", "lines", "areas"] as const;
export type ChartKind = (typeof KINDS)[number];

export interface ChartsProps extends Omit<TrendProps, "bars"> {
  /** `undefined` until they are known. */
  readonly bars: TrendProps["bars"] | undefined;
  readonly group: ReportGroup | undefined;
  readonly whole: number;
  readonly isFailed: boolean;
}

/** The kind of chart in an address. Hours of a day have no trend. */
export function chartIn(params: URLSearchParams, isDay: boolean): ChartKind {
  const kind = KINDS.find((one) => one === params.get("chart")) ?? "bars";
  return isDay && kind === "lines" ? "bars" : kind;
}

/** The time of a period as bars, as lines or as areas, by the address. */
export function Charts({ group, whole, isFailed, ...shown }: ChartsProps): JSX.Element {
  const { bars, before, zone, period, colors, params } = shown;
  const isDay = period.first === period.last;
  const { path, params: given } = route.value;
  const chosen = chartIn(given, isDay);
  return (
    <div class="activity-hours">
      <nav class="activity-kinds activity-charts" aria-label={t("charts")}>
        {KINDS.filter((kind) => !(isDay && kind === "lines")).map((kind) => (
          <a
            key={kind}
            href={href(path, { ...Object.fromEntries(given), chart: kind === "bars" ? undefined : kind })}
            aria-current={kind === chosen ? "true" : undefined}
          >
            {t(`chart_${kind}`)}
          </a>
        ))}
      </nav>
      {bars === undefined && !isFailed && <Skeleton lines={8} />}
      {bars !== undefined && chosen === "bars" && (
        <Hours {...{ bars, zone, period, colors, params }} ghosts={before && previousSums(bars.parts, before, zone)} />
      )}
      {bars !== undefined && chosen === "lines" && <Trend {...shown} bars={bars} />}
      {bars !== undefined && chosen === "areas" && <CategoryMap {...{ group, colors, whole }} />}
    </div>
  );
}
