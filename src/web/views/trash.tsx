import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientTrashEntry } from "../../client/care-types.js";
import { isActivityClientError } from "../../client/errors.js";
import { client } from "../api.js";
import { refreshBuckets } from "../buckets.js";
import { formatBytes, formatCount, formatDate, formatMoment } from "../format.js";
import { shownOf, useLoad } from "../load.js";
import { ConfirmDialog } from "../parts/confirm-dialog.js";
import { Failure } from "../parts/failure.js";
import { zone } from "../settings.js";
import { Absent } from "./access/absent.js";
import { Entry } from "./access/entry.js";

const texts = {
  title: "Trash",
  intro: "What was deleted, until it expires. It takes as much space on the disk as before.",
  empty: "The trash is empty.",
  emptyNow: "Empty the trash…",
  emptyAll: "Empty the trash?",
  restore: "Restore",
  merge: "Restore into the bucket that is there",
  remove: "Delete for good…",
  removeOne: "Delete this for good?",
  removeAction: "Delete for good",
  forGood: "It cannot be restored afterwards.",
  list: "Entries",
  sum: (entries: number, bytes: string) =>
    `${entries === 1 ? "One entry" : `${formatCount(entries)} entries`}, ${bytes}`,
  restored: (ids: string, events: string) => `Restored into ${ids}: ${events} events.`,
  removed: "Deleted for good.",
  failed: "It was not restored.",
  facts: {
    events: "Events",
    range: "From – to",
    size: "Size",
    deleted: "Deleted",
    expires: "Expires",
    reason: "Reason",
  },
};

/** What was deleted: restored, or deleted for good. */
export default function TrashView(): JSX.Element {
  const [version, setVersion] = useState(0);
  const [note, setNote] = useState("");
  const [isEmptying, setIsEmptying] = useState(false);
  const loaded = useLoad(`${version}`, (signal) => client.trash.list({ signal }));
  const entries = loaded.state === "failed" ? undefined : shownOf(loaded);

  function renew(text: string): void {
    setNote(text);
    setVersion((count) => count + 1);
    void refreshBuckets();
  }
  async function empty(): Promise<void> {
    await client.trash.empty();
    setIsEmptying(false);
    renew(texts.removed);
  }
  const bytes = entries?.reduce((sum, entry) => sum + entry.bytes, 0) ?? 0;
  return (
    <div class="data-view">
      <header class="view-head">
        <h1>{texts.title}</h1>
        <p class="quiet">{entries === undefined ? "…" : texts.sum(entries.length, formatBytes(bytes))}</p>
        <button
          type="button"
          class="danger"
          disabled={entries === undefined || entries.length === 0}
          onClick={() => setIsEmptying(true)}
        >
          {texts.emptyNow}
        </button>
      </header>
      <p class="quiet">{texts.intro}</p>
      <p role="status">{note}</p>
      <section class="card" aria-label={texts.list}>
        <h2>{texts.list}</h2>
        {entries === undefined && <Absent loaded={loaded} />}
        {entries?.length === 0 && <p>{texts.empty}</p>}
        <ul class="entries">
          {entries?.map((entry) => (
            <Trashed key={entry.id} entry={entry} onDone={renew} />
          ))}
        </ul>
      </section>
      {isEmptying && (
        <ConfirmDialog
          title={texts.emptyAll}
          action={texts.removeAction}
          onConfirm={empty}
          onClose={() => setIsEmptying(false)}
        >
          <p>{texts.forGood}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

interface TrashedProps {
  readonly entry: ClientTrashEntry;
  readonly onDone: (text: string) => void;
}

function Trashed({ entry, onDone }: TrashedProps): JSX.Element {
  const [isRemoving, setIsRemoving] = useState(false);
  const [error, setError] = useState<unknown>();
  const { id, kind, events, start, end, bytes, deleted, expires, reason } = entry;
  const name = entry.buckets.map(({ bucket_id: bucketId }) => bucketId).join(", ");
  // There is a bucket with this id again.
  const isTaken = kind === "bucket" && isActivityClientError(error) && error.status === 409;

  async function restore(merge: boolean): Promise<void> {
    setError(undefined);
    try {
      const restored = await client.trash.restore(id, { merge });
      const count = restored.reduce((sum, one) => sum + one.events, 0);
      onDone(texts.restored(restored.map((one) => one.bucket_id).join(", "), formatCount(count)));
    } catch (thrown) {
      setError(thrown);
    }
  }
  async function remove(): Promise<void> {
    await client.trash.delete(id);
    onDone(texts.removed);
  }
  const range =
    start === null || end === null ? "–" : `${formatDate(start, zone.value)} – ${formatDate(end, zone.value)}`;
  return (
    <Entry
      title={name}
      facts={[
        [texts.facts.events, formatCount(events)],
        [texts.facts.range, range],
        [texts.facts.size, formatBytes(bytes)],
        [texts.facts.deleted, formatMoment(deleted, zone.value)],
        [texts.facts.expires, formatMoment(expires, zone.value)],
        [texts.facts.reason, reason],
      ]}
    >
      <span class="row">
        <button type="button" aria-label={`${texts.restore} ${name}`} onClick={() => restore(false)}>
          {texts.restore}
        </button>
        <button
          type="button"
          class="danger"
          aria-label={`${texts.removeAction}: ${name}`}
          onClick={() => setIsRemoving(true)}
        >
          {texts.remove}
        </button>
      </span>
      {error !== undefined && <Failure title={texts.failed} error={error} />}
      {isTaken && (
        <button type="button" onClick={() => restore(true)}>
          {texts.merge}
        </button>
      )}
      {isRemoving && (
        <ConfirmDialog
          title={texts.removeOne}
          action={texts.removeAction}
          onConfirm={remove}
          onClose={() => setIsRemoving(false)}
        >
          <p>{name}</p>
          <p>{texts.forGood}</p>
        </ConfirmDialog>
      )}
    </Entry>
  );
}
