// Describes trash entries.
import type { ClientTrashEntry } from "../../../client/index.js";
import { formatDate, formatEnd, formatMoment } from "../../format.js";
import { zone } from "../../settings.js";
import { t as deletion } from "../../texts/deletion.js";
import { written } from "../../texts/texts.js";
import { t } from "../../texts/trash.js";

/** The label: `app=Code · 12 events in window_desk · Fri, Mar 1, 2024 – Tue, Mar 5, 2024`. */
export function labelOf({ filter, events, start, end, buckets }: ClientTrashEntry): string {
  const bucket = buckets.map(({ bucket_id: bucketId }) => bucketId).join(", ");
  return [
    ...(filter === undefined ? [] : [written(filter)]),
    deletion("inBucket", { count: events, bucket }),
    ...(start === null || end === null ? [] : [formatRange(start, end)]),
  ].join(" · ");
}

/** Days, or times within one day. */
function formatRange(start: string, end: string): string {
  const [first, last] = [formatDate(start, zone.value), formatDate(end, zone.value)];
  if (first !== last) return `${first} – ${last}`;
  return `${formatMoment(start, zone.value)} – ${formatEnd(start, end, zone.value)}`;
}

/** Why it was deleted, translated if possible; `undefined` if the label contains it. */
export function reasonOf({ cause, reason }: ClientTrashEntry): string | undefined {
  if (cause === "bucket") return t("bucketDeleted");
  return cause === undefined ? reason : undefined;
}
