import type { Launched, Running, Workshop } from "../cli/launcher.js";
import { LAUNCHER } from "./package-under-test.js";
import { playRounds } from "./rounds.js";

/** Plays rounds of death with the launcher on a folder. @param words more of its command line */
export function killLauncher(rounds: number, words: readonly string[] = []): Promise<void> {
  const spawn = (workshop: Workshop): Launched =>
    workshop.spawn(["--json", "--port", "0", "--data", workshop.path("data"), ...words], {}, LAUNCHER);
  return playRounds({ rounds, spawn, start: (workshop) => listening(spawn(workshop)) });
}

/** Waits until a launcher listens. */
export async function listening(launched: Launched): Promise<Pick<Running, "url" | "kill" | "ended">> {
  const line: unknown = JSON.parse(await launched.line((text) => text.includes('"event":"listening"')));
  if (typeof line !== "object" || line === null || !("url" in line)) throw new Error("the first line names no URL");
  return { ...launched, url: `${line.url}` };
}
