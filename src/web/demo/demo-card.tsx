import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { DEMO_HOST, isDemoBucket } from "../../domain/demo.js";
import { client } from "../api.js";
import { knownBuckets, refreshBuckets } from "../buckets.js";
import { Failure } from "../parts/failure.js";
import { navigate } from "../router.js";
import { currentCalendar, zone } from "../settings.js";
import { t } from "../texts/welcome.js";
import { fullestWeek, removeDemo } from "./demo.js";
import { demoProgress } from "./progress.js";

/** Fills a demo host with progress, and removes it again. */
export function DemoCard(): JSX.Element {
  const progress = demoProgress;
  const failure = useSignal<{ readonly error: unknown; readonly retry: () => void } | undefined>(undefined);
  const isRemoved = useSignal(false);
  const isThere = knownBuckets.value.some(isDemoBucket);

  async function attempt(step: () => Promise<void>, retry: () => void): Promise<void> {
    failure.value = undefined;
    isRemoved.value = false;
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
      // Avoids duplicates after a failed attempt.
      await removeDemo(client);
      const onProgress = (share: number): void => {
        progress.value = share;
      };
      const { fillDemo } = await import("./fill.js");
      const filled = await fillDemo({ client, zone: zone.value, now: Date.now(), onProgress });
      await refreshBuckets();
      const calendar = currentCalendar.value;
      const week = fullestWeek(filled, calendar);
      navigate(week === undefined ? [] : ["week", week], { host: DEMO_HOST });
    }, fill);
  }

  function remove(): Promise<void> {
    return attempt(async () => {
      await removeDemo(client);
      isRemoved.value = true;
    }, remove);
  }

  const isBusy = progress.value !== undefined;
  return (
    <section class="card" aria-labelledby="demo-title">
      <h2 id="demo-title">{t("demo")}</h2>
      <p>{t.rich("demoWhat", { host: <code>{DEMO_HOST}</code> })}</p>
      {failure.value !== undefined && <Failure {...failure.value} title={t("demoFailed")} />}
      <div class="row">
        {isThere ? (
          <button type="button" class="danger" disabled={isBusy} onClick={remove}>
            {t("removeDemo")}
          </button>
        ) : (
          <button type="button" class="primary" disabled={isBusy} onClick={fill}>
            {t("fillDemo")}
          </button>
        )}
        {isBusy && <progress value={progress.value} max={1} aria-label={t("demoProgress")} />}
        <span class="quiet" role="status">
          {isRemoved.value && t("demoRemoved")}
        </span>
      </div>
    </section>
  );
}
