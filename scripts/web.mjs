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
 */
const BEHIND_APP = {
  name: "behind-app",
  setup({ onResolve, onLoad, resolve }) {
    const app = path.resolve(SOURCE, "app.tsx");
    const later = new Set();
    onResolve({ filter: /^\./ }, async ({ path: wanted, kind, resolveDir, pluginData }) => {
      if (kind !== "dynamic-import" || pluginData === later) return undefined;
      const found = await resolve(wanted, { kind, resolveDir, pluginData: later });
      later.add(found.path);
      return found;
    });
    onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => {
      if (!later.has(file)) return undefined;
      const contents = `${fs.readFileSync(file, "utf8")}\nexport { App as $ } from ${JSON.stringify(app)};\n`;
      return { contents, loader: file.endsWith("x") ? "tsx" : "ts" };
    });
  },
};
/** Texts in other languages than English, of which a page loads one at most. */
const TRANSLATIONS = ["de.js", "he.js"];
/**
 * The most that a page may load, compressed by gzip, in bytes: until the first view is there, all of it in English, and
 * what another language adds to that.
 */
const MOST = { first: 70_000, all: 200_000, translation: 20_000 };

const { outputFiles, metafile } = await build({
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
  plugins: [WITHOUT_NODE, BEHIND_APP],
  define: { "process.env.NODE_ENV": '"production"' },
});

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
function loadedWith(names) {
  const loaded = new Set(names);
  for (const name of loaded) {
    for (const { path: file, kind } of metafile.outputs[`assets/${name}`].imports) {
      if (kind === "import-statement") loaded.add(path.basename(file));
    }
  }
  return [...loaded];
}

/** The page with the names that its files have got, and links to what the first script is going to ask for. */
function linked(source) {
  const early = loadedWith([main]).filter((name) => name !== main);
  const preloads = early.map((name) => `<link rel="modulepreload" href="assets/${name}">\n`).join("");
  return source
    .replace('"assets/style.css"', `"assets/${style}"`)
    .replace('"assets/views.css"', `"assets/${viewsStyle}"`)
    .replace('<script type="module" src="assets/main.js">', `${preloads}<script type="module" src="assets/${main}">`);
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
