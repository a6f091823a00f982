import { suite } from "uvu";
import * as assert from "uvu/assert";
import { wrap } from "../../adapters/unstorage/blob-store.js";
import { unstorage } from "../../adapters/unstorage/index.js";
import type { ErrorCode } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { FaultyStorage } from "./faulty-storage.js";
import { refuses } from "./opening.js";

const test = suite("unstorage: opening");

type Items = Map<string, string>;

/** What a storage with a log and segments has left, as if its process had died. */
async function leftBehind(): Promise<Items> {
  const driver = new FaultyStorage();
  const storage = unstorage({ storage: driver });
  for (const id of ["window", "afk"]) await storage.createBucket(bucketOf(id));
  await storage.putEvents(
    "window",
    Array.from({ length: 2_000 }, (_, index) => draftOf(index * 10, 5, index)),
  );
  await storage.heartbeat("window", draftOf(30_000, 0, "beat"), 10);
  await storage.heartbeat("window", draftOf(30_005, 0, "beat"), 10);
  await storage.settings.put("key", 1);
  return new Map(driver.items);
}

/** The key of that beginning whose value was written last. */
function newest(items: ReadonlyMap<string, string>, kind: string): string {
  const keys = [...items.keys()].filter((key) => key.startsWith(`activity:${kind}`));
  const versionOf = (key: string): number => Number(/"version":(\d+)/.exec(items.get(key) ?? "")?.[1] ?? 0);
  const found = keys.sort((a, b) => versionOf(b) - versionOf(a))[0];
  assert.ok(found, `no ${kind}`);
  return found;
}

/** Ways to make what is there unreadable. Nothing may be changed by an opening that finds them. */
const DAMAGE: Readonly<Record<string, { code: ErrorCode; names: string; harm(items: Items): void }>> = {
  "a root of a later format": {
    code: "STORAGE_TOO_NEW",
    names: "format 3",
    harm: (items) => change(items, "root", (body) => body.replace('"format":2', '"format":3')),
  },
  "an owner of a later format": {
    code: "STORAGE_TOO_NEW",
    names: "format 3",
    harm: (items) => items.set("activity:owner", wrap("owner", '{"format":3,"epoch":"0"}')),
  },
  "an owner of format 1": {
    code: "STORAGE_TOO_OLD",
    names: "export it",
    harm: (items) => items.set("activity:owner", 'activity y dnesuz {"format":1,"term":"5f0c1e9a7b32"}'),
  },
  "somebody else's value": {
    code: "STORAGE_UNUSABLE",
    names: "activity",
    harm: (items) => items.set("activity:owner", '{"owner":"me"}'),
  },
  "a flipped letter in a root": { code: "STORAGE_CORRUPT", names: "root-", harm: (items) => flip(items, "root") },
  "a flipped letter in a manifest": {
    code: "STORAGE_CORRUPT",
    names: "manifest-",
    harm: (items) => change(items, "manifest", (body) => body, "another name"),
  },
  "a manifest that is missing": {
    code: "STORAGE_CORRUPT",
    names: "manifest-",
    harm: (items) => removeAll(items, "manifest"),
  },
  "a manifest that is cut off": {
    code: "STORAGE_CORRUPT",
    names: "manifest-",
    harm: (items) => cutAll(items, "manifest"),
  },
  "a manifest of another bucket": {
    code: "STORAGE_CORRUPT",
    names: "manifest-",
    harm: (items) => change(items, "manifest", (body) => body.replace('"bucket":1', '"bucket":2')),
  },
  "a manifest without its last line": {
    code: "STORAGE_CORRUPT",
    names: "manifest-",
    harm: (items) => change(items, "manifest", (body) => body.split("\n").slice(0, -1).join("\n")),
  },
  "all roots missing": { code: "STORAGE_CORRUPT", names: "no root", harm: (items) => removeAll(items, "root") },
  "the newest root missing": {
    code: "STORAGE_CORRUPT",
    names: "root-",
    harm: (items) => items.delete(newest(items, "root")),
  },
  "both places of the root cut off": {
    code: "STORAGE_CORRUPT",
    names: "cut off",
    harm: (items) => cutAll(items, "root"),
  },
  "the newest root cut off, though a commit behind it was acknowledged": {
    code: "STORAGE_CORRUPT",
    names: "manifest-",
    harm: (items) => items.set(newest(items, "root"), (items.get(newest(items, "root")) ?? "").slice(0, 40)),
  },
  "a value with something behind its end": {
    code: "STORAGE_CORRUPT",
    names: "root-",
    harm: (items) => items.set(newest(items, "root"), `${items.get(newest(items, "root"))} `),
  },
};

/** Changes the body of a value. @param name the name under which its checksum is right */
function change(items: Items, kind: string, edit: (body: string) => string, name?: string): void {
  const key = newest(items, kind);
  const body = (items.get(key) ?? "").replace(/^activity \w+ \w+ /, "");
  assert.ok(name !== undefined || edit(body) !== body, "the edit changes something");
  items.set(key, wrap(name ?? key.slice("activity:".length), edit(body)));
}

function flip(items: Items, kind: string): void {
  const key = newest(items, kind);
  items.set(key, (items.get(key) ?? "").replace(/version/, "versiom"));
}

function removeAll(items: Items, kind: string): void {
  for (const key of [...items.keys()]) if (key.includes(kind)) items.delete(key);
}

function cutAll(items: Items, kind: string): void {
  for (const [key, value] of items) if (key.includes(kind)) items.set(key, value.slice(0, 40));
}

for (const [what, { code, names, harm }] of Object.entries(DAMAGE)) {
  test(`${what}: refused with ${code}, and what counts is not changed`, async () => {
    const items = await leftBehind();
    harm(items);
    const driver = new FaultyStorage(items);
    await refuses(unstorage({ storage: driver }), { code, names });
    assert.equal([...driver.items], [...items]);
  });
}

const CUTS: readonly (readonly [string, (value: string) => string])[] = [
  ["empty", () => ""],
  ["cut within its head", (value) => value.slice(0, 5)],
  ["cut behind its head", (value) => value.slice(0, 30)],
  ["cut before its last letter", (value) => value.slice(0, -1)],
  ["full of zero bytes behind its beginning", (value) => value.slice(0, 30) + "\0".repeat(value.length - 30)],
];

for (const [what, cut] of CUTS) {
  test(`a value of the log that is ${what}, as a crash leaves it: the version before it counts`, async () => {
    const items = await leftBehind();
    const key = newest(items, "log");
    items.set(key, cut(items.get(key) ?? ""));
    const storage = unstorage({ storage: new FaultyStorage(items) });
    assert.is((await read(storage, "window")).length, 2_001);
    assert.is(await storage.settings.get("key"), undefined);
    assert.is((await storage.health?.())?.state, "ok");
    await storage.close();
  });
}

test("a damaged value of the log: what it held is reported as lost, and the value is kept aside", async () => {
  const items = await leftBehind();
  flip(items, "log");
  const driver = new FaultyStorage(items);
  const storage = unstorage({ storage: driver });
  assert.is(await storage.settings.get("key"), undefined);
  const { state, problems } = (await storage.health?.()) ?? {};
  assert.is(state, "degraded");
  assert.match(problems?.[0]?.message ?? "", "a value of the log is damaged");
  await storage.close();
  assert.ok([...driver.items.keys()].some((key) => key.startsWith("activity:lost-log-")));
});

test("an owner record that was cut off, damaged, or gone, does not matter", async () => {
  for (const owner of ["", "activ", wrap("owner", "{}").replace("{", "["), undefined]) {
    const items = await leftBehind();
    if (owner === undefined) items.delete("activity:owner");
    else items.set("activity:owner", owner);
    const storage = unstorage({ storage: new FaultyStorage(items) });
    assert.is(await storage.countEvents("window"), 2_001);
    await storage.close();
  }
});

test("a first opening that died at any point is followed by another first one", async () => {
  for (let call = 1; call <= 3; call++) {
    for (const failure of ["crash before", "crash behind", "crash within"] as const) {
      const driver = new FaultyStorage();
      driver.failCall(call, failure);
      await refuses(unstorage({ storage: driver }), { code: "STORAGE_FAILED" });
      const storage = unstorage({ storage: new FaultyStorage(driver.items) });
      assert.is((await storage.listBuckets()).length, 0);
      assert.ok(await storage.createBucket(bucketOf("window")));
      await storage.close();
    }
  }
});

test("an opening that died before it was confirmed does not count, but its number is not used again", async () => {
  const items = await leftBehind();
  for (const failure of ["crash before", "crash within", "crash behind"] as const) {
    const driver = new FaultyStorage(items);
    // The owner, the root, and the root again, confirmed.
    driver.failCall(3, failure);
    await refuses(unstorage({ storage: driver }), { code: "STORAGE_FAILED" });
    const storage = unstorage({ storage: new FaultyStorage(driver.items) });
    assert.is(await storage.countEvents("window"), 2_001);
    await storage.close();
    const again = new FaultyStorage(driver.items);
    const last = unstorage({ storage: again });
    await last.ready();
    await last.close();
    assert.match(again.items.get(newest(again.items, "root")) ?? "", /"epochNo":3,"confirmed":true/);
  }
});

test("a damaged segment fails the reads that need it; the rest of the bucket and all writes go on", async () => {
  const items = await leftBehind();
  const key = [...items.keys()].filter((each) => each.includes("segment")).sort()[0] ?? "";
  const harms: readonly ((all: Items) => unknown)[] = [
    (all) =>
      all.set(
        key,
        (items.get(key) ?? "").replace(/.$/, (last) => (last === "A" ? "B" : "A")),
      ),
    (all) => all.set(key, (items.get(key) ?? "").slice(0, 500)),
    (all) => all.delete(key),
    (all) => all.set(key, "something else"),
  ];
  for (const harm of harms) {
    const driver = new FaultyStorage(items);
    harm(driver.items);
    const storage = unstorage({ storage: driver });
    const thrown: unknown = await read(storage, "window").catch((error: unknown) => error);
    assert.match(String(thrown), "bucket 'window'");
    assert.is((await read(storage, "window", { start: 15_000 })).length, 501);
    await storage.putEvents("window", [draftOf(40_000), draftOf(1)]);
    assert.is(await storage.countEvents("window"), 2_003);
    assert.ok((await problemsOf(storage)).length > 0);
    await storage.close();
  }
});

test("a verification reads back everything that counts", async () => {
  for (const kind of ["owner", "root", "manifest", "log", "segment"]) {
    const driver = new FaultyStorage(await leftBehind());
    const storage = unstorage({ storage: driver, cacheBytes: 0 });
    await storage.settings.put("another", 1);
    assert.equal(await problemsOf(storage), [], kind);
    driver.items.delete(newest(driver.items, kind));
    const outcome = await problemsOf(storage).catch((thrown: unknown) => [String(thrown)]);
    assert.is(outcome.length, 1, `${kind}: ${outcome}`);
    await storage.close();
  }
});

async function problemsOf(storage: Storage): Promise<string[]> {
  const report = await storage.verify?.();
  return report?.problems.map(({ message }) => message) ?? ["no verification"];
}

test.run();
