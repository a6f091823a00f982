// What an entry of the trash was, in words.
import type { ClientTrashEntry } from "../../../client/care-types.js";
import { formatDate, formatMoment, formatTime } from "../../format.js";
import { zone } from "../../settings.js";
import { t as deletion } from "../../texts/deletion.js";
import { written } from "../../texts/texts.js";
import { t } from "../../texts/trash.js";

/** What the server says most. */
const REASONS = {
  "the bucket was deleted": "bucketDeleted",
  "an event was deleted": "eventDeleted",
  "a range of time was deleted": "rangeDeleted",
} as const;
const BY_FILTER = "deleted by a filter: ";

/** Tells it from others: `app=Code · 12 events in window_desk · Fri, Mar 1, 2024 – Tue, Mar 5, 2024`. */
export function labelOf({ reason, events, start, end, buckets }: ClientTrashEntry): string {
  const bucket = buckets.map(({ bucket_id: bucketId }) => bucketId).join(", ");
  return [
    ...(reason.startsWith(BY_FILTER) ? [written(reason.slice(BY_FILTER.length))] : []),
    deletion("inBucket", { count: events, bucket }),
    ...(start === null || end === null ? [] : [rangeOf(start, end)]),
  ].join(" · ");
}

/** Days, or times of the one day. */
function rangeOf(start: string, end: string): string {
  const [first, last] = [formatDate(start, zone.value), formatDate(end, zone.value)];
  if (first !== last) return `${first} – ${last}`;
  return `${formatMoment(start, zone.value)} – ${formatTime(end, zone.value, true)}`;
}

/** What it was deleted for, in the language of the page where that is known. */
export function reasonOf({ reason }: ClientTrashEntry): string {
  if (reason.startsWith(BY_FILTER)) return t("filterDeleted");
  return isKnown(reason) ? t(REASONS[reason]) : reason;
}

function isKnown(reason: string): reason is keyof typeof REASONS {
  return Object.hasOwn(REASONS, reason);
}
