import type { ClientBucketRetention } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import type { Actions } from "./actions.js";
import { joinFacts } from "./report.js";

type Options = CommandOptions<"retention">;

export const ACTIONS: Actions<Options> = {
  async preview(_options, { client }, report) {
    const buckets = await client.retention.preview();
    report.each("retention-preview", buckets, describeRetention);
    if (buckets.length === 0) report.event("retention-nothing", {}, "the rules would change nothing");
  },

  async run(_options, { client }, report) {
    const { buckets } = await client.retention.run();
    report.each("retention", buckets, describeRetention);
    if (buckets.length === 0) report.event("retention-nothing", {}, "there was nothing to do");
  },

  async log(_options, { client }, report) {
    const log = await client.retention.log();
    const rows = log.flatMap(({ time, buckets }) => buckets.map((bucket) => ({ time, ...bucket })));
    report.each("retention", rows, (row) => `${row.time} ${describeRetention(row)}`, "no retention runs");
  },
};

function describeRetention({ bucket_id, expired, short, summarized, summaries }: ClientBucketRetention): string {
  const facts = [
    expired > 0 && `${expired} too old`,
    short > 0 && `${short} too short`,
    summarized > 0 && `${summarized} in ${summaries} summaries`,
  ];
  return `${bucket_id}: ${joinFacts(facts)}`;
}
