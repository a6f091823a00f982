// The recorded cases are carried byte for byte; nobody may mend a case here instead of the server.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { loadScenarios, type Scenario } from "./codec/scenario.js";

const COPY = path.join(path.dirname(fileURLToPath(import.meta.url)), "conformance");
const ORIGINAL = path.resolve(COPY, "../../../shared/conformance");

const REST_ROW = /^\| \w+ \| (\d+) \| (\d+) \| \d+ \| \d+ \| ([a-z][a-z0-9-]*(?:, [a-z0-9-]+)*) \|$/gm;
const REST_SUM = /^\| \*\*all\*\* \| (\d+) \| (\d+) \|/m;
const QUERY_ROW = /^\| `([\w-]+\.json)` \| (\d+) \| (\d+) \|/gm;

interface QueryFile {
  readonly buckets: readonly { readonly events: readonly unknown[] }[];
  readonly cases: readonly unknown[];
}

function filesOf(folder: string): string[] {
  const names = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

function read(name: string): string {
  return fs.readFileSync(path.join(COPY, name), "utf8");
}

function stepsOf(scenarios: readonly (Scenario | undefined)[]): number {
  return scenarios.reduce((sum, scenario) => sum + (scenario?.steps.length ?? 0), 0);
}

const test = suite("recorded cases");

test("the copies equal the originals, where those are at hand", () => {
  if (!fs.existsSync(ORIGINAL)) return;
  assert.equal(filesOf(COPY), filesOf(ORIGINAL));
  for (const name of filesOf(ORIGINAL)) {
    const same = fs.readFileSync(path.join(COPY, name)).equals(fs.readFileSync(path.join(ORIGINAL, name)));
    assert.ok(same, `${name} was changed`);
  }
});

test("the REST scenarios are those of the table in their README", () => {
  const byName = new Map(loadScenarios().map((scenario) => [scenario.scenario, scenario]));
  const listed: string[] = [];
  for (const [, scenarios, steps, names = ""] of read("rest/README.md").matchAll(REST_ROW)) {
    const found = names.split(", ");
    assert.is(found.length, Number(scenarios), names);
    assert.is(stepsOf(found.map((name) => byName.get(name))), Number(steps), names);
    listed.push(...found);
  }
  const [, scenarios, steps] = REST_SUM.exec(read("rest/README.md")) ?? [];
  assert.equal([listed.length, Number(scenarios)], [98, 98]);
  assert.equal([stepsOf(listed.map((name) => byName.get(name))), Number(steps)], [1068, 1068]);
  assert.equal(listed.toSorted(), [...byName.keys()].sort());
});

test("every scenario is named as its file, with steps numbered from 1", () => {
  const names = filesOf(path.join(COPY, "rest")).filter((name) => name.endsWith(".json"));
  assert.equal(
    loadScenarios()
      .map(({ scenario }) => `${scenario}.json`)
      .sort(),
    names,
  );
  for (const { scenario, steps } of loadScenarios()) {
    assert.equal(
      steps.map(({ n }) => n),
      Array.from(steps, (_, index) => index + 1),
      scenario,
    );
  }
});

test("the query cases are those of the table in their README", () => {
  const rows = [...read("query/README.md").matchAll(QUERY_ROW)];
  const names = filesOf(path.join(COPY, "query")).filter((name) => name.endsWith(".json"));
  assert.equal(rows.map(([, name]) => name).sort(), names);
  let sum = 0;
  for (const [, name = "", cases, events] of rows) {
    const file: QueryFile = JSON.parse(read(`query/${name}`));
    assert.is(file.cases.length, Number(cases), name);
    const stored = file.buckets.reduce((count, bucket) => count + bucket.events.length, 0);
    assert.is(stored, Number(events), name);
    sum += file.cases.length;
  }
  assert.is(sum, 655);
});

test.run();
