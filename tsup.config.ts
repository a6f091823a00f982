import fs from "node:fs";
import { transform } from "esbuild";
import { defineConfig, type Options } from "tsup";
import { readFrameworks } from "./src/cli/init/framework.js";

/** Sources of the entries of the package, by their names in `dist`. */
const ENTRIES: Readonly<Record<string, string>> = JSON.parse(fs.readFileSync("scripts/entries.json", "utf8"));

// Here, and not by `clean`: the two builds run at once, and one would delete what the other has made.
fs.rmSync("dist", { recursive: true, force: true });

const MIGRATIONS = "adapters/postgres/migrations";
/** Names and texts of the SQL files of the PostgreSQL adapter. The first one is no migration. */
const SQL = fs.readdirSync(MIGRATIONS).sort();
const sqlOf = (name: string): string => fs.readFileSync(`${MIGRATIONS}/${name}`, "utf8");

// For owners of a database that apply them with psql, which replaces no variables in the bodies of functions.
fs.mkdirSync("dist/migrations", { recursive: true });
for (const [version, name] of SQL.entries()) {
  const begin = version === 1 ? `create schema if not exists :"schema";\n${sqlOf(SQL[0] as string)}\n` : "";
  const end = `\ninsert into :"schema".migrations (version) values (${version});\n`;
  const text = (begin + sqlOf(name) + end).replaceAll(':"schema"', "activity_server");
  if (version > 0) fs.writeFileSync(`dist/migrations/${name}`, text);
}

/** Puts the SQL files of the PostgreSQL adapter into the bundle, in place of the module that reads them. */
const migrations: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "migrations",
  setup(build) {
    build.onLoad({ filter: /adapters[\\/]postgres[\\/]migrations\.ts$/ }, () => {
      const [preparation, ...texts] = SQL.map(sqlOf);
      return {
        contents: `
          export const PREPARATION = ${JSON.stringify(preparation)};
          export const MIGRATIONS = ${JSON.stringify(texts)};`,
      };
    });
  },
};

/** Puts the files that `init` writes into the bundle, in place of the module that reads them. */
const frameworks: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "frameworks",
  setup(build) {
    build.onLoad({ filter: /src[\\/]cli[\\/]init[\\/]frameworks\.ts$/ }, () => {
      const found = readFrameworks(new URL("docs/", import.meta.url));
      return { contents: `export const FRAMEWORKS = ${JSON.stringify(found)};` };
    });
  },
};

/** Leaves out what only people need, except for names; of long lines Node would print all of one with an uncaught error. */
const SHORT = { minifyWhitespace: true, minifySyntax: true, lineLimit: 500 } as const;

/** Keeps the contract suite once, in CommonJS, which every test runner takes. */
const contract: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "contract",
  setup(build) {
    build.onLoad({ filter: /test[\\/]contract[\\/]index\.ts$/ }, () => ({
      contents: 'export { storageContract } from "./contract.cjs";',
    }));
  },
};

/** Fails where the ES modules would contain another package: programs install those once for all. */
const noPackages: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "no-packages",
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]/ }, ({ path }) => ({
      errors: [{ text: `${path} must stay outside` }],
    }));
  },
};

/**
 * Turns ES modules into CommonJS with short names, which saves a sixth. tsup's own way writes `?.` and `??` as calls,
 * which take longer.
 */
const commonJs: NonNullable<Options["plugins"]>[number] = {
  name: "commonjs",
  async renderChunk(code) {
    const supported = { "dynamic-import": false };
    const short = { ...SHORT, minifyIdentifiers: true };
    return await transform(code, { ...short, format: "cjs", platform: "node", target: "node20", supported });
  },
};

/** Leaves ASCII alone, of which V8 makes strings of half the size: esbuild writes other characters only in literals. */
const ascii: NonNullable<Options["plugins"]>[number] = {
  name: "ascii",
  renderChunk(code) {
    const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
    return { code: code.replace(/[^\x00-\x7f]/g, escaped) };
  },
};

const SHARED: Options = {
  target: "node20",
  platform: "node",
  // tsc writes the declarations: tsup's own writer needs a compiler interface that TypeScript 7 no longer has.
  dts: false,
  sourcemap: false,
  esbuildPlugins: [migrations, frameworks],
};

/** Installed beside the package, and loaded only by what needs them: native code cannot be bundled. */
const OPTIONAL = ["classic-level", "listhen", "node-forge", "node-sqlite3-wasm", "pg"];
/** ES modules without a CommonJS form, which Jest and Node before 20.19 cannot require. */
const ESM_ONLY = ["h3", "rou3", "srvx"];
/** Files of the pages, which the build writes later. */
const PAGES = /^#pages\//;

export default defineConfig([
  {
    ...SHARED,
    format: "esm",
    entry: { ...ENTRIES, cli: "src/cli/module.ts" },
    external: [...OPTIONAL, PAGES, "#static-files", "./contract.cjs"],
    esbuildPlugins: [migrations, frameworks, contract, noPackages],
    esbuildOptions: (options) => void Object.assign(options, SHORT),
  },
  {
    ...SHARED,
    // Of ES modules alone esbuild makes chunks that several entries share.
    format: "esm",
    outExtension: () => ({ js: ".cjs" }),
    plugins: [commonJs],
    entry: ENTRIES,
    external: [...OPTIONAL, PAGES],
    noExternal: ESM_ONLY,
    // For scripts/third-party.mjs, which deletes it.
    metafile: true,
  },
  {
    ...SHARED,
    format: "cjs",
    // One file, whose compiled code can be kept (src/cli/code-cache.ts), and what loads that.
    entry: { cli: "src/cli/index.ts", launcher: "src/cli/program.ts" },
    plugins: [ascii],
    splitting: false,
    // Nobody loads it as a library, and with its names it is half as large again.
    minify: true,
    external: [...OPTIONAL, PAGES],
    noExternal: [...ESM_ONLY, "citty", "consola"],
    esbuildOptions(options) {
      // Code from a cache cannot import.
      Object.assign(options, { lineLimit: SHORT.lineLimit, supported: { "dynamic-import": false } });
    },
    metafile: true,
  },
]);
