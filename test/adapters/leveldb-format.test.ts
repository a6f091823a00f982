// Holds the code to the worked example of docs/storage.md.
import fs from "node:fs";
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type LevelDatabase, leveldb } from "../../adapters/leveldb/index.js";
import { decodeSegment, encodeSegment, eventsOf } from "../../adapters/leveldb/segment.js";
import { describe, entryRecord } from "../../adapters/leveldb/segment-entry.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage.js";

const test = suite("leveldb format");

const PAGE = fs.readFileSync(new URL("../../docs/storage.md", import.meta.url), "utf8");

/** The block of the page behind the comment of that name. */
function example(name: string): string {
  const [, block] = new RegExp(`<!-- example: ${name} -->\\n\`\`\`\\w+\\n(.*?)\`\`\``, "s").exec(PAGE) ?? [];
  if (block === undefined) throw new Error(`docs/storage.md has no example named ${name}`);
  return block;
}

const EVENTS: readonly StoredEvent[] = JSON.parse(example("events"));
const SEGMENT = segmentOf(example("segment"));
const RECORDS = recordsOf(example("database"));

/** Lines of `offset  bytes   meaning`. */
function segmentOf(block: string): Buffer {
  const pieces: Buffer[] = [];
  let length = 0;
  for (const line of block.split("\n")) {
    const [, offset, hex] = /^([0-9a-f]{4}) {2}((?:[0-9a-f]{2} )+) {2}/.exec(line) ?? [];
    if (offset === undefined || hex === undefined) {
      assert.is(line, "", "a line of the example that is no bytes");
      continue;
    }
    assert.is(Number.parseInt(offset, 16), length, `offset of: ${line}`);
    const piece = Buffer.from(hex.replaceAll(" ", ""), "hex");
    pieces.push(piece);
    length += piece.length;
  }
  return Buffer.concat(pieces);
}

/** Lines of `key  value`; what stands in brackets is no value but speaks of one. */
function recordsOf(block: string): Map<string, string> {
  const lines = block.trimEnd().split("\n");
  return new Map(
    lines.map((line) => {
      const [, key = "", value = ""] = /^(\S+) {2,}(.+)$/.exec(line) ?? [];
      return [key, value.startsWith("(") ? "" : value];
    }),
  );
}

type Level = MemoryLevel<string, string | Uint8Array>;

/** A database that is written key by key, as the page has it. */
async function databaseByHand(changes: Readonly<Record<string, string>> = {}): Promise<Level> {
  const level: Level = new MemoryLevel();
  for (const [key, value] of [...RECORDS, ...Object.entries(changes)]) {
    if (key.startsWith("d!")) await level.put(key, SEGMENT, { valueEncoding: "view" });
    else await level.put(key, value);
  }
  return level;
}

function openOn(level: Level): Promise<Storage> {
  return leveldb({ db: level as unknown as LevelDatabase });
}

async function withStorage(level: Level, body: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await openOn(level);
  try {
    await body(storage);
  } finally {
    await storage.close();
  }
}

async function read(storage: Storage): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const chunk of storage.readEvents("window", { order: "oldest" })) events.push(...chunk);
  return events;
}

const LAST: StoredEvent = { id: 11, timestamp: 1_709_287_500_000_000, duration: 2_500_000, data: { app: "mail" } };

test("the bytes of the example are what the events become", () => {
  assert.is(Buffer.from(encodeSegment(EVENTS)).toString("hex"), SEGMENT.toString("hex"));
});

test("the bytes of the example are read back as the events", () => {
  assert.equal(eventsOf(decodeSegment(SEGMENT)), EVENTS);
});

test("the directory entry of the example describes the segment", () => {
  assert.is(RECORDS.get("g!0000001!0000000"), JSON.stringify(entryRecord(describe(0, EVENTS, SEGMENT.length))));
});

test("the texts that the page tells of the segment are true", () => {
  assert.is(SEGMENT.length, 146);
  assert.match(PAGE, "Their segment, 146 bytes:");
  for (const [, value] of example("segment").matchAll(/ (?:base|unit) (\d+)/g)) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(Number(value));
    assert.ok(SEGMENT.includes(bytes), `${value} is not in the segment`);
  }
});

test("a database that was written by hand opens and answers", async () => {
  const level = await databaseByHand();
  await withStorage(level, async (storage) => {
    const record = JSON.parse(RECORDS.get("b!0000001") ?? "");
    const summary = { ...record, start: EVENTS[0]?.timestamp, end: LAST.timestamp + LAST.duration };
    assert.equal(await storage.listBuckets(), [summary]);
    assert.equal(await read(storage), [...EVENTS, LAST]);
    assert.is(await storage.countEvents("window"), 4);
    assert.equal(await storage.getEvent("window", 8), EVENTS[1]);
    assert.is(await storage.getEvent("window", 9), undefined);
    assert.equal(await storage.settings.list(), new Map([["theme", "dark"]]));
    assert.is(JSON.stringify(await storage.deviceId()), RECORDS.get("m!device"));
  });
});

test("new ids go on from the counter, and bucket numbers from the remains", async () => {
  const level = await databaseByHand();
  await withStorage(level, async (storage) => {
    const [event] = await storage.putEvents("window", [{ timestamp: LAST.timestamp + 1, duration: 0, data: {} }]);
    assert.is(event?.id, 13);
    await storage.createBucket(JSON.parse((RECORDS.get("b!0000001") ?? "").replace('"window"', '"afk"')));
  });
  assert.ok(await level.get("b!0000003"));
  assert.is(await level.get("t!0000001!0000000000d"), `[${LAST.timestamp + 1},0,{}]`);
});

test("the remains of a deleted bucket are cleared away at the opening", async () => {
  const tail = "t!0000002!00000000003";
  const level = await databaseByHand({ [tail]: '[0,0,{"app":"gone"}]' });
  await withStorage(level, async (storage) => assert.is((await storage.listBuckets()).length, 1));
  assert.is(await level.get(tail), undefined);
  assert.is(await level.get("x!0000002"), undefined);
});

test("the adapter writes the keys and values that the page describes", async () => {
  const level: Level = new MemoryLevel();
  let device = "";
  await withStorage(level, async (storage) => {
    await storage.createBucket(JSON.parse(RECORDS.get("b!0000001") ?? ""));
    await storage.putEvents("window", [LAST, { ...LAST, id: 12 }]);
    await storage.deleteEvents("window", [12]);
    await storage.settings.put("theme", "dark");
    device = await storage.deviceId();
  });
  const written = Object.fromEntries(await level.iterator().all());
  const kinds = /^([gdx]!|m!device)/;
  const described = Object.fromEntries([...RECORDS].filter(([key]) => !kinds.test(key)));
  assert.equal(written, { ...described, "m!device": JSON.stringify(device) });
});

test("a key that the page does not know makes the opening fail", async () => {
  const level = await databaseByHand({ "q!1": "1" });
  const error: unknown = await openOn(level).catch((thrown: unknown) => thrown);
  assert.ok(ActivityError.is(error) && error.code === "STORAGE_CORRUPT", String(error));
});

test("a segment that is cut off is refused when it is read, by its name", async () => {
  const level = await databaseByHand();
  await level.put("d!0000001!0000000", SEGMENT.subarray(0, 140), { valueEncoding: "view" });
  await withStorage(level, async (storage) => {
    const error: unknown = await read(storage).catch((thrown: unknown) => thrown);
    assert.ok(ActivityError.is(error) && error.code === "STORAGE_CORRUPT", String(error));
    assert.match(String(error), 'segment 0 of bucket "window"');
    assert.equal(await storage.getEvent("window", LAST.id), LAST);
  });
});

test.run();
