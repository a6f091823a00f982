// Reasons of deletions. Entries of all versions store them as strings; only this file parses them.
import type { TrashEntry } from "./entry.js";

export const BUCKET_DELETED = "the bucket was deleted";
export const EVENT_DELETED = "an event was deleted";
export const EVENTS_DELETED = "events were deleted";
export const RANGE_DELETED = "a range of time was deleted";
const BY_FILTER = "deleted by a filter: ";

export function deletedByFilter(terms: string): string {
  return BY_FILTER + terms;
}

/** The named cause of a reason, if it has one, for pages in other languages. */
export function parseCause(reason: string): Pick<TrashEntry, "cause" | "filter"> {
  if (reason === BUCKET_DELETED) return { cause: "bucket" };
  if ([EVENT_DELETED, EVENTS_DELETED, RANGE_DELETED].includes(reason)) return { cause: "events" };
  return reason.startsWith(BY_FILTER) ? { cause: "filter", filter: reason.slice(BY_FILTER.length) } : {};
}
