import { hasCode, isModuleMissing } from "../errors.js";
import { LaunchError } from "./launch-error.js";

/** What only the launcher and the default storage need; the package lists them as optional. */
const LAUNCHER_PACKAGES = "listhen classic-level node-forge node-sqlite3-wasm";

/**
 * Loads a module that may not be installed.
 *
 * @throws LaunchError that says what to install
 */
export async function loadOptional<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    throw missingPackage(error) ?? error;
  }
}

/**
 * Advice for a module that is not there or cannot be required, wherever it stands in a chain of causes; nothing for
 * anything else.
 */
export function missingPackage(error: unknown): LaunchError | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    // listhen stands on ES modules.
    if (hasCode(at, "ERR_REQUIRE_ESM"))
      return new LaunchError("this Node cannot load a package; use 20.19 or later of 20, or 22.12 or later");
    if (!isModuleMissing(at)) continue;
    const name = /Cannot find (?:package|module) '([^']+)'/.exec(at.message)?.[1] ?? "a package";
    // A path instead of a name means that our own files are incomplete, which no install of these would mend.
    if (/^(?:[./\\]|[A-Za-z]:|file:)/.test(name)) continue;
    // The driver of a database is the embedder's choice.
    const wanted = name === "pg" ? name : LAUNCHER_PACKAGES;
    return new LaunchError(`'${name}' is not installed; run: npm install ${wanted}`);
  }
  return undefined;
}
