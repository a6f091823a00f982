import type { ClientEvent, ClientEventsDeletion } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import { usageError } from "../launch-error.js";
import { type Actions, confirmAndApply } from "./actions.js";
import { requireValue } from "./options.js";
import { formatCount, formatSeconds, type Report } from "./report.js";

type Options = CommandOptions<"events">;

export const ACTIONS: Actions<Options> = {
  async delete(options, { client }, report) {
    const { filter, start, end, permanent } = options;
    if (filter.length === 0 && start === undefined && end === undefined) {
      throw usageError(
        "events delete needs --filter, --start or --end; to delete a whole bucket, use the dashboard or the API",
      );
    }
    const selection = { buckets: [options.buckets ?? "*"], filter, start, end, permanent };
    const make = (preview: boolean) => client.events.deleteMatchingIn({ ...selection, preview });
    const deleted = await confirmAndApply(options, make, (shown, suffix) => reportDeletion(report, shown, suffix));
    if (deleted === undefined) return;
    const { count, entry } = deleted;
    const remedy =
      entry !== null ? `; restore with: activity-server trash restore ${entry}` : count > 0 ? " permanently" : "";
    report.event("events-deleted", { count, entry }, `${formatCount(count, "event")} deleted${remedy}`);
  },

  async split(options, { client }, report) {
    const at = requireValue(options.at, options);
    report.each("event", await client.events.split(...requireEvent(options), at), describeEvent);
  },

  async move(options, { client }, report) {
    const bucket = requireValue(options.target, options);
    const moved = await client.events.move(...requireEvent(options), bucket);
    report.each("event", [{ ...moved, bucket }], (event) => `${bucket} ${describeEvent(event)}`);
  },
};

function reportDeletion(report: Report, { buckets, count, duration }: ClientEventsDeletion, suffix: string): void {
  const name = `events-deletion${suffix}`;
  report.each(name, buckets, ({ bucket_id, count: events, first, last }) => {
    return `${bucket_id}: ${formatCount(events, "event")}, ${first} to ${last}`;
  });
  const total = { count, duration };
  report.event(`${name}-total`, total, `${formatCount(count, "event")} in total, ${formatSeconds(duration)}`);
}

function requireEvent(options: Options): [bucketId: string, eventId: number] {
  return [requireValue(options.name, options), Number(requireValue(options.event, options))];
}

function describeEvent({ id, timestamp, duration }: ClientEvent): string {
  return `${id}: ${timestamp}, ${duration} s`;
}
