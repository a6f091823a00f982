// Puts the declarations that the compiler has written, one file for each source, into few files: one for each entry of the
// package, and two that these share. `shared` needs no other package; `node` has the declarations that name types of
// Node. The files for `import` pass on what those for `require` have, so both have the same types.
import fs from "node:fs";
import path from "node:path";
import { namesIn, readDeclarations, renameIn } from "./read-declarations.mjs";

const ROOT = "dist/types";
const ENTRIES = Object.entries(JSON.parse(fs.readFileSync("scripts/entries.json", "utf8")));

const files = new Map();

function fileAt(name) {
  const read = files.get(name) ?? readDeclarations(fs.readFileSync(path.join(ROOT, name), "utf8"));
  files.set(name, read);
  return read;
}

/**
 * Where a name of a file is declared: in a file of ours, or by another package. `undefined` for names that the file
 * takes from nowhere, such as those of the language.
 */
function resolve(name, file) {
  const { declared, imported, passedOn } = fileAt(file);
  if (declared.has(name)) return { name, file, isType: false };
  const link = imported.get(name) ?? passedOn.get(name);
  if (link === undefined) return undefined;
  if (!link.from.startsWith(".")) return { name: link.name, from: link.from };
  const next = resolve(link.name, path.posix.join(path.posix.dirname(file), link.from.replace(/\.js$/, ".d.ts")));
  if (next === undefined) throw new Error(`${file} imports ${name}, which ${link.from} does not have`);
  return { ...next, isType: next.isType || link.isType };
}

const keyOf = ({ name, file, from }) => `${file ?? from} ${name}`;

/** Every declaration that the entries need, by its key, in the order in which it is found. */
const needed = new Map();
/** Names that mean what the language has under them. Type parameters are among them, which does no harm. */
const free = new Set();

function need(place) {
  const key = keyOf(place);
  if (needed.has(key)) return needed.get(key);
  const { name, file, from } = place;
  const item = { name, from, uses: new Map(), texts: [], code: "" };
  needed.set(key, item);
  if (file === undefined) return item;
  const { declared, sources } = fileAt(file);
  item.texts = sources.get(name);
  item.code = declared.get(name).join("\n");
  for (const other of namesIn(item.code)) {
    const found = resolve(other, file);
    if (found !== undefined) item.uses.set(other, need(found));
    else if (/^[A-Z]/.test(other) || item.code.includes(`typeof ${other}`)) free.add(other);
  }
  return item;
}

const entries = ENTRIES.map(([entry, source]) => {
  const file = source.replace(/\.ts$/, ".d.ts");
  const { exported, passedOn } = fileAt(file);
  const items = [...exported, ...passedOn.keys()].sort().map((as) => {
    const place = resolve(as, file);
    return { as, isType: place.isType, item: need(place) };
  });
  return { entry, items };
});

// Those that have their name in an entry keep it, if they can.
const taken = new Set(["default"]);
const all = [...new Set([...entries.flatMap(({ items }) => items.map(({ item }) => item)), ...needed.values()])];
for (const item of all) {
  let called = item.name;
  for (let count = 2; taken.has(called) || (free.has(called) && item.from === undefined); count++) {
    called = `${item.name}${count}`;
  }
  taken.add(called);
  item.called = called;
}

/** What only newer libraries of the language have, or the types of Node. */
const OF_NODE = /\b(?:asyncDispose|AsyncDisposable)\b/;

/** Whether a declaration names a type of another package or of Node, itself or by what it names. */
function needsNode(item, seen = new Set()) {
  if (item.from !== undefined || OF_NODE.test(item.code)) return true;
  if (seen.has(item)) return false;
  seen.add(item);
  return [...item.uses.values()].some((other) => needsNode(other, seen));
}

const parts = new Map([
  ["shared", all.filter((item) => !needsNode(item))],
  ["node", all.filter((item) => item.from === undefined && needsNode(item))],
]);
const partOf = (item) => (parts.get("shared").includes(item) ? "shared" : "node");

function named({ name, called }) {
  return name === called ? name : `${name} as ${called}`;
}

/** Lines that take names from files. @param listed pairs of a file and a name */
function links(word, listed) {
  const byFile = new Map();
  for (const [from, name] of listed) byFile.set(from, [...(byFile.get(from) ?? []), name]);
  return [...byFile].sort().map(([from, names]) => `${word} { ${names.join(", ")} } from "${from}";\n`);
}

function declarationOf(item) {
  const renamed = (name) => item.uses.get(name)?.called ?? name;
  const head = new RegExp(`^((?:export )?(?:declare )?(?:abstract )?(?:\\w+) )${item.name}\\b`, "m");
  return item.texts.map((text) => {
    const other = renameIn(text, renamed);
    const start = other.search(/^(?!\/[/*]| \*)(?=\w)/m);
    const code = other
      .slice(start)
      .replace(/^export /, "")
      .replace(head, `$1${item.called}`);
    return `${other.slice(0, start)}export ${code}\n`;
  });
}

fs.rmSync(ROOT, { recursive: true });
fs.mkdirSync(ROOT);
for (const [part, items] of parts) {
  const used = [...new Set(items.flatMap((item) => [...item.uses.values()]))];
  const imports = used
    .filter((item) => item.from !== undefined || partOf(item) !== part)
    .map((item) => (item.from === undefined ? ["./shared.cjs", item.called] : [item.from, named(item)]));
  const text = [...links("import type", imports), ...items.flatMap(declarationOf)].join("");
  fs.writeFileSync(path.join(ROOT, `${part}.d.cts`), text);
}
for (const { entry, items } of entries) {
  const passed = items.map(({ as, isType, item }) => {
    const name = `${isType ? "type " : ""}${item.called === as ? as : `${item.called} as ${as}`}`;
    return [`./${partOf(item)}.cjs`, name];
  });
  fs.writeFileSync(path.join(ROOT, `${entry}.d.cts`), links("export", passed).join(""));
  const names = items.map(({ as, isType }) => [`./${entry}.cjs`, `${isType ? "type " : ""}${as}`]);
  fs.writeFileSync(path.join(ROOT, `${entry}.d.ts`), links("export", names).join(""));
}
