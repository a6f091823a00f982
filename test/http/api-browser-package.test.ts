// The pages of the published package: the API browser and the dashboard. Uses the build in dist, which the runner makes.
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packPrograms, ROOT, withConsumer } from "../package/tarball.js";

const CORE: readonly string[] = Object.keys(
  JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")).dependencies,
);

/** What the browser may weigh in the package, in bytes. */
const MAX_BYTES = 1_300_000;

/** A program with a server; `LOAD` stands for how a module is loaded. */
function programOf(body: string): string {
  return `
async function main() {
  const { createActivityServer } = LOAD("activity-server");
  const { memory } = LOAD("activity-server/memory");
  const fs = LOAD("node:fs");
  const warnings = [];
  const logger = { info() {}, error: console.log, warn: (line) => warnings.push(line) };
  const server = createActivityServer({ storage: memory(), logger });
${body}
}
main();
`;
}

/** Asks for the pages and what they load. */
const PROGRAM = programOf(`  for (const place of ["/api/", "/"]) {
    const page = await (await server.fetch(place)).text();
    const ofViews = (page.match(/<link rel="modulepreload"[^>]*>/g) ?? []).join();
    for (const [, name] of page.matchAll(/"(assets\\/[^"]+)"/g)) {
      const answer = await server.fetch(place + name);
      // As many as it happens to be cut into.
      if (answer.status === 200 && ofViews.includes(name)) continue;
      console.log(name.replace(/\\.(?:[0-9a-f]{16}|[0-9A-Z]{8})/, ""), answer.status, (await answer.text()).length > 100);
    }
  }
  console.log(warnings.length);`);

const PRINTED = `assets/swagger-ui.css 200 true
assets/page.css 200 true
assets/swagger-ui-bundle.js 200 true
assets/start.js 200 true
assets/views.css 200 true
assets/style.css 200 true
assets/main.js 200 true
0
`;

/** Asks for pages that are gone since the server was made. */
const WITHOUT = programOf(`  console.log((await server.fetch("/api/0/info")).status, warnings.length);
  fs.rmSync("node_modules/activity-server/dist/pages", { recursive: true });
  for (const path of ["/api/", "/"]) {
    const answer = await server.fetch(path);
    const said = await answer.text();
    console.log(answer.status, warnings.length, said.includes("are missing from this build"), said.includes("node_modules"));
  }`);

const PRINTED_WITHOUT = `200 0
501 1 true false
501 2 true false
`;

const test = suite("the API browser of the package");
const packed = packPrograms();

for (const [kind, load] of [
  ["mjs", "await import("],
  ["cjs", "require("],
] as const) {
  test(`it is served, and nothing of it is read before somebody asks (${kind})`, () =>
    withConsumer(packed, CORE, ({ write, node }) => {
      write(`use.${kind}`, PROGRAM.replaceAll("LOAD(", load));
      assert.is(node(`use.${kind}`), PRINTED);
      write(`use.${kind}`, WITHOUT.replaceAll("LOAD(", load));
      assert.is(node(`use.${kind}`), PRINTED_WITHOUT);
    }));
}

test("the library comes with its licenses, and without what the page does not load", () => {
  const { size, names } = filesIn("api-browser");
  const expected = [
    ...["LICENSE", "NOTICE", "index.html", "page.css", "start.js"],
    ...["swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt", "swagger-ui.css"],
  ];
  assert.equal(names, expected.sort());
  assert.ok(size < MAX_BYTES, `${size} bytes`);
});

test("the dashboard is its page, a style, scripts, and the licenses of what it is built with", () => {
  const { names } = filesIn("dashboard");
  const others = names.filter(
    (name) => !/^[\w-]+\.\w{8}\.js$/.test(name) && !/^(?:style|views)\.\w{8}\.css$/.test(name),
  );
  assert.equal(others, ["LICENSES.txt", "index.html"]);
  assert.is(names.filter((name) => /^main\.|^style\./.test(name)).length, 2);
});

function filesIn(page: string): { readonly size: number; readonly names: string[] } {
  const content = packed.get(`dist/pages/${page}.cjs`)?.toString() ?? "";
  const files = JSON.parse(content.replace(/^exports\.files = /, "").replace(/;\n$/, "")) as { name: string }[];
  return { size: content.length, names: files.map(({ name }) => name.replace(/\.[0-9a-f]{16}/, "")).sort() };
}

test.run();
