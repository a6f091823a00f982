// Writes dist/pages/dashboard.cjs: the page at `/`, built from src/web with tsup. Prints what it weighs, with
// --sizes each part of it.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "tsup";
import { createPage } from "./page-files.mjs";

const SOURCE = "src/web";
/** Browsers that have all that the page uses. */
const BROWSERS = ["chrome111", "firefox113", "safari16.4"];
const BUNDLED = ["preact", "@preact/signals", "@preact/signals-core"];

const outDir = fs.mkdtempSync(path.join(fs.realpathSync("node_modules"), ".web-"));
try {
  await build({
    ...{ config: false, silent: true, clean: false, dts: false, sourcemap: false, minify: true, metafile: true },
    entry: { main: `${SOURCE}/main.tsx`, style: `${SOURCE}/style.css` },
    ...{ outDir, format: "esm", platform: "browser", target: BROWSERS },
    // In one piece it is smaller than in several, and all there when the server is gone.
    splitting: false,
    noExternal: [/./],
    esbuildOptions(options) {
      options.legalComments = "none";
      options.jsx = "automatic";
      options.jsxImportSource = "preact";
      options.define = { ...options.define, "process.env.NODE_ENV": '"production"' };
    },
  });
  const { outputs } = JSON.parse(fs.readFileSync(path.join(outDir, "metafile-esm.json"), "utf8"));

  const page = createPage("dashboard");
  const links = {};
  const sizes = Object.keys(outputs).map((output) => {
    const name = path.basename(output);
    const content = fs.readFileSync(path.join(outDir, name));
    links[name] = page.addHashed(name, content);
    return [name, gzipSync(content, { level: 9 }).length];
  });
  page.add("LICENSES.txt", Buffer.from(licenses()));
  const html = fs.readFileSync(`${SOURCE}/index.html`, "utf8");
  page.finish(html, links);
  sizes.push(["index.html", gzipSync(html, { level: 9 }).length]);
  if (process.argv.includes("--sizes")) printParts(outputs, sizes);
  console.log(`dashboard: ${sizes.reduce((sum, [, bytes]) => sum + bytes, 0)} bytes gzip`);
} finally {
  fs.rmSync(outDir, { recursive: true, force: true });
}

/** What the licences of the libraries in the bundle ask for. */
function licenses() {
  const require = createRequire(import.meta.url);
  return BUNDLED.map((name) => {
    let folder = path.dirname(require.resolve(name));
    while (!fs.existsSync(path.join(folder, "LICENSE"))) folder = path.dirname(folder);
    return `${name}\n\n${fs.readFileSync(path.join(folder, "LICENSE"), "utf8").trim()}\n`;
  }).join("\n\n");
}

/** The files, and what each part takes of the script: its share of the bytes, as they were compressed. */
function printParts(outputs, sizes) {
  const [output, { bytes, inputs }] = Object.entries(outputs).find(([name]) => name.endsWith(".js"));
  const [, compressed] = sizes.find(([name]) => name === path.basename(output));
  const parts = new Map();
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const [, part = "shell"] = /(views\/\w+|web\/demo|testing|@?preact|src\/client|src\/domain)/.exec(file) ?? [];
    parts.set(part, (parts.get(part) ?? 0) + (bytesInOutput * compressed) / bytes);
  }
  for (const [name, size] of sizes) console.log(`${size}\t${name}`);
  for (const [part, size] of [...parts].sort(([, a], [, b]) => b - a)) console.log(`  ${Math.round(size)}\t${part}`);
}
