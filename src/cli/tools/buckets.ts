import type { ClientMerging, ClientRedirect, ClientRelabelling, ClientUndo } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import { printable, usageError } from "../launch-error.js";
import { type Actions, agreed } from "./actions.js";
import { needed } from "./options.js";
import { counted, type Report } from "./report.js";

type Options = CommandOptions<"buckets">;

/** Gives buckets other names, and takes that back. */
export const ACTIONS: Actions<Options> = {
  rename(options, { client }, report) {
    const [id, to] = operands(options);
    const renaming = { to, ...redirectOf(options) };
    return change(options, report, (preview) => client.identity.rename(id, { ...renaming, preview }), showRelabelling);
  },

  host(options, { client }, report) {
    const [id, hostname] = operands(options);
    return change(
      options,
      report,
      (preview) => client.identity.setHostname(id, { hostname, preview }),
      showRelabelling,
    );
  },

  "rename-host"(options, { client }, report) {
    const [id, to] = operands(options);
    const renaming = { to, rename_buckets: options.renameBuckets, ...redirectOf(options) };
    return change(
      options,
      report,
      (preview) => client.identity.renameHost(id, { ...renaming, preview }),
      showRelabelling,
    );
  },

  merge(options, { client }, report) {
    const { source: from, overlaps } = options;
    if (from.length === 0) throw usageError("buckets merge needs --source, the id of a bucket to be merged");
    // The server refuses what is not a policy.
    const merging = { from, overlaps: overlaps as "keep-both" | undefined, ...redirectOf(options) };
    const into = needed(options.name, options);
    return change(options, report, (preview) => client.identity.merge(into, { ...merging, preview }), showMerging);
  },

  async redirects(options, { client }, report) {
    if (options.remove) {
      const from = needed(options.name, options);
      await client.identity.deleteRedirect(from);
      report.event("redirect-removed", { from }, printable(`${from} leads nowhere else any more`, 1000));
      return;
    }
    for (const redirect of await client.identity.redirects()) {
      report.event("redirect", { ...redirect }, describedRedirect(redirect));
    }
  },

  async undo({ name }, { client }, report) {
    if (name === undefined) {
      for (const undo of await client.identity.undoable()) report.event("undo", { ...undo }, describedUndo(undo));
      return;
    }
    const undone = await client.identity.undo(name);
    report.event("undone", { ...undone }, `undone: ${describedUndo(undone)}`);
  },
};

/** Shows what would be done, asks, and does it. */
async function change<Change extends Pick<ClientRelabelling, "undo" | "redirects">>(
  options: Options,
  report: Report,
  make: (isPreview: boolean) => Promise<Change>,
  show: (report: Report, change: Change, suffix: string) => void,
): Promise<void> {
  let isShown = false;
  const preview = async (): Promise<void> => {
    show(report, await make(true), "-preview");
    isShown = true;
  };
  if (!(await agreed(options, preview))) return;
  const done = await make(false);
  if (!isShown) show(report, done, "");
  for (const redirect of done.redirects) report.event("redirect", { ...redirect }, describedRedirect(redirect));
  const { undo } = done;
  report.event("changed", { undo }, undo === null ? "nothing to do" : `done; activity-server buckets undo ${undo}`);
}

function showMerging(report: Report, { buckets: all }: ClientMerging, suffix: string): void {
  for (const bucket of all) {
    const { bucket_id, events, equal, cut, covered } = bucket;
    const text = `${bucket_id}: of ${counted(events, "event")} ${equal} equal, ${cut} cut, ${covered} covered`;
    report.event(`merge${suffix}`, { ...bucket }, printable(text, 1000));
  }
}

function showRelabelling(report: Report, { buckets: all }: ClientRelabelling, suffix: string): void {
  for (const bucket of all) report.event(`bucket${suffix}`, { ...bucket }, describedBucket(bucket));
}

function operands(options: Options): [name: string, target: string] {
  return [needed(options.name, options), needed(options.target, options)];
}

function redirectOf({ redirect }: Options): { readonly redirect?: boolean | string } {
  if (redirect === undefined) return {};
  return { redirect: redirect === "no" ? false : redirect };
}

function describedBucket({ from, to, old_hostname, hostname, events }: ClientRelabelling["buckets"][number]): string {
  const facts = [
    from === to ? from : `${from} -> ${to}`,
    old_hostname === hostname ? undefined : `host ${old_hostname} -> ${hostname}`,
    counted(events, "event"),
  ];
  return printable(facts.filter((fact) => fact !== undefined).join(", "), 1000);
}

function describedRedirect({ from, to, until }: ClientRedirect): string {
  return printable(`${from} leads to ${to}${until === null ? "" : ` until ${until}`}`, 1000);
}

function describedUndo({ id, kind, time, from, to }: ClientUndo): string {
  return printable(`${id}: ${time} ${kind}, ${from.join(" ")} -> ${to.join(" ")}`, 1000);
}
