import type { Named } from "../../api/schemas.js";
import { printable, usageError } from "../launch-error.js";
import { type Action, agreed, runNamed } from "./actions.js";
import { needed, type ToolOptions } from "./options.js";
import { counted, type Report } from "./report.js";
import type { SendRequest } from "./request.js";

const USAGE = [
  "buckets rename ID NEW-ID | host ID HOSTNAME | rename-host HOSTNAME NEW-HOSTNAME [--rename-buckets]",
  "merge ID --source OTHER-ID [--overlaps POLICY]",
  "redirects [ID --remove] | undo [UNDO-ID]",
].join(" | ");

const ACTIONS: Readonly<Record<string, Action>> = {
  rename: (options, request, report) =>
    relabel(options, request, report, {
      path: `/api/0/buckets/${first(options)}/rename`,
      body: { to: needed(options.target, USAGE), ...redirectOf(options) },
    }),

  host: (options, request, report) =>
    relabel(options, request, report, {
      path: `/api/0/buckets/${first(options)}/host`,
      body: { hostname: needed(options.target, USAGE) },
    }),

  "rename-host": (options, request, report) =>
    relabel(options, request, report, {
      path: `/api/0/hosts/${first(options)}/rename`,
      body: { to: needed(options.target, USAGE), rename_buckets: options.renameBuckets, ...redirectOf(options) },
    }),

  async merge(options, request, report) {
    const { sources, overlaps = "keep-both" } = options;
    if (sources.length === 0) throw usageError("buckets merge needs --source, the id of a bucket to be merged");
    const path = `/api/0/buckets/${first(options)}/merge`;
    const body = { from: sources, overlaps, ...redirectOf(options) };
    await change(options, request, report, { path, body, name: "merge", show: showMerging });
  },

  async redirects({ name, remove }, request, report) {
    if (remove) {
      const from = needed(name, USAGE);
      await request("DELETE", `/api/0/redirects/${encodeURIComponent(from)}`);
      report.event("redirect-removed", { from }, printable(`${from} leads nowhere else any more`, 1000));
      return;
    }
    for (const redirect of (await request("GET", "/api/0/redirects")) as Named<"Redirects">) {
      report.event("redirect", { ...redirect }, describedRedirect(redirect));
    }
  },

  async undo({ name }, request, report) {
    if (name === undefined) {
      for (const undo of (await request("GET", "/api/0/undo")) as Named<"Undos">) {
        report.event("undo", { ...undo }, describedUndo(undo));
      }
      return;
    }
    const undone = (await request("POST", `/api/0/undo/${encodeURIComponent(name)}`)) as Named<"Undone">;
    report.event("undone", { ...undone }, `undone: ${describedUndo(undone)}`);
  },
};

/** Gives buckets other names, and takes that back. @returns the exit code */
export function buckets(options: ToolOptions): Promise<number> {
  return runNamed(options, ACTIONS, USAGE);
}

function relabel(
  options: ToolOptions,
  request: SendRequest,
  report: Report,
  { path, body }: { readonly path: string; readonly body: object },
): Promise<void> {
  return change(options, request, report, { path, body, name: "bucket", show: showRelabelling });
}

/** A change, and how it is reported. */
interface Change<Response> {
  readonly path: string;
  readonly body: object;
  readonly name: string;
  show(report: Report, response: Response, name: string): void;
}

/** Shows what would be done, asks, and does it. */
async function change<Response extends Pick<Named<"Relabelling">, "undo" | "redirects">>(
  options: ToolOptions,
  request: SendRequest,
  report: Report,
  { path, body, name, show }: Change<Response>,
): Promise<void> {
  let isShown = false;
  const preview = async (): Promise<void> => {
    show(report, (await request("POST", path, { ...body, preview: true })) as Response, `${name}-preview`);
    isShown = true;
  };
  if (!(await agreed(options, preview))) return;
  const done = (await request("POST", path, body)) as Response;
  if (!isShown) show(report, done, name);
  for (const redirect of done.redirects) report.event("redirect", { ...redirect }, describedRedirect(redirect));
  const { undo } = done;
  report.event("changed", { undo }, undo === null ? "nothing to do" : `done; activity-server buckets undo ${undo}`);
}

function showMerging(report: Report, { buckets: all }: Named<"Merging">, name: string): void {
  for (const bucket of all) {
    const { bucket_id, events, equal, cut, covered } = bucket;
    const text = `${bucket_id}: of ${counted(events, "event")} ${equal} equal, ${cut} cut, ${covered} covered`;
    report.event(name, { ...bucket }, printable(text, 1000));
  }
}

function showRelabelling(report: Report, { buckets: all }: Named<"Relabelling">, name: string): void {
  for (const bucket of all) report.event(name, { ...bucket }, describedBucket(bucket));
}

function first({ name }: ToolOptions): string {
  return encodeURIComponent(needed(name, USAGE));
}

function redirectOf({ redirect }: ToolOptions): { readonly redirect?: boolean | string } {
  if (redirect === undefined) return {};
  return { redirect: redirect === "no" ? false : redirect };
}

function describedBucket({ from, to, old_hostname, hostname, events }: Named<"RelabelledBucket">): string {
  const facts = [
    from === to ? from : `${from} -> ${to}`,
    old_hostname === hostname ? undefined : `host ${old_hostname} -> ${hostname}`,
    counted(events, "event"),
  ];
  return printable(facts.filter((fact) => fact !== undefined).join(", "), 1000);
}

function describedRedirect({ from, to, until }: Named<"Redirect">): string {
  return printable(`${from} leads to ${to}${until === null ? "" : ` until ${until}`}`, 1000);
}

function describedUndo({ id, kind, time, from, to }: Omit<Named<"Undo">, "kind"> & { readonly kind: string }): string {
  return printable(`${id}: ${time} ${kind}, ${from.join(" ")} -> ${to.join(" ")}`, 1000);
}
