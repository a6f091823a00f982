import { parseArgs } from "citty";
import { closest } from "./closest.js";
import { ENVIRONMENT_PREFIX, environmentName, FLAGS, type Flag } from "./flags.js";
import { type LaunchError, printable, usageError } from "./launch-error.js";

/** A value, and the name of its flag or variable for messages. */
export interface Setting<Value extends string | boolean = string | boolean> {
  readonly value: Value;
  readonly source: string;
}

/** The given values, by name of the flag. */
export type Settings = ReadonlyMap<string, Setting>;

/** The string of a flag. */
export function stringSetting(settings: Settings, name: string): Setting<string> | undefined {
  const setting = settings.get(name);
  return typeof setting?.value === "string" ? { ...setting, value: setting.value } : undefined;
}

/** Whether the command line asks for help, whatever else it contains. */
export function isRequested(flagName: "help" | "version", argv: readonly string[]): boolean {
  const flag = FLAGS.find((candidate) => candidate.name === flagName);
  const words = beforeSeparator(argv);
  return words.includes(`--${flagName}`) || (flag?.short !== undefined && words.includes(`-${flag.short}`));
}

/** The words that can be flags. */
function beforeSeparator(argv: readonly string[]): readonly string[] {
  const separator = argv.indexOf("--");
  return separator === -1 ? argv : argv.slice(0, separator);
}

/** Merges command line and environment; the command line wins. @param flags the accepted flags */
export function readSettings(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  flags: readonly Flag[] = FLAGS,
): Settings {
  return new Map([...readEnvironment(env, flags), ...parseArguments(argv, flags)]);
}

/** Whether `--json` or `--verbose` is set. Read before the checks, so that it applies to their errors as well. */
export function isSwitchOn(flagName: "json" | "verbose", argv: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const words = [`--${flagName}`, `--no-${flagName}`];
  const last = beforeSeparator(argv).findLast((word) => words.includes(word.split("=")[0] as string));
  if (last !== undefined) return last === words[0] || /=(1|true)$/i.test(last);
  return /^(1|true)$/i.test(env[ENVIRONMENT_PREFIX + flagName.toUpperCase()] ?? "");
}

/** Warns of unknown variables with our prefix: a mistyped protection would silently be missing. */
export function unknownVariableWarnings(env: NodeJS.ProcessEnv): string[] {
  const known = FLAGS.filter((flag) => !flag.commandLineOnly).map(environmentName);
  const unknown = Object.keys(env).filter((name) => name.startsWith(ENVIRONMENT_PREFIX) && !known.includes(name));
  return unknown.map((name) => {
    const meant = closest(name, known) ?? known.find((candidate) => candidate.startsWith(name));
    return `the environment variable ${printable(name)} is unknown${meant ? `; did you mean ${meant}?` : ""}`;
  });
}

function readEnvironment(env: NodeJS.ProcessEnv, flags: readonly Flag[]): Map<string, Setting> {
  const settings = new Map<string, Setting>();
  for (const flag of flags) {
    const source = environmentName(flag);
    const text = env[source]?.trim() ?? "";
    // Shells and unit files use an empty variable for "not set".
    if (flag.commandLineOnly || text === "") continue;
    settings.set(flag.name, {
      source,
      value: flag.kind === "switch" ? parseSwitch(text, source) : text,
    });
  }
  return settings;
}

function parseArguments(argv: readonly string[], flags: readonly Flag[]): Map<string, Setting> {
  const words = normalizeArguments(argv, flags);
  const definitions = Object.fromEntries(
    flags.map((flag) => [flag.name, { type: flag.kind === "switch" ? "boolean" : "string" } as const]),
  );
  const parsed: Record<string, unknown> = parseArgs(words, definitions);
  const settings = new Map<string, Setting>();
  for (const { name } of flags) {
    const value = parsed[name];
    if (typeof value === "string" || typeof value === "boolean") settings.set(name, { value, source: `--${name}` });
  }
  return settings;
}

/**
 * Rewrites the command's words so that citty, which is lenient, has nothing to guess: each flag known, each value
 * attached by `=`, switches bare, repeated values joined.
 *
 * @throws LaunchError for the first unknown word
 */
function normalizeArguments(argv: readonly string[], flags: readonly Flag[]): string[] {
  const given = new Map<string, string>();
  let takesFlags = true;
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] as string;
    if (takesFlags && word === "--") {
      takesFlags = false;
      continue;
    }
    const operand = flags.find((flag) => flag.isOperand && !given.has(flag.name));
    if (operand !== undefined && !(takesFlags && word.startsWith("-")) && word !== "") {
      given.set(operand.name, `--${operand.name}=${word}`);
      continue;
    }
    if (!takesFlags) throw unexpectedArgument(word);
    const { flag, name, negated, inline } = splitWord(word, flags);
    if (flag.kind === "switch") {
      const on = inline === undefined ? true : parseSwitch(inline, name);
      given.set(flag.name, on === negated ? `--no-${flag.name}` : `--${flag.name}`);
      continue;
    }
    if (negated) throw usageError(`${printable(word)}: only switches can be negated`);
    const value = inline ?? argv[++index];
    if (value === undefined || value === "" || (inline === undefined && /^--?[a-z]/i.test(value))) {
      throw usageError(`${name} needs a value, e.g. ${name} ${flag.hint}`);
    }
    const before = flag.joinedBy === undefined ? undefined : given.get(flag.name);
    given.set(flag.name, before === undefined ? `${name}=${value}` : `${before}${flag.joinedBy}${value}`);
  }
  return [...given.values()];
}

function unexpectedArgument(word: string): LaunchError {
  return usageError(`unexpected argument '${printable(word)}'; use flags, see --help`);
}

function splitWord(
  word: string,
  flags: readonly Flag[],
): {
  flag: Flag;
  name: string;
  negated: boolean;
  inline: string | undefined;
} {
  const short = flags.find((flag) => flag.short !== undefined && word === `-${flag.short}`);
  if (short !== undefined) return { flag: short, name: word, negated: false, inline: undefined };

  if (!/^-./.test(word)) throw unexpectedArgument(word);
  const [, name = word, inline] = /^([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  const exact = flags.find((flag) => name === `--${flag.name}`);
  if (exact?.environmentOnly) {
    throw usageError(`${name} would be visible in process lists; set ${environmentName(exact)} instead`);
  }
  if (exact !== undefined) return { flag: exact, name, negated: false, inline };
  const negated = flags.find((flag) => name === `--no-${flag.name}`);
  if (negated !== undefined) return { flag: negated, name, negated: true, inline };

  const meant = closest(
    name.replace(/^-+/, ""),
    flags.map((flag) => flag.name),
  );
  const advice = meant === undefined ? "see --help" : `did you mean --${meant}?`;
  throw usageError(`unknown flag ${printable(name)}; ${advice}`);
}

function parseSwitch(text: string, source: string): boolean {
  if (/^(1|true)$/i.test(text)) return true;
  if (/^(0|false)$/i.test(text)) return false;
  throw usageError(`${source} must be 1, true, 0 or false, got '${printable(text)}'`);
}
