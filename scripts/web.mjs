// Writes dist/pages/dashboard.cjs: the page at `/`, built from src/web: what it begins with, and chunks that it loads
// later, by view and language. Prints what they weigh, with --sizes each file and each part of it, and fails when that
// is too much.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { createPage } from "./page-files.mjs";

const SOURCE = "src/web";
/** Browsers that have all that the page uses. */
const BROWSERS = ["chrome111", "firefox113", "safari16.4"];
const BUNDLED = ["preact", "@preact/signals", "@preact/signals-core", "lucide"];
/** What the client does by Node's modules; nothing in a page asks for that. */
const WITHOUT_NODE = {
  name: "without-node",
  setup({ onLoad }) {
    const contents = 'export function nodeFetch() { throw new TypeError("there is no Node"); }';
    onLoad({ filter: /client[\\/]node-fetch\.ts$/ }, () => ({ contents }));
  },
};
/**
 * What is loaded later says that it needs what is there by then: all of that becomes one file so, instead of one for
 * each set of views that share something.
 *
 * @param shared modules that come with the app, whether it needs them or not
 */
function behindApp(shared) {
  const app = path.resolve(SOURCE, "app.tsx");
  const later = new Set();
  const imports = shared.map((file, at) => `import * as $${at} from ${JSON.stringify(path.resolve(file))};\n`);
  const kept = `export const $ = [App${shared.map((_, at) => `, $${at}`).join("")}];\n`;
  return {
    name: "behind-app",
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^\./ }, async ({ path: wanted, kind, resolveDir, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === later) return undefined;
        const found = await resolve(wanted, { kind, resolveDir, pluginData: later });
        later.add(found.path);
        return found;
      });
      onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => {
        if (file !== app && !later.has(file)) return undefined;
        const added = file === app ? `${imports.join("")}${kept}` : `export { $ } from ${JSON.stringify(app)};\n`;
        return {
          contents: `${fs.readFileSync(file, "utf8")}\n${added}`,
          loader: file.endsWith("x") ? "tsx" : "ts",
        };
      });
    },
  };
}
/** Views whose address is opened most: what they share with others comes with the app, and not file by file. */
const OPENED = ["activity", "search"];
/** Addresses of views that have another name there. */
const ADDRESSES = { activity: "day week month year range", bucket: "buckets" };
/** Texts in other languages than English, of which a page loads one at most. */
const TRANSLATIONS = ["de.js", "he.js"];
/**
 * The most that a page may load, compressed by gzip, in bytes: until the first view is there, all of it in English, and
 * what another language adds to that.
 */
const MOST = { first: 70_000, all: 200_000, translation: 20_000 };

const { metafile: apart } = await bundled([]);
const { outputFiles, metafile } = await bundled(sharedBy(OPENED));

const page = createPage("dashboard");
const sizes = new Map();
for (const { path: file, contents } of outputFiles) {
  page.addImmutable(path.basename(file), Buffer.from(contents));
  sizes.set(path.basename(file), weigh(contents));
}
page.add("LICENSES.txt", Buffer.from(licenses()));
const [main, style, viewsStyle] = ["main.js", "style.css", "views.css"].map((name) => namesLike(name)[0]);
const html = linked(fs.readFileSync(`${SOURCE}/index.html`, "utf8"));
page.finish(html);
sizes.set("index.html", weigh(html));

const translations = TRANSLATIONS.flatMap(namesLike).map((name) => sizes.get(name));
const bytes = {
  first: sum(["index.html", style, ...loadedWith([main, ...namesLike("activity.js")])]),
  all: sum() - translations.reduce((total, size) => total + size, 0),
  translation: Math.max(...translations),
};
if (process.argv.includes("--sizes")) printParts();
const { first, all, translation } = bytes;
console.log(
  `dashboard: ${first} bytes gzip until the first view is there, ${all} in all, ${translation} for a language`,
);
for (const [part, most] of Object.entries(MOST)) {
  if (bytes[part] > most) throw new Error(`${part}: more than ${most} bytes; --sizes tells what weighs most`);
}

/** @param shared modules that come with the app */
function bundled(shared) {
  return build({
    entryPoints: { main: `${SOURCE}/main.tsx`, style: `${SOURCE}/style.css`, views: `${SOURCE}/views.css` },
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    write: false,
    outdir: "assets",
    entryNames: "[name].[hash]",
    chunkNames: "[name].[hash]",
    format: "esm",
    target: BROWSERS,
    // Escapes would weigh more than the letters of Hebrew; the files are served as UTF-8.
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins: [WITHOUT_NODE, behindApp(shared)],
    define: { "process.env.NODE_ENV": '"production"' },
  });
}

/** Modules of the files that the first script and views load beside those of their own, where nothing is put together. */
function sharedBy(views) {
  const { outputs } = apart;
  const all = Object.keys(outputs).map((file) => path.basename(file));
  const own = ["main", ...views].flatMap((plain) => all.filter((name) => name.startsWith(`${plain}.`)));
  return loadedWith(own, outputs)
    .filter((name) => !own.includes(name))
    .map((name) => Object.keys(outputs[`assets/${name}`].inputs))
    .filter((inputs) => !inputs.includes(`${SOURCE}/app.tsx`))
    .flat()
    .sort();
}

function weigh(content) {
  return gzipSync(content, { level: 9 }).length;
}

function sum(names = [...sizes.keys()]) {
  return names.reduce((total, name) => total + sizes.get(name), 0);
}

/** Files that were made of a source of this name. */
function namesLike(plain) {
  const { name, ext } = path.parse(plain);
  return [...sizes.keys()].filter((file) => file.startsWith(`${name}.`) && file.endsWith(ext));
}

/** Scripts, and all that these cannot begin without. */
function loadedWith(names, outputs = metafile.outputs) {
  const loaded = new Set(names);
  for (const name of loaded) {
    for (const { path: file, kind } of outputs[`assets/${name}`].imports) {
      if (kind === "import-statement") loaded.add(path.basename(file));
    }
  }
  return [...loaded];
}

/**
 * The page with the names that its files have got, and links to what the first script is going to ask for, also for the
 * view of each address.
 */
function linked(source) {
  const early = loadedWith([main]).filter((name) => name !== main);
  const preloads = early.map((name) => `${preload(name)}\n`).join("");
  return source
    .replace("</template>\n", `</template>\n${viewTemplates()}`)
    .replace('"assets/style.css"', `"assets/${style}"`)
    .replace('"assets/views.css"', `"assets/${viewsStyle}"`)
    .replace('<script type="module" src="assets/main.js">', `${preloads}<script type="module" src="assets/${main}">`);
}

/** What each view needs beside the first script, for the time until that asks for it. */
function viewTemplates() {
  const begun = loadedWith([main]);
  const templates = Object.entries(metafile.outputs).flatMap(([file, { entryPoint }]) => {
    const [, view] = /^src\/web\/views\/(\w+)\.tsx$/.exec(entryPoint) ?? [];
    if (view === undefined) return [];
    const names = loadedWith([path.basename(file)]).filter((name) => !begun.includes(name));
    if (view === "search") names.push(...namesLike("chips.js"));
    return `<template data-of="${ADDRESSES[view] ?? view}">${names.map(preload).join("")}</template>\n`;
  });
  return templates.sort().join("");
}

function preload(name) {
  return `<link rel="modulepreload" href="assets/${name}">`;
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

/** The files, and what each part takes of it: its share of the bytes, as they were compressed. */
function printParts() {
  for (const [name, size] of [...sizes].sort(([, a], [, b]) => b - a)) {
    console.log(`${size}\t${name}`);
    const { bytes: plain, inputs } = metafile.outputs[`assets/${name}`] ?? { inputs: {} };
    const parts = Object.entries(inputs).map(([file, { bytesInOutput }]) => [file, (bytesInOutput * size) / plain]);
    for (const [file, share] of parts.sort(([, a], [, b]) => b - a).slice(0, 12)) {
      console.log(`  ${Math.round(share)}\t${file}`);
    }
  }
}
