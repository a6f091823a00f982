import { createInterface } from "node:readline/promises";
import { printable, usageError } from "../launch-error.js";
import type { Ask } from "./ask.js";
import { asking } from "./asking.js";
import { needed, type ToolOptions } from "./options.js";
import { counted, createReport, type Report } from "./report.js";
import { findTarget } from "./target.js";

/** What renaming did, as the API tells it. */
interface ToldRelabelling {
  readonly undo: string | null;
  readonly buckets: readonly ToldBucket[];
  readonly redirects: readonly ToldRedirect[];
}

interface ToldBucket {
  readonly from: string;
  readonly to: string;
  readonly old_hostname: string;
  readonly hostname: string;
  readonly events: number;
}

/** What merging did, as the API tells it. */
interface ToldMerging extends Pick<ToldRelabelling, "undo" | "redirects"> {
  readonly buckets: readonly {
    readonly bucket_id: string;
    readonly events: number;
    readonly equal: number;
    readonly cut: number;
    readonly covered: number;
  }[];
}

interface ToldRedirect {
  readonly from: string;
  readonly to: string;
  readonly created: string;
  readonly until: string | null;
}

interface ToldUndo {
  readonly id: string;
  readonly kind: string;
  readonly time: string;
  readonly expires: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly events: number;
}

const USAGE = [
  "buckets rename ID NEW-ID | host ID HOSTNAME | rename-host HOSTNAME NEW-HOSTNAME [--rename-buckets]",
  "merge ID --source OTHER-ID [--overlaps POLICY]",
  "redirects [ID --remove] | undo [UNDO-ID]",
].join(" | ");

type Action = (options: ToolOptions, ask: Ask, report: Report) => Promise<void>;

const ACTIONS: Readonly<Record<string, Action>> = {
  rename: (options, ask, report) =>
    relabel(options, ask, report, {
      path: `/api/0/buckets/${first(options)}/rename`,
      body: { to: needed(options.target, USAGE), ...redirectOf(options) },
    }),

  host: (options, ask, report) =>
    relabel(options, ask, report, {
      path: `/api/0/buckets/${first(options)}/host`,
      body: { hostname: needed(options.target, USAGE) },
    }),

  "rename-host": (options, ask, report) =>
    relabel(options, ask, report, {
      path: `/api/0/hosts/${first(options)}/rename`,
      body: { to: needed(options.target, USAGE), rename_buckets: options.renameBuckets, ...redirectOf(options) },
    }),

  async merge(options, ask, report) {
    const { sources, overlaps = "keep-both" } = options;
    if (sources.length === 0) throw usageError("buckets merge needs --source, the id of a bucket to be merged");
    const path = `/api/0/buckets/${first(options)}/merge`;
    const body = { from: sources, overlaps, ...redirectOf(options) };
    const change = { path, body, name: "merge", tell: tellMerging };
    await changed<ToldMerging>(options, ask, report, change);
  },

  async redirects({ name, remove }, ask, report) {
    if (remove) {
      const from = needed(name, USAGE);
      await ask("DELETE", `/api/0/redirects/${encodeURIComponent(from)}`);
      report.event("redirect-removed", { from }, printable(`${from} leads nowhere else any more`, 1000));
      return;
    }
    for (const redirect of (await ask("GET", "/api/0/redirects")) as readonly ToldRedirect[]) {
      report.event("redirect", { ...redirect }, describedRedirect(redirect));
    }
  },

  async undo({ name }, ask, report) {
    if (name === undefined) {
      for (const undo of (await ask("GET", "/api/0/undo")) as readonly ToldUndo[]) {
        report.event("undo", { ...undo }, describedUndo(undo));
      }
      return;
    }
    const undone = (await ask("POST", `/api/0/undo/${encodeURIComponent(name)}`)) as ToldUndo;
    report.event("undone", { ...undone }, `undone: ${describedUndo(undone)}`);
  },
};

/** Gives buckets other names, and takes that back. @returns the exit code */
export async function buckets(options: ToolOptions): Promise<number> {
  const { action = "" } = options;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (act === undefined) throw usageError(`usage: activity-server ${USAGE}`);
  const { ask, close } = asking(await findTarget(options.place));
  try {
    await act(options, ask, createReport({ json: options.json }));
    return 0;
  } finally {
    await close();
  }
}

function relabel(
  options: ToolOptions,
  ask: Ask,
  report: Report,
  { path, body }: { readonly path: string; readonly body: object },
): Promise<void> {
  return changed<ToldRelabelling>(options, ask, report, { path, body, name: "bucket", tell });
}

/** A change, and how it is told. */
interface Change<Told> {
  readonly path: string;
  readonly body: object;
  readonly name: string;
  tell(report: Report, told: Told, name: string): void;
}

/** Shows what would be done, asks, and does it. */
async function changed<Told extends Pick<ToldRelabelling, "undo" | "redirects">>(
  options: ToolOptions,
  ask: Ask,
  report: Report,
  { path, body, name, tell: show }: Change<Told>,
): Promise<void> {
  const isAsked = !options.dryRun && !options.yes;
  if (isAsked || options.dryRun)
    show(report, (await ask("POST", path, { ...body, preview: true })) as Told, `${name}-preview`);
  if (options.dryRun || (isAsked && !(await confirmed()))) return;
  const done = (await ask("POST", path, body)) as Told;
  if (!isAsked) show(report, done, name);
  for (const redirect of done.redirects) report.event("redirect", { ...redirect }, describedRedirect(redirect));
  const { undo } = done;
  report.event("changed", { undo }, undo === null ? "nothing to do" : `done; activity-server buckets undo ${undo}`);
}

function tellMerging(report: Report, { buckets: all }: ToldMerging, name: string): void {
  for (const bucket of all) {
    const { bucket_id, events, equal, cut, covered } = bucket;
    const text = `${bucket_id}: of ${counted(events, "event")} ${equal} equal, ${cut} cut, ${covered} covered`;
    report.event(name, { ...bucket }, printable(text, 1000));
  }
}

function tell(report: Report, { buckets: all }: ToldRelabelling, name: string): void {
  for (const bucket of all) report.event(name, { ...bucket }, describedBucket(bucket));
}

/** @throws LaunchError where nobody can be asked */
export async function confirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) throw usageError("nobody can be asked here; say --yes to do it, --dry-run to look only");
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question("Do it? [y/N] ")).trim());
  } finally {
    lines.close();
  }
}

function first({ name }: ToolOptions): string {
  return encodeURIComponent(needed(name, USAGE));
}

function redirectOf({ redirect }: ToolOptions): { readonly redirect?: boolean | string } {
  if (redirect === undefined) return {};
  return { redirect: redirect === "no" ? false : redirect };
}

function describedBucket({ from, to, old_hostname, hostname, events }: ToldBucket): string {
  const facts = [
    from === to ? from : `${from} -> ${to}`,
    old_hostname === hostname ? undefined : `host ${old_hostname} -> ${hostname}`,
    counted(events, "event"),
  ];
  return printable(facts.filter((fact) => fact !== undefined).join(", "), 1000);
}

function describedRedirect({ from, to, until }: ToldRedirect): string {
  return printable(`${from} leads to ${to}${until === null ? "" : ` until ${until}`}`, 1000);
}

function describedUndo({ id, kind, time, from, to }: ToldUndo): string {
  return printable(`${id}: ${time} ${kind}, ${from.join(" ")} -> ${to.join(" ")}`, 1000);
}
