import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { xdgFolder } from "../xdg-folder.js";

/** A database of ActivityWatch. */
export interface FoundDatabase {
  readonly file: string;
  readonly isTesting: boolean;
  /** Bytes, including its log. */
  readonly size: number;
  /** Time of the last write, in Unix milliseconds. */
  readonly written: number;
}

/** Where programs keep their files. */
export interface ProgramPlaces {
  /** @default the platform of this process */
  readonly platform?: NodeJS.Platform;
  /** @default the environment of this process */
  readonly env?: NodeJS.ProcessEnv;
  /** @default the home folder of the user */
  readonly home?: string;
}

/** Folders for the data and the settings of programs. */
function programRoots({ platform = process.platform, env = process.env, home = homedir() }: ProgramPlaces) {
  if (platform === "win32") {
    const local = env["LOCALAPPDATA"] || join(home, "AppData", "Local");
    const roaming = env["APPDATA"] || join(home, "AppData", "Roaming");
    return { data: [local, roaming], settings: [local, roaming] };
  }
  if (platform === "darwin") {
    const support = join(home, "Library", "Application Support");
    return { data: [support], settings: [support, join(home, "Library", "Preferences")] };
  }
  return {
    data: [xdgFolder(env, "XDG_DATA_HOME", join(home, ".local", "share"))],
    settings: [xdgFolder(env, "XDG_CONFIG_HOME", join(home, ".config"))],
  };
}

/** `activitywatch`, and its profiles such as `activitywatch-testing`. */
const PROGRAM_FOLDER = /^activitywatch(-[\w.-]+)?$/;
const DATABASES: Readonly<Record<string, RegExp>> = {
  "aw-server": /^((?:peewee-)?sqlite(-testing)?)\.v(\d+)\.db$/,
  "aw-server-rust": /^(sqlite(-testing)?)()\.db$/,
};

/** Finds the databases of aw-server and aw-server-rust in their folders on each platform. */
export async function findDatabases(places: ProgramPlaces = {}): Promise<FoundDatabase[]> {
  const found: FoundDatabase[] = [];
  for (const root of new Set(programRoots(places).data)) {
    for (const program of await findProgramFolders(root)) {
      const isTesting = basename(program) === "activitywatch-testing";
      // On Windows, the parent folder is a vendor of the same name.
      for (const folder of [program, join(program, "activitywatch"), join(program, basename(program))]) {
        for (const server of Object.keys(DATABASES))
          found.push(...(await findServerDatabases(folder, server, isTesting)));
      }
    }
  }
  return found.filter(({ file }, index) => found.findIndex((other) => other.file === file) === index);
}

/** Finds the databases in a chosen folder: a server's folder or its parent. */
export async function findDatabasesIn(folder: string): Promise<FoundDatabase[]> {
  const own = await findServerDatabases(dirname(folder), basename(folder), false);
  const below = await Promise.all(Object.keys(DATABASES).map((server) => findServerDatabases(folder, server, false)));
  return [...own, ...below.flat()];
}

async function findProgramFolders(root: string): Promise<string[]> {
  const names = await readdir(root).catch(() => []);
  return names.filter((name) => PROGRAM_FOLDER.test(name)).map((name) => join(root, name));
}

/** Finds the newest version of each kind: servers keep older databases after they migrate them. */
async function findServerDatabases(folder: string, server: string, isTesting: boolean): Promise<FoundDatabase[]> {
  const pattern = DATABASES[server];
  if (pattern === undefined) return [];
  const newest = new Map<string, { file: string; version: number; testing: boolean }>();
  for (const name of await readdir(join(folder, server)).catch(() => [])) {
    const [, kind, testing, version = ""] = pattern.exec(name) ?? [];
    if (kind === undefined) continue;
    const candidate = { file: join(folder, server, name), version: Number(version), testing: testing !== undefined };
    if ((newest.get(kind)?.version ?? -1) < candidate.version) newest.set(kind, candidate);
  }
  const found = await Promise.all(
    [...newest.values()].map(async ({ file, testing }) => {
      const [state, log] = await Promise.all([file, `${file}-wal`].map((name) => stat(name).catch(() => undefined)));
      if (!state?.isFile()) return undefined;
      const written = Math.max(state.mtimeMs, log?.mtimeMs ?? 0);
      return { file, isTesting: isTesting || testing, size: state.size + (log?.size ?? 0), written };
    }),
  );
  return found.filter((database) => database !== undefined);
}

/** Finds the file with the settings of an aw-server database. */
export async function findSettingsFile(database: string, places: ProgramPlaces = {}): Promise<string | undefined> {
  const name = basename(database).includes("-testing") ? "settings-testing.json" : "settings.json";
  const folder = dirname(database);
  const { data, settings } = programRoots(places);
  const root = data.find((candidate) => folder.startsWith(candidate));
  const below = root === undefined ? undefined : folder.slice(root.length + 1);
  const folders = [folder, ...(below === undefined ? [] : settings.map((candidate) => join(candidate, below)))];
  for (const candidate of folders) {
    const file = join(candidate, name);
    if ((await stat(file).catch(() => undefined))?.isFile()) return file;
  }
  return undefined;
}
