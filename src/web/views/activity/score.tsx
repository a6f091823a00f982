import type { JSX } from "preact";
import { formatRough, formatShare } from "../../format.js";
import type { Report } from "../../report.js";
import { t } from "../../texts/activity.js";
import { locale } from "../../texts/language.js";

export interface ScoreProps {
  /** `undefined` until known. */
  readonly report: Report | undefined;
}

/** The score of a period, with its distracting and productive time. */
export function Score({ report }: ScoreProps): JSX.Element {
  const score = report?.score;
  if (report === undefined || score === undefined) return <strong>{report === undefined ? "…" : "–"}</strong>;
  const { active } = report.totals;
  const before = report.compared?.score;
  const timeOf = (seconds: number) => ({ length: formatRough(seconds), share: formatShare(seconds, active) });
  return (
    <>
      <strong>
        <bdi>{formatPoints(score.points)}</bdi>
      </strong>
      <p>{t("distractingTime", timeOf(score.distracting))}</p>
      <p class="quiet">{t("productiveTime", timeOf(score.productive))}</p>
      {before !== undefined && (
        <p class="quiet">{t.rich("scoreBefore", { score: <bdi>{formatPoints(before.points)}</bdi> })}</p>
      )}
    </>
  );
}

/** `+12.5`. */
export function formatPoints(points: number): string {
  return points.toLocaleString(locale.value, { signDisplay: "exceptZero", maximumFractionDigits: 1 });
}
