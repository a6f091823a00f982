import { createHash } from "node:crypto";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { EventBatch } from "../../src/domain/batch.js";
import type { BackupItem } from "../../src/storage/backup.js";
import { portableSha256, sha256 } from "../../src/util/sha256.js";
import { refusalOf } from "../refusals.js";
import { bucket, bytesOf, filled, itemsOf } from "./backups.js";

const test = suite("backup format");

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A backup with other lines, and with a checksum that fits them. */
function sealed(lines: readonly string[], counts: object): Buffer {
  const text = lines.map((line) => `${line}\n`).join("");
  return Buffer.from(`${text}${JSON.stringify({ kind: "end", ...counts, sha256: digestOf(text) })}\n`);
}

async function refusal(bytes: Iterable<Uint8Array>): Promise<string> {
  const refused = await refusalOf(itemsOf(bytes));
  assert.match(refused, /^INVALID_INPUT: /);
  return refused;
}

test("standard tools read it: JSON lines, and a checksum of all lines but the last", async () => {
  const text = (await bytesOf((await filled()).backup())).toString();
  const lines = text.split("\n");
  assert.is(lines.pop(), "");
  const [first, ...others] = lines.map((line) => JSON.parse(line));
  const last = others.pop();
  assert.equal(first, {
    kind: "backup",
    format: "activity-server-backup",
    version: 1,
    created: "1970-01-01T00:00:00.000Z",
    producer: "test",
  });
  assert.equal(last, {
    kind: "end",
    settings: 2,
    records: 2,
    buckets: 3,
    events: 2504,
    sha256: digestOf(`${lines.slice(0, -1).join("\n")}\n`),
  });
  const events = others.filter(({ kind }) => kind === undefined);
  assert.is(events.length, 2504);
  assert.equal(events.find(({ duration }) => duration === 1.500001)?.timestamp, "2024-03-01T09:00:00.000001+00:00");
});

test("nothing is lost on the way, however the bytes are cut", async () => {
  const bytes = await bytesOf((await filled()).backup());
  for (const size of [1, 7, 1000, bytes.length]) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    async function* items() {
      yield* await itemsOf(chunks);
    }
    assert.ok((await bytesOf(items())).equals(bytes), `in chunks of ${size}`);
  }
});

test("a batch of a million characters becomes moderate pieces of whole lines", async () => {
  const data = { text: "x".repeat(10_000) };
  const events = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, timestamp: index, duration: 0, data }));
  async function* items(): AsyncGenerator<BackupItem> {
    yield { kind: "bucket", bucket: bucket("b"), events: 100 };
    yield { kind: "events", bucketId: "b", batch: EventBatch.from(events) };
  }
  const parsed = await itemsOf([await bytesOf(items())]);
  assert.equal(
    parsed.flatMap((item) => (item.kind === "events" ? item.batch.events() : [])),
    events,
  );
});

test("a file that was cut off anywhere is refused", async () => {
  const storage = memory();
  await storage.createBucket(bucket("b"), [{ timestamp: 0, duration: 1, data: { a: "é" } }]);
  const bytes = await bytesOf(storage.backup());
  for (let length = 0; length < bytes.length; length++) await refusal([bytes.subarray(0, length)]);
  assert.match(await refusal([]), /it is empty/);
  assert.match(await refusal([bytes.subarray(0, -1)]), /last line|middle of a line/);
});

test("a file with any flipped bit is refused", async () => {
  const storage = memory();
  await storage.createBucket(bucket("b"), [{ timestamp: 0, duration: 1, data: { a: "é" } }]);
  const bytes = await bytesOf(storage.backup());
  // The white space of the last line and its hash in capitals would mean the same.
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
    await refusal([changed]);
  }
});

const HEADER = JSON.stringify({ kind: "backup", format: "activity-server-backup", version: 1 });
const BUCKET = '{"kind":"bucket","id":"b","type":"t","client":"c","hostname":"h","created":0,"data":{},"events":0}';
const NONE = { settings: 0, records: 0, buckets: 0, events: 0 };

const MALFORMED: readonly (readonly [name: string, lines: readonly string[], counts: object, message: RegExp])[] = [
  ["another format", ['{"kind":"backup","format":"x","version":1}'], NONE, /not a backup/],
  ["a later version", [HEADER.replace("1}", "2}")], NONE, /got 2/],
  ["a line that is no JSON", [HEADER, "{"], NONE, /line 2: it is not JSON/],
  ["a line that is no object", [HEADER, "[]"], NONE, /line 2/],
  ["an unknown kind", [HEADER, '{"kind":"x"}'], NONE, /'x'/],
  ["an event before any bucket", [HEADER, '{"id":1,"timestamp":0,"duration":0,"data":{}}'], NONE, /follows no bucket/],
  ["too few events", [HEADER, BUCKET.replace('"events":0', '"events":1')], { ...NONE, buckets: 1 }, /1 too few events/],
  ["other counts", [HEADER, BUCKET], NONE, /1 buckets/],
  ["an event with id 0", [HEADER, BUCKET, '{"id":0,"timestamp":0,"duration":0,"data":{}}'], NONE, /line 3: id/],
  ["a bucket without type", [HEADER, BUCKET.replace('"type":"t",', "")], NONE, /type must be a string/],
  ["a setting without value", [HEADER, '{"kind":"setting","key":"a"}'], NONE, /value is missing/],
];

for (const [name, lines, counts, message] of MALFORMED) {
  test(`${name} is refused, though the checksum fits`, async () => {
    assert.match(await refusal([sealed(lines, counts)]), message);
  });
}

test("something behind the last line is refused", async () => {
  const whole = sealed([HEADER], NONE);
  assert.match(await refusal([whole, whole]), /something follows/);
});

test("items that contradict themselves are not written", async () => {
  async function* strangers(): AsyncGenerator<BackupItem> {
    const batch = EventBatch.from([{ id: 1, timestamp: 0, duration: 0, data: {} }]);
    yield { kind: "bucket", bucket: bucket("b"), events: 1 };
    yield { kind: "events", bucketId: "other", batch };
  }
  assert.match(await refusalOf(bytesOf(strangers())), /must follow their bucket/);
});

test("the digest is that of the runtime, with and without its help", () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 70_000]) {
    const bytes = Buffer.alloc(length, length % 251);
    for (const digest of [sha256(), portableSha256()]) {
      digest.update(bytes.subarray(0, length >> 1));
      digest.update(bytes.subarray(length >> 1));
      assert.is(digest.hex(), createHash("sha256").update(bytes).digest("hex"), String(length));
    }
  }
});

test.run();
