import type { Bucket } from "../../src/domain/bucket.js";
import type { StoredEvent } from "../../src/domain/event.js";
import type { JsonValue } from "../../src/domain/json.js";
import type { BackupItem } from "../../src/storage/backup.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, eventsOf, idsOf, read, type Scenario, type Stage } from "./case.js";
import { holds, same, sameBuckets, sameEvents, sameValue } from "./check.js";
import { DATA, TEXTS } from "./values.js";

/** Everything that is stored, as a stream that another storage can take in. */
export const backups: readonly Scenario[] = [
  { name: "backup: everything that is stored, in order", play: playComplete },
  { name: "backup: another storage filled with it is equal, device id included", play: playRestore },
  { name: "backup: shows one moment while writes go on", play: playConsistent },
  { name: "backup: a consumer that stops early leaves a storage that works", stuck: "backup", play: playStops },
];

/** What a backup holds. */
interface Content {
  readonly settings: Map<string, JsonValue>;
  /** By the JSON text of kind and key. */
  readonly records: Map<string, JsonValue>;
  readonly buckets: Bucket[];
  readonly events: Map<string, StoredEvent[]>;
}

/** Reads a backup, whose items must come in an order that can be taken in as it comes. */
async function contentOf(items: AsyncIterable<BackupItem>): Promise<Content> {
  const content: Content = { settings: new Map(), records: new Map(), buckets: [], events: new Map() };
  let announced = 0;
  for await (const item of items) take(content, item);
  expectWhole();
  return content;

  function expectWhole(): void {
    const last = content.buckets.at(-1);
    if (last === undefined) return;
    same("backup", content.events.get(last.id)?.length, announced, `events of ${JSON.stringify(last.id)}`);
  }

  function take({ settings, records, buckets, events }: Content, item: BackupItem): void {
    if (item.kind === "setting") {
      holds("backup", !settings.has(item.key), `the setting ${JSON.stringify(item.key)} comes twice`);
      settings.set(item.key, item.value);
    } else if (item.kind === "record") {
      const key = JSON.stringify([item.recordKind, item.key]);
      holds("backup", !records.has(key), `the record ${key} comes twice`);
      records.set(key, item.value);
    } else if (item.kind === "bucket") {
      expectWhole();
      holds("backup", !events.has(item.bucket.id), `the bucket ${JSON.stringify(item.bucket.id)} comes twice`);
      buckets.push(item.bucket);
      events.set(item.bucket.id, []);
      announced = item.events;
    } else {
      same("backup", item.bucketId, buckets.at(-1)?.id, "the bucket that events belong to");
      events.get(item.bucketId)?.push(...eventsOf(item.batch));
    }
  }
}

/** Some of everything: thousands of events, edited and extended ones, odd names and values. */
async function fill(storage: Storage): Promise<void> {
  const many = Array.from({ length: 3_500 }, (_, index) => draftOf(index * 10, 5, index % 9));
  const stored = (await storage.createBucket(bucketOf("window", { name: "named", data: DATA[1] ?? {} }), many)) ?? [];
  await storage.putEvents("window", [{ ...draftOf(77, 2, "edited"), id: stored[2_000]?.id ?? 0 }]);
  await storage.deleteEvents("window", idsOf(stored.slice(100, 300)));
  for (let step = 0; step < 10; step++) await storage.heartbeat("window", draftOf(50_000 + step * 3, 1, "run"), 5);
  await storage.createBucket(bucketOf("empty"));
  const odd = DATA.map((data, index) => ({ timestamp: index, duration: -index, data }));
  await storage.createBucket(bucketOf("__proto__"), odd);
  await storage.createBucket(bucketOf("gone"), many.slice(0, 10));
  await storage.deleteBucket("gone");
  for (const [index, text] of TEXTS.entries()) await storage.settings.put(text, index);
  for (const [index, data] of DATA.entries())
    await storage.records(`kind ${index % 3}`).compareAndSet(`${index}`, undefined, data);
  await storage.deviceId();
}

async function expectEvents(content: Content, storage: Storage, what: string): Promise<void> {
  sameBuckets("backup", content.buckets, await storage.listBuckets(), `${what}: buckets`);
  for (const [id, events] of content.events) {
    sameEvents("backup", events, await read(storage, id, { order: "oldest" }), `${what}: events of ${id}`);
  }
}

async function playComplete(stage: Stage): Promise<void> {
  same("backup", (await contentOf(stage.storage.backup())).buckets.length, 0, "buckets of a new storage");
  await fill(stage.storage);
  await stage.alsoReopened(async (storage) => {
    const content = await contentOf(storage.backup());
    await expectEvents(content, storage, "backup");
    same("backup", content.settings.size, TEXTS.length, "number of settings");
    for (const [index, text] of TEXTS.entries())
      same("backup", content.settings.get(text), index, JSON.stringify(text));
    for (const [index, data] of DATA.entries()) {
      const key = JSON.stringify([`kind ${index % 3}`, `${index}`]);
      sameValue("recordKinds", content.records.get(key), data, `record ${key}`);
    }
  });
}

/** Fills a storage with a backup as it comes. */
async function restore(items: AsyncIterable<BackupItem>, storage: Storage): Promise<void> {
  for await (const item of items) {
    if (item.kind === "setting") await storage.settings.put(item.key, item.value);
    else if (item.kind === "bucket") await storage.createBucket(item.bucket);
    else if (item.kind === "events") await storage.putEvents(item.bucketId, item.batch.events());
    else {
      const store = storage.records(item.recordKind);
      await store.compareAndSet(item.key, await store.get(item.key), item.value);
    }
  }
}

async function playRestore(stage: Stage): Promise<void> {
  await fill(stage.storage);
  const other = await stage.another();
  await restore(stage.storage.backup(), other);
  const content = await contentOf(stage.storage.backup());
  await expectEvents(content, other, "the other storage");
  same("backup", await other.deviceId(), await stage.storage.deviceId(), "device id of the other storage");
  const copy = await contentOf(other.backup());
  same("backup", [...copy.settings.keys()].sort(), [...content.settings.keys()].sort(), "settings of its own backup");
  same("backup", [...copy.records.keys()].sort(), [...content.records.keys()].sort(), "records of its own backup");
  const [own] = await other.putEvents("window", [draftOf(99_999)]);
  const greatest = Math.max(...idsOf(content.events.get("window") ?? []));
  holds("givenIds", (own?.id ?? 0) > greatest, `id ${own?.id} was given out behind ${greatest}`);
}

async function playConsistent(stage: Stage): Promise<void> {
  const { storage } = stage;
  await fill(storage);
  const before = await contentOf(storage.backup());
  const iterator = storage.backup()[Symbol.asyncIterator]();
  const first = await iterator.next();
  const stored = before.events.get("window") ?? [];
  await storage.deleteEvents("window", idsOf(stored).slice(500));
  await storage.putEvents("window", [draftOf(1), { ...draftOf(2, 2, "edited"), id: stored[7]?.id ?? 0 }]);
  await storage.heartbeat("empty", draftOf(5), 5);
  await storage.updateBucket("window", { client: "updated" });
  await storage.deleteBucket("__proto__");
  await storage.createBucket(bucketOf("new"), [draftOf(1)]);
  await storage.settings.put("a", "changed");
  await storage.records("kind 0").compareAndSet("new", undefined, 1);
  const during = await contentOf(withFirst(first, iterator));
  sameBuckets("backup", during.buckets, before.buckets, "buckets as they were at the beginning");
  for (const [id, events] of before.events) {
    sameEvents("backup", during.events.get(id) ?? [], events, `events of ${id} as they were at the beginning`);
  }
  sameValue("backup", during.settings.get("a"), before.settings.get("a") ?? null, "a setting as it was");
  same("backup", [...during.records.keys()].sort(), [...before.records.keys()].sort(), "records as they were");
  await expectEvents(await contentOf(storage.backup()), storage, "a backup afterwards");
}

async function* withFirst<T>(first: IteratorResult<T, unknown>, rest: AsyncIterator<T>): AsyncGenerator<T> {
  for (let each = first; each.done !== true; each = await rest.next()) yield each.value;
}

async function playStops(stage: Stage): Promise<void> {
  const { storage } = stage;
  await fill(storage);
  for (let round = 0; round < 10; round++) {
    let left = round * 3;
    for await (const _ of storage.backup()) if (left-- === 0) break;
  }
  await storage.putEvents("window", [draftOf(1)]);
  await stage.alsoReopened(async (reopened) => {
    await expectEvents(await contentOf(reopened.backup()), reopened, "after backups that stopped early");
  });
}
