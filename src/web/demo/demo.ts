// A demo host, to preview the views before there are watchers. fill.ts creates its data.
import type { ActivityClient } from "../../client/client-types.js";
import { isDemoBucket } from "../../domain/demo.js";
import { type Calendar, periodAround } from "../period.js";

/** Marks buckets as created by the page, since a real computer may have the demo's hostname. */
export const MARK = { demo: true };

/** Removes only the buckets of the demo. @throws ActivityClientError */
export async function removeDemo(client: ActivityClient): Promise<void> {
  const buckets = Object.values(await client.buckets.list());
  for (const { id } of buckets.filter(isDemoBucket)) await client.buckets.delete(id);
}

/** The week with the most time, to show first. @param filled seconds by date */
export function fullestWeek(filled: ReadonlyMap<string, number>, calendar: Calendar): string | undefined {
  const weeks = new Map<string, number>();
  for (const [date, seconds] of filled) {
    const { first } = periodAround("week", date, calendar);
    weeks.set(first, (weeks.get(first) ?? 0) + seconds);
  }
  return [...weeks].sort(([one, seconds], [other, more]) => more - seconds || (one < other ? 1 : -1))[0]?.[0];
}
