import { printable, usageError } from "../launch-error.js";
import type { Ask } from "./ask.js";
import { asking } from "./asking.js";
import type { ToolOptions } from "./options.js";
import { createReport, type Report } from "./report.js";
import { findTarget } from "./target.js";

/** What rules do to a bucket, as the API tells it. */
interface ToldBucket {
  readonly bucket_id: string;
  readonly expired: number;
  readonly short: number;
  readonly summarized: number;
  readonly summaries: number;
}

interface ToldRun {
  readonly time: string;
  readonly buckets: readonly ToldBucket[];
}

const USAGE = "retention preview | run | log, with --data DIR or --storage postgres";

const ACTIONS: Readonly<Record<string, (ask: Ask, report: Report) => Promise<void>>> = {
  async preview(ask, report) {
    const { buckets } = (await ask("POST", "/api/0/retention/preview", {})) as Pick<ToldRun, "buckets">;
    for (const bucket of buckets) report.event("retention-preview", { ...bucket }, described(bucket));
    if (buckets.length === 0) report.event("retention-nothing", {}, "the rules would change nothing");
  },

  async run(ask, report) {
    const { buckets } = (await ask("POST", "/api/0/retention/run")) as ToldRun;
    for (const bucket of buckets) report.event("retention", { ...bucket }, described(bucket));
    if (buckets.length === 0) report.event("retention-nothing", {}, "there was nothing to do");
  },

  async log(ask, report) {
    for (const { time, buckets } of (await ask("GET", "/api/0/retention")) as readonly ToldRun[]) {
      for (const bucket of buckets) report.event("retention", { time, ...bucket }, `${time} ${described(bucket)}`);
    }
  },
};

/** Carries retention rules out, or tells what they do. @returns the exit code */
export async function retention(options: ToolOptions): Promise<number> {
  const { action = "" } = options;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (act === undefined) throw usageError(`usage: activity-server ${USAGE}`);
  const { ask, close } = asking(await findTarget(options.place));
  try {
    await act(ask, createReport({ json: options.json }));
    return 0;
  } finally {
    await close();
  }
}

function described({ bucket_id, expired, short, summarized, summaries }: ToldBucket): string {
  const facts = [
    expired === 0 ? undefined : `${expired} too old`,
    short === 0 ? undefined : `${short} too short`,
    summarized === 0 ? undefined : `${summarized} in ${summaries} summaries`,
  ];
  return printable(`${bucket_id}: ${facts.filter((fact) => fact !== undefined).join(", ")}`, 1000);
}
