// Changes of one bucket and its events, each with its dialog and with a way back.
import type { JSX } from "preact";
import type { BucketChanges, ClientBucket, ClientEvent, NewEvent } from "../../../client/client-types.js";
import { client } from "../../api.js";
import { refreshBuckets } from "../../buckets.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import type { Done } from "../../parts/notice.js";
import { navigate } from "../../router.js";
import { t } from "../../texts/bucket.js";
import { t as buckets } from "../../texts/buckets.js";
import { t as notice } from "../../texts/notice.js";
import { BucketDialog } from "./bucket-dialog.js";
import { templateOf } from "./columns.js";
import { forgetCounts } from "./counts.js";
import { DeleteDialog } from "./delete-dialog.js";
import { EventDialog } from "./event-dialog.js";
import { MoveDialog, SplitDialog } from "./event-moves.js";
import { type EventAction, momentText } from "./event-table.js";
import { Losses } from "./losses.js";

/** What somebody is about to do. */
export type Intent =
  | { readonly kind: "edit-bucket" | "delete-bucket" | "add-event" }
  | { readonly kind: EventAction; readonly event: ClientEvent };

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
          report(notice("undone"));
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
    report(t("deleted", { time: momentText(event.timestamp) }), () => restore(event));
  }
  /** From the trash, where there is one, so that it does not stay there. */
  async function restore(event: ClientEvent): Promise<void> {
    const entries = await client.trash.list().catch(() => []);
    const entry = entries.find(
      ({ kind, events, start, buckets: [from] }) =>
        kind === "events" && events === 1 && from?.bucket_id === id && start === event.timestamp,
    );
    await (entry === undefined ? client.events.insert(id, event) : client.trash.restore(entry.id));
  }
  async function split(event: ClientEvent, at: string): Promise<void> {
    const [first, second] = await client.events.split(id, event.id, at);
    const join = async (one: ClientEvent, other: ClientEvent): Promise<void> => {
      // A watcher may have made it longer meanwhile.
      const { duration } = await client.events.get(id, other.id);
      await client.events.insert(id, { ...one, duration: one.duration + duration });
      await client.events.delete(id, other.id);
    };
    report(t("splitDone", { time: momentText(event.timestamp) }), first && second && (() => join(first, second)));
  }
  async function move({ id: eventId, timestamp }: ClientEvent, target: string): Promise<void> {
    const moved = await client.events.move(id, eventId, target);
    forgetCounts(target);
    report(t("moved", { time: momentText(timestamp), bucket: target }), async () => {
      await client.events.move(target, moved.id, id);
      forgetCounts(target);
    });
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
