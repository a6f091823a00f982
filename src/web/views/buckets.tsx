import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ClientBucket, ClientMerging } from "../../client/index.js";
import { isUnknownHost } from "../../domain/unknown-host.js";
import { client } from "../api.js";
import { buckets, hosts, refreshBuckets } from "../buckets.js";
import { shownValue } from "../load.js";
import { Busy } from "../parts/busy.js";
import { Failure } from "../parts/failure.js";
import { Field } from "../parts/field.js";
import { type Done, Notice } from "../parts/notice.js";
import { navigate, route } from "../router.js";
import { t } from "../texts/buckets.js";
import { t as care } from "../texts/care.js";
import { common } from "../texts/common.js";
import { t as notice } from "../texts/notice.js";
import { t as shell } from "../texts/shell.js";
import type { LazyText } from "../texts/text.js";
import { type BucketActions, BucketTable } from "./buckets/bucket-rows.js";
import { countOf, countsVersion, dropWaiting, recount, wantCount } from "./buckets/counts.js";
import { DeleteDialog } from "./buckets/delete-dialog.js";
import { ExportLink } from "./buckets/export-link.js";
import { ImportPanel } from "./buckets/import-panel.js";
import { type Joined, undoIds } from "./buckets/joining.js";
import { Losses } from "./buckets/losses.js";
import { MergeDialog } from "./buckets/merge-dialog.js";
import { useNow } from "./buckets/now.js";
import { type BucketOrder, type BucketSort, type HostGroup, hostGroups, matching } from "./buckets/overview.js";
import { PastChanges } from "./buckets/past-changes.js";
import { RelabelDialog, type Relabelled } from "./buckets/relabel-dialog.js";
import { printSort, readSort } from "./buckets/sort.js";
import { importJobs } from "./buckets/transfer.js";

/** Items to delete. */
type Deletion = { readonly bucket: ClientBucket } | { readonly host: string };

/** All buckets by host: content, export, import, deletion. */
export default function BucketsView(): JSX.Element {
  const { params } = route.value;
  const filter = params.get("q") ?? "";
  const sort = readSort(params.get("sort"));
  const now = useNow();
  const [deletion, setDeletion] = useState<Deletion>();
  const [relabelled, setRelabelled] = useState<Relabelled>();
  const [merging, setMerging] = useState<string>();
  const [isImporting, setIsImporting] = useState(false);
  const [done, setDone] = useState<Done>();
  const [version, setVersion] = useState(0);
  const loadable = buckets.value;
  const all = shownValue(loadable);

  useEffect(() => {
    void refreshBuckets();
    return dropWaiting;
  }, []);
  const isByCount = sort.by === "events" || sort.by === "rate";
  useEffect(() => {
    if (isByCount) for (const bucket of all ?? []) wantCount(bucket);
  }, [isByCount, all, countsVersion.value]);

  function show(changes: { readonly q?: string; readonly sort?: BucketSort }): void {
    const { q = filter, sort: order = sort } = changes;
    navigate(["buckets"], { q: q === "" ? undefined : q, sort: printSort(order) }, { replace: true });
  }
  function sortBy(by: BucketOrder): void {
    show({ sort: { by, descending: sort.by === by ? !sort.descending : isDescendingFirst(by) } });
  }

  const groups = all && hostGroups(matching(all, filter), sort, isByCount ? knownCounts(all) : undefined);
  const actions: BucketActions = {
    onDelete: (bucket) => setDeletion({ bucket }),
    onRename: ({ id }) => setRelabelled({ bucketId: id }),
    onMerge: ({ id }) => setMerging(id),
    onDeleteHost: (host) => setDeletion({ host }),
    onRenameHost: (host) => setRelabelled({ host }),
  };
  function renew(next?: Done): void {
    setDone(next);
    setVersion((count) => count + 1);
    void recount();
  }
  function finish(say: LazyText, undos: readonly string[]): void {
    const takeBack = async (): Promise<void> => {
      // In reverse order, since changes depend on each other.
      for (const id of [...undos].reverse()) await client.identity.undo(id);
      renew({ say: () => notice("undone") });
    };
    renew({ say, undo: undos.length === 0 ? undefined : takeBack });
  }
  function relabelling({ merged: parts, renamed, undos }: Joined): void {
    setRelabelled(undefined);
    finish(
      () => (parts === 0 ? care("renamed", { count: renamed }) : care("joined", { merged: parts, renamed })),
      undos,
    );
  }
  function merged(done: ClientMerging): void {
    setMerging(undefined);
    finish(() => care("merged"), undoIds(done));
  }
  return (
    <div class="buckets-view">
      <header class="view-head">
        <h1>{shell("buckets")}</h1>
        <p class="quiet">{all === undefined ? "…" : summaryOf(all, groups ?? [])}</p>
        <span class="row">
          <button type="button" aria-expanded={isImporting} onClick={() => setIsImporting(!isImporting)}>
            {common("askImport")}
          </button>
          <ExportLink label={t("exportAllBuckets")}>{t("exportAll")}</ExportLink>
        </span>
      </header>
      <div hidden={!isImporting && importJobs.value.length === 0}>
        <ImportPanel />
      </div>
      <Notice done={done} onClose={() => setDone(undefined)} />
      <Field label={common("filter")}>
        <input
          type="search"
          value={filter}
          placeholder={t("filterHint")}
          onInput={({ currentTarget }) => show({ q: currentTarget.value })}
        />
      </Field>
      {loadable.state === "failed" && (
        <Failure title={common("notLoaded")} error={loadable.error} retry={() => void refreshBuckets()} />
      )}
      {all === undefined && loadable.state === "loading" && <Busy />}
      {all !== undefined && groups?.length === 0 && <p class="quiet">{t(all.length === 0 ? "none" : "noMatch")}</p>}
      {groups !== undefined && groups.length > 0 && (
        <section class="card" aria-label={t("list")}>
          <BucketTable
            groups={groups}
            totalOf={(host) => all?.filter(({ hostname }) => hostname === host).length ?? 0}
            sort={sort}
            now={now}
            onSort={sortBy}
            actions={actions}
          />
        </section>
      )}
      <PastChanges version={version} onChange={() => renew()} />
      {relabelled && (
        <RelabelDialog
          of={relabelled}
          hosts={hosts.value}
          onClose={() => setRelabelled(undefined)}
          onDone={relabelling}
        />
      )}
      {merging && <MergeDialog from={merging} all={all ?? []} onClose={() => setMerging(undefined)} onDone={merged} />}
      {deletion && <Deleting deletion={deletion} all={all ?? []} onClose={() => setDeletion(undefined)} />}
    </div>
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
      <DeleteDialog title={t("deleteOne")} name={id} bucketIds={[id]} {...actions}>
        <Losses buckets={[deletion.bucket]} />
      </DeleteDialog>
    );
  }
  const { host } = deletion;
  const lost = all.filter(({ hostname }) => hostname === host);
  return (
    <DeleteDialog title={t("deleteAllOfHost")} name={host} bucketIds={lost.map(({ id }) => id)} {...actions}>
      <Losses buckets={lost} />
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
  const hosts = new Set(all.map(({ hostname }) => hostname).filter((name) => !isUnknownHost(name))).size;
  const count = { count: all.length };
  const number = shown === all.length ? t("number", count) : t("someOf", { shown, ...count });
  return t("onHosts", { buckets: number, count: hosts });
}

/** Times and numbers are sorted in descending order by default. */
function isDescendingFirst(by: BucketOrder): boolean {
  return by === "last" || by === "events" || by === "rate";
}
