// Programs of the tests' own that run in a process of their own.
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Where the runner has compiled everything (test/runner/compiled.mjs); a file that is run by itself has no runner. */
const COMPILED = process.env["TEST_COMPILED"];
const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** What a program written in TypeScript is started with: options for Node, and the file. */
export function programOf(url: URL): { readonly execArgv: string[]; readonly file: string } {
  const file = fileURLToPath(url);
  if (COMPILED === undefined) return { execArgv: ["--import", "tsx"], file };
  return { execArgv: [], file: path.join(COMPILED, path.relative(ROOT, file).replace(/\.ts$/, ".js")) };
}
