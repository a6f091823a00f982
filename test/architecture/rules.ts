// The map of the code as rules. docs/architecture.md has the map, docs/explanation/decisions.md the reasons.
import type { ImportLine, SourceFile } from "./source.js";

/** One offence, with the place to look at. */
export type Problem = `${string}:${number} ${string}`;

interface Layer {
  /** Files of ours that it may import, beside itself: names of layers. */
  readonly ours: readonly string[];
  /** Packages that it may import; `node:` stands for all of Node's own. */
  readonly packages: readonly string[];
}

/** Which file belongs to which layer; the first that matches counts. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^src\/domain\//, "domain"],
  [/^src\/transforms\//, "transforms"],
  [/^src\/query\//, "query"],
  [/^src\/(regex|privacy|retention)\/faults\.ts$/, "faults"],
  [/^src\/regex\//, "regex"],
  [/^src\/filter\//, "filter"],
  [/^src\/report\//, "report"],
  [/^src\/privacy\//, "privacy"],
  [/^src\/retention\//, "retention"],
  [/^src\/actions\//, "actions"],
  [/^src\/api\//, "api"],
  [/^src\/client\/queue\//, "queue"],
  [/^src\/client\/(pinned|node-fetch)\.ts$/, "client of Node"],
  [/^src\/client\//, "client"],
  [/^src\/web\//, "web"],
  [/^src\/mcp\//, "mcp"],
  [/^src\/http\//, "http"],
  [/^src\/codec\//, "codec"],
  [/^src\/storage\//, "storage"],
  [/^src\/cli\//, "cli"],
  [/^src\/foreign\//, "foreign"],
  [/^src\/util\/version\.ts$/, "version"],
  [/^src\/util\//, "util"],
  [/^src\/service\/import\//, "import"],
  [/^src\/service\/(service|execute|steps\/[\w-]+)\.ts$/, "writes"],
  [/^src\/service\/in-process(-\w+)?\.ts$/, "in-process"],
  [/^src\/service\/validation\.ts$/, "validation"],
  [/^src\/service\/(input-coercion|program-source)\.ts$/, "coercion"],
  [/^src\/service\//, "service"],
  [/^src\/testing\//, "testing"],
  [/^src\/(errors|logger|options|server|index)\.ts$/, "$1"],
  [/^src\/pipelines\.ts$/, "server"],
  [/^src\/tenants?(-options)?\.ts$/, "tenants"],
  [/^adapters\/(memory)[\w-]*\.ts$/, "adapter $1"],
  [/^adapters\/(\w[\w-]*)\//, "adapter $1"],
  [/^package\.json$/, "manifest"],
];

const VALUES = ["domain", "errors", "util"];
const FOR_ADAPTERS = [...VALUES, "storage", "logger"];
const ADAPTERS = ["adapter memory", "adapter leveldb", "adapter unstorage", "adapter postgres"];
const LEVELS = ["abstract-level", "classic-level", "level", "memory-level"];
/** `http → service → storage`, `service → query → transforms → domain`, and nothing the other way. */
const LAYERS: Readonly<Record<string, Layer>> = {
  util: { ours: [], packages: [] },
  domain: { ours: ["util"], packages: [] },
  errors: { ours: ["domain"], packages: [] },
  logger: { ours: [], packages: [] },
  version: { ours: ["manifest"], packages: [] },
  // The contract: what is not a type works on any values.
  api: { ours: ["domain", "errors"], packages: [] },
  actions: { ours: ["api", "service", "writes", "validation"], packages: [] },
  client: { ours: ["domain", "api", "util", "client of Node"], packages: [] },
  // Types of Node alone: its modules are looked up when they are needed.
  "client of Node": { ours: [], packages: ["node:"] },
  queue: { ours: ["domain", "client"], packages: ["node:"] },
  // Nobody imports it: the page is built by itself, and the core serves what the build has made.
  web: {
    ours: ["domain", "util", "client", "testing", "foreign", "filter", "faults"],
    packages: ["preact", "@preact/signals", "uqr"],
  },
  // The interface, and what works on any storage; nothing of any engine.
  storage: { ours: ["domain", "errors", "logger", "util"], packages: [] },
  // What other programs write, as data: no files, no engines.
  foreign: { ours: ["domain", "util"], packages: [] },
  validation: { ours: [...VALUES, "api"], packages: [] },
  // Names and sentences of what can be wrong: the dashboard has the same in other languages.
  faults: { ours: [], packages: [] },
  regex: { ours: ["faults", "util"], packages: [] },
  privacy: { ours: [...VALUES, "faults", "regex"], packages: [] },
  retention: { ours: [...VALUES, "faults"], packages: [] },
  filter: { ours: [...VALUES, "regex", "transforms"], packages: [] },
  transforms: { ours: VALUES, packages: [] },
  report: { ours: [...VALUES, "api", "regex", "transforms", "filter"], packages: [] },
  query: { ours: [...VALUES, "regex", "transforms"], packages: [] },
  // Steps of an import, too large for memory.
  import: { ours: VALUES, packages: ["node:"] },
  service: {
    ours: [
      ...VALUES,
      "storage",
      "import",
      "transforms",
      "query",
      "filter",
      "report",
      "privacy",
      "retention",
      "validation",
      "logger",
      "api",
    ],
    packages: [],
  },
  coercion: { ours: [...VALUES, "api", "filter", "storage", "validation"], packages: [] },
  writes: { ours: [...VALUES, "api", "storage", "service", "import", "validation", "coercion"], packages: [] },
  codec: { ours: [...VALUES, "filter", "storage", "query", "service", "import", "validation"], packages: [] },
  "in-process": {
    ours: [
      ...[...VALUES, "filter", "storage", "query", "privacy", "retention", "service", "validation", "coercion"],
      ...["codec", "api", "actions", "writes"],
    ],
    packages: [],
  },
  // Loads its package by a name in a variable, because the package is optional.
  mcp: {
    ours: [...VALUES, "api", "codec", "query", "filter", "report", "service", "writes", "logger", "version"],
    packages: [],
  },
  http: {
    ours: [
      ...VALUES,
      "mcp",
      "api",
      "actions",
      "storage",
      "query",
      "filter",
      "regex",
      "retention",
      "service",
      "writes",
      "validation",
      "codec",
      "logger",
    ],
    packages: ["h3", "rou3", "#static-files", "#pages", "node:"],
  },
  options: { ours: ["query", "storage", "service", "http", "logger"], packages: [] },
  server: {
    ours: [
      ...VALUES,
      "query",
      "storage",
      "service",
      "writes",
      "http",
      "in-process",
      "logger",
      "options",
      "version",
      "actions",
    ],
    packages: [],
  },
  tenants: { ours: ["errors", "http", "logger", "options", "server", "util"], packages: ["node:"] },
  index: {
    ours: [
      "tenants",
      ...[...VALUES, "query", "privacy", "retention", "storage", "service", "coercion", "writes", "http", "codec"],
      "in-process",
      ...["server", "logger", "options", "version"],
    ],
    packages: [],
  },
  testing: {
    ours: [
      ...[...VALUES, "storage", "validation", "coercion", "codec", "logger", "server", "options", "index"],
      "adapter memory",
    ],
    packages: [],
  },
  cli: {
    ours: [
      ...[...VALUES, "api", "privacy", "storage", "codec", "http", "server", "index", "logger", "options"],
      ...["version", "foreign", "client", "client of Node", ...ADAPTERS],
    ],
    packages: ["citty", "consola", "listhen", "node-forge", "node-sqlite3-wasm", "node:"],
  },
  "adapter memory": { ours: FOR_ADAPTERS, packages: [] },
  // One engine with two bindings: it knows neither of them, nor what they stand on.
  "adapter segments": { ours: FOR_ADAPTERS, packages: [] },
  "adapter leveldb": { ours: [...FOR_ADAPTERS, "adapter segments"], packages: [...LEVELS, "node:"] },
  "adapter unstorage": { ours: [...FOR_ADAPTERS, "adapter segments"], packages: ["unstorage"] },
  "adapter postgres": { ours: FOR_ADAPTERS, packages: ["pg", "node:"] },
};

const RE_EXPORT = /^[ \t]*export\s+(?:type\s+)?\{[^}]*\}\s*from\b/gm;
const RE_EXPORT_OF_VALUES = /^[ \t]*export\s+\{[^}]*\}\s*from\b/gm;

const MAX_LINES = 300;
const LONGEST_LINE = 120;

/** Forms that the house does without, looked for in code, not in comments and texts. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/(?<![.\w$])any\b(?!\s*[(:?=])/, "the type any"],
  [/^\s*(export\s+)?(declare\s+)?(const\s+)?enum\s/, "an enum"],
  [/\bexport\s+default\b|\bas\s+default\b/, "a default export"],
  [/\bexport\s+(type\s+)?\*/, "export *"],
  [/\?\?=?\s*\(*yield\b/, "yield behind ??, of which the build makes no valid CommonJS"],
];

function layerOf(name: string): string | undefined {
  for (const [pattern, layer] of PLACES) {
    const found = pattern.exec(name);
    if (found) return layer.replace("$1", found[1] ?? "");
  }
  return undefined;
}

function allows(layer: string, { specifier, target }: ImportLine): boolean {
  const { ours, packages } = LAYERS[layer] ?? { ours: [], packages: [] };
  if (!specifier.startsWith(".")) {
    return packages.some((name) => (name === "node:" ? specifier.startsWith(name) : isOf(name, specifier)));
  }
  const to = layerOf(target);
  return to !== undefined && (to === layer || ours.includes(to));
}

function isOf(packageName: string, specifier: string): boolean {
  return specifier === packageName || specifier.startsWith(`${packageName}/`);
}

/** Every file belongs to a layer, and imports only what its layer may. */
export function directionProblems({ name, imports }: SourceFile): Problem[] {
  const layer = layerOf(name);
  if (layer === undefined) return [`${name}:1 belongs to no layer: give it one in test/architecture/rules.ts`];
  return imports
    .filter((line) => !allows(layer, line))
    .map(({ line, specifier }): Problem => `${name}:${line} ${layer} must not import ${specifier}`);
}

/** Fronts of what is published. */
const FRONTS: readonly string[] = [
  "src/index.ts",
  "src/storage/index.ts",
  "src/testing/index.ts",
  "src/client/index.ts",
  "src/client/queue/index.ts",
];

/**
 * Only the fronts of the package pass on what others export; the front of an adapter's folder may pass on types, which
 * its options name.
 */
export function reExportProblems({ name, codeLines }: SourceFile): Problem[] {
  if (FRONTS.includes(name)) return [];
  const code = codeLines.join("\n");
  const forbidden = /^adapters\/[\w-]+\/index\.ts$/.test(name) ? RE_EXPORT_OF_VALUES : RE_EXPORT;
  return [...code.matchAll(forbidden)].map(
    ({ index }): Problem => `${name}:${code.slice(0, index).split("\n").length} re-exports`,
  );
}

export function lengthProblems({ name, lines }: SourceFile): Problem[] {
  const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  const problems: Problem[] = count > MAX_LINES ? [`${name}:${count} has more than ${MAX_LINES} lines`] : [];
  for (const [index, line] of lines.entries()) {
    if (line.length > LONGEST_LINE) problems.push(`${name}:${index + 1} has ${line.length} characters`);
  }
  return problems;
}

export function formProblems({ name, codeLines }: SourceFile): Problem[] {
  // Texts for people stand between the tags; the linter sees the type any there. Views are loaded by their default.
  if (/^src\/web\/.*\.tsx$/.test(name)) return [];
  return codeLines.flatMap((line, index) =>
    FORMS.filter(([pattern]) => pattern.test(line)).map(([, form]): Problem => `${name}:${index + 1} has ${form}`),
  );
}

/** What of ours may get into the page, and so into a browser. */
const IN_PAGE =
  /^src\/(web|client|domain|filter|util|testing|foreign)\/|^src\/(errors|service\/(validation|input-coercion))\.ts$/;

/** What the page loads, now or later, file after file: nothing of Node's own, and nothing of the server. */
export function pageProblems(entry: string, files: ReadonlyMap<string, SourceFile>): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set([entry]);
  for (const name of seen) {
    const file = files.get(name) ?? files.get(`${name}x`);
    for (const { kind, specifier, target, line } of file?.imports ?? []) {
      if (kind === "type") continue;
      if (specifier.startsWith(".")) seen.add(target);
      if (specifier.startsWith(".") ? !IN_PAGE.test(target) : specifier.startsWith("node:")) {
        problems.push(`${name}:${line} loads ${specifier} with ${entry}`);
      }
    }
  }
  return problems;
}

/**
 * What is loaded with an entry, file after file. None of it may be Node's own, so that the entry can be bundled for
 * other runtimes, nor an engine or a launcher package.
 */
export function entryProblems(entry: string, files: ReadonlyMap<string, SourceFile>): Problem[] {
  const foreign = [...LEVELS, "unstorage", ...(LAYERS["cli"]?.packages ?? [])];
  return loadProblems(entry, files, ({ specifier }) =>
    foreign.some((other) => specifier.startsWith("node:") || isOf(other, specifier)),
  );
}

/** What maintains a folder is loaded when it is called: an entry that opens folders loads none of it. */
export function maintenanceProblems(entry: string, files: ReadonlyMap<string, SourceFile>): Problem[] {
  return loadProblems(entry, files, ({ target }) => target.startsWith("adapters/leveldb/maintenance/"));
}

/** Imports that are loaded with an entry, file after file, and must not be. */
function loadProblems(
  entry: string,
  files: ReadonlyMap<string, SourceFile>,
  isProblem: (line: ImportLine) => boolean,
): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set([entry]);
  for (const name of seen) {
    for (const line of files.get(name)?.imports ?? []) {
      if (line.kind !== "static") continue;
      if (line.specifier.startsWith(".")) seen.add(line.target);
      if (isProblem(line)) problems.push(`${name}:${line.line} loads ${line.specifier} with ${entry}`);
    }
  }
  return problems;
}
