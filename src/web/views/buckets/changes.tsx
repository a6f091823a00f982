// Changes of a bucket and its events, each with a dialog.
import type { JSX } from "preact";
import type { BucketChanges, ClientBucket } from "../../../client/index.js";
import { client } from "../../api.js";
import { navigate } from "../../router.js";
import { t } from "../../texts/bucket.js";
import { BucketDialog } from "./bucket-dialog.js";
import { DeleteDialog } from "./delete-dialog.js";
import { EventChanges, type EventIntent } from "./event-changes.js";
import type { PagedRange } from "./event-page.js";
import { Losses } from "./losses.js";
import { RangeDeletion } from "./range-deletion.js";
import { type Listener, reportOf } from "./report.js";

/** The requested change. */
export type Intent =
  | { readonly kind: "edit-bucket" | "delete-bucket" }
  | { readonly kind: "delete-range"; readonly range: PagedRange }
  | EventIntent;

export interface ChangesProps extends Listener {
  readonly bucket: ClientBucket;
  readonly intent: Intent;
}

/** The dialog of the requested change. */
export function Changes({ bucket, intent, onClose, onDone }: ChangesProps): JSX.Element {
  const { id } = bucket;

  const report = reportOf({ onClose, onDone });

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
    case "delete-range":
      return <RangeDeletion bucketId={id} range={intent.range} onClose={onClose} onDone={onDone} />;
    default:
      return <EventChanges {...{ bucket, intent, onClose, onDone }} />;
  }
}
