import type { ClientMerging, ClientRedirect, ClientRelabelling, ClientUndo } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import { printable, usageError } from "../launch-error.js";
import { type Actions, change } from "./actions.js";
import { needed } from "./options.js";
import { counted, joined, type Report } from "./report.js";

type Options = CommandOptions<"buckets">;

/** Gives buckets other names, and takes that back. */
export const ACTIONS: Actions<Options> = {
  rename(options, { client: { identity } }, report) {
    const [id, to] = operands(options);
    return identify(options, report, (preview) => identity.rename(id, { to, ...redirectOf(options), preview }));
  },

  host(options, { client: { identity } }, report) {
    const [id, hostname] = operands(options);
    return identify(options, report, (preview) => identity.setHostname(id, { hostname, preview }));
  },

  "rename-host"(options, { client: { identity } }, report) {
    const [id, to] = operands(options);
    const renaming = { to, rename_buckets: options.renameBuckets, ...redirectOf(options) };
    return identify(options, report, (preview) => identity.renameHost(id, { ...renaming, preview }));
  },

  merge(options, { client: { identity } }, report) {
    const { source: from, overlaps } = options;
    if (from.length === 0) throw usageError("buckets merge needs --source, the id of a bucket to be merged");
    // The server refuses what is not a policy.
    const merging = { from, overlaps: overlaps as "keep-both" | undefined, ...redirectOf(options) };
    const into = needed(options.name, options);
    return identify(options, report, (preview) => identity.merge(into, { ...merging, preview }));
  },

  async redirects(options, { client: { identity } }, report) {
    if (!options.remove) return report.each("redirect", await identity.redirects(), describedRedirect);
    const from = needed(options.name, options);
    await identity.deleteRedirect(from);
    report.event("redirect-removed", { from }, printable(`${from} leads nowhere else any more`, 1000));
  },

  async undo({ name }, { client: { identity } }, report) {
    if (name === undefined) return report.each("undo", await identity.undoable(), describedUndo);
    report.each("undone", [await identity.undo(name)], (undone) => `undone: ${describedUndo(undone)}`);
  },
};

/** Shows what would be done, asks, and does it. */
async function identify(
  options: Options,
  report: Report,
  make: (isPreview: boolean) => Promise<ClientRelabelling | ClientMerging>,
): Promise<void> {
  const done = await change(options, make, (shown, suffix) => {
    if ("into" in shown) report.each(`merge${suffix}`, shown.buckets, describedMerging);
    else report.each(`bucket${suffix}`, shown.buckets, describedBucket);
  });
  if (done === undefined) return;
  report.each("redirect", done.redirects, describedRedirect);
  const { undo } = done;
  report.event("changed", { undo }, undo === null ? "nothing to do" : `done; activity-server buckets undo ${undo}`);
}

function operands(options: Options): [name: string, target: string] {
  return [needed(options.name, options), needed(options.target, options)];
}

function redirectOf({ redirect }: Options): { readonly redirect?: boolean | string } {
  return redirect === undefined ? {} : { redirect: redirect === "no" ? false : redirect };
}

function describedMerging({ bucket_id, events, equal, cut, covered }: ClientMerging["buckets"][number]): string {
  return `${bucket_id}: of ${counted(events, "event")} ${equal} equal, ${cut} cut, ${covered} covered`;
}

function describedBucket({ from, to, old_hostname, hostname, events }: ClientRelabelling["buckets"][number]): string {
  return joined([
    from === to ? from : `${from} -> ${to}`,
    old_hostname !== hostname && `host ${old_hostname} -> ${hostname}`,
    counted(events, "event"),
  ]);
}

function describedRedirect({ from, to, until }: ClientRedirect): string {
  return `${from} leads to ${to}${until === null ? "" : ` until ${until}`}`;
}

function describedUndo({ id, kind, time, from, to }: ClientUndo): string {
  return `${id}: ${time} ${kind}, ${from.join(" ")} -> ${to.join(" ")}`;
}
