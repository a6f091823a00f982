import type { JsonValue } from "../../src/domain/json.js";
import { bucketOf, type Scenario, type Stage } from "./case.js";
import { holds, same, sameValue } from "./check.js";
import { TEXTS, VALUES } from "./values.js";

/** What a server keeps for itself. */
export const records: readonly Scenario[] = [
  { name: "records: one is created, replaced and deleted by comparison", play: playLife },
  { name: "records: a value that is not the expected one is left alone", play: playMismatch },
  { name: "records: the expected value is compared as JSON", play: playEquality },
  { name: "records: values of every kind come back as they were given, null included", play: playValues },
  { name: "records: kinds and keys of any text are never confused", play: playKinds },
  { name: "records: they are neither settings nor buckets", play: playApart },
  { name: "records: of many changes from one value at once one succeeds", play: playRace },
  { name: "records: counting by comparison loses no step", play: playCount },
];

async function playLife(stage: Stage): Promise<void> {
  same("settingsGet", await stage.storage.records("keys").get("a"), undefined, "an unknown key");
  same("settingsList", (await stage.storage.records("keys").list()).size, 0, "records of an unknown kind");
  let held: JsonValue | undefined;
  for (const value of [1, "two", { three: 3 }]) {
    const isSet = await stage.storage.records("keys").compareAndSet("a", held, value);
    same("compareResult", isSet, true, `from ${JSON.stringify(held)} to ${JSON.stringify(value)}`);
    held = value;
    await stage.alsoReopened(async (storage) => {
      sameValue("compareAndSet", await storage.records("keys").get("a"), value, "the value");
      same("settingsList", [...(await storage.records("keys").list()).keys()], ["a"], "the keys");
    });
  }
  same("compareResult", await stage.storage.records("keys").compareAndSet("a", held, undefined), true, "a deletion");
  same("compareResult", await stage.storage.records("keys").compareAndSet("a", held, undefined), false, "once more");
  await stage.alsoReopened(async (storage) => {
    same("compareAndSet", await storage.records("keys").get("a"), undefined, "a deleted record");
    same("settingsList", (await storage.records("keys").list()).size, 0, "number of records");
  });
}

async function playMismatch(stage: Stage): Promise<void> {
  const keys = stage.storage.records("keys");
  same("compareResult", await keys.compareAndSet("a", 0, 1), false, "a value expected where there is none");
  same("compareResult", await keys.compareAndSet("a", null, 1), false, "null expected where there is none");
  same("compareResult", await keys.compareAndSet("a", 0, undefined), false, "deletion of what is not there");
  same("compareAndSet", await keys.get("a"), undefined, "what was not set");
  await keys.compareAndSet("a", undefined, { n: 1 });
  same("compareResult", await keys.compareAndSet("a", undefined, 2), false, "none expected where there is one");
  same("compareResult", await keys.compareAndSet("a", { n: 2 }, 2), false, "another value expected");
  same("compareResult", await keys.compareAndSet("a", { n: 2 }, undefined), false, "deletion of another value");
  await stage.alsoReopened(async (storage) => {
    sameValue("compareAndSet", await storage.records("keys").get("a"), { n: 1 }, "what was left alone");
  });
}

async function playEquality(stage: Stage): Promise<void> {
  const keys = stage.storage.records("keys");
  await keys.compareAndSet("a", undefined, { a: 1, b: { c: [1, null], d: "x" } });
  const reordered = { b: { d: "x", c: [1, null] }, a: 1 };
  same("compareResult", await keys.compareAndSet("a", reordered, [1, true]), true, "another order of keys");
  for (const other of [[true, 1], [1, 1], [1], "[1,true]", { 0: 1, 1: true }]) {
    same("compareResult", await keys.compareAndSet("a", other, 0), false, JSON.stringify(other));
  }
  same("compareResult", await keys.compareAndSet("a", [1, true], null), true, "an equal list");
  same("compareResult", await keys.compareAndSet("a", undefined, 0), false, "null counts as a value");
  same("compareResult", await keys.compareAndSet("a", null, 0), true, "null is equal to null");
}

async function playValues(stage: Stage): Promise<void> {
  const keys = stage.storage.records("keys");
  for (const [index, value] of VALUES.entries()) await keys.compareAndSet(`key ${index}`, undefined, value);
  await stage.alsoReopened(async (storage) => {
    const kept = storage.records("keys");
    const all = await kept.list();
    same("settingsList", all.size, VALUES.length, "number of records");
    for (const [index, value] of VALUES.entries()) {
      sameValue("lossless", await kept.get(`key ${index}`), value, `value ${index}`);
      sameValue("lossless", all.get(`key ${index}`), value, `value ${index} in the list`);
    }
  });
}

async function playKinds(stage: Stage): Promise<void> {
  const pairs = TEXTS.flatMap((text, index) => [
    [text, "key", index],
    ["kind", text, index],
  ]) as [string, string, number][];
  for (const [kind, key, value] of pairs) {
    same(
      "recordKinds",
      await stage.storage.records(kind).compareAndSet(key, undefined, value),
      true,
      `${kind}, ${key}`,
    );
  }
  await stage.alsoReopened(async (storage) => {
    for (const [kind, key, value] of pairs) {
      const what = JSON.stringify([kind, key]);
      same("recordKinds", await storage.records(kind).get(key), value, what);
      if (kind !== "kind") same("recordKinds", [...(await storage.records(kind).list())].flat(), [key, value], what);
    }
    const keys = [...(await storage.records("kind").list()).keys()].sort();
    same("recordKeys", keys, [...TEXTS].sort(), "keys of one kind");
  });
}

async function playApart(stage: Stage): Promise<void> {
  const { storage } = stage;
  for (const name of ["window", "", "__proto__"]) {
    await storage.records(name).compareAndSet(name, undefined, { record: name });
    await storage.settings.put(name, { setting: name });
    await storage.createBucket(bucketOf(name));
  }
  await storage.deleteBucket("window");
  await storage.settings.delete("");
  await storage.records("__proto__").compareAndSet("__proto__", { record: "__proto__" }, undefined);
  await stage.alsoReopened(async (reopened) => {
    const ids = (await reopened.listBuckets()).map((bucket) => bucket.id);
    same("deleteBucket", ids, ["", "__proto__"], "buckets");
    const settings = [...(await reopened.settings.list()).keys()].sort();
    same("recordKinds", settings, ["__proto__", "window"], "settings");
    const kept = await Promise.all(["window", "", "__proto__"].map(async (name) => reopened.records(name).list()));
    same(
      "recordKinds",
      kept.map((list) => [...list.keys()].join()),
      ["window", "", ""],
      "records",
    );
    sameValue("recordKinds", await reopened.records("").get(""), { record: "" }, "the record without a name");
  });
}

async function playRace(stage: Stage): Promise<void> {
  let held: JsonValue | undefined;
  for (let round = 0; round < 5; round++) {
    const keys = stage.storage.records("keys");
    const values = Array.from({ length: 30 }, (_, index) => ({ round, index }));
    const answers = await Promise.all(values.map((value) => keys.compareAndSet("contended", held, value)));
    same("atomic", answers.filter(Boolean).length, 1, "changes of one value that succeeded");
    const winner = values[answers.indexOf(true)] as JsonValue;
    await stage.alsoReopened(async (storage) => {
      sameValue("compareAndSet", await storage.records("keys").get("contended"), winner, "the value of the winner");
    });
    held = winner;
  }
}

async function playCount(stage: Stage): Promise<void> {
  const keys = stage.storage.records("keys");
  async function countOne(): Promise<void> {
    for (let attempt = 0; attempt < 1_000; attempt++) {
      const held = await keys.get("count");
      const next = typeof held === "number" ? held + 1 : 1;
      if (await keys.compareAndSet("count", held, next)) return;
    }
    holds("compareAndSet", false, "a thousand changes of a counter failed");
  }
  await Promise.all(Array.from({ length: 20 }, countOne));
  await stage.alsoReopened(async (storage) => {
    same("compareAndSet", await storage.records("keys").get("count"), 20, "twenty steps of a counter");
  });
}
