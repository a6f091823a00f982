import { stat } from "node:fs/promises";
import { firstItem } from "../../storage/restore.js";
import type { Storage } from "../../storage/storage.js";
import { type Control, findServer } from "../control-file.js";
import { quoted } from "../data-folder.js";
import { encryptionWith } from "../encryption-key.js";
import { LaunchError } from "../launch-error.js";
import { openDatabase } from "../open-database.js";
import { openFolder } from "../open-folder.js";
import { databaseUrlOf } from "../options.js";
import type { DatabasePlace, FolderPlace, Place } from "./place.js";

/** What a tool works on: a running server, a folder that nobody has open, or a database. */
export type Target =
  | { readonly kind: "server"; readonly control: Control }
  | { readonly kind: "storage"; readonly storage: Storage };

/**
 * Finds the server of a folder, or opens the folder. A database is opened itself, whoever else uses it.
 *
 * @throws LaunchError when there is no such folder; ActivityError of a storage that cannot be opened
 */
export async function findTarget(place: Place): Promise<Target> {
  return place.kind === "folder" ? findInFolder(place) : { kind: "storage", storage: await openPlace(place) };
}

/** Opens a namespace of a database. @throws ActivityError; LaunchError */
export async function openPlace({ url, namespace }: DatabasePlace): Promise<Storage> {
  return openDatabase(databaseUrlOf(url), { namespace });
}

/** @throws LaunchError for a namespace that holds nothing: a mistyped name would else look like lost data */
export async function refuseEmpty(place: Place, target: Target): Promise<void> {
  if (place.kind === "folder" || target.kind === "server" || (await firstItem(target.storage)) !== undefined) return;
  throw new LaunchError(`the namespace ${quoted(place.namespace)} is empty; --namespace names another one`);
}

async function findInFolder({ path: folder, key }: FolderPlace): Promise<Target> {
  // An opening would make it.
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined) throw new LaunchError(`there is no data folder ${quoted(folder)}`);
  if (!found.isDirectory()) throw new LaunchError(`${quoted(folder)} is no folder`);
  const control = await findServer(folder);
  if (control !== undefined) return { kind: "server", control };
  return { kind: "storage", storage: await openFolder(folder, await encryptionWith(key)) };
}
