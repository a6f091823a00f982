import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientEvent } from "../../../client/client-types.js";
import { client } from "../../api.js";
import { lastAction } from "../../filter/notice.js";
import { Failure } from "../../parts/failure.js";
import { common } from "../../texts/common.js";
import { EventDeletion } from "../buckets/event-deletion.js";
import type { TimelineModel } from "./model.js";

export interface DeleteEventProps {
  readonly bucketId: string;
  readonly id: number;
  readonly model: TimelineModel;
}

/** Deletes the selected event. */
export function DeleteEvent({ bucketId, id, model }: DeleteEventProps): JSX.Element {
  const [event, setEvent] = useState<ClientEvent>();
  const [error, setError] = useState<unknown>();
  /** Reads the event again, since a watcher may have extended it. */
  async function open(): Promise<void> {
    setError(undefined);
    // Clears the hover state behind the dialog.
    model.pointed.value = undefined;
    try {
      setEvent(await client.events.get(bucketId, id));
    } catch (thrown) {
      setError(thrown);
    }
  }
  return (
    <>
      <button type="button" onClick={() => void open()}>
        {common("askDelete")}
      </button>
      {error !== undefined && <Failure title={common("notLoaded")} error={error} />}
      {event !== undefined && (
        <EventDeletion
          {...{ bucketId, event }}
          onClose={() => setEvent(undefined)}
          onDone={(done) => {
            lastAction.value = done;
            model.pin(undefined);
            model.renew(bucketId);
          }}
        />
      )}
    </>
  );
}
