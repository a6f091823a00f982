import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { client } from "../../api.js";
import { knownBuckets } from "../../buckets.js";
import { lastAction } from "../../filter/notice.js";
import { Failure } from "../../parts/failure.js";
import { t as bucketTexts } from "../../texts/bucket.js";
import { common } from "../../texts/common.js";
import { EventChanges, type EventIntent } from "../buckets/event-changes.js";
import type { EventAction } from "../buckets/event-table.js";
import type { TimelineModel } from "./model.js";

export interface EventActionsProps {
  readonly bucketId: string;
  readonly id: number;
  /** Duration in seconds. */
  readonly seconds: number;
  readonly model: TimelineModel;
}

/** Edits, splits, moves and deletes the selected event. */
export function EventActions({ bucketId, id, seconds, model }: EventActionsProps): JSX.Element {
  const [intent, setIntent] = useState<EventIntent>();
  const [error, setError] = useState<unknown>();
  const bucket = knownBuckets.value.find((one) => one.id === bucketId);
  /** Reads the event again, since a watcher may have extended it. */
  async function open(kind: EventAction): Promise<void> {
    setError(undefined);
    // Clears the hover state behind the dialog.
    model.pointed.value = undefined;
    try {
      setIntent({ kind, event: await client.events.get(bucketId, id) });
    } catch (thrown) {
      setError(thrown);
    }
  }
  const button = (kind: EventAction, label: string): JSX.Element => (
    <button type="button" onClick={() => void open(kind)}>
      {label}
    </button>
  );
  return (
    <>
      {button("edit-event", bucketTexts("askEdit"))}
      {seconds > 0 && button("split-event", bucketTexts("split"))}
      {knownBuckets.value.length > 1 && button("move-event", bucketTexts("move"))}
      {button("delete-event", common("askDelete"))}
      {error !== undefined && <Failure title={common("notLoaded")} error={error} />}
      {intent !== undefined && bucket !== undefined && (
        <EventChanges
          {...{ bucket, intent }}
          onClose={() => setIntent(undefined)}
          onDone={(done) => {
            lastAction.value = done;
            model.pin(undefined);
            // A moved event is also in another bucket.
            if (intent.kind === "move-event") model.store.expire();
            model.renew(bucketId);
          }}
        />
      )}
    </>
  );
}
