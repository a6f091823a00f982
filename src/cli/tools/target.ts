import { stat } from "node:fs/promises";
import type { Storage } from "../../storage/storage.js";
import { type Control, findServer } from "../control-file.js";
import { quoted } from "../data-folder.js";
import { LaunchError } from "../launch-error.js";
import { openFolder } from "../open-folder.js";

/** What a tool works on: a running server, or a folder that nobody has open. */
export type Target =
  | { readonly kind: "server"; readonly control: Control }
  | { readonly kind: "storage"; readonly storage: Storage };

/**
 * Finds the server of a folder, or opens the folder.
 *
 * @throws LaunchError when there is no such folder; ActivityError of a storage that cannot be opened
 */
export async function findTarget(folder: string): Promise<Target> {
  // An opening would make it.
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined) throw new LaunchError(`there is no data folder ${quoted(folder)}`);
  if (!found.isDirectory()) throw new LaunchError(`${quoted(folder)} is no folder`);
  const control = await findServer(folder);
  return control === undefined ? { kind: "storage", storage: await openFolder(folder) } : { kind: "server", control };
}
