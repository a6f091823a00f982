import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { buckets } from "../buckets.js";
import { shorten } from "../format.js";
import { shownValue } from "../load.js";
import { Busy } from "../parts/busy.js";
import { Failure } from "../parts/failure.js";
import { Field } from "../parts/field.js";
import { currentCalendar, zone } from "../settings.js";
import {
  byDay,
  clockOf,
  type Entry,
  labelsOf,
  STOPWATCH_BUCKET,
  secondsOf,
  startOf,
  stopped,
} from "../stopwatch/entries.js";
import { asked, ENTRIES, entries, loadEntries, refreshEntries, running, storeEntry } from "../stopwatch/state.js";
import { useSeconds } from "../stopwatch/ticking.js";
import { common } from "../texts/common.js";
import { t as shell } from "../texts/shell.js";
import { t } from "../texts/stopwatch.js";
import { EntryActions } from "./stopwatch/entry-actions.js";
import { EntryDays } from "./stopwatch/entry-days.js";
import { EntryDialogs, type Intent } from "./stopwatch/entry-dialogs.js";

/** Number of days to show at a time. */
const DAYS = 7;

/** Times activities manually. */
export default function StopwatchView(): JSX.Element {
  const [label, setLabel] = useState("");
  const [failure, setFailure] = useState<unknown>();
  const [intent, setIntent] = useState<Intent | undefined>();
  const [most, setMost] = useState(DAYS);
  const areBucketsKnown = shownValue(buckets.value) !== undefined;
  useEffect(() => {
    if (areBucketsKnown) void (entries.value.state === "ready" ? refreshEntries() : loadEntries());
  }, [areBucketsKnown]);

  async function attempt(step: () => Promise<unknown>): Promise<void> {
    try {
      await step();
      setFailure(undefined);
    } catch (error) {
      setFailure(error);
    }
  }
  const start = (text: string): Promise<void> => attempt(() => storeEntry(startOf(text, Date.now())));
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    await start(label);
    setLabel("");
  }

  const loaded = entries.value;
  const shown = shownValue(loaded);
  const days = byDay(shown ?? [], currentCalendar.value);
  const areAllLoaded = (shown?.length ?? 0) < asked.value;
  function showMore(): void {
    setMost(most + DAYS);
    if (!areAllLoaded && days.length < most + DAYS) void loadEntries(asked.value + ENTRIES);
  }
  return (
    <div class="stopwatch">
      <h1>{shell("stopwatch")}</h1>
      <section class="card">
        <form class="stopwatch-start" onSubmit={submit}>
          <Field label={t("question")}>
            <input
              list="stopwatch-labels"
              value={label}
              maxLength={500}
              onInput={({ currentTarget }) => setLabel(currentTarget.value)}
            />
          </Field>
          <button type="submit" class="primary">
            {t("start")}
          </button>
          <button type="button" onClick={() => setIntent({ kind: "add", label, onDone: () => setLabel("") })}>
            {t("add")}
          </button>
        </form>
        <datalist id="stopwatch-labels">
          {labelsOf(shown ?? []).map((known) => (
            <option key={known} value={known} />
          ))}
        </datalist>
        <p class="hint">{t("startHint", { bucket: STOPWATCH_BUCKET })}</p>
        {failure !== undefined && <Failure title={common("couldNotDo")} error={failure} />}
      </section>
      <RunningList onStop={(entry) => attempt(() => storeEntry(stopped(entry, Date.now())))} onIntent={setIntent} />
      {loaded.state === "failed" && (
        <Failure title={common("notLoaded")} error={loaded.error} retry={() => void loadEntries()} />
      )}
      {shown === undefined ? (
        loaded.state !== "failed" && <Busy />
      ) : (
        <EntryDays {...{ days, most }} zone={zone.value} onAgain={start} onIntent={setIntent} />
      )}
      {shown?.length === 0 && <p class="quiet">{t("none")}</p>}
      {(days.length > most || !areAllLoaded) && (
        <button type="button" onClick={showMore}>
          {common("more")}
        </button>
      )}
      {intent !== undefined && <EntryDialogs intent={intent} onClose={() => setIntent(undefined)} />}
    </div>
  );
}

interface RunningProps {
  readonly onStop: (entry: Entry) => Promise<void>;
  readonly onIntent: (intent: Intent) => void;
}

function RunningList({ onStop, onIntent }: RunningProps): JSX.Element | null {
  const list = running.value;
  const now = useSeconds(list.length > 0);
  if (list.length === 0) return null;
  return (
    <section class="card" aria-label={t("running")}>
      <h2>{t("running")}</h2>
      <ul class="stopwatch-running">
        {list.map((entry) => (
          <li key={entry.id} class="row">
            <strong class="stopwatch-time">{clockOf(secondsOf(entry, now))}</strong>
            <span class="stopwatch-label">{shorten(entry.label || t("nameless"), 200)}</span>
            <EntryActions action="stop" onAction={() => onStop(entry)} {...{ entry, onIntent }} />
          </li>
        ))}
      </ul>
    </section>
  );
}
