import { LaunchError, printable, usageError } from "../launch-error.js";
import type { Ask } from "./ask.js";
import { asking } from "./asking.js";
import { confirmed } from "./buckets.js";
import { needed, type ToolOptions } from "./options.js";
import { counted, createReport, type Report } from "./report.js";
import { findTarget } from "./target.js";

/** An entry of the trash, as the API tells it. */
interface ToldEntry {
  readonly id: string;
  readonly deleted: string;
  readonly expires: string;
  readonly reason: string;
  readonly events: number;
  readonly start: string | null;
  readonly end: string | null;
  readonly bytes: number;
  readonly buckets: readonly { readonly bucket_id: string; readonly whole: boolean }[];
}

interface ToldRestored {
  readonly bucket_id: string;
  readonly events: number;
  readonly created: boolean;
}

const USAGE = "trash list | restore ID [--bucket ID] [--merge] | delete ID | empty";

type Action = (options: ToolOptions, ask: Ask, report: Report) => Promise<void>;

const ACTIONS: Readonly<Record<string, Action>> = {
  async list(_options, ask, report) {
    const entries = await listed(ask);
    for (const entry of entries) report.event("trash", { ...entry }, described(entry));
    if (entries.length === 0) report.event("trash-empty", {}, "the trash is empty");
  },

  async restore({ name, bucket, merge }, ask, report) {
    const path = `/api/0/trash/${encodeURIComponent(needed(name, USAGE))}/restore`;
    const told = await ask("POST", path, { merge, ...(bucket === undefined ? {} : { bucket }) });
    for (const restored of (told as { readonly buckets: readonly ToldRestored[] }).buckets) {
      const what = `${restored.bucket_id}: ${counted(restored.events, "event")} restored`;
      report.event("trash-restored", { ...restored }, printable(what, 1000));
    }
  },

  async delete({ name, yes }, ask, report) {
    const id = needed(name, USAGE);
    const entry = (await listed(ask)).find((known) => known.id === id);
    if (entry === undefined) throw new LaunchError(printable(`the trash has no entry '${id}'`, 300));
    if (!yes) report.event("trash", { ...entry }, described(entry));
    if (!yes && !(await confirmed())) return;
    await ask("DELETE", `/api/0/trash/${encodeURIComponent(id)}`);
    report.event("trash-deleted", { id }, "deleted for good");
  },

  async empty({ yes }, ask, report) {
    const all = yes ? [] : await listed(ask);
    for (const entry of all) report.event("trash", { ...entry }, described(entry));
    if (!yes && (all.length === 0 || !(await confirmed()))) return;
    const emptied = (await ask("DELETE", "/api/0/trash")) as { readonly entries: number; readonly events: number };
    const what = `${counted(emptied.entries, "deletion")} of ${counted(emptied.events, "event")}`;
    report.event("trash-emptied", emptied, `${what} deleted for good`);
  },
};

/** Lists what was deleted, restores it, or deletes it for good. @returns the exit code */
export async function trash(options: ToolOptions): Promise<number> {
  const { action = "" } = options;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (act === undefined) throw usageError(`usage: activity-server ${USAGE}`);
  const { ask, close } = asking(await findTarget(options.place), { trashDays: options.trashDays });
  try {
    await act(options, ask, createReport({ json: options.json }));
    return 0;
  } finally {
    await close();
  }
}

async function listed(ask: Ask): Promise<readonly ToldEntry[]> {
  return (await ask("GET", "/api/0/trash")) as readonly ToldEntry[];
}

function described({ id, deleted, reason, events, start, end, buckets }: ToldEntry): string {
  const ids = buckets.map(({ bucket_id }) => bucket_id).join(" ");
  const range = start === null ? "" : `, ${start} to ${end}`;
  return printable(`${id}: ${deleted} ${reason}: ${ids}, ${counted(events, "event")}${range}`, 1000);
}
