import { readFile } from "node:fs/promises";
import type { ClientAppliedPrivacy, ClientPrivacyPreview, ClientPrivacyRule } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import { errorCode, quotePath } from "../data-folder.js";
import { LaunchError, printable } from "../launch-error.js";
import { type Actions, previewAndConfirm } from "./actions.js";
import { formatCount } from "./report.js";

type Options = CommandOptions<"privacy">;
type Rule = ClientPrivacyPreview["rules"][number];

export const ACTIONS: Actions<Options> = {
  async preview(options, { client }, report) {
    const trial = { ...(await readSelection(options)), events: "all", examples: 3 } as const;
    const { rules, buckets, ...counts } = await client.privacy.preview(trial);
    for (const rule of rules) report.event("privacy-rule", { ...rule }, describeRule(rule));
    report.each("privacy-bucket", buckets, describeBucket);
    report.event("privacy-preview", counts, `of ${formatCount(counts.events, "event")}: ${describeEffects(counts)}`);
  },

  async apply(options, { client }, report) {
    const wanted = await readSelection(options);
    const none = { event: "privacy-nothing", text: "the rules would change nothing" };
    const send = async (preview: boolean, name: string): Promise<void> => {
      report.each(name, (await client.privacy.apply({ ...wanted, preview })).buckets, describeApplied, none);
    };
    if (await previewAndConfirm(options, () => send(true, "privacy-would-apply"))) await send(false, "privacy-applied");
  },
};

function describeApplied(bucket: ClientAppliedPrivacy["buckets"][number]): string {
  return `${describeBucket(bucket)}${bucket.undo === null ? "" : `; activity-server buckets undo ${bucket.undo}`}`;
}

/** Reads the selected rules and buckets. @throws LaunchError for a file that is not JSON */
async function readSelection({ file, buckets }: Options) {
  return { rules: file === undefined ? undefined : ((await readJson(file)) as ClientPrivacyRule[]), buckets };
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new LaunchError(`${quotePath(file)} cannot be read (${errorCode(cause)})`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new LaunchError(`${quotePath(file)} must contain a JSON list of rules`);
  }
}

function describeRule({ rule, examples, ...counts }: Rule): string {
  const shown = examples.map(({ bucket_id, before, after }) => {
    const left = after === null ? "dropped" : JSON.stringify(after.data);
    return `  ${bucket_id} ${before.timestamp} ${JSON.stringify(before.data)} -> ${left}`;
  });
  return [`${rule}: ${describeEffects(counts)}`, ...shown].map((line) => printable(line, 1000)).join("\n");
}

function describeBucket({ bucket_id, events, ...counts }: ClientPrivacyPreview["buckets"][number]): string {
  return `${bucket_id}: of ${formatCount(events, "event")}: ${describeEffects(counts)}`;
}

function describeEffects({ dropped, changed }: Pick<Rule, "dropped" | "changed">): string {
  return `${dropped} dropped, ${changed} changed`;
}
