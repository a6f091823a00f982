// Holds the code to the worked example of docs/storage.md.
import fs from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { unstorage } from "../../adapters/unstorage/index.js";
import { seal } from "../../adapters/unstorage/values.js";
import type { StoredEvent } from "../../src/domain/event.js";
import type { Storage } from "../../src/storage.js";
import { idsOf, read } from "../contract/case.js";
import { FaultyStorage } from "./faulty-storage.js";

const test = suite("unstorage format");

const PAGE = fs.readFileSync(new URL("../../docs/storage.md", import.meta.url), "utf8");
const TERM = "5f0c1e9a7b32";

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

const T = 1_709_287_200_000_000;
const MINUTE = 60_000_000;
const EVENTS: readonly StoredEvent[] = [
  { id: 7, timestamp: T, duration: MINUTE, data: { app: "editor" } },
  { id: 8, timestamp: T + MINUTE, duration: MINUTE, data: { app: "browser" } },
  { id: 10, timestamp: T + 3 * MINUTE, duration: MINUTE, data: { app: "editor" } },
  { id: 11, timestamp: T + 5 * MINUTE, duration: 4_000_000, data: { app: "mail" } },
  { id: 12, timestamp: T + 6 * MINUTE, duration: 0, data: { app: "editor" } },
];

async function withStorage(
  items: Map<string, string>,
  body: (storage: Storage) => Promise<void>,
): Promise<FaultyStorage> {
  const driver = new FaultyStorage(items);
  const storage = await unstorage({ storage: driver });
  try {
    await body(storage);
  } finally {
    await storage.close();
  }
  return driver;
}

test("the page has a value of every kind", () => {
  const kinds = [...example().keys()].map((key) => key.split(/[:-]/)[1]);
  assert.equal(kinds, ["owner", "root", "manifest", "journal", "chunk"]);
});

test("lengths and checksums of the example are right", () => {
  for (const [key, value] of example()) {
    const body = value.replace(/^activity \w+ \w+ /, "");
    assert.is(seal(body), value, key);
  }
});

test("a storage that was written by hand opens and answers", async () => {
  await withStorage(example(), async (storage) => {
    assert.equal(await read(storage, "window", { order: "oldest" }), EVENTS);
    const [bucket] = await storage.listBuckets();
    assert.equal([bucket?.client, bucket?.start, bucket?.end], ["my-watcher", T, T + 6 * MINUTE]);
    assert.equal(await storage.settings.list(), new Map([["theme", "dark"]]));
    assert.is(await storage.deviceId(), "1e7a4d0c-7b3f-4c58-9d0a-5f6f1c2b3a49");
    const added = await storage.putEvents("window", [{ timestamp: 0, duration: 0, data: {} }]);
    assert.equal(idsOf(added), [13]);
  });
});

test("the adapter writes the keys and values that the page describes", async () => {
  const items = example();
  const journal = `activity:journal-${TERM}-1-0`;
  items.delete(journal);
  // A heartbeat and an insert bring back what the journal tells.
  const driver = await withStorage(items, async (storage) => {
    const [, , , mail, last] = EVENTS as [StoredEvent, StoredEvent, StoredEvent, StoredEvent, StoredEvent];
    await storage.heartbeat("window", { timestamp: mail.timestamp + 4_000_000, duration: 0, data: mail.data }, MINUTE);
    await storage.putEvents("window", [{ timestamp: last.timestamp, duration: 0, data: last.data }]);
  });
  const [owner = ""] = /[0-9a-f]{12}/.exec(driver.items.get("activity:owner") ?? "") ?? [];
  const written = new Map<string, string>();
  for (const [key, value] of driver.items) {
    const body = value.replace(/^activity \w+ \w+ /, "").replaceAll(owner, TERM);
    // The term is another one, so the checksum is, too.
    written.set(key.replace(owner, TERM), body);
  }
  for (const [key, value] of example()) {
    const expected = value.replace(/^activity \w+ \w+ /, "");
    // The journal was written twice, first into place 0, and this is the fifth opening.
    const at = key === journal ? `activity:journal-${TERM}-1-1` : key;
    const body = (written.get(at) ?? "").replace('"termNo":5', '"termNo":4').replace('{"version":3', '{"version":2');
    assert.is(body, expected, key);
  }
});

test("numbers that the page tells are those of the code", () => {
  const sources = ["chunk", "fold", "bucket-file"].map((name) =>
    fs.readFileSync(new URL(`../../adapters/unstorage/${name}.ts`, import.meta.url), "utf8"),
  );
  const told = [
    ["CHUNK_EVENTS = 256", "at most 256 events"],
    ["CHUNK_WEIGHT = 64 * 1024", "or 64 Ki characters each"],
    ["JOURNAL_CHARS = 4096", "longer than 4,096 characters"],
    ["TAIL_EVENTS = 320", "more than 320 events"],
    ["KEEP_EVENTS = 64", "the newest 64 events"],
    ["KEEP_WEIGHT = 16 * 1024", "or 16 Ki characters"],
  ] as const;
  for (const [code, text] of told) {
    assert.ok(
      sources.some((source) => source.includes(code)),
      code,
    );
    assert.match(PAGE.replaceAll(/\s+/g, " "), text);
  }
});

test.run();
