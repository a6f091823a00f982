// long: 120 s
// Reports after changes of all kinds, against those of a server that has kept nothing.
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import { serializeBackup } from "../../src/codec/backup.js";
import { isJsonObject, type JsonObject } from "../../src/domain/json.js";
import { type ActivityServer, createActivityServer, type Storage } from "../../src/index.js";
import { SUMMARIES_KIND } from "../../src/storage/records.js";
import { newDataFolder, withFolder } from "../adapters/folder.js";
import { intOf, randomOf } from "../contract/case.js";
import { detailsOf, seedOf, sizeOf } from "../faults/sizes.js";
import { postgresGround } from "../postgres/ground.js";

const test = suite("kept sums of reports");
const details = detailsOf(test);

const ROUNDS = sizeOf("SUMS_ROUNDS", { short: 1, long: 30 });
const CHANGES = sizeOf("SUMS_CHANGES", { short: 4, long: 10 });
/** Of each bucket. */
const EVENTS = sizeOf("SUMS_EVENTS", { short: 150, long: 300 });
const NOW = Date.UTC(2024, 4, 20, 12);
const FIRST = Date.UTC(2023, 10, 20);
const DAYS = 182;
const DAY = 86_400_000;
const BUCKETS = [
  ["aw-watcher-window_desk", "currentwindow", "desk"],
  ["aw-watcher-afk_desk", "afkstatus", "desk"],
  ["aw-watcher-web-firefox_desk", "web.tab.current", "desk"],
  ["own-windows", "currentwindow", "laptop"],
] as const;

type Random = () => number;
/** Some changes circumvent the server: kept sums depend on the stored events only. */
type Change = (server: ActivityServer, random: Random, storage: Storage) => Promise<unknown>;

function below(random: Random, limit: number): number {
  return intOf(random, 0, limit - 1);
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[below(random, items.length)] as T;
}

function dataOf(id: string, random: Random): JsonObject {
  if (id.includes("afk")) return { status: pick(random, ["afk", "not-afk", "not-afk"]) };
  const title = `title ${below(random, 8)}`;
  if (id.includes("web")) return { url: `https://site${below(random, 3)}.example/`, title, audible: false };
  return { app: pick(random, ["Firefox", "editor", "chat"]), title };
}

/** An event, often near the border of a day, sometimes longer than one. */
function eventOf(id: string, random: Random) {
  const at = FIRST + below(random, DAYS) * DAY + 4 * 3_600_000;
  const millis = at + (below(random, 3) === 0 ? (below(random, 40) - 20) * 1000 : below(random, DAY));
  const seconds = pick(random, [0, 1, 3, 30, 600, 7200, below(random, 20) === 0 ? 200_000 : 60]);
  return { timestamp: new Date(millis), duration: { seconds }, data: dataOf(id, random) };
}

async function idsIn(server: ActivityServer): Promise<string[]> {
  return (await server.buckets.list()).map(({ id }) => id);
}

async function anyEvent(server: ActivityServer, random: Random) {
  const id = pick(random, await idsIn(server));
  const events = await server.events.read(id).toArray();
  return { id, event: events.length === 0 ? undefined : pick(random, events) };
}

/** Events that do not overlap; some changes add others. */
async function fill(server: ActivityServer, random: Random): Promise<void> {
  for (const [id, type, hostname] of BUCKETS) {
    let at = FIRST;
    const events = Array.from({ length: EVENTS }, () => {
      at += below(random, 3) === 0 ? below(random, 5000) : below(random, (DAYS * DAY) / EVENTS) * 2;
      const seconds = pick(random, [0, 1, 3, 30, 600, 7200]);
      const timestamp = new Date(at);
      at += seconds * 1000;
      return { timestamp, duration: { seconds }, data: dataOf(id, random) };
    });
    await server.buckets.create(id, { type, client: "test", hostname }, events);
  }
}

const CHANGE_KINDS: Readonly<Record<string, Change>> = {
  async late(server, random) {
    const id = pick(random, await idsIn(server));
    await server.events.insert(id, [eventOf(id, random)]);
  },
  async beat(server, random) {
    const id = pick(random, await idsIn(server));
    const beat = { timestamp: new Date(NOW - below(random, 3) * 1000), data: dataOf(id, random) };
    await server.heartbeat(id, beat, { seconds: 10 });
  },
  async edit(server, random, storage) {
    const { id, event } = await anyEvent(server, random);
    if (event !== undefined) await storage.putEvents(id, [{ ...event, data: dataOf(id, random) }]);
  },
  async editTimes(server, random, storage) {
    const { id, event } = await anyEvent(server, random);
    if (event !== undefined) await storage.putEvents(id, [{ ...event, duration: event.duration + 60_000_000 }]);
  },
  async delete(server, random, storage) {
    const { id, event } = await anyEvent(server, random);
    if (event !== undefined) await storage.deleteEvents(id, [event.id]);
  },
  async rename(server, random) {
    const id = pick(random, await idsIn(server));
    await server.identity.rename(id, { to: `${id}-${below(random, 100)}`, redirect: false });
  },
  renameHost: (server, random) =>
    server.identity.renameHost(pick(random, ["desk", "laptop"]), { to: `host${below(random, 9)}` }),
  async retention(server) {
    await server.settings.put("retention_rules", [{ buckets: "own*", keepDays: 30 }]);
    await server.retention.run();
  },
  async merge(server, random) {
    const buckets = await server.buckets.list();
    const into = pick(random, buckets);
    const from = buckets.find(({ id, type }) => id !== into.id && type === into.type);
    if (from !== undefined) await server.identity.merge(into.id, { from: [from.id] });
  },
  async undo(server) {
    const [last] = await server.identity.undoable();
    if (last !== undefined) await server.identity.undo(last.id);
  },
  async again(server, random) {
    const [bucket] = await server.buckets.list();
    if (bucket === undefined) return;
    const { id, type, client, hostname } = bucket;
    await server.buckets.delete(id);
    await server.buckets.create(id, { type, client, hostname }, [eventOf(id, random)]);
  },
  async trash(server) {
    const [bucket] = await server.buckets.list();
    if (bucket !== undefined) await server.buckets.delete(bucket.id);
  },
  async restore(server) {
    for (const { id } of await server.trash.list()) await server.trash.restore(id).catch(() => undefined);
  },
  async privacy(server) {
    await server.settings.put("privacy_rules", [
      { when: { buckets: "*", key: "title", matches: "title 3" }, then: "drop" },
    ]);
    await server.privacy.apply();
    await server.settings.delete("privacy_rules");
  },
  async classes(server, random) {
    const regex = pick(random, ["editor", "chat", "title [1-4]"]);
    await server.settings.put("classes", [{ name: ["Work"], rule: { type: "regex", regex } }]);
  },
  always: (server, random) => server.settings.put("always_active_pattern", pick(random, ["", "chat", "title 1"])),
  goals: (server) => server.settings.put("goals", [{ category: ["Work"], kind: "goal", per: "day", seconds: 60 }]),
  browsers: (server, random) => server.settings.put("browser_apps", { firefox: pick(random, ["editor", "Firefox"]) }),
  async host(server, random) {
    const id = pick(random, await idsIn(server));
    await server.identity.setHostname(id, { hostname: pick(random, ["desk", "laptop"]) });
  },
};

const REQUESTS: readonly Parameters<ActivityServer["report"]>[0][] = [
  // With a whole year, whose sums are kept.
  { date: "2022-12-20", to: "2024-05-25", groups: ["category", "app", "title", "site", "host"], by: "week" },
  { period: "month", date: "2024-03-15", groups: ["app", "category"], by: "hour", compare: "previous" },
  { date: "2024-04-01", to: "2024-04-20", groups: ["title"], filter: ["app=editor"], timeZone: "Europe/Berlin" },
  { period: "day", date: "2024-05-20", groups: ["currentwindow:app"] },
];

/** The parts of a period have their own lists and breaks of days. */
const TIMESHEET = {
  ...{ date: "2023-12-20", to: "2024-05-25", by: "day" as const, shortestBreak: 900 },
  groups: ["category", "site", ":title"].map((by) => ({ by, inBins: true })),
};

/** The days of a timesheet. @param isWhole whether the whole period decides: the names of apps need it */
async function daysOf(server: ActivityServer, isWhole: boolean): Promise<unknown> {
  const groups = isWhole ? [...TIMESHEET.groups, { by: "app", inBins: true }] : TIMESHEET.groups;
  const { bins } = await server.report({ ...TIMESHEET, groups });
  return bins.map(({ lists, breaks }) => [breaks, ...TIMESHEET.groups.map(({ by }) => lists?.[by])]);
}

async function reportsOf(server: ActivityServer): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const request of REQUESTS) all.push(await server.report(request));
  return all;
}

/** What a key that reads some buckets sees. */
async function seenBy(server: ActivityServer, key: string): Promise<unknown> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const body = JSON.stringify({ date: "2024-02-20", to: "2024-05-25", groups: ["app", "host"] });
  return (await server.fetch("/api/0/report", { method: "POST", headers, body })).json();
}

/** A server with the same events and settings that has kept nothing. @param sees whether a bucket is copied */
async function copyOf(server: ActivityServer, sees: (id: string) => boolean = () => true): Promise<ActivityServer> {
  const storage = memory();
  for (const { id, type, client, hostname, created } of await server.buckets.list()) {
    if (!sees(id)) continue;
    const bucket = { id, type, client, hostname, created, data: {}, name: null };
    const events = await server.events.read(id).toArray();
    await storage.createBucket(bucket, events);
  }
  for (const [key, value] of Object.entries(await server.settings.list())) await storage.settings.put(key, value);
  return createActivityServer({ storage, clock: () => NOW });
}

async function compare(server: ActivityServer, key: string, what: string): Promise<void> {
  const copy = await copyOf(server);
  assert.equal(await reportsOf(server), await reportsOf(copy), what);
  assert.equal(await daysOf(server, false), await daysOf(copy, true), what);
  await copy.close();
  const part = await copyOf(server, (id) => id.startsWith("aw-"));
  const { key: own } = await part.keys.add({ name: "reader", scopes: ["read:*"] });
  assert.equal(await seenBy(server, key), await seenBy(part, own), `${what}, for a key`);
  await part.close();
}

interface Ground {
  open(): Storage;
  /** Whether the data survive `close()`. */
  readonly isLasting: boolean;
}

async function play({ open, isLasting }: Ground, seed: number): Promise<void> {
  const random = randomOf(seed);
  let storage = open();
  let server = createActivityServer({ storage, clock: () => NOW });
  try {
    const { key } = await server.keys.add({ name: "reader", scopes: ["read:aw-*"] });
    await fill(server, random);
    await compare(server, key, "at first");
    for (let count = 0; count < CHANGES; count++) {
      const kind = pick(random, Object.keys(CHANGE_KINDS));
      await CHANGE_KINDS[kind]?.(server, random, storage).catch(refusalOnly);
      if (isLasting && below(random, 5) === 0) {
        await server.close();
        storage = open();
        server = createActivityServer({ storage, clock: () => NOW });
      }
      if (below(random, 3) === 0) await compare(server, key, `change ${count} (${kind})`);
    }
    await compare(server, key, "at the end");
  } finally {
    await server.close();
  }
}

/** Some changes are impossible for the present buckets. */
function refusalOnly(thrown: unknown): void {
  const code = (thrown as { code?: string }).code ?? "";
  if (!["CONFLICT", "INVALID_INPUT", "NO_SUCH_BUCKET", "NO_SUCH_EVENT", "NO_SUCH_UNDO"].includes(code)) throw thrown;
}

for (let round = 0; round < ROUNDS; round++) {
  const seed = seedOf("SUMS_SEED") * 100 + round;
  test(`random changes on memory, seed ${seed}`, () => play({ open: memory, isLasting: false }, seed));
  details(`random changes on LevelDB, seed ${seed}`, () =>
    withFolder(async (folder) => {
      const place = await newDataFolder(path.join(folder, "data"));
      await play({ open: () => leveldb({ path: place }), isLasting: true }, seed);
    }),
  );
}

details("random changes on PostgreSQL", async () => {
  const ground = await postgresGround();
  if (ground === undefined) return;
  const namespace = ground.newNamespace();
  await play({ open: () => ground.open(namespace), isLasting: true }, seedOf("SUMS_SEED")).finally(ground.finish);
});

/** Counts the reads of events. */
function countReads(storage: Storage): { readonly storage: Storage; reads: number } {
  const counted = { storage, reads: 0 };
  const { read } = storage;
  storage.read = (...given) => {
    counted.reads++;
    return read.apply(storage, given);
  };
  return counted;
}

test("after a restart, the events of past days are not read again", () =>
  withFolder(async (folder) => {
    const place = await newDataFolder(path.join(folder, "data"));
    const found: unknown[] = [];
    const reads: number[] = [];
    for (let opening = 0; opening < 2; opening++) {
      const counted = countReads(leveldb({ path: place }));
      const server = createActivityServer({ storage: counted.storage, clock: () => NOW });
      if (opening === 0) await fill(server, randomOf(5));
      const before = counted.reads;
      found.push(await server.report(REQUESTS[0]));
      reads.push(counted.reads - before);
      await server.close();
    }
    assert.equal(found[0], found[1]);
    assert.ok((reads[0] ?? 0) >= (reads[1] ?? 0) + 2 * BUCKETS.length, `${reads}`);
  }));

test("after a restart, years need their own sums only", () =>
  withFolder(async (folder) => {
    const place = await newDataFolder(path.join(folder, "data"));
    const request = { date: "2022-12-20", to: "2024-01-10", groups: ["title"] };
    const found: unknown[] = [];
    const reads: number[] = [];
    for (let opening = 0; opening < 3; opening++) {
      const counted = countReads(leveldb({ path: place }));
      const { storage } = counted;
      const server = createActivityServer({ storage, clock: () => NOW });
      if (opening === 0) await fill(server, randomOf(7));
      const before = counted.reads;
      found.push(await server.report(request));
      reads.push(counted.reads - before);
      const records = storage.records(SUMMARIES_KIND);
      for (const [key, record] of await records.list()) {
        // Those of months make place for others first.
        if (isJsonObject(record) && record["isYear"] !== true) await records.compareAndSet(key, record, undefined);
      }
      if (opening === 1) {
        const late = { timestamp: new Date(FIRST - DAY), duration: { seconds: 60 }, data: { app: "a", title: "late" } };
        await server.events.insert("own-windows", late);
      }
      await server.close();
    }
    assert.equal(found[0], found[1]);
    const [cold = 0, known = 0, changed = 0] = reads;
    assert.ok(known * 3 < cold && changed > known, `${reads}`);
    assert.not.equal(found[1], found[2]);
  }));

test("records of sums are few, and go with the settings that they depend on", async () => {
  const storage = memory();
  const server = createActivityServer({ storage, clock: () => NOW });
  await fill(server, randomOf(6));
  const keys = async () => [...(await storage.records(SUMMARIES_KIND).list()).keys()];
  await server.report(REQUESTS[0]);
  const first = await keys();
  assert.ok(first.length >= 2, `${first.length} records`);
  await server.report(REQUESTS[0]);
  assert.equal(await keys(), first);
  await server.settings.put("classes", [{ name: ["Work"], rule: { type: "regex", regex: "editor" } }]);
  await server.report(REQUESTS[0]);
  const second = await keys();
  assert.is(second.length, first.length);
  assert.is(
    second.some((key) => first.includes(key)),
    false,
  );
  const backup: Uint8Array[] = [];
  for await (const piece of serializeBackup(storage.backup())) backup.push(piece);
  assert.not.match(new TextDecoder().decode(Buffer.concat(backup)), SUMMARIES_KIND);
  await server.events.deleteMatching("own-windows", { filter: ["title=title 1"], permanent: true });
  assert.equal(await keys(), [], "titles of erased events");
  await server.close();
});

test.run();
