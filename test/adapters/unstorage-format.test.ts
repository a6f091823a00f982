// Holds the code to docs/reference/format-unstorage.md.
import fs from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { wrap } from "../../adapters/unstorage/blob-store.js";
import { unstorage } from "../../adapters/unstorage/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, idsOf, read } from "../contract/case.js";
import { FaultyStorage } from "./faulty-storage.js";

const test = suite("unstorage format");

const PAGE = fs.readFileSync(new URL("../../docs/reference/format-unstorage.md", import.meta.url), "utf8");
const EPOCH = "5f0c1e9a7b32";
const T = 1_709_287_200_000_000;
const MINUTE = 60_000_000;

/** Keys at the beginning of a line, and below each its value. */
function example(): Map<string, string> {
  const [, block = ""] = /<!-- example: unstorage -->\n```text\n(.*?)```/s.exec(PAGE) ?? [];
  const items = new Map<string, string>();
  for (const part of block.split(/^(?=activity:)/m)) {
    const [key = "", ...lines] = part.trimEnd().split("\n");
    items.set(key, lines.map((line) => line.slice(4)).join("\n"));
  }
  return items;
}

function bodyOf(value: string): string {
  return value.replace(/^activity \w+ \w+ /, "");
}

async function write(storage: Storage): Promise<void> {
  await storage.settings.put("theme", "dark");
  const facts = { id: "window", type: "currentwindow", client: "my-watcher", hostname: "desk" };
  await storage.createBucket({ ...facts, name: null, created: T, data: {} });
  await storage.heartbeat("window", { timestamp: T, duration: 0, data: { app: "editor" } }, MINUTE);
  await storage.heartbeat("window", { timestamp: T + MINUTE, duration: 0, data: { app: "editor" } }, MINUTE);
  await storage.putEvents("window", [{ timestamp: T + 2 * MINUTE, duration: 5_000_000, data: { app: "mail" } }]);
}

test("lengths and checksums of the example are right", () => {
  assert.is(example().size, 4);
  for (const [key, value] of example()) assert.is(wrap(key.slice("activity:".length), bodyOf(value)), value, key);
});

test("a storage that was written by hand opens and answers", async () => {
  const storage = unstorage({ storage: new FaultyStorage(example()) });
  assert.equal(await read(storage, "window", { order: "oldest" }), [
    { id: 1, timestamp: T, duration: MINUTE, data: { app: "editor" } },
    { id: 2, timestamp: T + 2 * MINUTE, duration: 5_000_000, data: { app: "mail" } },
  ]);
  assert.equal(await storage.settings.list(), new Map([["theme", "dark"]]));
  assert.equal(idsOf(await storage.putEvents("window", [{ timestamp: 0, duration: 0, data: {} }])), [3]);
  await storage.close();
});

test("the adapter writes the keys and values of the example", async () => {
  const driver = new FaultyStorage();
  const storage = unstorage({ storage: driver });
  await write(storage);
  const [epoch = ""] = /[0-9a-f]{12}/.exec(driver.items.get("activity:owner") ?? "") ?? [];
  for (const [key, value] of example()) {
    const written = driver.items.get(key.replace(EPOCH, epoch)) ?? "";
    assert.is(bodyOf(written).replaceAll(epoch, EPOCH), bodyOf(value), key);
  }
  await storage.close();
});

/** The grammar of the page. */
const VALUES: Readonly<Record<string, RegExp>> = {
  owner: /^\{"format":2,"epoch":"[0-9a-f]{12}"\}$/,
  root: /^\{"format":2,"version":\d+,"epochNo":\d+,"confirmed":true,"commit":\d+,"log":.+,"nextLog":\d+,"buckets":1,"records":\d+\}\n".+"\n\[1,"[0-9a-f]{12}-\w+"\](\n\["\S+",".+"\])+$/,
  manifest: /^\{"bucket":1,"segments":2\}(\n\[\d+,"[0-9a-f]{12}-\w+",".+"\]){2}$/,
  segment: /^[A-Za-z0-9+/]+$/,
  log: /^\{"log":\d+,"no":\d+,"version":\d+\}\n\[\d+,\d+/,
};

test("every value has a form that the page describes", async () => {
  const driver = new FaultyStorage();
  const storage = unstorage({ storage: driver });
  await storage.createBucket(bucketOf("window"));
  await storage.putEvents(
    "window",
    Array.from({ length: 2_000 }, (_, index) => draftOf(index, 1)),
  );
  await storage.close();
  const kinds = new Set<string>();
  for (const [key, value] of driver.items) {
    const [, kind = ""] = /^activity:([a-z]+)(-[0-9a-f]{12}-[0-9a-z]+)?$/.exec(key) ?? [];
    if (kind === "root" && value.includes('"buckets":0')) continue;
    assert.match(bodyOf(value), VALUES[kind] as RegExp, key);
    assert.match(PAGE, new RegExp(`^    ${kind}\\b`, "m"), "the page lists it");
    kinds.add(kind);
  }
  assert.equal([...kinds].sort(), Object.keys(VALUES).sort());
});

test("the numbers in docs/explanation/storage-engine.md match the code", () => {
  const engine = fs.readFileSync(new URL("../../docs/explanation/storage-engine.md", import.meta.url), "utf8");
  const source = fs.readFileSync(new URL("../../adapters/unstorage/log.ts", import.meta.url), "utf8");
  const told = [
    ["JOINED_CHARS = 1024", "shorter than 1,024 characters"],
    ["PIECE_CHARS = 256 * 1024", "more than 256 Ki characters"],
  ] as const;
  for (const [code, text] of told) {
    assert.ok(source.includes(code), code);
    assert.ok(engine.replaceAll(/\s+/g, " ").includes(text), text);
  }
});

test.run();
