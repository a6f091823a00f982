import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientEventsDeletion } from "../../../client/index.js";
import { client } from "../../api.js";
import { formatDuration, formatMoment } from "../../format.js";
import { CountedDialog } from "../../parts/counted-dialog.js";
import { PermanentChoice } from "../../parts/permanent-choice.js";
import { zone } from "../../settings.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/deletion.js";
import { type PagedRange, wireRange } from "./event-page.js";
import { type Listener, reportOf } from "./report.js";

export interface RangeDeletionProps extends Listener {
  readonly bucketId: string;
  readonly range: PagedRange;
}

/** Deletes a bucket's events of a range, after showing their number. */
export function RangeDeletion({ bucketId, range, onClose, onDone }: RangeDeletionProps): JSX.Element {
  const report = reportOf({ onClose, onDone });
  const [permanent, setPermanent] = useState(false);
  const selection = wireRange(range);
  async function remove(): Promise<void> {
    const { count, entry } = await client.events.deleteMatching(bucketId, { ...selection, permanent });
    const say = (): string => t(entry === null ? "doneForGood" : "done", { count });
    if (entry === null) report(say);
    else report(say, () => client.trash.restore(entry), [entry]);
  }
  return (
    <CountedDialog
      title={t("titleOfTime")}
      count={(signal) => client.events.deleteMatching(bucketId, { ...selection, preview: true }, { signal })}
      isNothing={({ count }) => count === 0}
      nothing={t("nothingInTime")}
      action={(counted) =>
        counted === undefined
          ? common("askDelete")
          : t(permanent ? "confirmForGood" : "confirm", { count: counted.count })
      }
      onConfirm={remove}
      onClose={onClose}
    >
      {(counted) => (
        <>
          <p>{describeSelected(counted)}</p>
          <ul>
            <li>{t("inBucket", { count: counted.count, bucket: bucketId })}</li>
          </ul>
          <p class="hint">{t("whole")}</p>
          <PermanentChoice value={permanent} onChange={setPermanent} />
        </>
      )}
    </CountedDialog>
  );
}

function describeSelected({ count, duration, first, last }: ClientEventsDeletion): string {
  const moment = (text: string | null): string => (text === null ? "" : formatMoment(Date.parse(text), zone.value));
  return t("what", { count, length: formatDuration(duration), first: moment(first), last: moment(last) });
}
