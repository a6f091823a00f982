import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ClientBucket } from "../../client/client-types.js";
import { buckets, refreshBuckets } from "../buckets.js";
import { formatCount } from "../format.js";
import { shownOf } from "../load.js";
import { Busy } from "../parts/busy.js";
import { CsvButton } from "../parts/csv-button.js";
import { Failure } from "../parts/failure.js";
import { Field } from "../parts/field.js";
import { navigate, route } from "../router.js";
import { HostTable, hostLabel } from "./buckets/bucket-rows.js";
import { countOf, dropWaiting, wantCount } from "./buckets/counts.js";
import { DeleteDialog } from "./buckets/delete-dialog.js";
import { ExportLink } from "./buckets/export-link.js";
import { ImportPanel } from "./buckets/import-panel.js";
import { useNow } from "./buckets/now.js";
import { type BucketOrder, type BucketSort, type HostGroup, hostGroups, matching } from "./buckets/overview.js";
import { printSort, readSort } from "./buckets/sort.js";

/** What is about to be deleted. */
type Deletion = { readonly bucket: ClientBucket } | { readonly host: string };

/** All buckets by host: what they hold, export, import, deletion. */
export default function BucketsView(): JSX.Element {
  const { params } = route.value;
  const filter = params.get("q") ?? "";
  const sort = readSort(params.get("sort"));
  const now = useNow();
  const [deletion, setDeletion] = useState<Deletion>();
  const loadable = buckets.value;
  const all = shownOf(loadable);

  useEffect(() => {
    void refreshBuckets();
    return dropWaiting;
  }, []);
  const isByCount = sort.by === "events" || sort.by === "rate";
  useEffect(() => {
    if (isByCount) for (const bucket of all ?? []) wantCount(bucket);
  }, [isByCount, all]);

  function show(changes: { readonly q?: string; readonly sort?: BucketSort }): void {
    const { q = filter, sort: order = sort } = changes;
    navigate(["buckets"], { q: q === "" ? undefined : q, sort: printSort(order) }, { replace: true });
  }
  function sortBy(by: BucketOrder): void {
    show({ sort: { by, descending: sort.by === by ? !sort.descending : isDescendingFirst(by) } });
  }

  const groups = all && hostGroups(matching(all, filter), sort, isByCount ? knownCounts(all) : undefined);
  return (
    <div class="buckets-view">
      <header class="view-head">
        <h1>Buckets</h1>
        <p class="quiet">{all === undefined ? "…" : summaryOf(all, groups ?? [])}</p>
        <ExportLink label="Export all buckets">Export all</ExportLink>
      </header>
      <ImportPanel />
      <Field label="Filter">
        <input
          type="search"
          value={filter}
          placeholder="id, name, type, client or host"
          onInput={({ currentTarget }) => show({ q: currentTarget.value })}
        />
      </Field>
      {loadable.state === "failed" && (
        <Failure title="The buckets could not be read." error={loadable.error} retry={() => void refreshBuckets()} />
      )}
      {all === undefined && loadable.state === "loading" && <Busy />}
      {all !== undefined && groups?.length === 0 && (
        <p class="quiet">{all.length === 0 ? "There are no buckets yet." : "No bucket fits the filter."}</p>
      )}
      {groups?.map((group) => (
        <HostSection
          key={group.host}
          group={group}
          total={all?.filter(({ hostname }) => hostname === group.host).length ?? 0}
          onDelete={() => setDeletion({ host: group.host })}
        >
          <HostTable
            group={group}
            sort={sort}
            now={now}
            onSort={sortBy}
            onDelete={(bucket) => setDeletion({ bucket })}
          />
        </HostSection>
      ))}
      {deletion && <Deleting deletion={deletion} all={all ?? []} onClose={() => setDeletion(undefined)} />}
    </div>
  );
}

interface HostSectionProps {
  readonly group: HostGroup;
  /** Buckets of the host, those that the filter hides included. */
  readonly total: number;
  readonly children: JSX.Element;
  readonly onDelete: () => void;
}

function HostSection({ group: { host, buckets: shown }, total, children, onDelete }: HostSectionProps): JSX.Element {
  const number = shown.length === total ? formatCount(total) : `${formatCount(shown.length)} of ${formatCount(total)}`;
  return (
    <section class="card host" aria-label={`Host ${hostLabel(host)}`}>
      <header class="host-head">
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
        <button type="button" class="danger" aria-label={`Delete all of ${hostLabel(host)}`} onClick={onDelete}>
          Delete all…
        </button>
      </header>
      {children}
    </section>
  );
}

interface DeletingProps {
  readonly deletion: Deletion;
  readonly all: readonly ClientBucket[];
  readonly onClose: () => void;
}

function Deleting({ deletion, all, onClose }: DeletingProps): JSX.Element {
  const actions = { onClose, onDeleted: onClose };
  if ("bucket" in deletion) {
    const { id } = deletion.bucket;
    return (
      <DeleteDialog title="Delete a bucket" name={id} bucketIds={[id]} {...actions}>
        <p>The bucket and all its events will be gone. This cannot be undone; an export can be imported again.</p>
      </DeleteDialog>
    );
  }
  const { host } = deletion;
  const ids = all.filter(({ hostname }) => hostname === host).map(({ id }) => id);
  return (
    <DeleteDialog title="Delete all buckets of a host" name={host} bucketIds={ids} {...actions}>
      <p>
        {ids.length === 1 ? "One bucket" : `${formatCount(ids.length)} buckets`} with all events will be gone, also
        those that a filter hides. This cannot be undone.
      </p>
    </DeleteDialog>
  );
}

function knownCounts(all: readonly ClientBucket[]): ReadonlyMap<string, number> {
  const known = all.flatMap(({ id }) => {
    const { events } = countOf(id).value;
    return events === undefined ? [] : [[id, events] as const];
  });
  return new Map(known);
}

function summaryOf(all: readonly ClientBucket[], groups: readonly HostGroup[]): string {
  const shown = groups.reduce((sum, group) => sum + group.buckets.length, 0);
  const hosts = new Set(all.map(({ hostname }) => hostname)).size;
  const whole = `${formatCount(all.length)} ${all.length === 1 ? "bucket" : "buckets"}`;
  const onHosts = `on ${formatCount(hosts)} ${hosts === 1 ? "host" : "hosts"}`;
  return shown === all.length ? `${whole} ${onHosts}` : `${formatCount(shown)} of ${whole} ${onHosts}`;
}

/** Times and numbers are mostly looked for from above. */
function isDescendingFirst(by: BucketOrder): boolean {
  return by === "last" || by === "events" || by === "rate";
}
