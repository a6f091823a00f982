// Holds the code to the worked example of docs/reference/format-leveldb.md.
import fs from "node:fs";
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type LevelDatabase, leveldb } from "../../adapters/leveldb/index.js";
import { encodeRecord, encodeStart, readWal } from "../../adapters/leveldb/wal-format.js";
import { addSum } from "../../adapters/segments/checksum.js";
import { decodeSegment, encodeSegment } from "../../adapters/segments/segment-codec.js";
import { columnsOf } from "../../adapters/segments/segment-columns.js";
import { createEntry, serializeEntry } from "../../adapters/segments/segment-entry.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { read as readAll } from "../contract/case.js";

const test = suite("leveldb format");

const PAGE = fs.readFileSync(new URL("../../docs/reference/format-leveldb.md", import.meta.url), "utf8");

/** The block of the page behind the comment of that name. */
function example(name: string): string {
  const [, block] = new RegExp(`<!-- example: ${name} -->\\n\`\`\`\\w+\\n(.*?)\`\`\``, "s").exec(PAGE) ?? [];
  if (block === undefined) throw new Error(`docs/reference/format-leveldb.md has no example named ${name}`);
  return block;
}

const EVENTS: readonly StoredEvent[] = JSON.parse(example("events"));
const SEGMENT = bytesOf(example("segment"));
const LOG = bytesOf(example("log"));
const NAME = { bucketNo: 1, segmentNo: 0 };
const RECORDS = recordsOf(example("database"));

/** Lines of `offset  bytes   meaning`. */
function bytesOf(block: string): Buffer {
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
      return [key, value.startsWith("(") ? "" : value.replaceAll("\\n", "\n")];
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

async function withStorage(level: Level, body: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = leveldb({ db: level as unknown as LevelDatabase });
  try {
    await body(storage);
  } finally {
    await storage.close();
  }
}

const read = (storage: Storage): Promise<StoredEvent[]> => readAll(storage, "window", { order: "oldest" });

const LAST: StoredEvent = { id: 11, timestamp: 1_709_287_500_000_000, duration: 2_500_000, data: { app: "mail" } };
const BUCKET = JSON.parse((RECORDS.get("r!b/1") ?? "").slice(9)).bucket;

test("the bytes of the example are what the events become", () => {
  assert.is(Buffer.from(encodeSegment(NAME, columnsOf(EVENTS))).toString("hex"), SEGMENT.toString("hex"));
});

test("the bytes of the example are read back as the events", () => {
  assert.equal(decodeSegment(NAME, SEGMENT).batch.events(), EVENTS);
});

test("the entry of the example describes the segment", () => {
  const entry = createEntry(NAME, columnsOf(EVENTS), SEGMENT.length);
  assert.is(RECORDS.get("g!00000001!00000000"), addSum("g/1/0", serializeEntry(entry)).stored);
});

test("the texts that the page tells of the segment are true", () => {
  assert.is(SEGMENT.length, 155);
  assert.match(PAGE, "Their segment, number 0 of bucket 1, 155 bytes:");
  for (const [, value] of example("segment").matchAll(/ (?:base|unit) (\d+)/g)) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(Number(value));
    assert.ok(SEGMENT.includes(bytes), `${value} is not in the segment`);
  }
});

/** Batches of the example's log, as the database has them. */
function batchesOf(): { sequence: number; text: string }[] {
  return [...RECORDS].flatMap(([key, value]) =>
    key.startsWith("l!") ? [{ sequence: Number.parseInt(key.slice(2), 36), text: value.slice(9) }] : [],
  );
}

test("the bytes of the log are what its batches become, and are read back as these", () => {
  const salt = Buffer.from("0123456789abcdef", "hex");
  const [snapshot, next] = batchesOf();
  if (snapshot === undefined || next === undefined) throw new Error("the example has no log");
  const bytes = Buffer.concat([encodeStart(salt, snapshot), encodeRecord(salt, next)]);
  assert.is(bytes.toString("hex"), LOG.toString("hex"));
  assert.equal(readWal(LOG).batches, [snapshot, next]);
});

test("a database that was written by hand opens and answers", async () => {
  await withStorage(await databaseByHand(), async (storage) => {
    assert.equal(await storage.summaries(), [
      { ...BUCKET, start: EVENTS[0]?.timestamp, end: LAST.timestamp + LAST.duration },
    ]);
    assert.equal(await read(storage), [...EVENTS, LAST]);
    assert.is(await storage.countEvents("window"), 4);
    assert.equal(await storage.getEvent("window", 8), EVENTS[1]);
    assert.is(await storage.getEvent("window", 9), undefined);
    assert.equal(await storage.settings.list(), new Map([["theme", "dark"]]));
    assert.is(JSON.stringify(await storage.deviceId()), (RECORDS.get('r!r/"device"/"id"') ?? "").slice(9));
    assert.equal((await storage.verify()).problems, []);
  });
});

test("the merge target, new ids and bucket numbers go on from there", async () => {
  const level = await databaseByHand();
  await withStorage(level, async (storage) => {
    const beat = { timestamp: LAST.timestamp + 5_000_000, duration: 0, data: LAST.data };
    assert.is((await storage.heartbeat("window", beat, 60_000_000)).id, LAST.id);
    const [event] = await storage.putEvents("window", [{ timestamp: LAST.timestamp + 1, duration: 0, data: {} }]);
    assert.is(event?.id, 12);
    await storage.createBucket({ ...BUCKET, id: "afk" });
  });
  const log = await level.values({ gte: "l!", lt: 'l"' }).all();
  assert.match(log.join("\n"), '["B",3,');
});

test("the adapter writes the keys and values that the page describes", async () => {
  const level: Level = new MemoryLevel();
  await withStorage(level, async (storage) => {
    await storage.createBucket(BUCKET);
    const { timestamp, data } = LAST;
    const beat = { timestamp, duration: 0, data };
    await storage.heartbeat("window", beat, 60_000_000);
    await storage.heartbeat("window", { ...beat, timestamp: timestamp + LAST.duration }, 60_000_000);
  });
  const lines = (await level.values({ gte: "l!", lt: 'l"' }).all()).map((sealed) => String(sealed).slice(9));
  assert.equal(lines.join("\n").split("\n"), [
    '["N",1]',
    '["L",0]',
    // The snapshot holds it, and the batch that comes with it says it again.
    `["B",1,${JSON.stringify(BUCKET)}]`,
    `["B",1,${JSON.stringify(BUCKET)}]`,
    `["P",1,1,[[1,${LAST.timestamp},0,{"app":"mail"}]]]`,
    '["E",1,1,2500000]',
  ]);
});

test("a record that the page does not know makes the opening fail", async () => {
  const level = await databaseByHand({ "r!q/1": addSum("q/1", "1").stored });
  const error: unknown = await withStorage(level, (storage) => storage.ready()).catch((thrown: unknown) => thrown);
  assert.ok(ActivityError.is(error) && error.code === "STORAGE_CORRUPT", String(error));
});

test("a segment that is cut off is refused when it is read, by its bucket and time range", async () => {
  const level = await databaseByHand();
  await level.put("d!00000001!00000000", SEGMENT.subarray(0, 140), { valueEncoding: "view" });
  await withStorage(level, async (storage) => {
    const error: unknown = await read(storage).catch((thrown: unknown) => thrown);
    assert.ok(ActivityError.is(error) && error.code === "STORAGE_CORRUPT", String(error));
    assert.match(String(error), "window");
    assert.match(String(error), "2024-03-01T10:00:00");
    assert.equal(await storage.getEvent("window", LAST.id), LAST);
  });
});

test.run();
