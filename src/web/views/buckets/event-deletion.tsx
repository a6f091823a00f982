import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientEvent } from "../../../client/client-types.js";
import { client } from "../../api.js";
import { shorten } from "../../format.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { PermanentChoice } from "../../parts/permanent-choice.js";
import { t } from "../../texts/bucket.js";
import { common } from "../../texts/common.js";
import { t as trash } from "../../texts/trash.js";
import { momentText } from "./event-table.js";
import { type Listener, reportOf } from "./report.js";

export interface EventDeletionProps extends Listener {
  readonly bucketId: string;
  readonly event: ClientEvent;
}

/** Deletes an event after confirmation, and restores it from the trash. */
export function EventDeletion({ bucketId, event, onClose, onDone }: EventDeletionProps): JSX.Element {
  const report = reportOf({ onClose, onDone });
  const [permanent, setPermanent] = useState(false);
  async function remove(): Promise<void> {
    const entry = (await client.events.delete(bucketId, event.id, { permanent }))?.entry;
    const say = (): string => t(entry === null ? "deletedForGood" : "deleted");
    if (entry) report(say, () => client.trash.restore(entry), [entry]);
    else report(say);
  }
  return (
    <ConfirmDialog
      title={t("deleteEvent")}
      action={permanent ? trash("removeAction") : common("delete")}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        <bdi>{shorten(describeEvent(event), 200)}</bdi>
      </p>
      <p class="quiet">
        {momentText(event.timestamp)} · <bdi>{bucketId}</bdi>
      </p>
      <PermanentChoice value={permanent} onChange={setPermanent} />
    </ConfirmDialog>
  );
}

/** Formats event data as one line. */
function describeEvent({ data }: ClientEvent): string {
  const texts = Object.values(data).filter((value) => typeof value === "string" && value !== "");
  return texts.length > 0 ? texts.join(" · ") : JSON.stringify(data);
}
