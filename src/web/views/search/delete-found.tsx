import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ClientEventsDeletion } from "../../../client/index.js";
import { client } from "../../api.js";
import { deed } from "../../filter/notice.js";
import { formatDuration, formatMoment } from "../../format.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { Dialog } from "../../parts/dialog.js";
import { Failure } from "../../parts/failure.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/deletion.js";

/** What `client.events.deleteMatchingIn` takes, but for whether it only counts. */
type Selection = Parameters<typeof client.events.deleteMatchingIn>[0];

export interface DeleteFoundProps {
  readonly selection: Selection;
  readonly zone: string;
  /** Called when events were deleted, and when they are back. */
  readonly onDone: () => void;
}

/** Deletes what a search found, after a count of what that is. */
export function DeleteFound({ selection, zone, onDone }: DeleteFoundProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {t("button")}
      </button>
      {isOpen && <Asking {...{ selection, zone, onDone, close }} />}
    </>
  );
}

function Asking(props: DeleteFoundProps & { readonly close: () => void }): JSX.Element {
  const { selection, zone, onDone, close } = props;
  const [counted, setCounted] = useState<ClientEventsDeletion>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    client.events.deleteMatchingIn({ ...selection, preview: true }).then(setCounted, setError);
  }, []);

  async function remove(): Promise<void> {
    // The server counts anew; the notice tells what it deleted, should that have changed meanwhile.
    const { count, entry } = await client.events.deleteMatchingIn(selection);
    const undo = async (kept: string): Promise<void> => {
      await client.trash.restore(kept);
      onDone();
    };
    deed.value = { text: t("done", { count }), ...(entry === null ? {} : { undo: () => undo(entry) }) };
    close();
    onDone();
  }

  if (counted === undefined || counted.count === 0) {
    return (
      <Dialog title={t("title")} onClose={close}>
        {error === undefined ? (
          <p role="status">{counted === undefined ? t("counting") : t("nothing")}</p>
        ) : (
          <Failure title={common("couldNotDo")} error={error} />
        )}
        <p class="actions">
          <button type="button" onClick={close}>
            {common("cancel")}
          </button>
        </p>
      </Dialog>
    );
  }
  const { count, duration, first, last, buckets } = counted;
  const moment = (text: string | null): string => (text === null ? "" : formatMoment(Date.parse(text), zone));
  const extent = { length: formatDuration(duration), first: moment(first), last: moment(last) };
  return (
    <ConfirmDialog title={t("title")} action={t("confirm", { count })} onConfirm={remove} onClose={close}>
      <p>{t("what", { count, ...extent })}</p>
      <ul>
        {buckets.map((bucket) => (
          <li key={bucket.bucket_id}>{t("inBucket", { count: bucket.count, bucket: bucket.bucket_id })}</li>
        ))}
      </ul>
      <p class="hint">
        {t("whole")} {t("kept")}
      </p>
    </ConfirmDialog>
  );
}
