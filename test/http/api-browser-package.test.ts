// The pages of the published package: the API browser and the dashboard. Uses the build in dist, which the runner makes.
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { pack, ROOT, withConsumer } from "../package/tarball.js";

const CORE: readonly string[] = Object.keys(
  JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")).dependencies,
);

/** What the browser may weigh in the package, in bytes. */
const MOST_BYTES = 1_000_000;

/** Asks for the page and what it loads; `LOAD` stands for how a module is loaded. */
const PROGRAM = `
async function main() {
  const { createActivityServer } = LOAD("activity-server");
  const { memory } = LOAD("activity-server/memory");
  const fs = LOAD("node:fs");
  const warnings = [];
  const logger = { info() {}, error: console.log, warn: (line) => warnings.push(line) };
  const ask = (server, path) => server.fetch(new Request("http://localhost" + path));
  const whole = createActivityServer({ storage: memory(), logger });
  for (const place of ["/api/", "/"]) {
    const page = await (await ask(whole, place)).text();
    for (const [, name] of page.matchAll(/"(assets\\/[^"]+)"/g)) {
      const answer = await ask(whole, place + name);
      console.log(name.replace(/\\.[0-9a-f]{16}/, ""), answer.status, (await answer.text()).length > 100);
    }
  }
  const late = createActivityServer({ storage: memory(), logger });
  console.log((await ask(late, "/api/0/info")).status, warnings.length);
  fs.rmSync("node_modules/activity-server/dist/pages", { recursive: true });
  console.log((await ask(late, "/api/")).status, warnings.length);
  console.log((await ask(late, "/")).status, warnings.length);
}
main();
`;

const PRINTED = `assets/swagger-ui.css 200 true
assets/page.css 200 true
assets/swagger-ui-bundle.js 200 true
assets/start.js 200 true
assets/style.css 200 true
assets/main.js 200 true
200 0
200 1
200 2
`;

const test = suite("the API browser of the package");
const packed = pack();
const ofBrowser = [...packed].filter(([name]) => name.startsWith("dist/pages/api-browser/"));

for (const [kind, load] of [
  ["mjs", "await import("],
  ["cjs", "require("],
] as const) {
  test(`it is served, and nothing of it is read before somebody asks (${kind})`, () =>
    withConsumer(packed, CORE, ({ write, node }) => {
      write(`use.${kind}`, PROGRAM.replaceAll("LOAD(", load));
      assert.is(node(`use.${kind}`), PRINTED);
    }));
}

test("the library comes with its licenses, and without what the page does not load", () => {
  const names = ofBrowser.map(([name]) => name.replace("dist/pages/api-browser/", "").replace(/\.[0-9a-f]{16}/, ""));
  const compressed = [
    ...["LICENSE", "NOTICE", "index.html", "page.css", "start.js"],
    ...["swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt", "swagger-ui.css"],
  ];
  const expected = [...compressed.flatMap((name) => [`${name}.br`, `${name}.gz`]), "manifest.json"];
  assert.equal(names.sort(), expected.sort());
  const bytes = ofBrowser.reduce((sum, [, content]) => sum + content.length, 0);
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
});

test.run();
