import type { JsonValue } from "../../src/domain/json.js";
import { bucketOf, type Scenario, type Stage } from "./case.js";
import { holds, same, sameValue } from "./check.js";
import { TEXTS, VALUES } from "./values.js";

export const settings: readonly Scenario[] = [
  { name: "a new storage has no settings", play: playEmpty },
  { name: "a setting is created, replaced and deleted", play: playLife },
  { name: "settings of every kind come back as they were given, null included", play: playValues },
  { name: "setting keys of any text are never confused", play: playKeys },
  { name: "settings and buckets of one name have nothing to do with each other", play: playNames },
  { name: "settings put at once are all kept", play: playParallel },
  { name: "a setting of a megabyte is kept", play: playLarge },
];

async function playEmpty(stage: Stage): Promise<void> {
  await stage.alsoReopened(async (storage) => {
    same("settingsGet", await storage.settings.get("key"), undefined, "an unknown key");
    same("settingsDelete", await storage.settings.delete("key"), false, "deletion of an unknown key");
    const all = await storage.settings.list();
    holds("settingsList", all instanceof Map && all.size === 0, "the list of a new storage is not an empty Map");
  });
}

async function playLife(stage: Stage): Promise<void> {
  for (const value of [1, "two", { three: 3 }]) {
    same("settingsPut", await stage.storage.settings.put("key", value), undefined, "answer of put");
    await stage.alsoReopened(async ({ settings: kept }) => {
      sameValue("settingsPut", await kept.get("key"), value, "the value");
      same("settingsList", [...(await kept.list()).keys()], ["key"], "the keys");
    });
  }
  same("settingsDelete", await stage.storage.settings.delete("key"), true, "deletion of a known key");
  same("settingsDelete", await stage.storage.settings.delete("key"), false, "second deletion");
  await stage.alsoReopened(async ({ settings: kept }) => {
    same("settingsGet", await kept.get("key"), undefined, "a deleted key");
    same("settingsList", (await kept.list()).size, 0, "number of settings");
  });
  await stage.storage.settings.put("key", 4);
  await stage.alsoReopened(async ({ settings: kept }) => same("settingsPut", await kept.get("key"), 4, "put again"));
}

async function playValues(stage: Stage): Promise<void> {
  for (const [index, value] of VALUES.entries()) await stage.storage.settings.put(`key ${index}`, value);
  await stage.alsoReopened(async ({ settings: kept }) => {
    const all = await kept.list();
    same("settingsList", all.size, VALUES.length, "number of settings");
    for (const [index, value] of VALUES.entries()) {
      sameValue("lossless", await kept.get(`key ${index}`), value, `value ${index}`);
      sameValue("lossless", all.get(`key ${index}`), value, `value ${index} in the list`);
    }
  });
  const nullKey = `key ${VALUES.indexOf(null)}`;
  same("settingsDelete", await stage.storage.settings.delete(nullKey), true, "deletion of a null");
}

async function playKeys(stage: Stage): Promise<void> {
  for (const [index, key] of TEXTS.entries()) await stage.storage.settings.put(key, index);
  await stage.alsoReopened(async ({ settings: kept }) => {
    const all = await kept.list();
    same("settingsKeys", [...all.keys()].sort(), [...TEXTS].sort(), "keys of the list");
    for (const [index, key] of TEXTS.entries()) {
      same("settingsKeys", await kept.get(key), index, `value of ${JSON.stringify(key)}`);
      same("settingsKeys", all.get(key), index, `value of ${JSON.stringify(key)} in the list`);
    }
  });
  const removed = TEXTS.filter((_, index) => index % 2 === 0);
  for (const key of removed)
    same("settingsDelete", await stage.storage.settings.delete(key), true, "deletion of a key");
  await stage.alsoReopened(async ({ settings: kept }) => {
    const left = TEXTS.filter((_, index) => index % 2 === 1);
    same("settingsKeys", [...(await kept.list()).keys()].sort(), [...left].sort(), "keys that are left");
    for (const key of removed) same("settingsGet", await kept.get(key), undefined, "a deleted key");
  });
}

async function playNames(stage: Stage): Promise<void> {
  const { storage } = stage;
  for (const name of ["window", "", "__proto__"]) {
    await storage.settings.put(name, { setting: name });
    await storage.createBucket(bucketOf(name));
  }
  await storage.deleteBucket("window");
  await storage.settings.delete("");
  await stage.alsoReopened(async (reopened) => {
    const ids = (await reopened.listBuckets()).map((bucket) => bucket.id);
    same("deleteBucket", ids, ["", "__proto__"], "buckets");
    same("settingsKeys", [...(await reopened.settings.list()).keys()].sort(), ["__proto__", "window"], "settings");
  });
}

async function playParallel(stage: Stage): Promise<void> {
  const { settings: store } = stage.storage;
  await Promise.all(Array.from({ length: 100 }, (_, index) => store.put(`key ${index}`, index)));
  await Promise.all(Array.from({ length: 50 }, (_, index) => store.delete(`key ${index * 2}`)));
  const contenders = Array.from({ length: 20 }, (_, index) => store.put("contended", index));
  await Promise.all(contenders);
  const winner = await store.get("contended");
  holds("settingsPut", typeof winner === "number", "one of the contenders is the value");
  await stage.alsoReopened(async ({ settings: kept }) => {
    const expected = new Map<string, JsonValue>([["contended", winner as number]]);
    for (let index = 1; index < 100; index += 2) expected.set(`key ${index}`, index);
    const all = await kept.list();
    same("settingsList", all.size, expected.size, "number of settings");
    for (const [key, value] of expected) sameValue("visible", all.get(key), value, `value of ${key}`);
  });
}

async function playLarge(stage: Stage): Promise<void> {
  const value = { text: "ü\u0000\ud800".repeat(350_000) };
  await stage.storage.settings.put("large", value);
  await stage.alsoReopened(async ({ settings: kept }) => {
    sameValue("lossless", await kept.get("large"), value, "a large value");
  });
}
