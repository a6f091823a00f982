// A host that nobody has: to see what the views look like before there are watchers. fill.ts makes it.
import type { ActivityClient } from "../../client/client-types.js";
import type { ClientBucket } from "../../client/index.js";
import { type Calendar, periodAround } from "../period.js";

/** Host name of the demo. */
export const DEMO_HOST = "demo";

/** What marks buckets as made by the page: a computer may really be called like the demo. */
export const MARK = { demo: true };

/** Whether a bucket was made by the demo. */
export function isDemo({ hostname, data }: ClientBucket): boolean {
  return hostname === DEMO_HOST && data["demo"] === true;
}

/** Removes the buckets of the demo, and nothing else. @throws ActivityClientError */
export async function removeDemo(client: ActivityClient): Promise<void> {
  const buckets = Object.values(await client.buckets.list());
  for (const { id } of buckets.filter(isDemo)) await client.buckets.delete(id);
}

/** The week with the most time: what a look around begins with. @param filled seconds by dates */
export function fullestWeek(filled: ReadonlyMap<string, number>, calendar: Calendar): string | undefined {
  const weeks = new Map<string, number>();
  for (const [date, seconds] of filled) {
    const { first } = periodAround("week", date, calendar);
    weeks.set(first, (weeks.get(first) ?? 0) + seconds);
  }
  return [...weeks].sort(([one, seconds], [other, more]) => more - seconds || (one < other ? 1 : -1))[0]?.[0];
}
