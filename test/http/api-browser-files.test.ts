// The files behind the API browser: opened late, perhaps not there, sent in the form that the client likes best.
import fs from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { memory } from "../../adapters/memory.js";
import { apiBrowserRoutes } from "../../src/http/api-browser.js";
import { encodingFor } from "../../src/http/pages/encoding.js";
import { openPageFiles } from "../../src/http/pages/files.js";
import type { PageName } from "../../src/http/pages/page-files.js";
import type { RequestContext } from "../../src/http/request-context.js";
import type { RouteContext } from "../../src/http/route.js";
import type { createActivityServer } from "../../src/index.js";
import { withFolder } from "../adapters/folder.js";

const test = suite("the files of the API browser");

test("the files are opened once, when the first is asked for", async () => {
  let opened = 0;
  const logger = { info() {}, warn() {}, error() {} };
  const [page] = apiBrowserRoutes(true, logger, (name) => {
    opened++;
    return openPageFiles(name);
  });
  const request = { method: "GET", header: () => undefined } as unknown as RequestContext;
  const context = { path: "/api/" } as RouteContext;
  assert.is(opened, 0);
  for (let time = 0; time < 3; time++) await page?.handle(request, context);
  assert.is(opened, 1);
});

test("a folder that is missing, or not complete, is not opened", () =>
  withFolder(async (folder) => {
    const pages = pathToFileURL(`${path.dirname(folder)}/`);
    const name = path.basename(folder) as PageName;
    const open = (): Promise<string> => openPageFiles(name, pages).then(String, (error: Error) => error.message);
    assert.match(await open(), /ENOENT/);
    const listed = { name: "a.js", type: "text/javascript", hash: "x", isImmutable: true };
    for (const [list, message] of [
      ["[", /JSON/],
      ["{}", /damaged/],
      [JSON.stringify([{ ...listed, hash: 1 }]), /damaged/],
      [JSON.stringify([listed]), /no index\.html/],
      [JSON.stringify([{ ...listed, name: "index.html" }]), /ENOENT/],
    ] as const) {
      await fs.writeFile(path.join(folder, "manifest.json"), list);
      assert.match(await open(), message);
    }
  }));

test("a program that was bundled into one file shows where the document is", () =>
  withFolder(async (folder) => {
    const outfile = path.join(folder, "bundle.mjs");
    const entry =
      'export { createActivityServer } from "./src/index.ts"; export { memory } from "./adapters/memory.ts";';
    await build({
      stdin: { contents: entry, resolveDir: "." },
      ...{ outfile, bundle: true, format: "esm", platform: "node", logLevel: "silent" },
    });
    const bundled = (await import(pathToFileURL(outfile).href)) as {
      createActivityServer: typeof createActivityServer;
      memory: typeof memory;
    };
    const warnings: unknown[] = [];
    const logger = { info() {}, error() {}, warn: (line: unknown) => void warnings.push(line) };
    const server = bundled.createActivityServer({ storage: bundled.memory(), logger });
    assert.equal(warnings, []);
    for (let time = 0; time < 2; time++) {
      const answer = await server.fetch(new Request("http://localhost/api/"));
      assert.is(answer.status, 200);
      assert.is(answer.headers.get("content-type"), "text/html; charset=utf-8");
      assert.match(String(answer.headers.get("content-security-policy")), /^default-src 'none'/);
      assert.match(await answer.text(), /<a href="openapi\.json">/);
    }
    assert.is((await server.fetch(new Request("http://localhost/api/assets/NOTICE"))).status, 404);
    assert.is(warnings.length, 1);
    assert.match(String(warnings[0]), /^the API browser is not served: /);
    await server.close();
  }));

const CHOICES: readonly (readonly [acceptEncoding: string | undefined, encoding: string])[] = [
  [undefined, "identity"],
  ["", "identity"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["GZIP", "gzip"],
  ["br;q=0.5, gzip;q=0.9", "gzip"],
  ["br;q=0, *", "gzip"],
  ["*", "br"],
  ["*;q=0", "identity"],
  ["identity", "identity"],
  ["identity;q=0.5, gzip;q=0.5", "gzip"],
  ["identity;q=1, gzip;q=0.5", "identity"],
  ["br;q=0, gzip;q=0", "identity"],
  ["br ; q=0.001", "br"],
  ["br;q=x", "identity"],
  ["deflate", "identity"],
  [";;,,q=1", "identity"],
];

for (const [given, encoding] of CHOICES) {
  test(`Accept-Encoding ${given} gets ${encoding}`, () => assert.is(encodingFor(given), encoding));
}

test.run();
