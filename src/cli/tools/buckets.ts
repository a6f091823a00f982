import type { ClientMerging, ClientRedirect, ClientRelabelling, ClientUndo } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import { printable, usageError } from "../launch-error.js";
import { type Actions, confirmAndApply } from "./actions.js";
import { requireValue } from "./options.js";
import { formatCount, joinFacts, type Report } from "./report.js";

type Options = CommandOptions<"buckets">;

export const ACTIONS: Actions<Options> = {
  rename(options, { client: { identity } }, report) {
    const [id, to] = requireOperands(options);
    return relabel(options, report, (preview) => identity.rename(id, { to, ...redirectOption(options), preview }));
  },

  host(options, { client: { identity } }, report) {
    const [id, hostname] = requireOperands(options);
    return relabel(options, report, (preview) => identity.setHostname(id, { hostname, preview }));
  },

  "rename-host"(options, { client: { identity } }, report) {
    const [id, to] = requireOperands(options);
    const renaming = { to, rename_buckets: options.renameBuckets, ...redirectOption(options) };
    return relabel(options, report, (preview) => identity.renameHost(id, { ...renaming, preview }));
  },

  merge(options, { client: { identity } }, report) {
    const { source: from, overlaps } = options;
    if (from.length === 0) throw usageError("buckets merge needs --source with the ID of a bucket to merge");
    // The server refuses what is not a policy.
    const merging = { from, overlaps: overlaps as "keep-both" | undefined, ...redirectOption(options) };
    const into = requireValue(options.name, options);
    return relabel(options, report, (preview) => identity.merge(into, { ...merging, preview }));
  },

  async redirects(options, { client: { identity } }, report) {
    if (!options.remove) return report.each("redirect", await identity.redirects(), describeRedirect, "no redirects");
    const from = requireValue(options.name, options);
    await identity.deleteRedirect(from);
    report.event("redirect-removed", { from }, printable(`removed the redirect of ${from}`, 1000));
  },

  async undo({ name }, { client: { identity } }, report) {
    if (name === undefined) return report.each("undo", await identity.undoable(), describeUndo, "nothing to undo");
    report.each("undone", [await identity.undo(name)], (undone) => `undone: ${describeUndo(undone)}`);
  },
};

async function relabel(
  options: Options,
  report: Report,
  make: (isPreview: boolean) => Promise<ClientRelabelling | ClientMerging>,
): Promise<void> {
  const done = await confirmAndApply(options, make, (shown, suffix) => {
    if ("into" in shown) report.each(`merge${suffix}`, shown.buckets, describeMerging);
    else report.each(`bucket${suffix}`, shown.buckets, describeBucket);
  });
  if (done === undefined) return;
  report.each("redirect", done.redirects, describeRedirect);
  const { undo } = done;
  const text = undo === null ? "nothing to do" : `done; undo with: activity-server buckets undo ${undo}`;
  report.event("changed", { undo }, text);
}

function requireOperands(options: Options): [name: string, target: string] {
  return [requireValue(options.name, options), requireValue(options.target, options)];
}

function redirectOption({ redirect }: Options): { readonly redirect?: boolean | string } {
  return redirect === undefined ? {} : { redirect: redirect === "no" ? false : redirect };
}

function describeMerging({ bucket_id, events, equal, cut, covered }: ClientMerging["buckets"][number]): string {
  return `${bucket_id}: of ${formatCount(events, "event")} ${equal} equal, ${cut} cut, ${covered} covered`;
}

function describeBucket({ from, to, old_hostname, hostname, events }: ClientRelabelling["buckets"][number]): string {
  return joinFacts([
    from === to ? from : `${from} -> ${to}`,
    old_hostname !== hostname && `host ${old_hostname} -> ${hostname}`,
    formatCount(events, "event"),
  ]);
}

function describeRedirect({ from, to, until }: ClientRedirect): string {
  return `${from} redirects to ${to}${until === null ? "" : ` until ${until}`}`;
}

function describeUndo({ id, kind, time, from, to }: ClientUndo): string {
  return `${id}: ${time} ${kind}, ${from.join(" ")} -> ${to.join(" ")}`;
}
