import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { client } from "../api.js";
import { knownBuckets, refreshBuckets } from "../buckets.js";
import { Failure } from "../parts/failure.js";
import { navigate } from "../router.js";
import { startOfDay, startOfWeek, zone } from "../settings.js";
import { DEMO_HOST, fullestWeek, isDemo, removeDemo } from "./demo.js";
import { demoProgress } from "./progress.js";

/** Fills a demo host, shows how far that is, and removes it again. */
export function DemoCard(): JSX.Element {
  const progress = demoProgress;
  const failure = useSignal<{ readonly error: unknown; readonly retry: () => void } | undefined>(undefined);
  const note = useSignal("");
  const isThere = knownBuckets.value.some(isDemo);

  async function attempt(step: () => Promise<void>, retry: () => void): Promise<void> {
    failure.value = undefined;
    note.value = "";
    progress.value = 0;
    try {
      await step();
    } catch (error) {
      failure.value = { error, retry };
    }
    progress.value = undefined;
    await refreshBuckets();
  }

  function fill(): Promise<void> {
    return attempt(async () => {
      // What an attempt before this one has left would be there twice.
      await removeDemo(client);
      const onProgress = (share: number): void => {
        progress.value = share;
      };
      const { fillDemo } = await import("./fill.js");
      const filled = await fillDemo({ client, zone: zone.value, now: Date.now(), onProgress });
      await refreshBuckets();
      const calendar = { zone: zone.value, startOfDay: startOfDay.value, startOfWeek: startOfWeek.value };
      const week = fullestWeek(filled, calendar);
      navigate(week === undefined ? [] : ["week", week], { host: DEMO_HOST });
    }, fill);
  }

  function remove(): Promise<void> {
    return attempt(async () => {
      await removeDemo(client);
      note.value = "The demo host is removed.";
    }, remove);
  }

  const isBusy = progress.value !== undefined;
  return (
    <section class="card" aria-labelledby="demo-title">
      <h2 id="demo-title">Look around with made-up data</h2>
      <p>
        A host called <code>demo</code> with a fortnight of work: windows, pages, files and breaks. Your own buckets
        stay as they are, and it can be removed again.
      </p>
      {failure.value !== undefined && <Failure {...failure.value} title="The demo could not be changed." />}
      <div class="row">
        {isThere ? (
          <button type="button" class="danger" disabled={isBusy} onClick={remove}>
            Remove the demo host
          </button>
        ) : (
          <button type="button" class="primary" disabled={isBusy} onClick={fill}>
            Fill a demo host
          </button>
        )}
        {isBusy && <progress value={progress.value} max={1} aria-label="Progress of the demo" />}
        <span class="quiet" role="status">
          {note.value}
        </span>
      </div>
    </section>
  );
}
