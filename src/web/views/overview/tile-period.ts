// Periods that move with today. Pure.
import { type Calendar, dayAt, type Period, periodAround, rangeOf } from "../../period.js";
import { addDays } from "../../wall-clock.js";
import { namedPeriod } from "../activity/previous-period.js";
import type { TilePeriod } from "./pages.js";

/** The period of a choice. */
export function tilePeriod(choice: TilePeriod, calendar: Calendar, now: number): Period {
  const today = dayAt(now, calendar);
  const before = (kind: "week" | "month"): Period =>
    periodAround(kind, addDays(periodAround(kind, today, calendar).first, -1), calendar);
  switch (choice) {
    case "today":
      return periodAround("day", today, calendar);
    case "yesterday":
      return periodAround("day", addDays(today, -1), calendar);
    case "last_week":
      return before("week");
    case "last_month":
      return before("month");
    case "30d":
      return namedPeriod(rangeOf(addDays(today, -29), today, calendar), calendar);
    default:
      return periodAround(choice, today, calendar);
  }
}
