import type { Named } from "../../api/schemas.js";
import type { CommandOptions } from "../command-options.js";
import { printable, usageError } from "../launch-error.js";
import { type Action, agreed, runNamed } from "./actions.js";
import { needed } from "./options.js";
import { counted, type Report } from "./report.js";

type Options = CommandOptions<"events">;

const USAGE = [
  "events delete [--buckets GLOB] [--filter TERM] [--start TIME] [--end TIME] [--permanent]",
  "split BUCKET EVENT --at TIME",
  "move BUCKET EVENT TARGET",
].join(" | ");

const ACTIONS: Readonly<Record<string, Action<Options>>> = {
  async delete(options, { request }, report) {
    const { filter, start, end, permanent } = options;
    if (filter.length === 0 && start === undefined && end === undefined) {
      throw usageError("events delete needs --filter, --start or --end; `buckets` and `trash` deal with whole buckets");
    }
    const body = {
      buckets: [options.buckets ?? "*"],
      filter,
      ...(start !== undefined && { start }),
      ...(end !== undefined && { end }),
      permanent,
    };
    let isShown = false;
    const send = async (preview: boolean): Promise<Named<"EventsDeletion">> =>
      (await request("POST", "/api/0/events/delete", { ...body, preview })) as Named<"EventsDeletion">;
    const preview = async (): Promise<void> => {
      showDeletion(report, await send(true), "events-deletion-preview");
      isShown = true;
    };
    if (!(await agreed(options, preview))) return;
    const deleted = await send(false);
    if (!isShown) showDeletion(report, deleted, "events-deletion");
    const { count, entry } = deleted;
    const remedy = entry !== null ? `; activity-server trash restore ${entry}` : count > 0 ? " for good" : "";
    report.event("events-deleted", { count, entry }, `${counted(count, "event")} deleted${remedy}`);
  },

  async split(options, { request }, report) {
    const body = { at: needed(options.at, USAGE) };
    const parts = (await request("POST", `${pathOf(options)}/split`, body)) as readonly Named<"Event">[];
    for (const part of parts) report.event("event", { ...part }, described(part));
  },

  async move(options, { request }, report) {
    const bucket = needed(options.target, USAGE);
    const moved = (await request("POST", `${pathOf(options)}/move`, { bucket })) as Named<"Event">;
    report.event("event", { ...moved, bucket }, printable(`${bucket} ${described(moved)}`, 1000));
  },
};

/** Deletes events by range and filter, splits and moves them. @returns the exit code */
export function events(options: Options): Promise<number> {
  return runNamed(options, ACTIONS, USAGE);
}

function showDeletion(report: Report, { buckets, count, duration }: Named<"EventsDeletion">, name: string): void {
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

function pathOf({ name, event }: Options): string {
  const id = needed(event, USAGE);
  return `/api/0/buckets/${encodeURIComponent(needed(name, USAGE))}/events/${encodeURIComponent(id)}`;
}

function described({ id, timestamp, duration }: Named<"Event">): string {
  return `${id}: ${timestamp}, ${duration} s`;
}
