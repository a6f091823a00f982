import type { ClientBucketRetention } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import type { Actions } from "./actions.js";
import { joinFacts } from "./report.js";

export const ACTIONS: Actions<CommandOptions<"retention">> = {
  async preview(_options, { client }, report) {
    const none = { event: "retention-nothing", text: "the rules would change nothing" };
    report.each("retention-preview", await client.retention.preview(), describeRetention, none);
  },

  async run(_options, { client }, report) {
    const none = { event: "retention-nothing", text: "there was nothing to do" };
    report.each("retention", (await client.retention.run()).buckets, describeRetention, none);
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
