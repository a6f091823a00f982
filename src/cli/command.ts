import type { Settings } from "./arguments.js";
import { COMMAND_OPTIONS, type CommandName, type CommandOptions } from "./command-options.js";
import { FLAGS, type Flag } from "./flags.js";
import type { Streams } from "./output.js";
import type { Actions } from "./tools/actions.js";
import { flagsOf, readOptions } from "./tools/options.js";
import { createReport, type Report } from "./tools/report.js";

/** Something that the launcher does instead of starting a server. */
export interface Command {
  readonly name: string;
  /** What follows the name of the program. */
  readonly usage: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** For its own help, in lines. */
  readonly about: readonly string[];
  readonly flags: readonly Flag[];
  /** Loads it and runs it. @returns the exit code @throws LaunchError with exit code 2 for a malformed value */
  run(settings: Settings, streams: Streams): Promise<number>;
}

/** A command before its options are known: the flags are those that it shares with others. */
interface Definition<Name extends CommandName> extends Omit<Command, "run"> {
  readonly name: Name;
  load(): Promise<Actions<CommandOptions<Name>> | ((options: CommandOptions<Name>, report: Report) => Promise<number>)>;
}

/** Makes a command, which gets its own options, typed. */
export function define<Name extends CommandName>({ load, ...described }: Definition<Name>): Command {
  const options = COMMAND_OPTIONS[described.name];
  return {
    ...described,
    flags: [...flagsOf(options), ...described.flags],
    async run(settings, streams) {
      const given = readOptions(options, settings, { usage: described.usage, streams });
      const tool = await load();
      if (typeof tool !== "function") return (await import("./tools/actions.js")).runNamed(given, tool);
      const report = createReport({ ...given, stdoutTaken: "to" in given && given.to === "-" });
      return tool(given, report).finally(report.end);
    },
  };
}

/** Flags of the launcher that mean the same for a command. */
export function known(...names: readonly string[]): Flag[] {
  return names.flatMap((name) => FLAGS.filter((flag) => flag.name === name));
}

const COMMON: readonly Flag[] = known("data", "testing", "verbose", "json", "help");
/** Of commands that open a data folder. */
export const KEY: readonly Flag[] = known("encryption-key-file", "encryption-key");
/** Of commands for every storage that keeps something. */
export const PLACE: readonly Flag[] = [...known("storage", "database-url", "namespace"), ...KEY, ...COMMON];
/** Of commands that need a data folder: a variable for all commands may say that there is none. */
export const FOLDER: readonly Flag[] = [
  ...known("storage").map((flag) => ({ ...flag, help: "leveldb: it works on a data folder alone" })),
  ...COMMON,
];
