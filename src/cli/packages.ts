import { hasCode, isModuleMissing } from "../errors.js";
import { LaunchError } from "./launch-error.js";

/** Optional packages and their supported versions. */
const VERSIONS: Readonly<Record<string, string>> = {
  "classic-level": "3",
  listhen: "1",
  "node-forge": "1",
  "node-sqlite3-wasm": "0.8",
  pg: "8",
};

/**
 * Loads a module that may not be installed.
 *
 * @throws LaunchError with the install command
 */
export async function loadOptional<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    throw explainMissingPackage(error) ?? error;
  }
}

/**
 * The error for a missing module, or one that cannot be required, anywhere in a chain of causes; `undefined` for other
 * errors.
 */
export function explainMissingPackage(error: unknown): LaunchError | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    // listhen needs ES modules.
    if (hasCode(at, "ERR_REQUIRE_ESM"))
      return new LaunchError(
        "this Node version cannot load a package; use Node 20.19 or later in version 20, or Node 22.12 or later",
      );
    if (!isModuleMissing(at)) continue;
    const name = /Cannot find (?:package|module) '([^']+)'/.exec(at.message)?.[1] ?? "a package";
    // A path instead of a name means that our own files are incomplete. Installing a package does not repair that.
    if (/^(?:[./\\]|[A-Za-z]:|file:)/.test(name)) continue;
    const version = VERSIONS[name];
    return new LaunchError(
      `'${name}' is not installed; run: npm install ${version === undefined ? name : `${name}@${version}`}`,
    );
  }
  return undefined;
}
