import type { StorageProblem, VerifyProgress, VerifyReport } from "./health.js";
import type { Storage } from "./storage.js";

/** What happens while a storage is verified, the report last. */
export type VerifyStep =
  | ({ readonly event: "progress" } & VerifyProgress)
  | ({ readonly event: "problem" } & StorageProblem)
  | ({ readonly event: "verified"; readonly sound: boolean; readonly problems: number } & Omit<
      VerifyReport,
      "problems"
    >);

/**
 * Verifies a storage step by step. Progress that nobody takes in time is passed over. A consumer that stops early does
 * not end the verification.
 *
 * @throws what `storage.verify` throws
 */
export async function* verifySteps(storage: Storage): AsyncGenerator<VerifyStep> {
  let progress: VerifyProgress | undefined;
  let wake: () => void = () => {};
  const running = storage.verify((told) => {
    progress = told;
    wake();
  });
  const end = (): "ended" => "ended";
  // A failure is thrown below; a consumer that is gone by then does not wait for it.
  const ended = running.then(end, end);
  for (;;) {
    const woken = new Promise<"woken">((resolve) => {
      wake = () => resolve("woken");
    });
    if (progress === undefined && (await Promise.race([woken, ended])) === "ended") break;
    const told: VerifyProgress | undefined = progress;
    progress = undefined;
    if (told !== undefined) yield { event: "progress", ...told };
  }
  const { problems, ...counts } = await running;
  for (const problem of problems) yield { event: "problem", ...problem };
  yield { event: "verified", sound: problems.length === 0, problems: problems.length, ...counts };
}
