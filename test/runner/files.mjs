// Test files, and what they say about themselves in lines of their own:
//
//   // time limit: 900 s      it needs more time than others
//   // long: 1500 s           it has more to try in the long tests, which takes so much time at most
//   // own process: REASON    it cannot share a process with other files
import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./places.mjs";

/** Many times what a file takes on a quiet machine: others may be busy. */
const DEFAULT_LIMIT_SECONDS = 600;
const LIMIT_LINE = /^\/\/ time limit: (\d+) s$/m;
const LONG_LINE = /^\/\/ long: (\d+) s$/m;
const OWN_PROCESS_LINE = /^\/\/ own process: \S/m;
const ONLY = /\.only\s*\(/;
const IMPORT = /(?:from|import|import\()\s*"(\.[^"]+)"/g;
/** How tests get at what the build makes: its files, the package, the pages in a browser. */
const BUILT = /(?:["`]|\.\/)dist\/|"pack"|"activity-server": ROOT|startChromium/;
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*).*$/gm;

/**
 * The test files of a folder.
 *
 * @param isLong only those that have more to try when there is time, to try it
 * @param withLong all, those in their long form
 */
export function findFiles(folder, { isLong, withLong }) {
  return fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".test.ts") && !name.startsWith(`conformance${path.sep}`))
    .sort()
    .map((name) => describe(path.join(folder, name), isLong || withLong))
    .filter(({ hasLong }) => hasLong || !isLong);
}

function describe(file, hasTime) {
  const source = fs.readFileSync(file, "utf8");
  const onlyAt = source.split("\n").findIndex((line) => ONLY.test(line));
  const hasLong = LONG_LINE.test(source);
  const isLong = hasTime && hasLong;
  return {
    name: path.relative(ROOT, file).replaceAll(path.sep, "/"),
    file,
    isLong,
    hasLong,
    limitSeconds: Number((isLong ? LONG_LINE : LIMIT_LINE).exec(source)?.[1] ?? DEFAULT_LIMIT_SECONDS),
    isAlone: isLong || OWN_PROCESS_LINE.test(source),
    onlyAt: onlyAt < 0 ? undefined : onlyAt + 1,
  };
}

/** Whether a test file, or one of the tests' own files that it imports, uses what the build makes. */
export function needsBuild(file, seen = new Set()) {
  if (seen.has(file) || !fs.existsSync(file)) return false;
  seen.add(file);
  const source = fs.readFileSync(file, "utf8");
  if (BUILT.test(source.replaceAll(COMMENT_LINE, ""))) return true;
  return [...source.matchAll(IMPORT)]
    .map(([, specifier]) => path.resolve(path.dirname(file), specifier.replace(/\.js$/, ".ts")))
    .filter((imported) => imported.startsWith(path.join(ROOT, "test") + path.sep))
    .some((imported) => needsBuild(imported, seen));
}
