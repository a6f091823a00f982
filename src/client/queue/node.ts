import type Fs from "node:fs";
import type Path from "node:path";

/** The parts of Node that a queue with a file uses. */
export interface NodeParts {
  readonly fs: typeof Fs;
  readonly path: typeof Path;
}

/**
 * Finds Node's own modules without an import, which bundlers for browsers would stumble over. Deno and Bun have them,
 * too.
 *
 * @throws TypeError where there are none
 */
export function nodeParts(purpose: string): NodeParts {
  const load = globalThis.process?.getBuiltinModule;
  if (load === undefined) throw new TypeError(`${purpose} needs Node, Deno or Bun`);
  return { fs: load("node:fs"), path: load("node:path") };
}
