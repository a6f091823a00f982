#!/usr/bin/env node
import { VERSION } from "../util/version.js";
import { asksFor, readSettings, unknownVariables, wants } from "./arguments.js";
import type { Command } from "./command.js";
import { COMMANDS, commandOf } from "./commands.js";
import { printCommandHelp, printHelp } from "./help.js";
import { LaunchError } from "./launch-error.js";
import { checkOptions } from "./options.js";
import { createOutput, type OutputOptions, printFailure } from "./output.js";
import { onStopSignal, type StopSignal } from "./stop.js";
import { checkToolOptions } from "./tools/options.js";

async function main(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  if (asksFor("help", argv)) {
    // Whoever asks for help may well have mistyped the command.
    const command = COMMANDS.find(({ name }) => name === argv[0]);
    process.stdout.write(`${command === undefined ? printHelp() : printCommandHelp(command)}\n`);
    return;
  }
  if (asksFor("version", argv)) {
    process.stdout.write(`activity-server ${VERSION}\n`);
    return;
  }
  const command = commandOf(argv);
  if (command !== undefined) return runCommand(command, argv.slice(1), env);
  const options = checkOptions(readSettings(argv, env));
  const output = createOutput(options);
  for (const warning of unknownVariables(env)) output.warn(warning);

  // From here on, so that a signal during the start ends it as gracefully as a later one.
  const asked = new Promise<StopSignal>((resolve) => onStopSignal(resolve));
  const { start } = await import("./start.js");
  const running = await start(options, output);

  const signal = await asked;
  output.event("stopping", { signal }, `stopping (${signal})`);
  await running.stop();
  output.event("stopped", {}, "stopped");
  process.exit(0);
}

async function runCommand(command: Command, argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const options = checkToolOptions(readSettings(argv, env, command.flags));
  const carryOut = await command.load();
  const exitCode = await carryOut(options);
  // What was printed may still be on its way into a pipe; nothing else keeps the process.
  process.exitCode = exitCode;
}

function run(): void {
  // Whatever this process makes is for its user only; Windows has no such thing.
  if (process.platform !== "win32") process.umask(0o077);
  const argv = process.argv.slice(2);
  const style: OutputOptions = {
    json: wants("json", argv, process.env),
    verbose: wants("verbose", argv, process.env),
  };
  const fail = (error: unknown) => {
    const exitCode = error instanceof LaunchError ? error.exitCode : 1;
    printFailure(error, exitCode, style);
    process.exit(exitCode);
  };
  // Whoever reads the output may leave (`| head`); that is no reason to fail.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  main(argv, process.env).catch(fail);
}

run();
