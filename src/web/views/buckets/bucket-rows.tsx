import type { JSX } from "preact";
import type { ClientBucket } from "../../../client/client-types.js";
import { recoveries } from "../../api.js";
import { formatAge, formatCount, formatMoment } from "../../format.js";
import { lastOf, type Reporting, reportingOf } from "../../reporting.js";
import { href } from "../../router.js";
import { zone } from "../../settings.js";
import { AccessSelect } from "./access-select.js";
import { countOf, wantCount } from "./counts.js";
import { ExportLink } from "./export-link.js";
import { useInSight } from "./in-sight.js";
import { type BucketOrder, type BucketSort, eventsPerDay, type HostGroup } from "./overview.js";

const COLUMNS: readonly (readonly [order: BucketOrder, label: string])[] = [
  ["id", "Bucket"],
  ["type", "Type"],
  ["client", "Client"],
  ["first", "First event"],
  ["last", "Last event"],
  ["events", "Events"],
  ["rate", "Per day"],
];

const NUMERIC: ReadonlySet<BucketOrder> = new Set(["events", "rate"]);

export interface HostTableProps {
  readonly group: HostGroup;
  readonly sort: BucketSort;
  /** Now, in Unix milliseconds. */
  readonly now: number;
  readonly onSort: (by: BucketOrder) => void;
  readonly onDelete: (bucket: ClientBucket) => void;
}

/** The buckets of a host; on narrow screens one card each. */
export function HostTable({ group, sort, now, onSort, onDelete }: HostTableProps): JSX.Element {
  return (
    <table class="bucket-table">
      <caption class="unseen">Buckets of {hostLabel(group.host)}</caption>
      <thead>
        <tr>
          {COLUMNS.map(([by, label]) => (
            <th key={by} scope="col" aria-sort={sortState(sort, by)} class={NUMERIC.has(by) ? "number" : undefined}>
              <button type="button" class="sort" onClick={() => onSort(by)}>
                {label}
              </button>
            </th>
          ))}
          <th scope="col">Access</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {group.buckets.map((bucket) => (
          <BucketRow key={bucket.id} bucket={bucket} now={now} onDelete={onDelete} />
        ))}
      </tbody>
    </table>
  );
}

function sortState({ by, descending }: BucketSort, column: BucketOrder): "ascending" | "descending" | "none" {
  if (by !== column) return "none";
  return descending ? "descending" : "ascending";
}

/** The name of a host, or what stands for it. */
export function hostLabel(host: string): string {
  return host.trim() === "" ? "(no host name)" : host;
}

interface BucketRowProps {
  readonly bucket: ClientBucket;
  readonly now: number;
  readonly onDelete: (bucket: ClientBucket) => void;
}

function BucketRow({ bucket, now, onDelete }: BucketRowProps): JSX.Element {
  const { id, name, type, client, metadata } = bucket;
  const state = `${id} ${metadata.start} ${metadata.end} ${recoveries.value}`;
  const row = useInSight<HTMLTableRowElement>(state, () => wantCount(bucket));
  return (
    <tr ref={row}>
      <th scope="row">
        <a class="bucket-id" href={href(["buckets", id])}>
          {id}
        </a>
        {name !== null && name !== "" && <span class="quiet bucket-name">{name}</span>}
      </th>
      <td data-label="Type">{type}</td>
      <td data-label="Client">{client}</td>
      <td data-label="First event">
        <When timestamp={metadata.start} />
      </td>
      <td data-label="Last event">
        <When timestamp={metadata.end} />
        <Reports bucket={bucket} now={now} />
      </td>
      <CountCells bucket={bucket} />
      <td data-label="Access">
        <AccessSelect bucketId={id} />
      </td>
      <td class="row-actions">
        <ExportLink bucketId={id} label={`Export ${id}`}>
          Export
        </ExportLink>
        <button type="button" class="danger" aria-label={`Delete ${id}`} onClick={() => onDelete(bucket)}>
          Delete
        </button>
      </td>
    </tr>
  );
}

function When({ timestamp }: { readonly timestamp: string | null }): JSX.Element {
  if (timestamp === null) return <span class="quiet">–</span>;
  return <time dateTime={timestamp}>{formatMoment(timestamp, zone.value)}</time>;
}

/** Apart from the row, so that a count draws these cells alone. */
function CountCells({ bucket }: { readonly bucket: ClientBucket }): JSX.Element {
  const { events, failure } = countOf(bucket.id).value;
  const rate = events === undefined ? undefined : eventsPerDay(bucket, events);
  return (
    <>
      <td data-label="Events" class="number">
        {events === undefined ? <span class="quiet">{failure ?? "…"}</span> : formatCount(events)}
      </td>
      <td data-label="Per day" class="number">
        {rate === undefined ? <span class="quiet">–</span> : formatRate(rate)}
      </td>
    </>
  );
}

/** Events per day: whole numbers where there are many. */
export function formatRate(rate: number): string {
  if (rate > 0 && rate < 0.1) return "<0.1";
  return rate.toLocaleString(undefined, { maximumFractionDigits: rate < 10 ? 1 : 0 });
}

/** Whether a bucket still gets events, in words, a colour and a shape. */
export function Reports({ bucket, now }: { readonly bucket: ClientBucket; readonly now: number }): JSX.Element {
  const state = reportingOf(bucket, now);
  return <span class={`reports reports-${state}`}>{reportText(state, bucket, now)}</span>;
}

function reportText(state: Reporting, bucket: ClientBucket, now: number): string {
  if (state === "now") return "reports";
  return state === "empty" ? "no events" : formatAge((now - lastOf(bucket)) / 1000);
}
