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
const BUNDLED = ["preact", "@preact/signals", "@preact/signals-core", "uqr"];
/** What the client does by Node's modules; nothing in a page asks for that. */
const WITHOUT_NODE = {
  name: "without-node",
  setup({ onLoad }) {
    const contents = 'export function nodeFetch() { throw new TypeError("there is no Node"); }';
    onLoad({ filter: /client[\\/]node-fetch\.ts$/ }, () => ({ contents }));
  },
};
/** The module behind which all others are loaded. */
const APP = `${SOURCE}/app.tsx`;
/**
 * Makes one file of modules that views share, instead of one for each set of views that share something: what is loaded
 * later and needs some of them says that it needs all.
 *
 * @param groups of each the modules, which come with the first of them, and what needs them: all without `neededBy`
 */
function gathered(groups) {
  const later = new Set();
  function addedTo(file, { modules: [first, ...others], neededBy }, at) {
    if (file === first) {
      const names = [...(first === APP ? ["App"] : []), ...others.map((_, index) => `$${at}_${index}`)];
      const imports = others.map((one, index) => `import * as $${at}_${index} from ${specifier(one)};\n`);
      return `${imports.join("")}export const $${at} = [${names}];\n`;
    }
    const isNeeded = later.has(file) && neededBy?.includes(file) !== false;
    return isNeeded ? `export { $${at} } from ${specifier(first)};\n` : "";
  }
  return {
    name: "gathered",
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^\./ }, async ({ path: wanted, kind, resolveDir, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === later) return undefined;
        const found = await resolve(wanted, { kind, resolveDir, pluginData: later });
        later.add(path.relative(".", found.path));
        return found;
      });
      onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => {
        const added = groups.map((group, at) => addedTo(path.relative(".", file), group, at)).join("");
        if (added === "") return undefined;
        const contents = `${fs.readFileSync(file, "utf8")}\n${added}`;
        return { contents, loader: file.endsWith("x") ? "tsx" : "ts" };
      });
    },
  };
}
function specifier(file) {
  return JSON.stringify(path.resolve(file));
}
/** Views whose address is opened most: what they share with others comes with the app, and not file by file. */
const OPENED = ["activity", "search"];
/** What is shown as soon as the page is there: it loads no more than it needs. */
const AT_ONCE = ["main", "chips", ...OPENED];
/** Other files that views share become one where they are smaller than that, in bytes before they are compressed. */
const SMALL = 2000;
/** Texts in other languages than English, of which a page loads one at most. */
const TRANSLATIONS = ["de.js", "he.js"];
/**
 * The most that a page may load, compressed by gzip, in bytes: until the first view is there, all of it in English, and
 * what another language adds to that.
 */
const MOST = { first: 70_000, all: 245_000, translation: 24_000 };

const alone = await bundled([{ modules: [APP] }]);
const withApp = { modules: [APP, ...sharedBy(OPENED, alone.metafile)] };
const withSmall = smallOf((await bundled([withApp])).metafile);
const { outputFiles, metafile } = await bundled([withApp, withSmall]);

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
  first: sum(["index.html", style, ...namesLoadedWith([main, ...namesLike("activity.js")])]),
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

function bundled(groups) {
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
    plugins: [WITHOUT_NODE, gathered(groups)],
    define: { "process.env.NODE_ENV": '"production"' },
  });
}

/** Modules of the files that the first script and views load beside those of their own. */
function sharedBy(views, { outputs }) {
  const own = Object.keys(outputs).filter((file) => ["main", ...views].includes(plainName(file)));
  return loadedWith(own, outputs)
    .map((file) => outputs[file])
    .filter(({ entryPoint, inputs }) => entryPoint === undefined && inputs[APP] === undefined)
    .flatMap(({ inputs }) => Object.keys(inputs))
    .sort();
}

/** Modules of small files, and what needs some of these. */
function smallOf({ outputs }) {
  const scripts = Object.entries(outputs).filter(([file]) => file.endsWith(".js"));
  const entries = scripts.filter(([, { entryPoint }]) => entryPoint !== undefined);
  const early = loadedWith(
    entries.map(([file]) => file).filter((file) => AT_ONCE.includes(plainName(file))),
    outputs,
  );
  const small = scripts
    .filter(([file, { entryPoint, bytes }]) => entryPoint === undefined && bytes < SMALL && !early.includes(file))
    .map(([file]) => file);
  const loadedAlone = entries.map(([, { entryPoint }]) => entryPoint);
  return {
    modules: small
      .flatMap((file) => Object.keys(outputs[file].inputs))
      .filter((one) => !loadedAlone.includes(one))
      .sort(),
    neededBy: entries
      .filter(([file]) => loadedWith([file], outputs).some((one) => small.includes(one)))
      .map(([, { entryPoint }]) => entryPoint),
  };
}

/** `activity` of `assets/activity.HASH.js`. */
function plainName(file) {
  return path.basename(file).split(".", 1)[0];
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
function loadedWith(files, outputs) {
  const loaded = new Set(files);
  for (const file of loaded) {
    for (const { path: needed, kind } of outputs[file].imports) {
      if (kind === "import-statement") loaded.add(needed);
    }
  }
  return [...loaded];
}

/** The same by the names that the page has for them. */
function namesLoadedWith(names) {
  const files = names.map((name) => `assets/${name}`);
  return loadedWith(files, metafile.outputs).map((file) => path.basename(file));
}

/**
 * The page with the names that its files have got, and links to what the first script is going to ask for, also for the
 * view that is opened most.
 */
function linked(source) {
  const early = namesLoadedWith([main, ...namesLike("activity.js")]).filter((name) => name !== main);
  const preloads = early.map((name) => `${preload(name)}\n`).join("");
  return source
    .replace('"assets/style.css"', `"assets/${style}"`)
    .replace('"assets/views.css"', `"assets/${viewsStyle}"`)
    .replace('<script type="module" src="assets/main.js">', `${preloads}<script type="module" src="assets/${main}">`);
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
