import { VERSION } from "../util/version.js";
import { isRequested, isSwitchOn, readSettings, unknownVariableWarnings } from "./arguments.js";
import { COMMANDS, findCommand } from "./commands.js";
import { formatCommandHelp, formatHelp } from "./help.js";
import { LaunchError } from "./launch-error.js";
import { checkOptions } from "./options.js";
import { createOutput, printFailure, type Streams } from "./output.js";
import type { StopSignal } from "./stop.js";

/** The environment of the CLI. */
export interface LaunchEnvironment {
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
 * @throws all errors; `reportFailure` prints them
 */
export async function launch(argv: readonly string[], environment: LaunchEnvironment): Promise<number> {
  const { env, streams, stopSignal } = environment;
  if (isRequested("help", argv)) {
    // A user who asks for help may have mistyped the command.
    const command = COMMANDS.find(({ name }) => name === argv[0]);
    streams.stdout.write(`${command === undefined ? formatHelp() : formatCommandHelp(command)}\n`);
    return 0;
  }
  if (isRequested("version", argv)) {
    streams.stdout.write(`activity-server ${VERSION}\n`);
    return 0;
  }
  const command = findCommand(argv);
  if (command !== undefined) return command.run(readSettings(argv.slice(1), env, command.flags), streams);
  const options = checkOptions(readSettings(argv, env));
  const output = createOutput(options, streams);
  for (const warning of unknownVariableWarnings(env)) output.warn(warning);

  // Listen from here on, so that a signal during the start ends it gracefully as well.
  const stopRequested = stopSignal();
  const { start } = await import("./start.js");
  const running = await start(options, output, environment.onLoaded);

  const signal = await stopRequested;
  output.event("stopping", { signal }, `stopping (${signal})`);
  await running.stop();
  output.event("stopped", {}, "stopped");
  return 0;
}

/** Prints why the CLI ends. @returns the exit code */
export function reportFailure(error: unknown, argv: readonly string[], { env, streams }: LaunchEnvironment): number {
  const exitCode = error instanceof LaunchError ? error.exitCode : 1;
  const style = { json: isSwitchOn("json", argv, env), verbose: isSwitchOn("verbose", argv, env) };
  printFailure(error, exitCode, style, streams.stderr);
  return exitCode;
}
