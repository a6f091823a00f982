import type { ClientBucketRetention } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import { printable } from "../launch-error.js";
import type { Actions } from "./actions.js";

type Options = CommandOptions<"retention">;

/** Carries retention rules out, or tells what they do. */
export const ACTIONS: Actions<Options> = {
  async preview(_options, { client }, report) {
    const buckets = await client.retention.preview();
    for (const bucket of buckets) report.event("retention-preview", { ...bucket }, described(bucket));
    if (buckets.length === 0) report.event("retention-nothing", {}, "the rules would change nothing");
  },

  async run(_options, { client }, report) {
    const { buckets } = await client.retention.run();
    for (const bucket of buckets) report.event("retention", { ...bucket }, described(bucket));
    if (buckets.length === 0) report.event("retention-nothing", {}, "there was nothing to do");
  },

  async log(_options, { client }, report) {
    for (const { time, buckets } of await client.retention.log()) {
      for (const bucket of buckets) report.event("retention", { time, ...bucket }, `${time} ${described(bucket)}`);
    }
  },
};

function described({ bucket_id, expired, short, summarized, summaries }: ClientBucketRetention): string {
  const facts = [
    expired === 0 ? undefined : `${expired} too old`,
    short === 0 ? undefined : `${short} too short`,
    summarized === 0 ? undefined : `${summarized} in ${summaries} summaries`,
  ];
  return printable(`${bucket_id}: ${facts.filter((fact) => fact !== undefined).join(", ")}`, 1000);
}
