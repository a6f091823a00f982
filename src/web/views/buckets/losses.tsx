import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { ClientBucket } from "../../../client/index.js";
import { formatDate } from "../../format.js";
import { href } from "../../router.js";
import { zone } from "../../settings.js";
import { t } from "../../texts/buckets.js";
import { common } from "../../texts/common.js";
import { countOf, wantCount } from "./counts.js";

/** Lists the data that a deletion affects. */
export function Losses({ buckets }: { readonly buckets: readonly ClientBucket[] }): JSX.Element {
  useEffect(() => {
    for (const bucket of buckets) wantCount(bucket);
  }, []);
  return (
    <>
      <p>{buckets.length === 1 ? t("losesOne") : t("losesMany", { count: buckets.length })}</p>
      <ul class="losses">
        {buckets.map((bucket) => (
          <li key={bucket.id}>
            <a href={href(["buckets", bucket.id])}>{bucket.id}</a> <span class="quiet">{describeExtent(bucket)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function describeExtent({ id, metadata: { start, end } }: ClientBucket): string {
  if (start === null || end === null) return t("noEvents");
  const { events } = countOf(id).value;
  const range = { from: formatDate(start, zone.value), to: formatDate(end, zone.value) };
  return events === undefined
    ? t("range", range)
    : t("extent", { events: common("eventCount", { count: events }), ...range });
}
