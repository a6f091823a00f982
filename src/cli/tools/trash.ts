import type { Named } from "../../api/schemas.js";
import { LaunchError, printable } from "../launch-error.js";
import { type Action, agreed, confirmed, runNamed } from "./actions.js";
import { needed, type ToolOptions } from "./options.js";
import { counted } from "./report.js";
import type { SendRequest } from "./request.js";

const USAGE = "trash list | restore ID [--bucket ID] [--merge] | delete ID | empty";

const ACTIONS: Readonly<Record<string, Action>> = {
  async list(_options, request, report) {
    const entries = await listed(request);
    for (const entry of entries) report.event("trash", { ...entry }, described(entry));
    if (entries.length === 0) report.event("trash-empty", {}, "the trash is empty");
  },

  async restore({ name, bucket, merge }, request, report) {
    const path = `/api/0/trash/${encodeURIComponent(needed(name, USAGE))}/restore`;
    const told = await request("POST", path, { merge, ...(bucket === undefined ? {} : { bucket }) });
    for (const restored of (told as Named<"TrashRestored">).buckets) {
      const what = `${restored.bucket_id}: ${counted(restored.events, "event")} restored`;
      report.event("trash-restored", { ...restored }, printable(what, 1000));
    }
  },

  async delete(options, request, report) {
    const id = needed(options.name, USAGE);
    const entry = (await listed(request)).find((known) => known.id === id);
    if (entry === undefined) throw new LaunchError(printable(`the trash has no entry '${id}'`, 300));
    if (!(await agreed(options, async () => report.event("trash", { ...entry }, described(entry))))) return;
    await request("DELETE", `/api/0/trash/${encodeURIComponent(id)}`);
    report.event("trash-deleted", { id }, "deleted for good");
  },

  async empty({ yes, streams }, request, report) {
    const all = yes ? [] : await listed(request);
    for (const entry of all) report.event("trash", { ...entry }, described(entry));
    if (!yes && (all.length === 0 || !(await confirmed(streams)))) return;
    const emptied = (await request("DELETE", "/api/0/trash")) as Named<"TrashEmptied">;
    const what = `${counted(emptied.entries, "deletion")} of ${counted(emptied.events, "event")}`;
    report.event("trash-emptied", emptied, `${what} deleted for good`);
  },
};

/** Lists what was deleted, restores it, or deletes it for good. @returns the exit code */
export function trash(options: ToolOptions): Promise<number> {
  return runNamed(options, ACTIONS, USAGE);
}

async function listed(request: SendRequest): Promise<readonly Named<"TrashEntry">[]> {
  return (await request("GET", "/api/0/trash")) as readonly Named<"TrashEntry">[];
}

function described({ id, deleted, reason, events, start, end, buckets }: Named<"TrashEntry">): string {
  const ids = buckets.map(({ bucket_id }) => bucket_id).join(" ");
  const range = start === null ? "" : `, ${start} to ${end}`;
  return printable(`${id}: ${deleted} ${reason}: ${ids}, ${counted(events, "event")}${range}`, 1000);
}
