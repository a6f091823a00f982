import { readFile } from "node:fs/promises";
import type { JsonValue } from "../../domain/json.js";
import { codeOf, quoted } from "../data-folder.js";
import { LaunchError, printable, usageError } from "../launch-error.js";
import type { Ask } from "./ask.js";
import { asking } from "./asking.js";
import { confirmed } from "./buckets.js";
import type { ToolOptions } from "./options.js";
import { counted, createReport, type Report } from "./report.js";
import { findTarget } from "./target.js";

/** What rules do, as the API tells it. */
interface ToldPrivacy {
  readonly events: number;
  readonly dropped: number;
  readonly changed: number;
  readonly rules: readonly ToldRule[];
  readonly buckets: readonly ToldBucket[];
}

interface ToldRule {
  readonly rule: string;
  readonly dropped: number;
  readonly changed: number;
  readonly examples: readonly ToldExample[];
}

interface ToldExample {
  readonly bucket_id: string;
  readonly before: ToldEvent;
  readonly after: ToldEvent | null;
}

interface ToldEvent {
  readonly timestamp: string;
  readonly data: JsonValue;
}

interface ToldBucket {
  readonly bucket_id: string;
  readonly events: number;
  readonly dropped: number;
  readonly changed: number;
}

const USAGE = "privacy preview [FILE] | apply [FILE] --yes, with --data DIR or --storage postgres";

const ACTIONS: Readonly<Record<string, (options: ToolOptions, ask: Ask, report: Report) => Promise<void>>> = {
  async preview(options, ask, report) {
    const told = await ask("POST", "/api/0/privacy/preview", { ...(await asked(options)), events: "all", examples: 3 });
    const { rules, buckets, ...counts } = told as ToldPrivacy;
    for (const rule of rules) report.event("privacy-rule", { ...rule }, describedRule(rule));
    for (const bucket of buckets) report.event("privacy-bucket", { ...bucket }, describedBucket(bucket));
    report.event("privacy-preview", counts, `of ${counted(counts.events, "event")}: ${effects(counts)}`);
  },

  apply,
};

/** Shows what would be done, asks, and does it. */
async function apply(options: ToolOptions, ask: Ask, report: Report): Promise<void> {
  const body = await asked(options);
  const path = "/api/0/privacy/apply";
  const isAsked = !options.dryRun && !options.yes;
  if (isAsked || options.dryRun)
    tell(report, await ask("POST", path, { ...body, preview: true }), "privacy-would-apply");
  if (options.dryRun || (isAsked && !(await confirmed()))) return;
  tell(report, await ask("POST", path, body), "privacy-applied");
}

function tell(report: Report, told: unknown, name: string): void {
  const { buckets } = told as { readonly buckets: readonly (ToldBucket & { readonly undo: string | null })[] };
  for (const bucket of buckets) {
    const undo = bucket.undo === null ? "" : `; activity-server buckets undo ${bucket.undo}`;
    report.event(name, { ...bucket }, `${describedBucket(bucket)}${undo}`);
  }
  if (buckets.length === 0) report.event("privacy-nothing", {}, "the rules would change nothing");
}

/** Tries privacy rules on what is stored. @returns the exit code */
export async function privacy(options: ToolOptions): Promise<number> {
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

/** What rules to ask for, and for which buckets. @throws LaunchError for a file that holds no JSON */
async function asked({ file, buckets }: ToolOptions): Promise<object> {
  return {
    ...(file === undefined ? {} : { rules: await jsonIn(file) }),
    ...(buckets === undefined ? {} : { buckets }),
  };
}

async function jsonIn(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new LaunchError(`${quoted(file)} cannot be read (${codeOf(cause)})`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new LaunchError(`${quoted(file)} holds no JSON; a list of rules is expected`);
  }
}

function describedRule({ rule, examples, ...counts }: ToldRule): string {
  const shown = examples.map(({ bucket_id, before, after }) => {
    const left = after === null ? "dropped" : JSON.stringify(after.data);
    return `  ${bucket_id} ${before.timestamp} ${JSON.stringify(before.data)} -> ${left}`;
  });
  return [`${rule}: ${effects(counts)}`, ...shown].map((line) => printable(line, 1000)).join("\n");
}

function describedBucket({ bucket_id, events, ...counts }: ToldBucket): string {
  return printable(`${bucket_id}: of ${counted(events, "event")}: ${effects(counts)}`, 1000);
}

function effects({ dropped, changed }: Pick<ToldRule, "dropped" | "changed">): string {
  return `${dropped} dropped, ${changed} changed`;
}
