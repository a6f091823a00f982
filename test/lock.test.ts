// Reads package-lock.json: `npm ci` must work on every platform, whichever one the lock was written on.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";

interface Semver {
  minVersion(range: string): { version: string } | null;
  satisfies(version: string, range: string): boolean;
}
interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  /** Its files are part of the package that brings it. */
  readonly inBundle?: boolean;
  /** Nothing that runs in production needs it. */
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
/** By place: "" is the project, "node_modules/a/node_modules/b" what only `a` finds as `b`. */
type Packages = Readonly<Record<string, LockedPackage>>;

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const semver: Semver = createRequire(import.meta.url)("semver");
const REGISTRY = "https://registry.npmjs.org/";
const PLATFORMS = ["linux", "darwin", "win32"].flatMap((os) => ["x64", "arm64"].map((cpu) => ({ os, cpu })));

const readJson = (name: string) => JSON.parse(fs.readFileSync(path.join(ROOT, name), "utf8"));
const manifest = readJson("package.json");
const locked: Packages = readJson("package-lock.json").packages;

/** The package that code at `place` finds as `name`. */
function resolve(packages: Packages, place: string, name: string): LockedPackage | undefined {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const found = packages[`${folder === "" ? "" : `${folder}/`}node_modules/${name}`];
    if (found || folder === "") return found;
  }
}

/** What somebody asks for and the lock does not hold: `npm ci` refuses such a lock. */
function absent(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([place, { dependencies, devDependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter((name) => !resolve(packages, place, name))
      .map((name) => `${place || "the project"} asks for ${name}`),
  );
}

/** Packages that could be exchanged unnoticed, or come from a registry that others do not have. */
function untrusted(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([place, { integrity, inBundle, resolved }]) => [
    ...(place === "" || integrity || inBundle ? [] : [`${place} has no integrity`]),
    ...(resolved === undefined || resolved.startsWith(REGISTRY) ? [] : [`${place} comes from ${resolved}`]),
  ]);
}

/** Packages that come as one build for each platform, with the builds of each. */
function builds(packages: Packages): Map<string, LockedPackage[]> {
  const found = new Map<string, LockedPackage[]>();
  for (const [place, { optionalDependencies = {} }] of Object.entries(packages)) {
    const optional = Object.keys(optionalDependencies).map((name) => resolve(packages, place, name));
    const native = optional.filter((build): build is LockedPackage => build?.cpu !== undefined);
    if (native.length > 1) found.set(place, native);
  }
  return found;
}

/** Platforms that a package which comes in builds has none for. */
function unbuilt(packages: Packages): string[] {
  return [...builds(packages)].flatMap(([place, native]) =>
    PLATFORMS.filter(({ os, cpu }) => !native.some((build) => build.os?.includes(os) && build.cpu?.includes(cpu))).map(
      ({ os, cpu }) => `${place} has no build for ${os}-${cpu}`,
    ),
  );
}

/** Packages of production that refuse a version of Node. */
function refusing(packages: Packages, version: string): string[] {
  return Object.entries(packages)
    .filter(([, { dev, engines }]) => !dev && engines?.node && !semver.satisfies(version, engines.node))
    .map(([place, { engines }]) => `${place} wants Node ${engines?.node}`);
}

const test = suite("package-lock.json");

test("holds everything that anything in it asks for", () => {
  assert.equal(absent(locked), []);
});

test("proves every package, and names no registry but the public one", () => {
  assert.equal(untrusted(locked), []);
});

test("has a build of every tool for Linux, macOS and Windows on x64 and arm64", () => {
  const tools = ["@biomejs/biome", "esbuild", "typescript"].map((name) => `node_modules/${name}`);
  assert.equal([...builds(locked).keys()].filter((place) => tools.includes(place)).sort(), tools);
  assert.equal(unbuilt(locked), []);
});

test("what runs in production accepts the oldest Node that package.json names", () => {
  const oldest = semver.minVersion(manifest.engines.node)?.version ?? "";
  assert.is(oldest, "20.19.0");
  assert.equal(refusing(locked, oldest), []);
});

test("says the same as package.json", () => {
  for (const kind of ["dependencies", "devDependencies", "optionalDependencies", "engines"] as const) {
    assert.equal(locked[""]?.[kind], manifest[kind], kind);
  }
});

const build = (os: string, cpu: string): LockedPackage => ({ integrity: "sha512-", os: [os], cpu: [cpu] });
const BROKEN: Packages = {
  "": { dependencies: { one: "1.0.0" }, devDependencies: { two: "1.0.0" }, optionalDependencies: { three: "1.0.0" } },
  "node_modules/one": {
    integrity: "sha512-",
    dependencies: { inner: "1.0.0", two: "1.0.0" },
    engines: { node: ">=22" },
  },
  "node_modules/one/node_modules/inner": { inBundle: true, dependencies: { one: "1.0.0", deep: "1.0.0" } },
  "node_modules/two": {
    ...{ dev: true, resolved: "https://registry.example/two-1.0.0.tgz", engines: { node: ">=22" } },
    optionalDependencies: { "two-darwin-x64": "1.0.0", "two-linux-x64": "1.0.0", "two-linux-arm64": "1.0.0" },
  },
  "node_modules/two-linux-x64": build("linux", "x64"),
  "node_modules/two-darwin-x64": build("darwin", "x64"),
};

test("a broken lock is seen", () => {
  assert.equal(absent(BROKEN), [
    "the project asks for three",
    "node_modules/one/node_modules/inner asks for deep",
    "node_modules/two asks for two-linux-arm64",
  ]);
  assert.equal(untrusted(BROKEN), [
    "node_modules/two has no integrity",
    "node_modules/two comes from https://registry.example/two-1.0.0.tgz",
  ]);
  assert.equal(
    unbuilt(BROKEN),
    ["linux-arm64", "darwin-arm64", "win32-x64", "win32-arm64"].map(
      (platform) => `node_modules/two has no build for ${platform}`,
    ),
  );
  assert.equal(refusing(BROKEN, "20.19.0"), ["node_modules/one wants Node >=22"]);
});

test.run();
