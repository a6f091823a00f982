// long: 300 s
// Programs that are bundled with the package, as for Electron or a container: they start and work, or say why not.
import path from "node:path";
import { build, type Format } from "esbuild";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { sampleOf } from "./faults/sizes.js";
import { openConsumer, packPrograms } from "./package/tarball.js";

const test = suite("bundled programs");
const packed = packPrograms();

const PACKAGES = ["h3", "rou3", "srvx"];
/** What classic-level needs to be resolved by a bundler. */
const ENGINE = ["classic-level", "abstract-level", "module-error", "node-gyp-build", "napi-macros", "buffer"];

function program(storage: string): string {
  return `
import { createActivityServer } from "activity-server";
import { ${storage.slice(0, storage.indexOf("("))} } from "activity-server/${storage.slice(0, storage.indexOf("("))}";
const errors = [];
const logger = { info() {}, warn: console.log, error: (error) => errors.push(error.message) };
async function serve(webui) {
  const server = createActivityServer({ storage: ${storage}, logger, webui });
  const { url } = await server.listen({ port: 0 }).catch((error) => ({ url: String(error) }));
  console.log(/^http:/.test(url) ? "listens" : url);
  if (!/^http:/.test(url)) process.exit();
  for (const path of ["/api/0/info", "/api/", "/"]) console.log((await fetch(url + path)).status);
  await server.close();
  console.log(errors.length);
}
serve(true).then(() => serve("web"));
`;
}

/** Bundles a program and runs it away from the packages that it was made of, but for those that stay outside. */
async function run(storage: string, format: Format, external: readonly string[] = []): Promise<string> {
  const source = openConsumer(packed, [...PACKAGES, ...ENGINE]);
  const target = openConsumer(new Map(), external);
  try {
    source.write("main.js", program(storage));
    const name = format === "esm" ? "main.mjs" : "main.cjs";
    await build({
      entryPoints: [path.join(source.folder, "main.js")],
      outfile: path.join(target.folder, name),
      ...{ bundle: true, format, platform: "node", logLevel: "silent", external: [...external] },
    });
    target.write("web/index.html", "<p>");
    return target.node(name);
  } finally {
    source.close();
    target.close();
  }
}

/** With its own pages, and with a folder of files. */
const WORKS = "listens\n200\n200\n200\n0\n".repeat(2);

for (const format of sampleOf(["esm", "cjs"] as const, 2)) {
  test(`with memory() it works, pages included (${format})`, async () => {
    assert.is(await run("memory()", format), WORKS);
  });

  test(`with leveldb() and classic-level outside of the bundle it works (${format})`, async () => {
    assert.is(await run('leveldb({ path: "data" })', format, ["classic-level"]), WORKS);
  });

  test(`with classic-level in the bundle it says to keep it out (${format})`, async () => {
    const said = await run('leveldb({ path: "data" })', format);
    assert.match(said, /storage in a folder needs classic-level: it(s native build|was bundled| was bundled)/);
    assert.match(said, /external: \["classic-level"\] in esbuild/);
    assert.not.match(said, "npm install classic-level");
  });
}

test.run();
