import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { ClientAppliedPrivacy } from "../../../client/index.js";
import { client } from "../../api.js";
import { reloadBuckets } from "../../buckets.js";
import { formatCount } from "../../format.js";
import { CountedDialog } from "../../parts/counted-dialog.js";
import { type Done, Notice } from "../../parts/notice.js";
import { common } from "../../texts/common.js";
import { t as notice } from "../../texts/notice.js";
import { t } from "../../texts/privacy.js";
import { CountsTable } from "../data/counts-table.js";

type Applied = ClientAppliedPrivacy["buckets"];

/** No timeout, since there may be many events. */
const NO_TIMEOUT = { timeoutMillis: Number.POSITIVE_INFINITY };

/** Applies the saved rules to stored events. */
export function ApplyToStored({ isDirty }: { readonly isDirty: boolean }): JSX.Element {
  const [isAsking, setIsAsking] = useState(false);
  const [applied, setApplied] = useState<Applied>([]);
  const [done, setDone] = useState<Done>();
  const work = useRef({ isOn: false, isStopped: false });

  /** One bucket at a time, for progress, and to keep completed ones undoable if a later one fails. */
  async function apply(wanted: Applied): Promise<void> {
    work.current = { isOn: true, isStopped: false };
    let all = applied;
    try {
      for (const { bucket_id: id } of wanted.slice(all.length)) {
        if (work.current.isStopped) break;
        const { buckets } = await client.privacy.apply({ bucket: id }, NO_TIMEOUT);
        // Another client may have done it in the meantime.
        const nothing = { bucket_id: id, events: 0, dropped: 0, changed: 0, undo: null };
        all = [...all, buckets.find((one) => one.bucket_id === id) ?? nothing];
        setApplied(all);
      }
    } finally {
      work.current.isOn = false;
    }
    leave(all);
  }
  function leave(all: Applied): void {
    setIsAsking(false);
    setApplied([]);
    if (all.length === 0) return;
    void reloadBuckets();
    const undos = all.flatMap(({ undo }) => undo ?? []);
    const [dropped, changed] = [sumOf(all, "dropped"), sumOf(all, "changed")];
    setDone({
      say: () => t("applied", { dropped, changed }),
      undo: undos.length > 0 ? () => takeBack(undos) : undefined,
    });
  }
  /** Stops after the current bucket, so that it can be undone as well. */
  function close(): void {
    if (work.current.isOn) work.current.isStopped = true;
    else leave(applied);
  }
  async function takeBack(undos: string[]): Promise<void> {
    let kept = 0;
    for (let id = undos[0]; id !== undefined; id = undos[0]) {
      kept += (await client.identity.undo(id, NO_TIMEOUT)).kept;
      undos.shift();
    }
    void reloadBuckets();
    setDone({ say: () => (kept > 0 ? t("takenBackBut", { count: kept }) : notice("undone")) });
  }
  return (
    <section class="card" aria-label={t("past")}>
      <h2>{t("past")}</h2>
      <p class="quiet">{t("pastHint")}</p>
      <Notice done={done} onClose={() => setDone(undefined)} />
      <p class="row">
        <button type="button" disabled={isDirty} onClick={() => setIsAsking(true)}>
          {t("apply")}
        </button>
        {isDirty && <span class="quiet">{t("saveFirst")}</span>}
      </p>
      {isAsking && (
        <CountedDialog
          title={t("applyTitle")}
          count={async (signal) => (await client.privacy.apply({ preview: true }, { ...NO_TIMEOUT, signal })).buckets}
          isNothing={(buckets) => buckets.length === 0}
          nothing={t("applyNothing")}
          action={() => t("doApply")}
          onConfirm={apply}
          onClose={close}
        >
          {(buckets) => (
            <>
              <CountsTable
                caption={t("applyTitle")}
                counts={buckets}
                labels={[
                  ["events", common("events")],
                  ["dropped", t("droppedCount")],
                  ["changed", t("changedCount")],
                ]}
              />
              <p class="hint">{t("applyHint")}</p>
              {applied.length > 0 && (
                <p>
                  <progress max={buckets.length} value={applied.length} aria-label={t("past")} />{" "}
                  {formatCount(applied.length)} / {formatCount(buckets.length)}
                </p>
              )}
            </>
          )}
        </CountedDialog>
      )}
    </section>
  );
}

function sumOf(counts: Applied, name: "dropped" | "changed"): number {
  return counts.reduce((sum, one) => sum + one[name], 0);
}
