import { type Setting, type Settings, stringSetting } from "../arguments.js";
import { defaultDataFolder, quotePath } from "../data-folder.js";
import { type KeySource, parseKeySource } from "../encryption-key.js";
import { LaunchError, usageError } from "../launch-error.js";
import { parseChoice, parseNamespace, parsePath, STORAGE_KINDS } from "../options.js";

/** A data folder. */
export interface FolderPlace {
  readonly kind: "folder";
  /** Absolute. */
  readonly path: string;
  /** The key that it is encrypted with; `undefined` = none. */
  readonly key: KeySource | undefined;
}

/** A namespace of a database. */
export interface DatabasePlace {
  readonly kind: "database";
  /** As it was given; checked when it is needed. May hold a password: never shown. */
  readonly url: Setting<string> | undefined;
  readonly namespace: string;
}

/** Whose data a tool works on. */
export type Place = FolderPlace | DatabasePlace;

/** @throws LaunchError where nothing is kept, and where flags name two places */
export function parsePlace(settings: Settings): Place {
  const given = (name: string) => stringSetting(settings, name);
  const storage = parseChoice(given("storage"), STORAGE_KINDS) ?? "leveldb";
  if (storage === "memory")
    throw new LaunchError("commands cannot use memory storage; use --storage leveldb or postgres");
  // Variables are often set for good; a flag is meant now.
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
  return {
    kind: "database",
    url: given("database-url"),
    namespace: parseNamespace(given("namespace")),
  };
}

/** The folder of a tool that works on nothing else. @throws LaunchError for a database, with the reason */
export function requireFolderPath(place: Place, reason: string): string {
  return requireFolder(place, reason).path;
}

/** The same with its key. */
export function requireFolder(place: Place, reason: string): FolderPlace {
  if (place.kind === "folder") return place;
  throw new LaunchError(`--storage postgres: ${reason}`);
}

/** For reports. */
export function placeFields(place: Place): Readonly<Record<string, string>> {
  return place.kind === "folder" ? { data: place.path } : { namespace: place.namespace };
}

/** For messages. */
export function describePlace(place: Place): string {
  return place.kind === "folder" ? place.path : `namespace ${quotePath(place.namespace)}`;
}
