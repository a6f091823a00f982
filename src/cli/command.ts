import type { Settings } from "./arguments.js";
import { COMMAND_OPTIONS, type CommandName, type CommandOptions } from "./command-options.js";
import { FLAGS, type Flag } from "./flags.js";
import type { Streams } from "./output.js";
import type { Actions } from "./tools/actions.js";
import { readOptions, toFlags } from "./tools/options.js";
import { createReport, type Report } from "./tools/report.js";

/** A task that runs instead of a server. */
export interface Command {
  readonly name: string;
  /** The words after the program's name. */
  readonly usage: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** Lines of its help text. */
  readonly description: readonly string[];
  readonly flags: readonly Flag[];
  /** Loads it and runs it. @returns the exit code @throws LaunchError with exit code 2 for a malformed value */
  run(settings: Settings, streams: Streams): Promise<number>;
}

/** A command without its own options. `flags` are the shared ones. */
interface Definition<Name extends CommandName> extends Omit<Command, "run"> {
  readonly name: Name;
  load(): Promise<Actions<CommandOptions<Name>> | ((options: CommandOptions<Name>, report: Report) => Promise<number>)>;
}

/** Creates a command with its own typed options. */
export function defineCommand<Name extends CommandName>({ load, ...described }: Definition<Name>): Command {
  const options = COMMAND_OPTIONS[described.name];
  return {
    ...described,
    flags: [...toFlags(options), ...described.flags],
    async run(settings, streams) {
      const given = readOptions(options, settings, { usage: described.usage, streams });
      const tool = await load();
      if (typeof tool !== "function") return (await import("./tools/actions.js")).runAction(given, tool);
      const report = createReport({ ...given, stdoutHasData: "to" in given && given.to === "-" });
      return tool(given, report).finally(report.end);
    },
  };
}

/** Flags of the server with the same meaning for a command. */
export function serverFlags(...names: readonly string[]): Flag[] {
  return names.flatMap((name) => FLAGS.filter((flag) => flag.name === name));
}

/** Flags of the server with another help text for commands. */
function serverFlagsWithHelp(name: string, help: string): Flag[] {
  return serverFlags(name).map((flag) => ({ ...flag, help }));
}

/** Flags of commands that use no stored data. */
export const OUTPUT_FLAGS: readonly Flag[] = [
  ...serverFlagsWithHelp("verbose", "show stack traces"),
  ...serverFlags("json", "help"),
];
const COMMON_FLAGS: readonly Flag[] = [
  ...serverFlagsWithHelp("data", "use this data folder"),
  ...serverFlags("testing"),
  ...OUTPUT_FLAGS,
];
/** Flags of commands that open a data folder. */
export const KEY_FLAGS: readonly Flag[] = [
  ...serverFlagsWithHelp("encryption-key-file", "open the data folder with the key in this file"),
  ...serverFlagsWithHelp("encryption-key", "open the data folder with this key"),
];
/** Flags of commands for data folders and databases. */
export const STORAGE_FLAGS: readonly Flag[] = [
  ...serverFlagsWithHelp("storage", "use the data in leveldb or postgres"),
  ...serverFlags("database-url", "namespace"),
  ...KEY_FLAGS,
  ...COMMON_FLAGS,
];
/** Flags of commands that need a data folder. A variable for all commands may select another storage. */
export const FOLDER_FLAGS: readonly Flag[] = [
  ...serverFlagsWithHelp("storage", "leveldb only: this command needs a data folder"),
  ...COMMON_FLAGS,
];
