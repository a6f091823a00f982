// Reports the public types of the package, out of the built declarations: every export of every entry, then what they
// name without exporting it. The report stands in test/public-types.txt, so that each change of the API is in a diff.
//
//   node scripts/public-types.mjs             compares, and tells the difference
//   node scripts/public-types.mjs --update    writes the report anew
import fs from "node:fs";
import path from "node:path";
import { differenceOf } from "./difference.mjs";
import { namesIn, readDeclarations } from "./read-declarations.mjs";

const REPORT = "test/public-types.txt";
const UPDATE = "npm run build && node scripts/public-types.mjs --update";

/** Reads the declaration files, each once. */
function createProgram() {
  const files = new Map();

  function fileAt(name) {
    const read = files.get(name) ?? readDeclarations(fs.readFileSync(name, "utf8"));
    files.set(name, read);
    return read;
  }

  /** The file of ours that an import leads to; `undefined` for other packages. */
  function target(from, specifier) {
    return specifier.startsWith(".")
      ? path.join(path.dirname(from), specifier.replace(/\.(c?)js$/, ".d.$1ts"))
      : undefined;
  }

  /** Where a name of a file is declared: its own, or one that it imports or passes on. */
  function resolve(name, file) {
    const { declared, imported, passedOn } = fileAt(file);
    if (declared.has(name)) return { name, file };
    const link = imported.get(name) ?? passedOn.get(name);
    const next = link && target(file, link.from);
    return next && resolve(link.name, next);
  }

  /** What a file exports: the outer name, and where it is declared. */
  function exportsOf(file) {
    const { exported, passedOn } = fileAt(file);
    const names = [...exported, ...passedOn.keys()].sort(byText);
    return names.map((name) => ({ name, place: resolve(name, file) ?? { name, file: passedOn.get(name)?.from } }));
  }

  return {
    exportsOf,
    textOf: ({ name, file }) => withoutDescriptions(fileAt(file).declared.get(name).join("\n")),
    /** Declarations that the text of another one names. */
    namedBy: ({ name, file }) =>
      fileAt(file)
        .declared.get(name)
        .flatMap((text) => namesIn(text).map((other) => resolve(other, file)))
        .filter((place) => place !== undefined),
  };
}

/** Types of the client follow from schemas, whose texts for people are no part of a type. */
function withoutDescriptions(text) {
  return text.replace(/^ *readonly description: "(?:[^"\\]|\\.)*";\n/gm, "");
}

const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const keyOf = ({ name, file }) => `${file} ${name}`;

/** The entries of a package, by the name that programs import. */
function entriesOf({ name, exports }) {
  return Object.entries(exports)
    .filter(([, to]) => typeof to === "object")
    .map(([key, to]) => ({ entry: path.posix.join(name, key), file: path.normalize(to.import.types) }));
}

function reportOf(manifest) {
  const program = createProgram();
  const shown = new Map();
  const lines = [
    "The public types of this package: what each entry exports, by name. Made from the declarations of the build;",
    `after a wanted change of the API: ${UPDATE}`,
  ];
  for (const { entry, file } of entriesOf(manifest)) {
    lines.push("", `# ${entry}`);
    for (const { name, place } of program.exportsOf(file)) {
      const before = shown.get(keyOf(place));
      if (before === undefined) shown.set(keyOf(place), { entry, place });
      const title = name === place.name ? name : `${place.name} as ${name}`;
      if (before !== undefined) lines.push("", `${title}: see ${before.entry}`);
      else lines.push("", ...(name === place.name ? [] : [`${title}:`]), program.textOf(place));
    }
  }
  lines.push("", "# not exported, but named by what is above");
  const found = new Map([...shown].map(([key, { place }]) => [key, place]));
  // A map can grow while it is walked through: what is found is looked through as well.
  for (const place of found.values()) {
    for (const other of program.namedBy(place)) if (!found.has(keyOf(other))) found.set(keyOf(other), other);
  }
  const hidden = [...found].filter(([key]) => !shown.has(key)).map(([, place]) => program.textOf(place));
  for (const text of hidden.sort((a, b) => byText(titleOf(a), titleOf(b)))) lines.push("", text);
  return `${lines.join("\n")}\n`;
}

/** Sorted by its name, whatever kind of declaration it is; then by all of it. */
function titleOf(text) {
  return text.replace(/^(?:(?:export|declare|abstract|type|interface|class|function|const|let) )*/, "");
}

const report = reportOf(JSON.parse(fs.readFileSync("package.json", "utf8")));
if (process.argv.includes("--update")) {
  fs.writeFileSync(REPORT, report);
} else {
  const before = fs.existsSync(REPORT) ? fs.readFileSync(REPORT, "utf8") : "";
  const difference = differenceOf(before, report);
  if (difference.length > 0) {
    console.error(`the public types differ from ${REPORT}:\n\n${difference.join("\n")}\n`);
    console.error(`if that is wanted: ${UPDATE}`);
    process.exitCode = 1;
  }
}
