import { ActivityError, type ErrorCode } from "../../errors.js";
import { type VerifyStep, verifySteps } from "../../storage/health.js";
import { formatBytes } from "../data-folder.js";
import { LaunchError, printable } from "../launch-error.js";
import type { CommonOptions } from "./options.js";
import { formatCount, joinFacts, type Report } from "./report.js";
import { parseJsonLines, sendOrFail } from "./send.js";
import { findReadable, refuseEmpty, type Target } from "./target.js";

export async function verify(options: CommonOptions, report: Report): Promise<number> {
  const { place } = options;
  const { target, close } = await findReadable(place);
  try {
    await refuseEmpty(place, target);
    let isSound = false;
    for await (const step of runVerification(target)) {
      if (step.event === "verified") isSound = step.sound;
      reportStep(step, report);
    }
    return isSound ? 0 : 1;
  } finally {
    await close();
  }
}

async function* runVerification(target: Target): AsyncGenerator<VerifyStep> {
  if (target.kind === "storage") {
    yield* verifySteps(target.storage);
    return;
  }
  let isWhole = false;
  const response = await sendOrFail(target.control, "verifyStorage");
  for await (const line of parseJsonLines(response)) {
    // The server has proved its identity by the token.
    const step = line as VerifyStep | { readonly event: "error"; readonly code?: ErrorCode; readonly message: string };
    if (step.event === "error") {
      throw step.code === undefined ? new LaunchError(step.message) : new ActivityError(step.code, step.message);
    }
    isWhole ||= step.event === "verified";
    yield step;
  }
  if (!isWhole) throw new LaunchError("the server stopped before it had checked everything");
}

function reportStep(step: VerifyStep, report: Report): void {
  const { event, ...fields } = step;
  if (step.event === "progress") report.progress("checking", step.doneBytes, step.totalBytes, formatBytes);
  else if (step.event === "problem") report.event(event, fields, `${step.kind}: ${printable(step.message, 500)}`);
  else report.event(event, fields, describeSummary(step));
}

type Summary = Extract<VerifyStep, { event: "verified" }>;

function describeSummary({ sound, problems, buckets, events, bytes }: Summary): string {
  // Recent events are only in the log, which has no size here: it was checked when the folder was opened.
  const size = bytes === 0 ? false : formatBytes(bytes);
  const checked = joinFacts([formatCount(buckets, "bucket"), formatCount(events, "event"), size]);
  return sound ? `sound: ${checked}` : `${formatCount(problems, "problem")} in ${checked}`;
}
