// What the tests reach of the sources (`--coverage`). Node notes for each process that runs test files what ran in it,
// c8 makes lines and branches of the sources of that, and each folder is held against its threshold in coverage.json.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./places.mjs";

const THRESHOLDS = path.join(ROOT, "test/coverage.json");
const KINDS = ["lines", "branches"];
/** Runs in the browser, where none of this is noted. */
const ELSEWHERE = "src/web/";

/** @returns the folder into which processes with `env` write */
export function beginCoverage() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "activity-coverage-"));
  process.once("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The environment of a process whose coverage is noted; processes that it starts do not inherit it: batch.mjs. */
export function coverageEnv(folder) {
  return folder === undefined ? {} : { NODE_V8_COVERAGE: folder };
}

/** What Node has noted of compiled files stands for their sources then, which their source maps lead to. */
function nameSources(folder, compiled) {
  const prefix = `${pathToFileURL(compiled.tree).href}/`;
  const sourceOf = (url) => pathToFileURL(compiled.sourceOf(url.slice(prefix.length))).href;
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    const { result, "source-map-cache": maps = {}, ...rest } = JSON.parse(fs.readFileSync(file, "utf8"));
    const isOurs = ({ url }) => url.startsWith(prefix) && /^(src|adapters)\//.test(url.slice(prefix.length));
    const noted = {
      ...rest,
      result: result.filter(isOurs).map((script) => ({ ...script, url: sourceOf(script.url) })),
      "source-map-cache": Object.fromEntries(
        Object.entries(maps)
          .filter(([url]) => isOurs({ url }))
          .map(([url, map]) => [sourceOf(url), map]),
      ),
    };
    fs.writeFileSync(file, JSON.stringify(noted));
  }
}

/** Folders as they are judged: those in `src`, and in `adapters`; a file beside them belongs to what it stands in. */
function folderOf(file) {
  const parts = file.split("/");
  return parts.slice(0, Math.min(2, parts.length - 1)).join("/");
}

/** Covered and all lines and branches, by folder. */
function sumUp(map) {
  const sums = new Map();
  for (const file of map.files()) {
    const name = path.relative(ROOT, file).replaceAll(path.sep, "/");
    if (!/^(src|adapters)\//.test(name) || name.startsWith(ELSEWHERE)) continue;
    const summary = map.fileCoverageFor(file).toSummary();
    const folder = folderOf(name);
    const sum = sums.get(folder) ?? Object.fromEntries(KINDS.map((kind) => [kind, { covered: 0, total: 0 }]));
    for (const kind of KINDS) {
      sum[kind].covered += summary[kind].covered;
      sum[kind].total += summary[kind].total;
    }
    sums.set(folder, sum);
  }
  return new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** In percent, with one digit, never rounded up. */
function percent({ covered, total }) {
  return total === 0 ? 100 : Math.floor((1000 * covered) / total) / 10;
}

/** What is below its threshold, or has none; and thresholds of folders in which nothing ran. */
export function shortfalls(sums, thresholds) {
  const found = [];
  for (const [folder, sum] of sums) {
    const wanted = thresholds[folder];
    if (wanted === undefined) found.push(`${folder} has no threshold in test/coverage.json`);
    for (const kind of wanted === undefined ? [] : KINDS) {
      const reached = percent(sum[kind]);
      if (reached < wanted[kind]) {
        found.push(`${folder}: tests reach ${reached} % of its ${kind}, the threshold is ${wanted[kind]} %`);
      }
    }
  }
  for (const folder of Object.keys(thresholds)) if (!sums.has(folder)) found.push(`${folder}: nothing of it ran`);
  return found;
}

function tableOf(sums) {
  const rows = [...sums].map(([folder, sum]) => {
    const cells = KINDS.map((kind) => `${percent(sum[kind]).toFixed(1)} %`.padStart(10));
    return `${folder.padEnd(20)}${cells.join("")}`;
  });
  return [`${"".padEnd(20)}${KINDS.map((kind) => kind.padStart(10)).join("")}`, ...rows].join("\n");
}

/**
 * Prints what was reached, and writes the lines that were not to `coverage/index.html`.
 *
 * @param isJudged whether all tests ran, so that thresholds have to be met
 * @param compiled of compiled.mjs, if that was played
 * @returns the result of a check
 */
export async function judgeCoverage(folder, isJudged, compiled) {
  const started = Date.now();
  if (compiled) nameSources(folder, compiled);
  const { Report } = await import("c8");
  const report = new Report({
    include: ["src/**", "adapters/**"],
    exclude: [`${ELSEWHERE}**`],
    extension: [".ts"],
    reporter: ["html"],
    reportsDirectory: path.join(ROOT, "coverage"),
    tempDirectory: folder,
    resolve: "",
    // One process after the other: all of them together would take gigabytes.
    mergeAsync: true,
  });
  await report.run();
  const sums = sumUp(await report.getCoverageMapFromAllCoverageFiles());
  console.log(`\ncoverage:\n${tableOf(sums)}\n`);
  const missed = isJudged ? shortfalls(sums, JSON.parse(fs.readFileSync(THRESHOLDS, "utf8"))) : [];
  const reason = missed.length === 0 ? undefined : missed.join("; ");
  return {
    ...{ name: "check: coverage", passed: reason ? 0 : 1, failed: reason ? 1 : 0, reason },
    ...{ output: "", seconds: (Date.now() - started) / 1000, cpu: 0 },
  };
}
