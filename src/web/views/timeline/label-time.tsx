import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { client } from "../../api.js";
import { lastAction } from "../../filter/notice.js";
import { shorten } from "../../format.js";
import { shownValue } from "../../load.js";
import { Failure } from "../../parts/failure.js";
import { finished, labelsOf, STOPWATCH_BUCKET } from "../../stopwatch/entries.js";
import { entries, refreshEntries, reread, storeEntry } from "../../stopwatch/state.js";
import { t as bucketTexts } from "../../texts/bucket.js";
import { common } from "../../texts/common.js";
import { t as stopwatch } from "../../texts/stopwatch.js";
import { t } from "../../texts/timeline.js";
import { useEntryForm } from "../stopwatch/entry-fields.js";
import type { TimelineModel } from "./model.js";
import type { TimeWindow } from "./scale.js";

/** Maximum number of offered labels. */
const MOST = 6;

export interface LabelTimeProps {
  readonly time: TimeWindow;
  readonly model: TimelineModel;
  /** Whether the label gets the focus. */
  readonly isFocused: boolean;
}

/** Labels time: a click on a used label stores it. */
export function LabelTime({ time, model, isFocused }: LabelTimeProps): JSX.Element {
  const { label, start, end, labelField, timeFields, check } = useEntryForm("", { before: time });
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isFocused) form.current?.querySelector("input")?.focus();
    void refreshEntries();
  }, []);
  const labels = labelsOf(shownValue(entries.value) ?? []);

  async function save(text: string): Promise<void> {
    if (!check() || start === undefined || end === undefined) return;
    setIsBusy(true);
    setError(undefined);
    try {
      const id = await storeEntry(finished(text, start, end));
      lastAction.value = { say: () => (id === null ? bucketTexts("dropped") : stopwatch("added")), undo: undoOf(id) };
      model.pin(undefined);
      model.renew(STOPWATCH_BUCKET);
    } catch (thrown) {
      setError(thrown);
      setIsBusy(false);
    }
  }
  function undoOf(id: number | null): (() => Promise<void>) | undefined {
    if (id === null) return undefined;
    return async () => {
      await client.events.delete(STOPWATCH_BUCKET, id);
      await reread();
      model.renew(STOPWATCH_BUCKET);
    };
  }

  return (
    <form
      ref={form}
      class="tl-label"
      aria-label={t("labelTime")}
      onSubmit={(event) => {
        event.preventDefault();
        void save(label);
      }}
    >
      <h2>{t("labelTime")}</h2>
      {labelField}
      {labels.length > 0 && (
        <p class="row tl-labels">
          {labels.slice(0, MOST).map((known) => (
            <button key={known} type="button" disabled={isBusy} onClick={() => void save(known)}>
              <bdi>{shorten(known, 40)}</bdi>
            </button>
          ))}
        </p>
      )}
      <div class="tl-times">{timeFields}</div>
      <datalist id="stopwatch-labels">
        {labels.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      {error !== undefined && <Failure title={common("unsaved")} error={error} />}
      <p class="row">
        <button type="submit" class="primary" disabled={isBusy || label.trim() === ""}>
          {common("save")}
        </button>
        <button type="button" onClick={() => model.pin(undefined)}>
          {common("cancel")}
        </button>
      </p>
    </form>
  );
}
