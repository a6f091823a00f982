// Changes of one bucket and its events, each with its dialog and with a way back.
import type { JSX } from "preact";
import type { BucketChanges, ClientBucket, ClientEvent, NewEvent } from "../../../client/client-types.js";
import { client } from "../../api.js";
import { refreshBuckets } from "../../buckets.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { navigate } from "../../router.js";
import { t } from "../../texts/bucket.js";
import { t as buckets } from "../../texts/buckets.js";
import { BucketDialog } from "./bucket-dialog.js";
import { templateOf } from "./columns.js";
import { forgetCounts } from "./counts.js";
import { DeleteDialog } from "./delete-dialog.js";
import { EventDialog } from "./event-dialog.js";
import { momentText } from "./event-table.js";
import { Losses } from "./losses.js";
import type { Done } from "./notice.js";

/** What somebody is about to do. */
export type Intent =
  | { readonly kind: "edit-bucket" | "delete-bucket" | "add-event" }
  | { readonly kind: "edit-event" | "delete-event"; readonly event: ClientEvent };

export interface ChangesProps {
  readonly bucket: ClientBucket;
  readonly intent: Intent;
  readonly onClose: () => void;
  /** Called when something is different now. */
  readonly onDone: (done: Done) => void;
}

/** The dialog of what somebody is about to do. */
export function Changes({ bucket, intent, onClose, onDone }: ChangesProps): JSX.Element {
  const { id } = bucket;

  function report(text: string, undo?: () => Promise<unknown>): void {
    forgetCounts(id);
    void refreshBuckets();
    onClose();
    onDone({
      text,
      undo:
        undo &&
        (async () => {
          await undo();
          report(buckets("undone"));
        }),
    });
  }
  async function add(event: NewEvent): Promise<void> {
    const stored = await client.events.insert(id, event);
    const { id: eventId } = stored;
    if (eventId === null) return report(t("dropped"));
    report(t("added", { time: momentText(stored.timestamp) }), () => client.events.delete(id, eventId));
  }
  async function change(before: ClientEvent, event: NewEvent): Promise<void> {
    await client.events.insert(id, { ...event, id: before.id });
    report(t("changed", { time: momentText(before.timestamp) }), () => client.events.insert(id, before));
  }
  async function remove(event: ClientEvent): Promise<void> {
    await client.events.delete(id, event.id);
    report(t("deleted", { time: momentText(event.timestamp) }), () => client.events.insert(id, event));
  }
  async function update(changes: BucketChanges): Promise<void> {
    await client.buckets.update(id, changes);
    report(t("bucketChanged"));
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
      return (
        <ConfirmDialog
          title={t("deleteEvent")}
          action={buckets("delete")}
          onConfirm={() => remove(intent.event)}
          onClose={onClose}
        >
          <p>{momentText(intent.event.timestamp)}</p>
        </ConfirmDialog>
      );
    default: {
      const event = intent.kind === "edit-event" ? intent.event : undefined;
      const save = event === undefined ? add : (changed: NewEvent) => change(event, changed);
      return <EventDialog event={event} template={templateOf(bucket.type)} onSave={save} onClose={onClose} />;
    }
  }
}
