import type Fs from "node:fs";
import type Path from "node:path";

export interface NodeParts {
  readonly fs: typeof Fs;
  readonly path: typeof Path;
}

/**
 * Finds Node's modules without an import, which would break bundlers for browsers. Deno and Bun have them as well.
 *
 * @throws TypeError if there are none
 */
export function nodeParts(purpose: string): NodeParts {
  const load = globalThis.process?.getBuiltinModule;
  if (load === undefined) throw new TypeError(`${purpose} needs Node, Deno or Bun`);
  return { fs: load("node:fs"), path: load("node:path") };
}
