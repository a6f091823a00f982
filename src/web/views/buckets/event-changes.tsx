// Changes of a bucket's events, each with a dialog and an undo action.
import type { JSX } from "preact";
import type { ClientEvent, NewEvent } from "../../../client/client-types.js";
import type { ClientBucket } from "../../../client/index.js";
import { client } from "../../api.js";
import { t } from "../../texts/bucket.js";
import { templateOf } from "./columns.js";
import { EventDeletion } from "./event-deletion.js";
import { EventDialog } from "./event-dialog.js";
import { MoveDialog, SplitDialog } from "./event-moves.js";
import type { EventAction } from "./event-table.js";
import { type Listener, reportOf } from "./report.js";

/** The requested change of an event. */
export type EventIntent = { readonly kind: "add-event" } | { readonly kind: EventAction; readonly event: ClientEvent };

export interface EventChangesProps extends Listener {
  readonly bucket: Pick<ClientBucket, "id" | "type">;
  readonly intent: EventIntent;
}

/** The dialog of the requested change. */
export function EventChanges({ bucket, intent, onClose, onDone }: EventChangesProps): JSX.Element {
  const { id } = bucket;
  const report = reportOf({ onClose, onDone });

  async function add(event: NewEvent): Promise<void> {
    const stored = await client.events.insert(id, event);
    const { id: eventId } = stored;
    if (eventId === null) return report(() => t("dropped"));
    report(
      () => t("added"),
      () => client.events.delete(id, eventId),
    );
  }
  async function change(before: ClientEvent, event: NewEvent): Promise<void> {
    await client.events.insert(id, { ...event, id: before.id });
    report(
      () => t("changed"),
      () => client.events.insert(id, before),
    );
  }
  async function split(event: ClientEvent, at: string): Promise<void> {
    const [first, second] = await client.events.split(id, event.id, at);
    const join = async (one: ClientEvent, other: ClientEvent): Promise<void> => {
      // A watcher may have extended it in the meantime.
      const { duration } = await client.events.get(id, other.id);
      await client.events.insert(id, { ...one, duration: one.duration + duration });
      await client.events.delete(id, other.id);
    };
    report(() => t("splitDone"), first && second && (() => join(first, second)));
  }
  async function move({ id: eventId }: ClientEvent, target: string): Promise<void> {
    const moved = await client.events.move(id, eventId, target);
    report(
      () => t("moved"),
      () => client.events.move(target, moved.id, id),
    );
  }

  switch (intent.kind) {
    case "delete-event":
      return <EventDeletion bucketId={id} event={intent.event} onClose={onClose} onDone={onDone} />;
    case "split-event":
      return <SplitDialog event={intent.event} onSplit={(at) => split(intent.event, at)} onClose={onClose} />;
    case "move-event":
      return <MoveDialog from={id} onMove={(target) => move(intent.event, target)} onClose={onClose} />;
    default: {
      const event = intent.kind === "edit-event" ? intent.event : undefined;
      const save = event === undefined ? add : (changed: NewEvent) => change(event, changed);
      return <EventDialog event={event} template={templateOf(bucket.type)} onSave={save} onClose={onClose} />;
    }
  }
}
