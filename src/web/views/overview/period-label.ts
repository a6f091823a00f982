import { t } from "../../texts/overview.js";
import { t as periods } from "../../texts/period.js";
import type { TilePeriod } from "./pages.js";

const NAMES = {
  today: "now_day",
  week: "now_week",
  last_week: "previous_week",
  month: "now_month",
  last_month: "previous_month",
  year: "now_year",
} as const;

export function periodLabel(period: TilePeriod): string {
  return period === "30d" || period === "yesterday" ? t(period) : periods(NAMES[period]);
}
