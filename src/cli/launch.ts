import { VERSION } from "../util/version.js";
import { asksFor, readSettings, unknownVariables, wants } from "./arguments.js";
import { COMMANDS, commandOf } from "./commands.js";
import { printCommandHelp, printHelp } from "./help.js";
import { LaunchError } from "./launch-error.js";
import { checkOptions } from "./options.js";
import { createOutput, printFailure, type Streams } from "./output.js";
import type { StopSignal } from "./stop.js";

/** The environment of the CLI. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly streams: Streams;
  /** Resolves with the signal that ends a server; called at its start. */
  stopSignal(): Promise<StopSignal>;
  /** Called before a server's first response, when all code of a start is loaded. */
  onLoaded?(): void;
}

/**
 * Runs the command line: shows help, runs a command, or runs a server until it is stopped.
 *
 * @returns the exit code
 * @throws all errors; `sayFailure` prints them
 */
export async function launch(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { env, streams, stopSignal } = surroundings;
  if (asksFor("help", argv)) {
    // A user who asks for help may have mistyped the command.
    const command = COMMANDS.find(({ name }) => name === argv[0]);
    streams.stdout.write(`${command === undefined ? printHelp() : printCommandHelp(command)}\n`);
    return 0;
  }
  if (asksFor("version", argv)) {
    streams.stdout.write(`activity-server ${VERSION}\n`);
    return 0;
  }
  const command = commandOf(argv);
  if (command !== undefined) return command.run(readSettings(argv.slice(1), env, command.flags), streams);
  const options = checkOptions(readSettings(argv, env));
  const output = createOutput(options, streams);
  for (const warning of unknownVariables(env)) output.warn(warning);

  // Listen from here on, so that a signal during the start ends it gracefully as well.
  const asked = stopSignal();
  const { start } = await import("./start.js");
  const running = await start(options, output, surroundings.onLoaded);

  const signal = await asked;
  output.event("stopping", { signal }, `stopping (${signal})`);
  await running.stop();
  output.event("stopped", {}, "stopped");
  return 0;
}

/** Prints why the CLI ends. @returns the exit code */
export function sayFailure(error: unknown, argv: readonly string[], { env, streams }: Surroundings): number {
  const exitCode = error instanceof LaunchError ? error.exitCode : 1;
  const style = { json: wants("json", argv, env), verbose: wants("verbose", argv, env) };
  printFailure(error, exitCode, style, streams.stderr);
  return exitCode;
}
