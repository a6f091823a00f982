// The files behind the API browser: opened late, perhaps not there, sent in the form that the client likes best.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { memory } from "../../adapters/memory.js";
import { apiBrowserRoutes } from "../../src/http/api-browser.js";
import { encodingFor } from "../../src/http/pages/encoding.js";
import { pageFilesOf } from "../../src/http/pages/files.js";
import type { RequestContext } from "../../src/http/request-context.js";
import type { RouteContext } from "../../src/http/route.js";
import type { createActivityServer } from "../../src/index.js";
import { silentLogger } from "../../src/logger.js";
import { withFolder } from "../adapters/folder.js";
import { recordingLogger } from "../harness.js";

const test = suite("the files of the API browser");

function built(name: string, content: string) {
  const gzip = gzipSync(content).toString("base64");
  return { name, type: "text/html", hash: "h", isImmutable: false, gzip };
}

test("the files are opened once, when the first is asked for", async () => {
  let opened = 0;
  const [page] = apiBrowserRoutes(true, silentLogger, {}, async () => {
    opened++;
    return pageFilesOf([built("index.html", "<p>")]);
  });
  const request = { method: "GET", path: "/api/", host: {}, header: () => undefined } as unknown as RequestContext;
  const context = { path: "/api/" } as RouteContext;
  assert.is(opened, 0);
  for (let time = 0; time < 3; time++) assert.is((await page?.handle(request, context))?.status, 200);
  assert.is(opened, 1);
});

test("files come compressed as they were built, or plain", async () => {
  const content = "ü".repeat(100_000);
  const { page, assets } = pageFilesOf([built("index.html", content), built("a.js", "1")]);
  assert.equal([...assets.keys()], ["a.js"]);
  assert.is(Buffer.from(await page.bytes("identity")).toString(), content);
  assert.equal(Buffer.from(await page.bytes("gzip")), gzipSync(content));
});

test("a build without the files is not opened", () => {
  for (const files of [undefined, [], [built("a.js", "1")]]) {
    assert.throws(() => pageFilesOf(files), /this bundle was made without them/);
  }
});

const ENTRY = 'export { createActivityServer } from "./src/index.ts"; export { memory } from "./adapters/memory.ts";';

type Bundled = { createActivityServer: typeof createActivityServer; memory: typeof memory };

test("a program that was bundled for browsers says that it has none", () =>
  withFolder(async (folder) => {
    const outfile = path.join(folder, "bundle.mjs");
    await build({
      stdin: { contents: ENTRY, resolveDir: "." },
      ...{ outfile, bundle: true, format: "esm", platform: "browser", logLevel: "silent" },
    });
    const bundled = (await import(pathToFileURL(outfile).href)) as Bundled;
    const { logger, warnings } = recordingLogger();
    const server = bundled.createActivityServer({ storage: bundled.memory(), logger });
    for (let time = 0; time < 2; time++) assert.is((await server.fetch("/api/")).status, 501);
    assert.equal(warnings, ["the API browser is not served: this bundle was made without them"]);
    await server.close();
  }));

const CHOICES: readonly (readonly [acceptEncoding: string | undefined, encoding: string])[] = [
  [undefined, "identity"],
  ["", "identity"],
  ["gzip, deflate, br, zstd", "gzip"],
  ["br", "identity"],
  ["gzip", "gzip"],
  ["GZIP", "gzip"],
  ["br;q=0.5, gzip;q=0.9", "gzip"],
  ["br;q=0, *", "gzip"],
  ["*", "gzip"],
  ["*;q=0", "identity"],
  ["identity", "identity"],
  ["identity;q=0.5, gzip;q=0.5", "gzip"],
  ["identity;q=1, gzip;q=0.5", "identity"],
  ["*;q=0.5, gzip;q=0", "identity"],
  ["gzip ; q=0.001", "gzip"],
  ["gzip;q=x", "identity"],
  ["deflate", "identity"],
  [";;,,q=1", "identity"],
];

for (const [given, encoding] of CHOICES) {
  test(`Accept-Encoding ${given} gets ${encoding}`, () => assert.is(encodingFor(given), encoding));
}

test.run();
