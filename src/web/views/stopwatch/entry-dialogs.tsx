import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { client } from "../../api.js";
import { lastAction } from "../../filter/notice.js";
import { formatDuration, formatMoment, shorten } from "../../format.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { zone } from "../../settings.js";
import { changed, type Entry, finished, STOPWATCH_BUCKET, secondsOf } from "../../stopwatch/entries.js";
import { reread, storeEntry } from "../../stopwatch/state.js";
import { t } from "../../texts/stopwatch.js";
import { EntryDialog } from "./entry-dialog.js";
import { lastHour } from "./entry-form.js";

/** The requested action. */
export type Intent =
  | { readonly kind: "edit" | "delete"; readonly entry: Entry }
  | { readonly kind: "add"; readonly label: string; readonly onDone: () => void };

export interface EntryDialogsProps {
  readonly intent: Intent;
  readonly onClose: () => void;
}

/** The dialog of the requested action. */
export function EntryDialogs({ intent, onClose }: EntryDialogsProps): JSX.Element {
  if (intent.kind === "add") return <AddDialog {...intent} onClose={onClose} />;
  const { kind, entry } = intent;
  const name = shorten(entry.label || t("nameless"), 60);
  if (kind === "edit") return <EditDialog entry={entry} title={t("editTitle", { label: name })} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t("deleteTitle", { label: name })}
      action={t("delete")}
      onClose={onClose}
      onConfirm={async () => {
        await remove(entry.id, name);
        onClose();
      }}
    >
      <p>
        {t("deleteHint", {
          time: formatMoment(entry.start, zone.value),
          length: formatDuration(secondsOf(entry, Date.now())),
        })}
      </p>
    </ConfirmDialog>
  );
}

/** Deletes an entry, and offers to undo it. */
async function remove(id: number, label: string): Promise<void> {
  const kept = (await client.events.delete(STOPWATCH_BUCKET, id))?.entry;
  const undo = async (entry: string): Promise<void> => {
    await client.trash.restore(entry);
    await reread();
  };
  lastAction.value = { say: () => t("deleted", { label }), ...(kept && { entries: [kept], undo: () => undo(kept) }) };
  await reread();
}

interface AddProps {
  readonly label: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function AddDialog({ label, onDone, onClose }: AddProps): JSX.Element {
  const [before] = useState(() => lastHour(Date.now()));
  async function add(given: string, start: number, end: number): Promise<void> {
    await storeEntry(finished(given, start, end));
    onDone();
  }
  return <EntryDialog title={t("addTitle")} ground={{ before }} {...{ label, onClose }} onSave={add} />;
}

interface EditProps {
  readonly entry: Entry;
  readonly title: string;
  readonly onClose: () => void;
}

function EditDialog({ entry, title, onClose }: EditProps): JSX.Element {
  const ground = { before: entry, isRunning: entry.isRunning };
  const save = (label: string, start: number, end: number): Promise<unknown> =>
    storeEntry(changed({ ...entry, label, start, end }));
  return <EntryDialog label={entry.label} {...{ title, ground, onClose }} onSave={save} />;
}
