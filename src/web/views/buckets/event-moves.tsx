// Dialogs to split an event and to move it to another bucket.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientEvent } from "../../../client/client-types.js";
import { serializeTimestamp } from "../../../domain/time.js";
import { knownBuckets } from "../../buckets.js";
import { PageError } from "../../page-error.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { Field } from "../../parts/field.js";
import { zone } from "../../settings.js";
import { t } from "../../texts/bucket.js";
import { common } from "../../texts/common.js";
import { readStart } from "./event-form.js";
import { microsOf } from "./event-page.js";
import { printLocal } from "./local-time.js";
import { TargetField } from "./target-field.js";

export interface SplitDialogProps {
  readonly event: ClientEvent;
  /** Splits it at a timestamp. */
  readonly onSplit: (at: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the time at which to split an event. */
export function SplitDialog({ event: { timestamp, duration }, onSplit, onClose }: SplitDialogProps): JSX.Element {
  const start = microsOf(timestamp);
  const end = start + Math.round(duration * 1_000_000);
  const [text, setText] = useState(() => printLocal(middleOf(start, end), zone.value));
  async function split(): Promise<void> {
    const at = readStart(text, zone.value);
    if (typeof at === "string") throw new PageError(() => t("wrongStart"));
    await onSplit(serializeTimestamp(at));
  }
  const hint = t("splitHint", { start: printLocal(start, zone.value), end: printLocal(end, zone.value) });
  return (
    <ConfirmDialog
      title={t("splitEvent")}
      action={t("splitEvent")}
      isDanger={false}
      onConfirm={split}
      onClose={onClose}
    >
      <Field label={common("time")} hint={hint}>
        <input
          type="text"
          value={text}
          autocomplete="off"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Field>
    </ConfirmDialog>
  );
}

/** Prefers a whole second. */
function middleOf(start: number, end: number): number {
  const middle = Math.round((start + end) / 2);
  const second = middle - (middle % 1_000_000);
  return second > start ? second : middle;
}

export interface MoveDialogProps {
  /** Bucket ID of the event. */
  readonly from: string;
  /** Moves it to a bucket. */
  readonly onMove: (target: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the target bucket of an event. */
export function MoveDialog({ from, onMove, onClose }: MoveDialogProps): JSX.Element {
  const [target, setTarget] = useState("");
  return (
    <ConfirmDialog
      title={t("moveEvent")}
      action={t("moveEvent")}
      isDanger={false}
      onConfirm={() => onMove(target)}
      onClose={onClose}
    >
      <TargetField from={from} all={knownBuckets.value} value={target} onChange={setTarget} />
    </ConfirmDialog>
  );
}
