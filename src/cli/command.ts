import { FLAGS, type Flag } from "./flags.js";
import type { ToolOptions } from "./tools/options.js";

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
  /** Loads it. @returns what carries it out, and resolves with the exit code */
  load(): Promise<(options: ToolOptions) => Promise<number>>;
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

export function to(hint: string, help: string): Flag {
  return { name: "to", kind: "text", hint, help, commandLineOnly: true };
}

export function operand(name: string, hint: string, help: string): Flag {
  return { name, kind: "text", hint, help, commandLineOnly: true, isOperand: true };
}

export function scope(help: string): Flag {
  return { name: "scope", kind: "text", hint: "SCOPE", help, joinedBy: "\n", commandLineOnly: true };
}

export function choice(name: string, help: string): Flag {
  return { name, kind: "switch", help, byDefault: "off", commandLineOnly: true };
}

export const NEW_KEY: Flag = {
  name: "new-key-file",
  kind: "text",
  hint: "FILE",
  help: "file with the key that is to open it",
  commandLineOnly: true,
};
