import { suite } from "uvu";
import * as assert from "uvu/assert";
import { unstorage } from "../../adapters/unstorage/index.js";
import { seal } from "../../adapters/unstorage/values.js";
import type { ErrorCode } from "../../src/errors.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { FaultyStorage } from "./faulty-storage.js";
import { refuses } from "./opening.js";

const test = suite("unstorage: opening");

/** What a storage with two buckets, a journal and chunks has left, as if its process had died. */
async function leftBehind(): Promise<Map<string, string>> {
  const driver = new FaultyStorage();
  const storage = await unstorage({ storage: driver });
  for (const id of ["window", "afk"]) await storage.createBucket(bucketOf(id));
  await storage.putEvents(
    "window",
    Array.from({ length: 1_000 }, (_, index) => draftOf(index * 10, 5, index)),
  );
  await storage.heartbeat("window", draftOf(20_000, 0, "beat"), 10);
  await storage.heartbeat("window", draftOf(20_005, 0, "beat"), 10);
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

function bodyOf(value: string | undefined): string {
  return (value ?? "").replace(/^activity \w+ \w+ /, "");
}

/** Ways to make what is there unreadable. Nothing may be changed by an opening that finds them. */
const DAMAGE: Readonly<Record<string, { code: ErrorCode; names: string; harm(items: Map<string, string>): void }>> = {
  "a root of a later format": {
    code: "STORAGE_TOO_NEW",
    names: "format 2",
    harm: (items) => change(items, "root", (body) => body.replace('"format":1', '"format":2')),
  },
  "an owner of a later format": {
    code: "STORAGE_TOO_NEW",
    names: "format 3",
    harm: (items) => items.set("activity:owner", seal('{"format":3,"term":"0"}')),
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
    harm: (items) => flip(items, "manifest"),
  },
  "a flipped letter in a journal": {
    code: "STORAGE_CORRUPT",
    names: "journal-",
    harm: (items) => flip(items, "journal"),
  },
  "a manifest that is missing": {
    code: "STORAGE_CORRUPT",
    names: "manifest-",
    harm: (items) => removeAll(items, "manifest"),
  },
  "all roots missing": { code: "STORAGE_CORRUPT", names: "no root", harm: (items) => removeAll(items, "root") },
  "both places of the root cut off": {
    code: "STORAGE_CORRUPT",
    names: "cut off",
    harm: (items) => cutAll(items, "root"),
  },
  "both places of a manifest cut off": {
    code: "STORAGE_CORRUPT",
    names: "manifest-",
    harm: (items) => cutAll(items, "manifest"),
  },
  "a manifest of another bucket": {
    code: "STORAGE_CORRUPT",
    names: "manifest-",
    harm: (items) => change(items, "manifest", (body) => body.replace('"id":"window"', '"id":"other"')),
  },
  "a manifest without its last lines": {
    code: "STORAGE_CORRUPT",
    names: "manifest-",
    harm: (items) => change(items, "manifest", (body) => body.split("\n").slice(0, -2).join("\n")),
  },
  "a journal that extends an event which is not there": {
    code: "STORAGE_CORRUPT",
    names: "journal-",
    harm: (items) => change(items, "journal", (body) => `${body}\n[999999,5]`),
  },
  "a value with something behind its end": {
    code: "STORAGE_CORRUPT",
    names: "root-",
    harm: (items) => items.set(newest(items, "root"), `${items.get(newest(items, "root"))} `),
  },
};

function change(items: Map<string, string>, kind: string, edit: (body: string) => string): void {
  const key = newest(items, kind);
  const body = bodyOf(items.get(key));
  assert.is.not(edit(body), body, "the edit changes something");
  items.set(key, seal(edit(body)));
}

function flip(items: Map<string, string>, kind: string): void {
  const key = newest(items, kind);
  items.set(key, (items.get(key) ?? "").replace(/version/, "versiom"));
}

function removeAll(items: Map<string, string>, kind: string): void {
  for (const key of [...items.keys()]) if (key.includes(kind)) items.delete(key);
}

function cutAll(items: Map<string, string>, kind: string): void {
  for (const [key, value] of items) if (key.includes(kind)) items.set(key, value.slice(0, 40));
  // The other place may not have been used yet.
  for (const key of [...items.keys()])
    if (key.includes(kind))
      items.set(
        key.replace(/.$/, (at) => `${1 - +at}`),
        "",
      );
}

for (const [what, { code, names, harm }] of Object.entries(DAMAGE)) {
  test(`${what}: refused with ${code}, and nothing is changed`, async () => {
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
  test(`a journal, a manifest or a root that is ${what}: the version before it counts`, async () => {
    for (const kind of ["journal", "manifest", "root"]) {
      const items = await leftBehind();
      const key = newest(items, kind);
      // A manifest has its second version only behind the first fold, and the first place is all that there is.
      if (kind === "manifest")
        items.set(
          key.replace(/.$/, (at) => `${1 - +at}`),
          items.get(key) ?? "",
        );
      items.set(key, cut(items.get(key) ?? ""));
      const storage = await unstorage({ storage: new FaultyStorage(items) });
      assert.is((await read(storage, "window")).length, 1_001, kind);
      const [event] = await read(storage, "window", { limit: 1 });
      assert.is(event?.duration, kind === "journal" ? 0 : 5, `${kind}: the last heartbeat`);
      assert.is(await storage.settings.get("key"), kind === "root" ? undefined : 1, `${kind}: the last setting`);
      await storage.close();
    }
  });
}

test("an owner record that was cut off, or is gone, does not matter", async () => {
  for (const owner of ["", "activ", undefined]) {
    const items = await leftBehind();
    if (owner === undefined) items.delete("activity:owner");
    else items.set("activity:owner", owner);
    const storage = await unstorage({ storage: new FaultyStorage(items) });
    assert.is(await storage.countEvents("window"), 1_001);
    await storage.close();
  }
});

test("a first opening that died at any point is followed by another first one", async () => {
  for (let call = 1; call <= 3; call++) {
    for (const failure of ["crash before", "crash behind", "crash within"] as const) {
      const driver = new FaultyStorage();
      driver.failCall(call, failure);
      await refuses(unstorage({ storage: driver }), { code: "STORAGE_FAILED" });
      const storage = await unstorage({ storage: new FaultyStorage(driver.items) });
      assert.is((await storage.listBuckets()).length, 0);
      await storage.close();
    }
  }
});

test("an opening that died before it was confirmed does not count, but its number is not used again", async () => {
  const items = await leftBehind();
  for (const failure of ["crash before", "crash within", "crash behind"] as const) {
    const driver = new FaultyStorage(items);
    // The owner, two manifests, the root, and the root again, confirmed.
    driver.failCall(5, failure);
    await refuses(unstorage({ storage: driver }), { code: "STORAGE_FAILED" });
    const storage = await unstorage({ storage: new FaultyStorage(driver.items) });
    assert.is(await storage.countEvents("window"), 1_001);
    await storage.close();
    const again = new FaultyStorage(driver.items);
    await (await unstorage({ storage: again })).close();
    assert.match(again.items.get(newest(again.items, "root")) ?? "", /"termNo":3,"confirmed":true/);
  }
});

test("a damaged chunk is named when it is read; the rest of the bucket and all writes go on", async () => {
  const items = await leftBehind();
  const chunk = [...items.keys()].filter((key) => key.includes("chunk")).sort()[0] ?? "";
  for (const harm of [flipChunk, cutChunk, dropChunk]) {
    const driver = new FaultyStorage(items);
    harm(driver.items, chunk);
    const storage = await unstorage({ storage: driver });
    const thrown: unknown = await read(storage, "window").catch((error: unknown) => error);
    assert.match(String(thrown), new RegExp(`damaged at '${chunk.slice("activity:".length)}'`));
    assert.is((await read(storage, "window", { start: 9_000 })).length, 101);
    await storage.putEvents(
      "window",
      Array.from({ length: 600 }, (_, index) => draftOf(index)),
    );
    assert.is(await storage.countEvents("window"), 1_601);
    await storage.close();
  }
});

function flipChunk(items: Map<string, string>, key: string): void {
  items.set(key, (items.get(key) ?? "").replace("starts", "startz"));
}

function cutChunk(items: Map<string, string>, key: string): void {
  items.set(key, (items.get(key) ?? "").slice(0, 500));
}

function dropChunk(items: Map<string, string>, key: string): void {
  items.delete(key);
}

test.run();
