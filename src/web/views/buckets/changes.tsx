// Changes of a bucket and its events, each with a dialog and an undo action.
import type { JSX } from "preact";
import type { ClientEvent, NewEvent } from "../../../client/client-types.js";
import type { BucketChanges, ClientBucket } from "../../../client/index.js";
import { client } from "../../api.js";
import type { Done } from "../../parts/notice.js";
import { navigate } from "../../router.js";
import { t } from "../../texts/bucket.js";
import { BucketDialog } from "./bucket-dialog.js";
import { templateOf } from "./columns.js";
import { DeleteDialog } from "./delete-dialog.js";
import { EventDeletion } from "./event-deletion.js";
import { EventDialog } from "./event-dialog.js";
import { MoveDialog, SplitDialog } from "./event-moves.js";
import type { EventAction } from "./event-table.js";
import { Losses } from "./losses.js";
import { reportOf } from "./report.js";

/** The requested change. */
export type Intent =
  | { readonly kind: "edit-bucket" | "delete-bucket" | "add-event" }
  | { readonly kind: EventAction; readonly event: ClientEvent };

export interface ChangesProps {
  readonly bucket: ClientBucket;
  readonly intent: Intent;
  readonly onClose: () => void;
  /** Called after a change. */
  readonly onDone: (done: Done) => void;
}

/** The dialog of the requested change. */
export function Changes({ bucket, intent, onClose, onDone }: ChangesProps): JSX.Element {
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
  async function update(changes: BucketChanges): Promise<void> {
    await client.buckets.update(id, changes);
    report(() => t("bucketChanged"));
  }

  switch (intent.kind) {
    case "edit-bucket":
      return <BucketDialog bucket={bucket} onSave={update} onClose={onClose} />;
    case "delete-bucket":
      return (
        <DeleteDialog
          title={t("deleteBucket")}
          name={id}
          bucketIds={[id]}
          onClose={onClose}
          onDeleted={() => navigate(["buckets"], {}, { replace: true })}
        >
          <Losses buckets={[bucket]} />
        </DeleteDialog>
      );
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
