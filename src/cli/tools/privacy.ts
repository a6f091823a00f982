import { readFile } from "node:fs/promises";
import type { ClientAppliedPrivacy, ClientPrivacyPreview, ClientPrivacyRule } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import { errorCode, quotePath } from "../data-folder.js";
import { LaunchError, printable } from "../launch-error.js";
import { type Actions, agreed } from "./actions.js";
import { counted, type Report } from "./report.js";

type Options = CommandOptions<"privacy">;
type Rule = ClientPrivacyPreview["rules"][number];

/** Tries privacy rules on what is stored. */
export const ACTIONS: Actions<Options> = {
  async preview(options, { client }, report) {
    const trial = { ...(await selected(options)), events: "all", examples: 3 } as const;
    const { rules, buckets, ...counts } = await client.privacy.preview(trial);
    for (const rule of rules) report.event("privacy-rule", { ...rule }, describedRule(rule));
    report.each("privacy-bucket", buckets, describedBucket);
    report.event("privacy-preview", counts, `of ${counted(counts.events, "event")}: ${effects(counts)}`);
  },

  async apply(options, { client }, report) {
    const wanted = await selected(options);
    const send = async (preview: boolean, name: string): Promise<void> => {
      reportApplied(report, await client.privacy.apply({ ...wanted, preview }), name);
    };
    if (await agreed(options, () => send(true, "privacy-would-apply"))) await send(false, "privacy-applied");
  },
};

function reportApplied(report: Report, { buckets }: ClientAppliedPrivacy, name: string): void {
  report.each(name, buckets, (bucket) => {
    const undo = bucket.undo === null ? "" : `; activity-server buckets undo ${bucket.undo}`;
    return `${describedBucket(bucket)}${undo}`;
  });
  if (buckets.length === 0) report.event("privacy-nothing", {}, "the rules would change nothing");
}

/** What rules to ask for, and for which buckets. @throws LaunchError for a file that holds no JSON */
async function selected({ file, buckets }: Options) {
  return { rules: file === undefined ? undefined : ((await jsonIn(file)) as ClientPrivacyRule[]), buckets };
}

async function jsonIn(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new LaunchError(`${quotePath(file)} cannot be read (${errorCode(cause)})`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new LaunchError(`${quotePath(file)} holds no JSON; a list of rules is expected`);
  }
}

function describedRule({ rule, examples, ...counts }: Rule): string {
  const shown = examples.map(({ bucket_id, before, after }) => {
    const left = after === null ? "dropped" : JSON.stringify(after.data);
    return `  ${bucket_id} ${before.timestamp} ${JSON.stringify(before.data)} -> ${left}`;
  });
  return [`${rule}: ${effects(counts)}`, ...shown].map((line) => printable(line, 1000)).join("\n");
}

function describedBucket({ bucket_id, events, ...counts }: ClientPrivacyPreview["buckets"][number]): string {
  return `${bucket_id}: of ${counted(events, "event")}: ${effects(counts)}`;
}

function effects({ dropped, changed }: Pick<Rule, "dropped" | "changed">): string {
  return `${dropped} dropped, ${changed} changed`;
}
