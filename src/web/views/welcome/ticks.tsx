import type { JSX } from "preact";
import { isDemoBucket } from "../../../domain/demo.js";
import { knownBuckets } from "../../buckets.js";
import { formatAge, shorten } from "../../format.js";
import { useMinutes } from "../../minutes.js";
import { pastLastOf, reportingOf } from "../../reporting.js";
import { t } from "../../texts/welcome.js";

const MAX_SHOWN = 4;
const MAX_NAME = 60;

/** Whether the watchers of some types report, the most recent ones first. */
export function Ticks({ types }: { readonly types: readonly string[] }): JSX.Element {
  const now = useMinutes();
  const own = knownBuckets.value
    .filter((bucket) => types.includes(bucket.type) && !isDemoBucket(bucket))
    .sort((a, b) => pastLastOf(b, now) - pastLastOf(a, now))
    .slice(0, MAX_SHOWN);
  return (
    <div class="welcome-ticks" role="status">
      {own.length === 0 && <p class="quiet">{t("waiting")}</p>}
      {own.map((bucket) => {
        const last = pastLastOf(bucket, now);
        const isOn = reportingOf(bucket, now) === "now";
        const age = formatAge((now - last) / 1000);
        return (
          <p key={bucket.id} class={isOn ? "good" : "quiet"}>
            <span class={isOn ? "live-dot is-on" : "live-dot"} aria-hidden="true" />{" "}
            <bdi>{shorten(bucket.id, MAX_NAME)}</bdi>
            {": "}
            {isOn ? t("reports") : last === 0 ? t("waiting") : t("silent", { age })}
          </p>
        );
      })}
    </div>
  );
}
