import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { requireCached } from "../../src/cli/code-cache.js";
import { withFolder } from "../adapters/folder.js";
import { inWorkshop, stopped } from "./launcher.js";

const test = suite("launcher: code cache");

interface Place {
  readonly folder: string;
  /** The folder with the cache, which is made with the first file. */
  readonly cache: string;
  /** Writes a module and loads it. */
  load(value: string, env?: NodeJS.ProcessEnv): ReturnType<typeof requireCached<{ value: string }>>;
  /** The only file of the cache. */
  kept(): string;
}

function inPlace(name: string, body: (place: Place) => void): void {
  test(name, () =>
    withFolder(async (folder) => {
      const cache = path.join(folder, "cache", "activity-server");
      body({
        ...{ folder, cache },
        load(value, env = { NODE_COMPILE_CACHE: path.join(folder, "cache") }) {
          const file = path.join(folder, "module.cjs");
          fs.writeFileSync(file, `exports.value = (() => ${JSON.stringify(value)})();\n`);
          return requireCached(file, env);
        },
        kept() {
          const [name = "", ...more] = fs.readdirSync(cache);
          assert.equal(more, []);
          return path.join(cache, name);
        },
      });
    }),
  );
}

inPlace("what one process keeps, the next takes", ({ load }) => {
  const first = load("a");
  assert.equal([first.exports.value, first.isFromCache], ["a", false]);
  first.keep();
  const second = load("a");
  assert.equal([second.exports.value, second.isFromCache], ["a", true]);
});

inPlace("nothing is kept without being asked for", ({ load, cache }) => {
  load("a");
  assert.not.ok(fs.existsSync(cache));
});

inPlace("another text of the same length is compiled", ({ load }) => {
  load("a").keep();
  const changed = load("b");
  assert.equal([changed.exports.value, changed.isFromCache], ["b", false]);
  changed.keep();
  assert.is(load("a").isFromCache, true);
  assert.is(load("b").isFromCache, true);
});

inPlace("what is older than a month goes with the next file, and nothing that is not ours", ({ load, cache, kept }) => {
  load("a").keep();
  const old = kept();
  const others = [`${old}.123-4`, path.join(cache, "foreign.txt")];
  for (const name of others) fs.writeFileSync(name, "");
  fs.mkdirSync(path.join(cache, "folder"));
  const longAgo = Date.now() / 1000 - 31 * 86_400;
  for (const name of [old, ...others]) fs.utimesSync(name, longAgo, longAgo);
  load("b").keep();
  const names = fs.readdirSync(cache).filter((name) => !name.startsWith("module-"));
  assert.equal(names.sort(), ["folder", "foreign.txt"]);
  assert.is(fs.existsSync(old), false);
  assert.is(fs.existsSync(`${old}.123-4`), false);
  assert.is(load("b").isFromCache, true);
});

inPlace("a damaged or short file is not used, and mended", ({ load, kept }) => {
  load("a").keep();
  const whole = fs.readFileSync(kept());
  for (const at of [0, 4, whole.length >> 1, whole.length - 1]) {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    for (const damaged of [bytes, whole.subarray(0, at)]) {
      fs.writeFileSync(kept(), damaged);
      const { exports, isFromCache, keep } = load("a");
      assert.equal([exports.value, isFromCache], ["a", false], `byte ${at}`);
      keep();
      assert.is(load("a").isFromCache, true);
    }
  }
});

if (process.platform !== "win32") {
  inPlace(
    "only its user can read it, and a folder that others may write into is neither used nor filled",
    ({ load, cache, kept }) => {
      load("a").keep();
      assert.is(fs.statSync(cache).mode & 0o777, 0o700);
      assert.is(fs.statSync(kept()).mode & 0o777, 0o600);
      const old = kept();
      fs.chmodSync(cache, 0o770);
      assert.is(load("a").isFromCache, false);
      load("b").keep();
      assert.is(kept(), old);
      fs.chmodSync(cache, 0o700);
      assert.is(load("a").isFromCache, true);
      fs.chmodSync(path.dirname(cache), 0o777);
      assert.is(load("a").isFromCache, false, "a folder in which others may rename");
      fs.chmodSync(path.dirname(cache), 0o1777);
      assert.is(load("a").isFromCache, true, "a folder in which others may rename what is theirs");
    },
  );
}

inPlace("where it cannot be written, nothing fails", ({ load, folder }) => {
  fs.writeFileSync(path.join(folder, "cache"), "a file");
  const { exports, keep } = load("a");
  keep();
  assert.is(exports.value, "a");
  assert.equal(fs.readdirSync(folder).sort(), ["cache", "module.cjs"]);
});

inPlace("the variables of Node say where, and whether; V8's coverage goes without", ({ load, folder, kept }) => {
  const place = { NODE_COMPILE_CACHE: path.join(folder, "cache") };
  load("a", place).keep();
  const old = kept();
  for (const env of [{ NODE_DISABLE_COMPILE_CACHE: "1" }, { NODE_V8_COVERAGE: folder }]) {
    const { exports, isFromCache, keep } = load("b", { ...place, ...env });
    keep();
    assert.equal([exports.value, isFromCache, kept()], ["b", false, old]);
  }
});

if (process.platform === "linux") {
  inPlace("without them it lies in the user's folder for caches", ({ load, folder }) => {
    load("a", { XDG_CACHE_HOME: folder }).keep();
    assert.is(fs.readdirSync(path.join(folder, "activity-server")).length, 1);
    assert.is(load("a", { XDG_CACHE_HOME: folder }).isFromCache, true);
  });
}

test("a server keeps the launcher's code; commands only use it", () =>
  inWorkshop(async ({ path: at, start, run }) => {
    const env = { NODE_COMPILE_CACHE: at("cache") };
    assert.is((await run(["--version"], env)).code, 0);
    assert.not.ok(fs.existsSync(at("cache/activity-server")));
    const running = await start([], env);
    running.kill("SIGKILL");
    await running.ended;
    const kept = fileIn(at);
    assert.match(kept, /^launcher-v[\d.]+-\w+-[0-9a-f]+-[0-9a-f]+$/);
    const { ino } = fs.statSync(at(`cache/activity-server/${kept}`));
    assert.is((await run(["--version"], env)).code, 0);
    const again = await start([], env);
    assert.is((await stopped(again)).code, 0);
    assert.is(fileIn(at), kept);
    assert.is(fs.statSync(at(`cache/activity-server/${kept}`)).ino, ino, "V8 has taken it");
  }));

function fileIn(at: (name: string) => string): string {
  return fs.readdirSync(at("cache/activity-server")).join();
}

test.run();
