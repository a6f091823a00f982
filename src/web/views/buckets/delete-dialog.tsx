import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { isActivityClientError } from "../../../client/errors.js";
import { client } from "../../api.js";
import { lastAction } from "../../filter/notice.js";
import { Dialog } from "../../parts/dialog.js";
import { Failure } from "../../parts/failure.js";
import { PermanentChoice } from "../../parts/permanent-choice.js";
import { t } from "../../texts/buckets.js";
import { common } from "../../texts/common.js";
import type { LazyText } from "../../texts/text.js";
import { t as trash } from "../../texts/trash.js";
import { isTyped, phraseOf } from "./confirmation.js";
import { recount } from "./counts.js";

export interface DeleteDialogProps {
  readonly title: string;
  /** Description of the lost data. */
  readonly children: ComponentChildren;
  /** The name to type as confirmation. */
  readonly name: string;
  readonly bucketIds: readonly string[];
  readonly onClose: () => void;
  /** Called after all deletions. */
  readonly onDeleted: () => void;
}

/** Deletes buckets after their name, or their host's, was typed. */
export function DeleteDialog(props: DeleteDialogProps): JSX.Element {
  const { title, children, name, onClose, onDeleted } = props;
  // The buckets when the dialog opened.
  const [bucketIds] = useState(props.bucketIds);
  const [typed, setTyped] = useState("");
  const [permanent, setPermanent] = useState(false);
  const [done, setDone] = useState<number>();
  const [error, setError] = useState<unknown>();
  const left = useRef([...bucketIds]);
  const entries = useRef<string[]>([]);
  const phrase = phraseOf(name, t("deletePhrase"));
  const isReady = isTyped(phrase, typed) && done === undefined;

  async function remove(event: Event): Promise<void> {
    event.preventDefault();
    if (!isReady) return;
    setError(undefined);
    const failure = await deleteBuckets(left.current, permanent, (entry) => {
      if (entry) entries.current.push(entry);
      setDone(bucketIds.length - left.current.length);
    });
    await recount();
    setDone(undefined);
    const all = bucketIds.length;
    const gone = all - left.current.length;
    // Some may have been deleted permanently, or by another client.
    const isWhole = entries.current.length === all;
    offerUndo(entries.current, () => (isWhole ? t("trashed", { name }) : t("deleted", { done: gone, all })));
    if (failure === undefined) onDeleted();
    else setError(failure);
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={remove}>
        {children}
        <PermanentChoice value={permanent} onChange={setPermanent} />
        <label class="field">
          <span>{t.rich("typeToConfirm", { phrase: <code class="phrase">{phrase}</code> })}</span>
          <input
            type="text"
            autofocus
            value={typed}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        {error !== undefined && <Failure title={t("notAllDeleted")} error={error} />}
        <p class="actions">
          <button type="button" onClick={onClose}>
            {common("cancel")}
          </button>
          <button type="submit" class="danger" disabled={!isReady}>
            {permanent ? trash("removeAction") : common("delete")}
          </button>
          {done !== undefined && <span role="status">{t("deleted", { done, all: bucketIds.length })}</span>}
        </p>
      </form>
    </Dialog>
  );
}

/** Receives the trash entry of a deletion, if there is one. */
type OnDeleted = (entry?: string | null) => void;

/** Removes IDs from the list as their buckets are deleted. @returns the error that stopped it */
async function deleteBuckets(ids: string[], permanent: boolean, onDeleted: OnDeleted): Promise<unknown> {
  onDeleted();
  for (let id = ids[0]; id !== undefined; id = ids[0]) {
    let entry: string | null = null;
    try {
      entry = (await client.buckets.delete(id, { permanent })).entry;
    } catch (error) {
      const isGone = isActivityClientError(error) && error.status === 404;
      if (!isGone) return error;
    }
    ids.shift();
    onDeleted(entry);
  }
  return undefined;
}

/** Shows the deletion in every view, with an undo button. @param entries left to restore */
function offerUndo(entries: string[], say: LazyText): void {
  if (entries.length === 0) return;
  async function undo(): Promise<void> {
    for (let id = entries[0]; id !== undefined; id = entries[0]) {
      // A watcher may have created the bucket again.
      await client.trash.restore(id, { merge: true });
      entries.shift();
    }
    await recount();
  }
  lastAction.value = { say, entries, undo };
}
