import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isActivityClientError } from "../../client/errors.js";
import type { ClientTrashEntry } from "../../client/index.js";
import { client, describeFailure, isGone } from "../api.js";
import { reloadBuckets } from "../buckets.js";
import { lastAction } from "../filter/notice.js";
import { formatBytes, formatMoment } from "../format.js";
import { shownValue, useLoad } from "../load.js";
import { ConfirmDialog } from "../parts/confirm-dialog.js";
import { Failure } from "../parts/failure.js";
import { zone } from "../settings.js";
import { common } from "../texts/common.js";
import { t as shell } from "../texts/shell.js";
import type { LazyText } from "../texts/text.js";
import { t } from "../texts/trash.js";
import { Absent } from "./access/absent.js";
import { Entry } from "./access/entry.js";
import { labelOf, reasonOf } from "./data/trash-label.js";
import { trashSum } from "./data/trash-sum.js";

/** Deleted items, to restore or to delete permanently. */
export default function TrashView(): JSX.Element {
  const [version, setVersion] = useState(0);
  const [note, setNote] = useState<{ readonly say: LazyText }>();
  const [isEmptying, setIsEmptying] = useState(false);
  const loaded = useLoad(`${version}`, (signal) => client.trash.list({ signal }));
  const entries = loaded.state === "failed" ? undefined : shownValue(loaded);

  // Drops an offered undo whose trash entries are gone.
  useEffect(() => {
    if (loaded.state !== "ready") return;
    const isMissing = (needed: string): boolean => loaded.value.every(({ id }) => id !== needed);
    if (lastAction.peek()?.entries?.some(isMissing)) lastAction.value = undefined;
  }, [loaded.state, entries]);

  function renew(say: LazyText): void {
    setNote({ say });
    setVersion((count) => count + 1);
    void reloadBuckets();
  }
  async function empty(): Promise<void> {
    await client.trash.empty();
    setIsEmptying(false);
    renew(() => t("removed"));
  }
  return (
    <div class="data-view">
      <header class="view-head">
        <h1>{shell("trash")}</h1>
        <p class="quiet">{entries === undefined ? "…" : trashSum(entries)}</p>
        <button
          type="button"
          class="danger"
          disabled={entries === undefined || entries.length === 0}
          onClick={() => setIsEmptying(true)}
        >
          {t("emptyNow")}
        </button>
      </header>
      <p class="quiet">{t("intro")}</p>
      <p role="status">{note?.say()}</p>
      <section class="card" aria-label={t("list")}>
        <h2>{t("list")}</h2>
        {entries === undefined && <Absent loaded={loaded} />}
        {entries?.length === 0 && <p>{t("empty")}</p>}
        <ul class="entries">
          {entries?.map((entry) => (
            <Trashed key={entry.id} entry={entry} onDone={renew} />
          ))}
        </ul>
      </section>
      {isEmptying && (
        <ConfirmDialog
          title={t("emptyAll")}
          action={t("removeAction")}
          onConfirm={empty}
          onClose={() => setIsEmptying(false)}
        >
          <p>{t("forGood")}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

interface TrashedProps {
  readonly entry: ClientTrashEntry;
  readonly onDone: (say: LazyText) => void;
}

function Trashed({ entry, onDone }: TrashedProps): JSX.Element {
  const [isRemoving, setIsRemoving] = useState(false);
  const [error, setError] = useState<unknown>();
  const { id, kind, bytes, deleted, expires } = entry;
  const name = labelOf(entry);
  const reason = reasonOf(entry);
  // Another bucket has this ID now.
  const isTaken = kind === "bucket" && isActivityClientError(error) && error.status === 409;

  async function restore(merge: boolean): Promise<void> {
    setError(undefined);
    try {
      const restored = await client.trash.restore(id, { merge });
      const count = restored.reduce((sum, one) => sum + one.events, 0);
      const ids = restored.map((one) => one.bucket_id).join(", ");
      onDone(() => t("restored", { ids, count }));
    } catch (thrown) {
      if (isGone(thrown)) onDone(() => describeFailure(thrown));
      else setError(thrown);
    }
  }
  async function remove(): Promise<void> {
    await client.trash.delete(id);
    onDone(() => t("removed"));
  }
  return (
    <Entry
      title={name}
      facts={[
        [t("size"), formatBytes(bytes)],
        [t("deleted"), formatMoment(deleted, zone.value)],
        [common("expires"), formatMoment(expires, zone.value)],
        ...(reason === undefined ? [] : [[t("reason"), reason] as const]),
      ]}
    >
      <span class="row">
        <button type="button" aria-label={t("restoreOf", { name })} onClick={() => restore(false)}>
          {t("restore")}
        </button>
        <button type="button" class="danger" aria-label={t("removeOf", { name })} onClick={() => setIsRemoving(true)}>
          {t("remove")}
        </button>
      </span>
      {error !== undefined && <Failure title={common("couldNotDo")} error={error} />}
      {isTaken && (
        <button type="button" onClick={() => restore(true)}>
          {t("merge")}
        </button>
      )}
      {isRemoving && (
        <ConfirmDialog
          title={t("removeOne")}
          action={t("removeAction")}
          onConfirm={remove}
          onClose={() => setIsRemoving(false)}
        >
          <p>{name}</p>
          <p>{t("forGood")}</p>
        </ConfirmDialog>
      )}
    </Entry>
  );
}
