import type { ClientEvent, ClientEventsDeletion } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import { printable, usageError } from "../launch-error.js";
import { type Actions, agreed } from "./actions.js";
import { needed } from "./options.js";
import { counted, type Report } from "./report.js";

type Options = CommandOptions<"events">;

/** Deletes events by range and filter, splits and moves them. */
export const ACTIONS: Actions<Options> = {
  async delete(options, { client }, report) {
    const { filter, start, end, permanent } = options;
    if (filter.length === 0 && start === undefined && end === undefined) {
      throw usageError("events delete needs --filter, --start or --end; `buckets` and `trash` deal with whole buckets");
    }
    const selection = { buckets: [options.buckets ?? "*"], filter, start, end, permanent };
    let isShown = false;
    const preview = async (): Promise<void> => {
      showDeletion(
        report,
        await client.events.deleteMatchingIn({ ...selection, preview: true }),
        "events-deletion-preview",
      );
      isShown = true;
    };
    if (!(await agreed(options, preview))) return;
    const deleted = await client.events.deleteMatchingIn(selection);
    if (!isShown) showDeletion(report, deleted, "events-deletion");
    const { count, entry } = deleted;
    const remedy = entry !== null ? `; activity-server trash restore ${entry}` : count > 0 ? " for good" : "";
    report.event("events-deleted", { count, entry }, `${counted(count, "event")} deleted${remedy}`);
  },

  async split(options, { client }, report) {
    const at = needed(options.at, options);
    for (const part of await client.events.split(...eventOf(options), at))
      report.event("event", { ...part }, described(part));
  },

  async move(options, { client }, report) {
    const bucket = needed(options.target, options);
    const moved = await client.events.move(...eventOf(options), bucket);
    report.event("event", { ...moved, bucket }, printable(`${bucket} ${described(moved)}`, 1000));
  },
};

function showDeletion(report: Report, { buckets, count, duration }: ClientEventsDeletion, name: string): void {
  for (const bucket of buckets) {
    const { bucket_id, count: events, first, last } = bucket;
    report.event(
      name,
      { ...bucket },
      printable(`${bucket_id}: ${counted(events, "event")}, ${first} to ${last}`, 1000),
    );
  }
  const total = { count, duration };
  report.event(`${name}-total`, total, `${counted(count, "event")} in all, ${(duration / 3600).toFixed(1)} hours`);
}

function eventOf(options: Options): [bucketId: string, eventId: number] {
  return [needed(options.name, options), Number(needed(options.event, options))];
}

function described({ id, timestamp, duration }: ClientEvent): string {
  return `${id}: ${timestamp}, ${duration} s`;
}
