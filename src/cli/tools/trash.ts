import type { ClientTrashEntry } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import { LaunchError, printable } from "../launch-error.js";
import { type Actions, agreed, confirmed } from "./actions.js";
import { needed } from "./options.js";
import { counted } from "./report.js";

type Options = CommandOptions<"trash">;

/** Lists what was deleted, restores it, or deletes it for good. */
export const ACTIONS: Actions<Options> = {
  async list(_options, { client }, report) {
    const entries = await client.trash.list();
    report.each("trash", entries, described);
    if (entries.length === 0) report.event("trash-empty", {}, "the trash is empty");
  },

  async restore(options, { client }, report) {
    const { name, bucket, merge } = options;
    const restored = await client.trash.restore(needed(name, options), { bucket, merge });
    report.each("trash-restored", restored, (each) => `${each.bucket_id}: ${counted(each.events, "event")} restored`);
  },

  async delete(options, { client }, report) {
    const id = needed(options.name, options);
    const entry = (await client.trash.list()).find((known) => known.id === id);
    if (entry === undefined) throw new LaunchError(printable(`the trash has no entry '${id}'`, 300));
    if (!(await agreed(options, async () => report.each("trash", [entry], described)))) return;
    await client.trash.delete(id);
    report.event("trash-deleted", { id }, "deleted for good");
  },

  async empty({ yes, streams }, { client }, report) {
    const all = yes ? [] : await client.trash.list();
    report.each("trash", all, described);
    if (!yes && (all.length === 0 || !(await confirmed(streams)))) return;
    const emptied = await client.trash.empty();
    const what = `${counted(emptied.entries, "deletion")} of ${counted(emptied.events, "event")}`;
    report.event("trash-emptied", emptied, `${what} deleted for good`);
  },
};

function described({ id, deleted, reason, events, start, end, buckets }: ClientTrashEntry): string {
  const ids = buckets.map(({ bucket_id }) => bucket_id).join(" ");
  const range = start === null ? "" : `, ${start} to ${end}`;
  return `${id}: ${deleted} ${reason}: ${ids}, ${counted(events, "event")}${range}`;
}
