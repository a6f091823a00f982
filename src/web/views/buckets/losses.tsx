import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { ClientBucket } from "../../../client/client-types.js";
import { formatCount, formatDate } from "../../format.js";
import { href } from "../../router.js";
import { zone } from "../../settings.js";
import { countOf, wantCount } from "./counts.js";

const texts = {
  one: "This bucket is deleted with all its events:",
  many: (count: string) => `${count} buckets with all events are deleted, also those that a filter hides:`,
  events: (count: number) => `${formatCount(count)} ${count === 1 ? "event" : "events"}`,
  noEvents: "no events",
  trash: "They are kept in the trash for a while, 30 days unless the server was told otherwise.",
};

/** Says exactly what a deletion is about. */
export function Losses({ buckets }: { readonly buckets: readonly ClientBucket[] }): JSX.Element {
  useEffect(() => {
    for (const bucket of buckets) wantCount(bucket);
  }, []);
  return (
    <>
      <p>{buckets.length === 1 ? texts.one : texts.many(formatCount(buckets.length))}</p>
      <ul class="losses">
        {buckets.map((bucket) => (
          <li key={bucket.id}>
            <a href={href(["buckets", bucket.id])}>{bucket.id}</a> <span class="quiet">{extentOf(bucket)}</span>
          </li>
        ))}
      </ul>
      <p class="hint">{texts.trash}</p>
    </>
  );
}

function extentOf({ id, metadata: { start, end } }: ClientBucket): string {
  if (start === null || end === null) return texts.noEvents;
  const { events } = countOf(id).value;
  const range = `${formatDate(start, zone.value)} – ${formatDate(end, zone.value)}`;
  return events === undefined ? range : `${texts.events(events)}, ${range}`;
}
