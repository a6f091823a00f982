import type { JSX } from "preact";
import type { ClientBucket } from "../../../client/index.js";
import { describeFailure, isReachable } from "../../api.js";
import { formatAge, formatCount, formatMoment } from "../../format.js";
import { CsvButton } from "../../parts/csv-button.js";
import { Menu } from "../../parts/menu.js";
import { Dotted } from "../../parts/name.js";
import { recoveries } from "../../recoveries.js";
import { lastOf, type Reporting, reportingOf } from "../../reporting.js";
import { href } from "../../router.js";
import { zone } from "../../settings.js";
import { t } from "../../texts/buckets.js";
import { t as care } from "../../texts/care.js";
import { common } from "../../texts/common.js";
import { locale } from "../../texts/language.js";
import { t as shell } from "../../texts/shell.js";
import { hostText } from "../activity/names.js";
import { AccessSelect } from "./access-select.js";
import { countOf, countsVersion, wantCount } from "./counts.js";
import { ExportLink } from "./export-link.js";
import { type BucketOrder, type BucketSort, eventsPerDay, type HostGroup } from "./overview.js";
import { useVisible } from "./visible.js";

/** Sort orders and their texts. */
const COLUMNS = [
  ["id", "bucket"],
  ["type", "type"],
  ["client", "client"],
  ["first", "first"],
  ["last", "last"],
  ["events", "events"],
  ["rate", "rate"],
] as const satisfies readonly (readonly [order: BucketOrder, label: string])[];

const NUMERIC: ReadonlySet<BucketOrder> = new Set(["events", "rate"]);

/** Actions of the rows. */
export interface BucketActions {
  readonly onDelete: (bucket: ClientBucket) => void;
  readonly onRename: (bucket: ClientBucket) => void;
  readonly onMerge: (bucket: ClientBucket) => void;
  readonly onDeleteHost: (host: string) => void;
  readonly onRenameHost: (host: string) => void;
}

export interface BucketTableProps {
  readonly groups: readonly HostGroup[];
  /** Number of a host's buckets, including those that a filter hides. */
  readonly totalOf: (host: string) => number;
  readonly sort: BucketSort;
  /** Current time, in Unix milliseconds. */
  readonly now: number;
  readonly onSort: (by: BucketOrder) => void;
  readonly actions: BucketActions;
}

/** Buckets grouped by host; cards on narrow screens. */
export function BucketTable({ groups, totalOf, sort, now, onSort, actions }: BucketTableProps): JSX.Element {
  return (
    <table class="bucket-table">
      <caption class="unseen">{t("byHost")}</caption>
      <thead>
        <tr>
          {COLUMNS.map(([by, label]) => (
            <th key={by} scope="col" aria-sort={sortState(sort, by)} class={NUMERIC.has(by) ? "number" : undefined}>
              <button type="button" class="sort" onClick={() => onSort(by)}>
                {t(label)}
              </button>
            </th>
          ))}
          <th scope="col">{t("access")}</th>
          <th scope="col">
            <span class="unseen">{t("actions")}</span>
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
  const count = { count: total };
  return (
    <tr class="host-row">
      <th scope="rowgroup" colSpan={COLUMNS.length + 2}>
        <div class="host-head">
          <h2>{hostText(host)}</h2>
          <span class="quiet">
            {shown.length === total ? t("number", count) : t("someOf", { shown: shown.length, ...count })}
          </span>
          <CsvButton
            name={hostText(host)}
            rows={() => [
              ["id", "name", "type", "client", "hostname", "created", "first", "last", "events"],
              ...shown.map((bucket) => [
                ...[bucket.id, bucket.name ?? "", bucket.type, bucket.client, bucket.hostname, bucket.created],
                ...[bucket.metadata?.start ?? "", bucket.metadata?.end ?? "", countOf(bucket.id).value.events],
              ]),
            ]}
          />
          <Menu label={t("actionsOfHost", { host: hostText(host) })}>
            {host.trim() !== "" && (
              <button type="button" onClick={() => actions.onRenameHost(host)}>
                {care("renameHostAction")}
              </button>
            )}
            <button
              type="button"
              class="danger"
              aria-label={t("deleteAllOf", { host: hostText(host) })}
              onClick={() => actions.onDeleteHost(host)}
            >
              {t("askDeleteAll")}
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

interface BucketRowProps {
  readonly bucket: ClientBucket;
  readonly now: number;
  readonly actions: BucketActions;
}

function BucketRow({ bucket, now, actions }: BucketRowProps): JSX.Element {
  const { id, name, type, client, metadata } = bucket;
  const state = `${id} ${metadata.start} ${metadata.end} ${countsVersion.value} ${recoveries.value}`;
  const row = useVisible<HTMLTableRowElement>(state, () => wantCount(bucket));
  return (
    <tr ref={row}>
      <th scope="row">
        <a class="bucket-id" href={href(["buckets", id])}>
          <Dotted text={id} />
        </a>
        {name !== null && name !== "" && <span class="quiet bucket-name">{name}</span>}
      </th>
      <td data-label={t("type")}>
        <Dotted text={type} />
      </td>
      <td data-label={t("client")}>
        <Dotted text={client} />
      </td>
      <td data-label={t("first")}>
        <When timestamp={metadata.start} />
      </td>
      <td data-label={t("last")}>
        <When timestamp={metadata.end} />
        <Reports bucket={bucket} now={now} />
      </td>
      <CountCells bucket={bucket} />
      <td data-label={t("access")}>
        <AccessSelect bucketId={id} />
      </td>
      <td class="row-actions">
        <Menu label={t("actionsOf", { name: id })}>
          <ExportLink bucketId={id} label={t("exportOf", { id })}>
            {common("export")}
          </ExportLink>
          <button type="button" aria-label={care("renameOf", { id })} onClick={() => actions.onRename(bucket)}>
            {care("renameAction")}
          </button>
          <button type="button" aria-label={care("mergeOf", { id })} onClick={() => actions.onMerge(bucket)}>
            {care("mergeAction")}
          </button>
          <button
            type="button"
            class="danger"
            aria-label={t("deleteOf", { id })}
            onClick={() => actions.onDelete(bucket)}
          >
            {common("askDelete")}
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

/** Separate from the row, so that a count only re-renders these cells. */
function CountCells({ bucket }: { readonly bucket: ClientBucket }): JSX.Element {
  const { events, failure } = countOf(bucket.id).value;
  const reason = failure === undefined || !isReachable.value ? undefined : describeFailure(failure);
  const rate = events === undefined ? undefined : eventsPerDay(bucket, events);
  return (
    <>
      <td data-label={common("events")} class="number">
        {events !== undefined && formatCount(events)}
        {events === undefined && (
          <span class="quiet" title={reason}>
            {failure === undefined ? "…" : "–"}
            <span class="unseen">{reason}</span>
          </span>
        )}
      </td>
      <td data-label={t("rate")} class="number">
        {rate === undefined ? <span class="quiet">–</span> : formatRate(rate)}
      </td>
    </>
  );
}

/** Events per day: large numbers are rounded to integers. */
export function formatRate(rate: number): string {
  if (rate > 0 && rate < 0.1) return `<${(0.1).toLocaleString(locale.value)}`;
  return rate.toLocaleString(locale.value, { maximumFractionDigits: rate < 10 ? 1 : 0 });
}

/** Whether a bucket still receives events, as text, color and shape. */
export function Reports({ bucket, now }: { readonly bucket: ClientBucket; readonly now: number }): JSX.Element {
  const state = reportingOf(bucket, now);
  return <span class={`reports reports-${state}`}>{reportText(state, bucket, now)}</span>;
}

function reportText(state: Reporting, bucket: ClientBucket, now: number): string {
  if (state === "now") return shell("reports");
  return state === "empty" ? t("noEvents") : formatAge((now - lastOf(bucket)) / 1000);
}
