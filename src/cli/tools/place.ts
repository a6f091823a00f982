import { type Setting, type Settings, stringSetting } from "../arguments.js";
import { defaultDataFolder, quotePath } from "../data-folder.js";
import { type KeySource, parseKeySource } from "../encryption-key.js";
import { LaunchError, usageError } from "../launch-error.js";
import { parseChoice, parseNamespace, parsePath, STORAGE_KINDS } from "../options.js";

export interface FolderPlace {
  readonly kind: "folder";
  /** Absolute. */
  readonly path: string;
  /** The source of its encryption key; `undefined` for none. */
  readonly key: KeySource | undefined;
}

export interface DatabasePlace {
  readonly kind: "database";
  /** Unchecked. May contain a password: never shown. */
  readonly url: Setting<string> | undefined;
  readonly namespace: string;
}

export type Place = FolderPlace | DatabasePlace;

/** @throws LaunchError for memory storage, and for flags that select two locations */
export function parsePlace(settings: Settings): Place {
  const given = (name: string) => stringSetting(settings, name);
  const storage = parseChoice(given("storage"), STORAGE_KINDS) ?? "leveldb";
  if (storage === "memory")
    throw new LaunchError("commands cannot use memory storage; use --storage leveldb or postgres");
  // Variables may be set for other commands, so only a flag is an error.
  const refuse = (name: string, where: string): void => {
    if (given(name)?.source === `--${name}`)
      throw usageError(`--${name} cannot be used with ${where}; leave one of them out`);
  };
  if (storage === "leveldb") {
    refuse("namespace", "a data folder (--storage leveldb)");
    const path = parsePath(given("data")) ?? defaultDataFolder({ testing: settings.get("testing")?.value === true });
    return { kind: "folder", path, key: parseKeySource(settings, parsePath) };
  }
  refuse("data", "a database (--storage postgres)");
  return { kind: "database", url: given("database-url"), namespace: parseNamespace(given("namespace")) };
}

/** The data folder. @throws LaunchError for a database, with the reason */
export function requireFolder(place: Place, reason: string): FolderPlace {
  if (place.kind === "folder") return place;
  throw new LaunchError(`--storage postgres: ${reason}`);
}

export function placeFields(place: Place): Readonly<Record<string, string>> {
  return place.kind === "folder" ? { data: place.path } : { namespace: place.namespace };
}

export function describePlace(place: Place): string {
  return place.kind === "folder" ? place.path : `namespace ${quotePath(place.namespace)}`;
}
