// Writes dist/THIRD-PARTY.txt: the licences of the packages that the CommonJS build carries along. Which these are it
// reads from the reports of the bundler, and deletes those.
import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";

const REPORTS = ["dist/metafile-esm.json", "dist/metafile-cjs.json"];
const TARGET = "dist/THIRD-PARTY.txt";

const outputs = REPORTS.flatMap((report) => Object.values(JSON.parse(fs.readFileSync(report, "utf8")).outputs));
const inputs = outputs.flatMap(({ inputs }) => Object.keys(inputs));
const packages = new Set(
  inputs
    .map((file) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file))
    .filter(Boolean)
    .map(([folder]) => folder),
);

/** The licence of a package, and those of what it carries along itself. */
function licences(folder) {
  const { name, version } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const own = fs.readFileSync(path.join(folder, "LICENSE"), "utf8").trim();
  const carried = path.join(folder, "dist/THIRD-PARTY-LICENSES.md.gz");
  const others = fs.existsSync(carried) ? `\n\n${gunzipSync(fs.readFileSync(carried)).toString("utf8").trim()}` : "";
  return `${name} ${version}\n\n${own}${others}\n`;
}

const head = "The CommonJS build of activity-server (dist/*.cjs) contains code of these packages.\n";
fs.writeFileSync(TARGET, [head, ...[...packages].sort().map(licences)].join("\n----\n\n"));
for (const report of REPORTS) fs.rmSync(report);
