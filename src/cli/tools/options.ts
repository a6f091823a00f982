import { type Settings, stringSetting } from "../arguments.js";
import type { Flag } from "../flags.js";
import { usageError } from "../launch-error.js";
import { parseDays, parsePath } from "../options.js";
import type { Streams } from "../output.js";
import { type Place, parsePlace } from "./place.js";

export interface OptionDeclaration extends Pick<Flag, "hint" | "help" | "byDefault" | "isOperand"> {
  readonly type: keyof OptionValues;
}

export type OptionDeclarations = Readonly<Record<string, OptionDeclaration>>;

/** The value that a command receives for each type of option. */
interface OptionValues {
  readonly switch: boolean;
  readonly text: string | undefined;
  /** The values of a repeatable option. */
  readonly list: readonly string[];
  /** Absolute. */
  readonly path: string | undefined;
  /** An absolute path, or `-` for stdout. */
  readonly output: string | undefined;
}

const READERS: { readonly [Type in keyof OptionValues]: (settings: Settings, name: string) => OptionValues[Type] } = {
  switch: (settings, name) => settings.get(name)?.value === true,
  text: (settings, name) => stringSetting(settings, name)?.value,
  list: (settings, name) => stringSetting(settings, name)?.value.split("\n") ?? [],
  path: (settings, name) => parsePath(stringSetting(settings, name)),
  output: (settings, name) => (settings.get(name)?.value === "-" ? "-" : parsePath(stringSetting(settings, name))),
};

export interface CommonOptions {
  /** The words after the program's name, for messages. */
  readonly usage: string;
  readonly place: Place;
  readonly testing: boolean;
  /** How many days deleted data are kept. */
  readonly trashDays: number | undefined;
  readonly json: boolean;
  readonly streams: Streams;
}

type Camel<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name & string;

export type OptionsOf<Declared extends OptionDeclarations> = CommonOptions & {
  readonly [Name in keyof Declared as Camel<Name>]: OptionValues[Declared[Name]["type"]];
};

/** @throws LaunchError with exit code 2 for a malformed value */
export function readOptions<Declared extends OptionDeclarations>(
  declared: Declared,
  settings: Settings,
  context: Pick<CommonOptions, "usage" | "streams">,
): OptionsOf<Declared> {
  const common: CommonOptions = {
    ...context,
    place: parsePlace(settings),
    testing: READERS.switch(settings, "testing"),
    trashDays: parseDays(stringSetting(settings, "trash-days")),
    json: READERS.switch(settings, "json"),
  };
  const own = Object.entries(declared).map(([name, { type }]) => [
    name.replace(/-(\w)/g, (_, first) => first.toUpperCase()),
    READERS[type](settings, name),
  ]);
  return { ...common, ...Object.fromEntries(own) } as OptionsOf<Declared>;
}

export function toFlags(declared: OptionDeclarations): Flag[] {
  return Object.entries(declared).map(([name, { type, ...shown }]) => ({
    name,
    kind: type === "switch" ? "switch" : "text",
    ...(type === "switch" && { byDefault: "off" }),
    ...(type === "list" && { joinedBy: "\n" }),
    commandLineOnly: true,
    ...shown,
  }));
}

/** Returns a required value. @throws LaunchError with exit code 2 if it is missing */
export function requireValue<Value>(value: Value | undefined, { usage }: Pick<CommonOptions, "usage">): Value {
  if (value !== undefined) return value;
  throw usageError(`usage: activity-server ${usage}`);
}
