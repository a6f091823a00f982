import { readSettings } from "../../src/cli/arguments.js";
import { commandOf } from "../../src/cli/commands.js";
import { LaunchError } from "../../src/cli/launch-error.js";
import { checkOptions } from "../../src/cli/options.js";
import { createOutput, oneLine } from "../../src/cli/output.js";
import { start } from "../../src/cli/start.js";
import { checkToolOptions } from "../../src/cli/tools/options.js";
import type { Environment, Workshop } from "./launcher.js";

export interface Refused {
  readonly message: string;
  readonly code: number;
}

/**
 * What the launcher refuses words with, found in this process: to start one takes longer than all its checks. What a
 * program makes of a refusal, refusal.test.ts shows.
 */
export async function refused({ folder }: Workshop, words: readonly string[], env: Environment = {}): Promise<Refused> {
  const [before, home] = [process.cwd(), process.env["HOME"]];
  process.chdir(folder);
  process.env["HOME"] = folder;
  try {
    await carryOut(words, env);
  } catch (error) {
    return { message: oneLine(error), code: error instanceof LaunchError ? error.exitCode : 1 };
  } finally {
    process.chdir(before);
    if (home === undefined) delete process.env["HOME"];
    else process.env["HOME"] = home;
  }
  throw new Error(`not refused: ${words.join(" ")}`);
}

async function carryOut(words: readonly string[], env: Environment): Promise<void> {
  const command = commandOf(words);
  if (command !== undefined) {
    const options = checkToolOptions(readSettings(words.slice(1), env, command.flags), process);
    await (await command.load())(options);
    return;
  }
  const options = checkOptions(readSettings(words, env));
  await (await start(options, createOutput(options, process))).stop();
}
