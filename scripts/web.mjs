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

/** Bundles entries into `outDir`. @returns what each output is made of */
async function bundle(entry, esbuildPlugins = []) {
  await build({
    ...{ config: false, silent: true, clean: false, dts: false, sourcemap: false, minify: true, metafile: true },
    ...{ entry, esbuildPlugins, outDir, format: "esm", platform: "browser", target: BROWSERS },
    // All views in one piece are smaller than in several, and all there when the server is gone.
    splitting: false,
    noExternal: [/./],
    esbuildOptions(options) {
      options.legalComments = "none";
      options.jsx = "automatic";
      options.jsxImportSource = "preact";
      options.define = { ...options.define, "process.env.NODE_ENV": '"production"' };
    },
  });
  return JSON.parse(fs.readFileSync(path.join(outDir, "metafile-esm.json"), "utf8")).outputs;
}

/** Lets the page import a module from a file of its own, under the name that this has got. */
function loadedLater(module, file) {
  return {
    name: "loaded-later",
    setup: (esbuild) => esbuild.onResolve({ filter: module }, () => ({ path: `./${file}`, external: true })),
  };
}

try {
  const page = createPage("dashboard");
  const sizes = [];
  const add = (name) => {
    const content = fs.readFileSync(path.join(outDir, name));
    sizes.push([name, gzipSync(content, { level: 9 }).length]);
    return page.addHashed(name, content);
  };
  await bundle({ demo: `${SOURCE}/demo/fill.ts` });
  const demo = add("demo.js");
  const laterBytes = sizes[0][1];
  const outputs = await bundle({ main: `${SOURCE}/main.tsx`, style: `${SOURCE}/style.css` }, [
    loadedLater(/\/fill\.js$/, demo),
  ]);
  const links = {};
  for (const name of Object.keys(outputs).map((output) => path.basename(output))) links[name] = add(name);
  page.add("LICENSES.txt", Buffer.from(licenses()));
  const html = fs.readFileSync(`${SOURCE}/index.html`, "utf8");
  page.finish(html, links);
  sizes.push(["index.html", gzipSync(html, { level: 9 }).length]);
  if (process.argv.includes("--sizes")) printParts(outputs, sizes);
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  console.log(`dashboard: ${bytes - laterBytes} bytes gzip, and ${laterBytes} that are loaded later`);
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
