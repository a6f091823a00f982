// The sources and tests as JavaScript, made once and used by every process of a run: with tsx each process would take
// more than a second of the processor just to load them. They lie in a tree like that of the checkout, so imports lead
// from one to the other; what is no TypeScript is linked into it, and each file takes itself for its source.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transform, version } from "esbuild";
import { ROOT, SCRATCH } from "./places.mjs";

const FOLDERS = ["src", "adapters", "test", "bench"];
const SOURCE = /(?<!\.d)\.tsx?$/;
/** Other files that may be imported. */
const LINKED = /\.(?:[cm]?js|json)$/;
const ELSEWHERE = new Set(["node_modules", ".git", ...FOLDERS]);

const tsconfigRaw = fs.readFileSync(path.join(ROOT, "tsconfig.json"), "utf8");

/** What c8 makes of the coverage of a file depends on these; the thresholds were set under them, which are those of tsx. */
const FOR_COVERAGE = { minifyWhitespace: true, keepNames: true };
/** Node reads the map of every module that it loads: without its source it is half as large. */
const FOR_SPEED = { sourcesContent: false };

/** What a compiled file depends on beside its source has a tree of its own. */
function treeFolder(style) {
  const hash = createHash("sha256");
  for (const part of [
    fs.readFileSync(fileURLToPath(import.meta.url)),
    tsconfigRaw,
    version,
    process.version,
    ROOT,
    JSON.stringify(style),
  ]) {
    hash.update(part);
  }
  return path.join(ROOT, "node_modules/.cache/activity-server-tests", hash.digest("hex").slice(0, 16));
}

function statOf(file) {
  return fs.lstatSync(file, { throwIfNoEntry: false });
}

/** Another run may be at it, too. */
function put(target, write) {
  const made = `${target}.${process.pid}`;
  write(made);
  fs.renameSync(made, target);
}

function link(name, tree) {
  const target = path.join(tree, name);
  if (statOf(target)) return;
  fs.mkdirSync(path.dirname(target), { recursive: true });
  put(target, (made) => fs.symlinkSync(path.join(ROOT, name), made));
}

async function compile(file, target, style) {
  const { atime, mtime } = fs.statSync(file);
  // A checkout may also bring back an older file. To the millisecond: finer times are not written back.
  if (statOf(target)?.mtime.getTime() === mtime.getTime()) return;
  const options = {
    ...{ loader: file.endsWith("x") ? "tsx" : "ts", format: "esm", target: `node${process.versions.node}` },
    ...{ tsconfigRaw, sourcefile: file, sourcemap: "inline", logLevel: "silent" },
    ...style,
    define: { "import.meta.url": JSON.stringify(pathToFileURL(file).href) },
  };
  const { code } = await transform(fs.readFileSync(file, "utf8"), options).catch((error) => {
    // Whoever imports it fails, as would be without us, and nobody else.
    return { code: `throw new SyntaxError(${JSON.stringify(error.message)});\n` };
  });
  fs.mkdirSync(path.dirname(target), { recursive: true });
  put(target, (made) => {
    fs.writeFileSync(made, code);
    fs.utimesSync(made, atime, mtime);
  });
}

function namesIn(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** The compiled form of a file below `root`, in a tree, and the source of one that is named from there. */
function placesIn(tree, root) {
  const sourceOf = (name) => {
    const stem = path.join(root, name.replace(/\.js$/, ""));
    return [`${stem}.ts`, `${stem}.tsx`].find((file) => statOf(file)) ?? path.join(root, name);
  };
  return { tree, of: (file) => path.join(tree, path.relative(root, file).replace(SOURCE, ".js")), sourceOf };
}

/**
 * Compiles what has changed in the checkout since the last run.
 *
 * @param isCovered whether coverage is to be noted of it
 * @returns `tree`: the folder of the compiled files; `of`: tells the compiled file of a source; `sourceOf`: tells the
 * source of a compiled file, which is named from the tree
 */
export async function compileCheckout(isCovered) {
  const style = isCovered ? FOR_COVERAGE : FOR_SPEED;
  const tree = treeFolder(style);
  const places = placesIn(tree, ROOT);
  const { of } = places;
  fs.mkdirSync(tree, { recursive: true });
  // The build may be made only now, beside us.
  const beside = new Set([...fs.readdirSync(ROOT), "dist"]);
  for (const name of beside) if (!ELSEWHERE.has(name)) link(name, tree);
  const files = FOLDERS.flatMap((folder) => namesIn(path.join(ROOT, folder)));
  for (const file of files.filter((each) => LINKED.test(each))) link(path.relative(ROOT, file), tree);
  const sources = files.filter((file) => SOURCE.test(file));
  await Promise.all(sources.map((file) => compile(file, of(file), style)));
  // A file that is gone must not be found.
  const wanted = new Set([...sources.map(of), ...files.map((file) => path.join(tree, path.relative(ROOT, file)))]);
  for (const file of FOLDERS.flatMap((folder) => namesIn(path.join(tree, folder)))) {
    if (!wanted.has(file) && !/\.\d+$/.test(file)) fs.rmSync(file, { force: true });
  }
  return places;
}

/** Compiles the files of another folder for this run. @returns the same as `compileCheckout` */
export async function compileFolder(folder) {
  const places = placesIn(path.join(SCRATCH, "compiled"), folder);
  fs.mkdirSync(places.tree);
  fs.writeFileSync(path.join(places.tree, "package.json"), '{ "type": "module" }');
  const sources = namesIn(folder).filter((file) => SOURCE.test(file));
  await Promise.all(sources.map((file) => compile(file, places.of(file), FOR_SPEED)));
  return places;
}
