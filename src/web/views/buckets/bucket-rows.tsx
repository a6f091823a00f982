import type { JSX } from "preact";
import type { ClientBucket } from "../../../client/client-types.js";
import { recoveries } from "../../api.js";
import { formatAge, formatCount, formatMoment } from "../../format.js";
import { CsvButton } from "../../parts/csv-button.js";
import { Menu } from "../../parts/menu.js";
import { lastOf, type Reporting, reportingOf } from "../../reporting.js";
import { href } from "../../router.js";
import { zone } from "../../settings.js";
import { t } from "../../texts/care.js";
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

const texts = {
  caption: "Buckets by host",
  actionsOf: (name: string) => `Actions of ${name}`,
  export: "Export",
  rename: "Rename…",
  delete: "Delete…",
  renameHost: "Rename or merge…",
  deleteAll: "Delete all…",
};

/** What can be done from the rows. */
export interface BucketActions {
  readonly onDelete: (bucket: ClientBucket) => void;
  readonly onRename: (bucket: ClientBucket) => void;
  readonly onMerge: (bucket: ClientBucket) => void;
  readonly onDeleteHost: (host: string) => void;
  readonly onRenameHost: (host: string) => void;
}

export interface BucketTableProps {
  readonly groups: readonly HostGroup[];
  /** How many buckets a host has, those that a filter hides included. */
  readonly totalOf: (host: string) => number;
  readonly sort: BucketSort;
  /** Now, in Unix milliseconds. */
  readonly now: number;
  readonly onSort: (by: BucketOrder) => void;
  readonly actions: BucketActions;
}

/** Buckets under their hosts; on narrow screens one card each. */
export function BucketTable({ groups, totalOf, sort, now, onSort, actions }: BucketTableProps): JSX.Element {
  return (
    <table class="bucket-table">
      <caption class="unseen">{texts.caption}</caption>
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
          <th scope="col">
            <span class="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      {groups.map((group) => (
        <tbody key={group.host}>
          <HostRow group={group} total={totalOf(group.host)} actions={actions} />
          {group.buckets.map((bucket) => (
            <BucketRow key={bucket.id} bucket={bucket} now={now} actions={actions} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

interface HostRowProps {
  readonly group: HostGroup;
  readonly total: number;
  readonly actions: BucketActions;
}

function HostRow({ group: { host, buckets: shown }, total, actions }: HostRowProps): JSX.Element {
  const number = shown.length === total ? formatCount(total) : `${formatCount(shown.length)} of ${formatCount(total)}`;
  return (
    <tr class="host-row">
      <th scope="rowgroup" colSpan={COLUMNS.length + 2}>
        <div class="host-head">
          <h2>{hostLabel(host)}</h2>
          <span class="quiet">
            {number} {total === 1 ? "bucket" : "buckets"}
          </span>
          <CsvButton
            name={hostLabel(host)}
            rows={() => [
              ["id", "name", "type", "client", "hostname", "created", "first", "last", "events"],
              ...shown.map((bucket) => [
                ...[bucket.id, bucket.name ?? "", bucket.type, bucket.client, bucket.hostname, bucket.created],
                ...[bucket.metadata?.start ?? "", bucket.metadata?.end ?? "", countOf(bucket.id).value.events],
              ]),
            ]}
          />
          <Menu label={texts.actionsOf(`the host ${hostLabel(host)}`)}>
            {host.trim() !== "" && (
              <button type="button" onClick={() => actions.onRenameHost(host)}>
                {texts.renameHost}
              </button>
            )}
            <button
              type="button"
              class="danger"
              aria-label={`Delete all of ${hostLabel(host)}`}
              onClick={() => actions.onDeleteHost(host)}
            >
              {texts.deleteAll}
            </button>
          </Menu>
        </div>
      </th>
    </tr>
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
  readonly actions: BucketActions;
}

function BucketRow({ bucket, now, actions }: BucketRowProps): JSX.Element {
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
        <Menu label={texts.actionsOf(id)}>
          <ExportLink bucketId={id} label={`Export ${id}`}>
            {texts.export}
          </ExportLink>
          <button type="button" aria-label={`Rename ${id}`} onClick={() => actions.onRename(bucket)}>
            {texts.rename}
          </button>
          <button type="button" aria-label={t("mergeOf", { id })} onClick={() => actions.onMerge(bucket)}>
            {t("mergeAction")}
          </button>
          <button type="button" class="danger" aria-label={`Delete ${id}`} onClick={() => actions.onDelete(bucket)}>
            {texts.delete}
          </button>
        </Menu>
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
