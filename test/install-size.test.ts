// What `npm install activity-server` puts on a disk: how many packages and bytes, read from the lock and the packed files.
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { pack, ROOT } from "./package/tarball.js";

const MAX_PACKAGES = 16;
const MAX_INSTALLED_BYTES = 15_000_000;
const MAX_PACKED_BYTES = 6_000_000;
const MAX_PACKED_FILES = 400;

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(fs.readFileSync(path.join(ROOT, "package-lock.json"), "utf8")) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));

/** Where code at a place finds a package. */
function placeOf(name: string, from: string): string {
  const at = `${from}node_modules/${name}`;
  if (at in packages || from === "") return at;
  return placeOf(name, from.slice(0, from.lastIndexOf("node_modules/", from.length - 2)));
}

/** The places of packages and of all that these depend on. */
function installedWith(names: readonly string[], from = "", found: Set<string> = new Set()): ReadonlySet<string> {
  for (const name of names) {
    const place = placeOf(name, from);
    if (found.has(place)) continue;
    const { dependencies, optionalDependencies } = packages[place] ?? {};
    installedWith(Object.keys({ ...dependencies, ...optionalDependencies }), `${place}/`, found.add(place));
  }
  return found;
}

function bytesBelow(folder: string): number {
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.reduce((sum, name) => sum + fs.lstatSync(path.join(folder, name)).size, 0);
}

const test = suite("install size");
const packed = pack();
const packedBytes = [...packed.values()].reduce((sum, { length }) => sum + length, 0);

test("only LevelDB is optional, and what some flags need is a peer that nothing installs", () => {
  assert.equal(Object.keys(manifest.optionalDependencies), ["classic-level"]);
  for (const name of Object.keys(manifest.peerDependencies)) {
    assert.equal(manifest.peerDependenciesMeta[name], { optional: true }, name);
    assert.ok(manifest.devDependencies[name], `${name} is there in the repository`);
  }
});

test("it brings few packages and bytes", () => {
  const wanted = [...installedWith(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))];
  assert.ok(wanted.includes("node_modules/classic-level"));
  assert.ok(wanted.length + 1 <= MAX_PACKAGES, wanted.join(" "));
  const bytes = wanted.reduce((sum, place) => sum + bytesBelow(path.join(ROOT, place)), packedBytes);
  assert.ok(bytes <= MAX_INSTALLED_BYTES, `${bytes} bytes`);
});

test("the package itself is small", () => {
  assert.ok(packedBytes <= MAX_PACKED_BYTES, `${packedBytes} bytes`);
  assert.ok(packed.size <= MAX_PACKED_FILES, `${packed.size} files`);
});

test.run();
