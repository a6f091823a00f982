import type { CommandOptions } from "../command-options.js";
import { printable } from "../launch-error.js";
import { runOnPlace } from "./actions.js";
import { requireValue } from "./options.js";
import { formatCount, formatSeconds } from "./report.js";

/** Maximum of shown rows; the summary covers all. */
const MAX_ROWS = 100;

export async function search(options: CommandOptions<"search">): Promise<number> {
  const term = requireValue(options.action, options);
  const wanted = { filter: [term], bucket: [options.buckets ?? "*"], limit: MAX_ROWS };
  return runOnPlace(options, async (_options, { client }, report) => {
    const rows = client.search(wanted);
    for await (const row of rows) {
      const { bucket, timestamp, duration, data } = row;
      const text = `${timestamp} ${duration} s ${bucket} ${Object.values(data).filter(isText).join(" · ")}`;
      report.event("search-row", { ...row }, printable(text, 300));
    }
    const summary = await rows.summary();
    const { events, seconds, days } = summary;
    const text = `${formatCount(events, "event")} on ${formatCount(days, "day")}, ${formatSeconds(seconds)}`;
    report.event("search", { ...summary }, text);
  });
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}
