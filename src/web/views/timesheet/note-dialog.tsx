import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { client } from "../../api.js";
import { reloadBuckets } from "../../buckets.js";
import { Dialog } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { SaveActions } from "../../parts/save-actions.js";
import { t } from "../../texts/timesheet.js";
import { type CellNote, LONGEST_NOTE, NOTES, NOTES_BUCKET, type NotePlace, noteEvent } from "./notes.js";

export interface NoteDialogProps {
  readonly place: NotePlace;
  /** Description of the cell. */
  readonly what: string;
  readonly note: CellNote | undefined;
  /** Start of the day, in Unix milliseconds. */
  readonly start: number;
  /** Called after a change. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Adds, changes or deletes a cell's note; an empty one is deleted. */
export function NoteDialog({ place, what, note, start, onDone, onClose }: NoteDialogProps): JSX.Element {
  const [text, setText] = useState(note?.text ?? "");
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    setIsBusy(true);
    try {
      await store(text);
      onDone();
      onClose();
    } catch (thrown) {
      setError(thrown);
      setIsBusy(false);
    }
  }

  async function store(given: string): Promise<void> {
    if (given.trim() !== "") {
      if (await client.buckets.create(NOTES_BUCKET, NOTES)) await reloadBuckets();
      await client.events.insert(NOTES_BUCKET, noteEvent(place, start, given, note?.id));
    } else if (note !== undefined) {
      await client.events.delete(NOTES_BUCKET, note.id);
    }
  }

  return (
    <Dialog title={what} onClose={onClose}>
      <form onSubmit={save}>
        <Field label={t("note")} hint={t("noteHint", { bucket: NOTES_BUCKET })}>
          <textarea
            rows={4}
            class="sheet-text"
            maxLength={LONGEST_NOTE}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </Field>
        <SaveActions error={error} isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  );
}
