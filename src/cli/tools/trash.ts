import type { ClientTrashEntry } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import { LaunchError, printable } from "../launch-error.js";
import { type Actions, askToConfirm, previewAndConfirm } from "./actions.js";
import { requireValue } from "./options.js";
import { formatCount } from "./report.js";

export const ACTIONS: Actions<CommandOptions<"trash">> = {
  async list(_options, { client }, report) {
    const none = { event: "trash-empty", text: "the trash is empty" };
    report.each("trash", await client.trash.list(), describeEntry, none);
  },

  async restore(options, { client }, report) {
    const { name, bucket, merge } = options;
    const restored = await client.trash.restore(requireValue(name, options), { bucket, merge });
    report.each(
      "trash-restored",
      restored,
      (each) => `${each.bucket_id}: ${formatCount(each.events, "event")} restored`,
    );
  },

  async delete(options, { client }, report) {
    const id = requireValue(options.name, options);
    const entry = (await client.trash.list()).find((known) => known.id === id);
    if (entry === undefined) throw new LaunchError(printable(`the trash has no entry '${id}'`, 300));
    if (!(await previewAndConfirm(options, async () => report.each("trash", [entry], describeEntry)))) return;
    await client.trash.delete(id);
    report.event("trash-deleted", { id }, "deleted permanently");
  },

  async empty({ yes, streams }, { client }, report) {
    const all = yes ? [] : await client.trash.list();
    report.each("trash", all, describeEntry);
    if (!yes && (all.length === 0 || !(await askToConfirm(streams)))) return;
    const emptied = await client.trash.empty();
    const what = `${formatCount(emptied.entries, "deletion")} of ${formatCount(emptied.events, "event")}`;
    report.event("trash-emptied", emptied, `${what} deleted permanently`);
  },
};

function describeEntry({ id, deleted, reason, events, start, end, buckets }: ClientTrashEntry): string {
  const ids = buckets.map(({ bucket_id }) => bucket_id).join(" ");
  const range = start === null ? "" : `, ${start} to ${end}`;
  return `${id}: ${deleted} ${reason}: ${ids}, ${formatCount(events, "event")}${range}`;
}
