import { constants } from "node:fs";
import { access, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPartialPath, removeLeftovers } from "../../../adapters/leveldb/maintenance/partials.js";
import { createView } from "../../../adapters/leveldb/maintenance/read-only-view.js";
import { ActivityError, type ErrorCode, hasCode } from "../../errors.js";
import { firstItem } from "../../storage/backup.js";
import type { Storage } from "../../storage/storage.js";
import { type Control, findServer } from "../control-file.js";
import { quotePath } from "../data-folder.js";
import { readEncryption } from "../encryption-key.js";
import { LaunchError } from "../launch-error.js";
import { openDatabase } from "../open-database.js";
import { openFolder } from "../open-folder.js";
import { parseDatabaseUrl } from "../options.js";
import type { DatabasePlace, FolderPlace, Place } from "./place.js";
import { removeWhenInterrupted } from "./temporary.js";

/** The target of a command: a running server, or the storage of a folder or database. */
export type Target =
  | { readonly kind: "server"; readonly control: Control }
  | { readonly kind: "storage"; readonly storage: Storage };

/**
 * Finds the server of a folder, or opens the folder. Opens a database directly, even if servers use it.
 *
 * @throws LaunchError if the folder does not exist; ActivityError if the storage does not open
 */
export async function findTarget(place: Place): Promise<Target> {
  return place.kind === "folder" ? findInFolder(place) : { kind: "storage", storage: await openDatabasePlace(place) };
}

export interface Readable {
  readonly target: Target;
  close(): Promise<void>;
}

/** Finds a target to read from, which may be a read-only folder such as a snapshot. */
export async function findReadable(place: Place): Promise<Readable> {
  const isReadOnly =
    place.kind === "folder" &&
    (await access(place.path, constants.W_OK).then(undefined, (cause) => hasCode(cause, "EROFS", "EACCES", "EPERM")));
  if (isReadOnly) return openView(place);
  const target = await findTarget(place);
  return { target, close: async () => (target.kind === "storage" ? target.storage.close() : undefined) };
}

async function openView({ path: folder, key }: FolderPlace): Promise<Readable> {
  const view = createPartialPath(join(tmpdir(), "activity-server-view"));
  await removeLeftovers(view);
  const forget = removeWhenInterrupted(view);
  const remove = async (): Promise<void> => {
    await rm(view, { recursive: true, force: true });
    forget();
  };
  try {
    await createView(folder, view);
    const storage = await openFolder(view, await readEncryption(key));
    return { target: { kind: "storage", storage }, close: () => storage.close().finally(remove) };
  } catch (cause) {
    await remove();
    const { code, message } = cause as Partial<ActivityError> & Error;
    if (ActivityError.is(cause))
      throw new ActivityError(code as ErrorCode, message.replaceAll(view, folder), { cause });
    throw cause;
  }
}

/** Opens a namespace of a database. @throws ActivityError; LaunchError */
export async function openDatabasePlace({ url, namespace }: DatabasePlace): Promise<Storage> {
  return openDatabase(parseDatabaseUrl(url), { namespace });
}

/** @throws LaunchError for an empty namespace: with a mistyped name, data would seem lost */
export async function refuseEmpty(place: Place, target: Target): Promise<void> {
  if (place.kind === "folder" || target.kind === "server" || (await firstItem(target.storage)) !== undefined) return;
  throw new LaunchError(`the namespace ${quotePath(place.namespace)} is empty; choose another one with --namespace`);
}

export async function refuseMissing(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined)
    throw new LaunchError(`cannot find the data folder ${quotePath(folder)}; choose another one with --data`);
  if (!found.isDirectory()) throw new LaunchError(`${quotePath(folder)} is not a folder`);
}

export async function refuseServer(folder: string): Promise<void> {
  const server = await findServer(folder);
  if (server === undefined) return;
  throw new LaunchError(`a server (process ${server.pid}) uses ${quotePath(folder)}; stop it first`);
}

async function findInFolder({ path: folder, key }: FolderPlace): Promise<Target> {
  // Opening the folder would create it.
  await refuseMissing(folder);
  const control = await findServer(folder);
  if (control !== undefined) return { kind: "server", control };
  return { kind: "storage", storage: await openFolder(folder, await readEncryption(key)) };
}

/** Finds the server of a folder. @throws LaunchError if no server uses it */
export async function requireServer(folder: string): Promise<Control> {
  const control = await findServer(folder);
  if (control !== undefined) return control;
  throw new LaunchError(
    `no server is running with the data folder ${quotePath(folder)}; choose another one with --data`,
  );
}
