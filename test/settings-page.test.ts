// The page of settings lists each key that the server or the dashboard reads or writes.
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { REPORT_SETTINGS } from "../src/report/rules.js";
import { FILTERS_KEY, RULES_KEY } from "../src/service/privacy/active-rules.js";
import { RETENTION_KEY } from "../src/service/retention/retention.js";
import { codesIn, ROOT, tableOf } from "./readme/markdown.js";

const PAGE = "docs/reference/settings.md";
const test = suite("page of settings");

const SERVER_KEYS = [...REPORT_SETTINGS, RULES_KEY, FILTERS_KEY, RETENTION_KEY];

/** Keys of ActivityWatch's web UI that this package stores and does not use. */
const FOREIGN_KEYS = ["alerts", "category_builder_ignored_words"];

/** A read or write of a setting, by a key that is a string or a constant. */
const USE =
  /(?:settings\.value\[|settings\[|[sS]aveSetting\(|useSettingSaving\(|settings\.(?:get|put|delete)\(|\bsetting: )(?:"(\w+)"|([A-Z_]+)\b)/g;

function readSources(folder: string): string {
  const names = fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" });
  const sources = names.filter((name) => /\.tsx?$/.test(name));
  return sources.map((name) => fs.readFileSync(path.join(ROOT, folder, name), "utf8")).join("\n");
}

/** The keys of settings that a source uses. */
function keysIn(source: string): string[] {
  return [...source.matchAll(USE)].map(([use, key, constant]) => {
    const found = key ?? new RegExp(`\\bconst ${constant}(?:: string)? = "(\\w+)"`).exec(source)?.[1];
    if (found === undefined) throw new Error(`no constant: ${use}`);
    return found;
  });
}

test("it lists each key that the server and the dashboard use", () => {
  const listed = tableOf(PAGE, "Key").flatMap(([cell]) => codesIn(cell));
  const used = new Set([...SERVER_KEYS, ...keysIn(readSources("src/web")), ...FOREIGN_KEYS]);
  assert.equal([...listed].sort(), [...used].sort());
});

test("a use of a setting is found by its string or its constant", () => {
  const source = 'export const A_KEY: string = "a";\nsettings.value[A_KEY]; saveSetting("b", 1); settings.get(key);';
  assert.equal(keysIn(source), ["a", "b"]);
  assert.throws(() => keysIn("saveSetting(MISSING)"), /no constant/);
});

test.run();
