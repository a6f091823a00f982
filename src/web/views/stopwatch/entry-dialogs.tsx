import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatDuration, formatMoment, shorten } from "../../format.js";
import { PageError } from "../../page-error.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { Field } from "../../parts/field.js";
import { zone } from "../../settings.js";
import { changed, type Entry, secondsOf } from "../../stopwatch/entries.js";
import { deleteEntry, storeEntry } from "../../stopwatch/state.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/stopwatch.js";
import { parseLocal, printLocal } from "../buckets/local-time.js";

/** What somebody is about to do with an entry. */
export interface Intent {
  readonly kind: "edit" | "delete";
  readonly entry: Entry;
}

export interface EntryDialogsProps {
  readonly intent: Intent;
  readonly onClose: () => void;
}

/** Asks for what an intent needs, and does it. */
export function EntryDialogs({ intent: { kind, entry }, onClose }: EntryDialogsProps): JSX.Element {
  const name = shorten(entry.label || t("nameless"), 60);
  if (kind === "edit") return <EditDialog entry={entry} title={t("editTitle", { label: name })} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t("deleteTitle", { label: name })}
      action={t("delete")}
      onClose={onClose}
      onConfirm={async () => {
        await deleteEntry(entry.id);
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

interface EditProps {
  readonly entry: Entry;
  readonly title: string;
  readonly onClose: () => void;
}

function EditDialog({ entry, title, onClose }: EditProps): JSX.Element {
  const printed = (instant: number): string => printLocal(Math.round(instant) * 1000, zone.value);
  const [label, setLabel] = useState(entry.label);
  const [from, setFrom] = useState(printed(entry.start));
  const [to, setTo] = useState(printed(entry.end));
  const start = readTime(from, printed(entry.start), entry.start);
  const end = readTime(to, printed(entry.end), entry.end);
  const isBackwards = !entry.isRunning && start !== undefined && end !== undefined && end < start;

  async function save(): Promise<void> {
    if (start === undefined || (end === undefined && !entry.isRunning)) throw new PageError(() => t("noTime"));
    if (isBackwards) throw new PageError(() => t("backwards"));
    await storeEntry(changed({ ...entry, label, start, end: end ?? start }));
    onClose();
  }
  return (
    <ConfirmDialog title={title} action={common("save")} isDanger={false} onConfirm={save} onClose={onClose}>
      <Field label={t("label")}>
        <input
          class="wide"
          maxLength={500}
          value={label}
          onInput={({ currentTarget }) => setLabel(currentTarget.value)}
        />
      </Field>
      <Field label={t("from")} error={start === undefined ? t("noTime") : undefined}>
        <input class="wide" value={from} onInput={({ currentTarget }) => setFrom(currentTarget.value)} />
      </Field>
      {!entry.isRunning && (
        <Field label={t("to")} error={end === undefined ? t("noTime") : isBackwards ? t("backwards") : undefined}>
          <input class="wide" value={to} onInput={({ currentTarget }) => setTo(currentTarget.value)} />
        </Field>
      )}
      <p class="hint">{t("times", { zone: zone.value })}</p>
    </ConfirmDialog>
  );
}

/** What was not changed is what it was: an hour that clocks show twice has an offset behind it. */
function readTime(text: string, before: string, instant: number): number | undefined {
  if (text === before) return instant;
  const micros = parseLocal(text, zone.value);
  return micros === undefined ? undefined : micros / 1000;
}
