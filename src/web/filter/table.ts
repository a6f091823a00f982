// Results of a filter as a table with a row per title and day.
import type { JsonValue } from "../../domain/json.js";
import { client } from "../api.js";
import { labelOf } from "../categories.js";
import { type CsvCell, wholeSeconds } from "../csv.js";
import { type Calendar, daysOf, type Period, periodAround } from "../period.js";
import { categoryOf, formatValue, selectEvents } from "../views/activity/results.js";

const HEAD = ["date", "category", "app", "title", "seconds"] as const;

/** Loads the table. @param query program for all titles */
export async function loadTable(
  period: Period,
  calendar: Calendar,
  query: string,
): Promise<readonly (readonly CsvCell[])[]> {
  const days = daysOf(period, calendar);
  const timeperiods = days.map((date) => {
    const { start, end } = periodAround("day", date, calendar);
    return { start: new Date(start), end: new Date(end) };
  });
  const answers = await client.query({ timeperiods, query });
  return [HEAD, ...answers.flatMap((answer, day) => rowsOf(days[day] ?? "", answer))];
}

function rowsOf(date: string, answer: JsonValue): readonly (readonly CsvCell[])[] {
  return selectEvents(answer).map(({ data, seconds }) => {
    const { app, title, classname } = data;
    return [date, labelOf(categoryOf(data)), formatValue(app), formatValue(title ?? classname), wholeSeconds(seconds)];
  });
}
