// Deletions for good on a disk without space: they take effect with the reserve, and each response tells the truth.
// long: 900 s
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DiskWatch } from "../../adapters/leveldb/disk-watch.js";
import { leveldb } from "../../adapters/leveldb/index.js";
import type { ActivityServer } from "../../src/index.js";
import { withFolder } from "../adapters/folder.js";
import { withServer } from "../harness.js";
import { BUCKET } from "../trash/grounds.js";
import { detailsOf, IS_LONG, SAMPLE_TURN } from "./sizes.js";
import { canBring, onSmallDisk } from "./trouble.js";

const test = suite("deletion without space");
const details = detailsOf(test);

const KIB = 1024;

/** Says what took effect. */
const TRUE_REFUSAL = /^507 .*"(?:it is deleted, but its bytes may still be in the files|.*nothing was deleted)/;

const FIRST = { timestamp: "2023-01-01", duration: "1s", data: {} } as const;

type Texts = Readonly<Record<Deletion["text"], string>>;

interface Ground {
  readonly server: ActivityServer;
  /** The entry of the trash that holds the bucket `trashed`. */
  readonly entryId: string;
  /** Of an event in a segment, and of one that is in the log only. */
  readonly eventId: number;
  readonly freshId: number;
}

interface Deletion {
  readonly name: string;
  readonly request: (ground: Ground) => readonly [method: string, path: string, body?: object];
  /** Which of the texts goes. */
  readonly text: "kept" | "trashed" | "single";
}

const DELETIONS: readonly Deletion[] = [
  { name: "a bucket", text: "kept", request: () => ["DELETE", "buckets/kept?force=1&permanent=true"] },
  {
    name: "an event",
    text: "single",
    request: ({ eventId }) => ["DELETE", `buckets/other/events/${eventId}?permanent=true`],
  },
  {
    name: "a new event",
    text: "single",
    request: ({ freshId }) => ["DELETE", `buckets/other/events/${freshId}?permanent=true`],
  },
  {
    name: "what a filter finds",
    text: "kept",
    request: () => ["POST", "buckets/kept/events/delete", { filter: ["title~needle"], permanent: true }],
  },
  { name: "an entry of the trash", text: "trashed", request: ({ entryId }) => ["DELETE", `trash/${entryId}`] },
  { name: "the whole trash", text: "trashed", request: () => ["DELETE", "trash"] },
];

/** Random text: LevelDB compresses what repeats. */
function randomText(length: number): string {
  return randomBytes(length).toString("base64url").slice(0, length);
}

function drafts(text: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    timestamp: new Date(Date.UTC(2024, 0, 1) + index * 60_000),
    duration: { seconds: 30 },
    data: { title: index % 500 === 3 ? `needle ${text}` : randomText(60) },
  }));
}

function filesWith(folder: string, text: string): string[] {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap(({ parentPath, name }) => {
    return fs.readFileSync(path.join(parentPath, name)).includes(text) ? [name] : [];
  });
}

/** A server that is left open would go on trying to write, and the process would never end. */
function withData(data: string, body: (server: ActivityServer) => Promise<void>): Promise<void> {
  const logger = { error() {}, warn() {}, info() {} };
  const storage = leveldb({ path: data, logger });
  return withServer({ door: "process", storage, logger, basePath: "/" }, ({ server }) => body(server));
}

async function stateOf(server: ActivityServer): Promise<object> {
  const [kept, other] = await Promise.all(
    ["kept", "other"].map((id) => server.events.count(id).catch(() => "not there")),
  );
  return { kept, other, trash: (await server.trash.list()).length };
}

/** Looks at a folder in which nothing changes, before its files are taken as they are. */
const QUIET_LOOKS = 10;

/** Waits until nothing writes into a folder: a commit that the disk stops half way is the subject of other tests. */
async function untilQuiet(folder: string): Promise<void> {
  let before = "";
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    const files = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
    const now = files.map((name) => `${name} ${fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size}`);
    quiet = now.join() === before ? quiet + 1 : 0;
    before = now.join();
    await delay(20);
  }
}

/** Leaves so much space, or less: a server may still write in the background. */
function fillUpTo(disk: string, freeBytes: number): void {
  const filler = fs.openSync(path.join(disk, "filler"), "w");
  try {
    for (;;) {
      const { bavail, bsize } = fs.statfsSync(disk);
      const excess = bavail * bsize - freeBytes;
      if (excess <= 0) return;
      fs.writeSync(filler, new Uint8Array(Math.min(excess, 1024 * KIB)));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    fs.closeSync(filler);
  }
}

/** Fills a storage with buckets of so many events. */
async function groundOn(server: ActivityServer, name: string, count: number, texts: Texts): Promise<Ground> {
  await server.buckets.create("kept", BUCKET, drafts(texts.kept, count));
  const title = { title: `single ${texts.single}` };
  const oldest = { ...FIRST, data: title };
  await server.buckets.create("other", BUCKET, name === "an event" ? [oldest, ...drafts("", count)] : []);
  const data = name === "a new event" ? title : {};
  const fresh = await server.events.insert("other", { ...FIRST, timestamp: "2026-01-01", data });
  await server.buckets.create("trashed", BUCKET, drafts(texts.trashed, count));
  const { entry: entryId } = await server.buckets.delete("trashed");
  const [first] = await server.events.read("other", { order: "oldest", limit: 1 }).toArray();
  return { server, entryId: entryId ?? "", eventId: first?.id ?? 0, freshId: fresh.id ?? 0 };
}

/** Deletes, and compares the response with what there is, also after a restart. @returns the response */
async function play({ name, request, text }: Deletion, count: number, freeBytes: number): Promise<string> {
  let told = "";
  let after = {};
  const what = (): string => `${name} of ${count}, ${freeBytes} bytes free: ${told}`;
  await withFolder((disk) =>
    onSmallDisk(disk, async () => {
      const data = path.join(disk, "data");
      await withData(data, async (server) => {
        const texts = { kept: randomText(40), trashed: randomText(40), single: randomText(40) };
        const ground = await groundOn(server, name, count, texts);
        const before = await stateOf(server);
        await untilQuiet(data);
        fillUpTo(disk, freeBytes);

        const [method, target, body] = request(ground);
        const init =
          body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
        const response = await server.fetch(new Request(`http://localhost/api/0/${target}`, { method, ...init }));
        told = `${response.status} ${await response.text()}`;

        after = await stateOf(server);
        if (response.status === 200) assert.equal(filesWith(data, texts[text]), [], what());
        else assert.match(told, TRUE_REFUSAL, what());
        const isDone = !told.includes("nothing was deleted");
        assert.is(JSON.stringify(after) !== JSON.stringify(before), isDone, what());
      });
      fs.rmSync(path.join(disk, "filler"));
      await withData(data, async (again) => {
        assert.equal(await stateOf(again), after, `after a restart: ${what()}`);
        await again.events.insert("other", FIRST);
      });
    }),
  );
  return told;
}

/** In kB; with 1,000 the space runs out during the commit. */
const FREE = IS_LONG ? [0, 16, 64, 200, 500, 1_000, 2_000, 3_000, 5_000, 9_000] : [0, 1_000];

if (await canBring("small disk")) {
  test("work that gives back space has the reserve, which is not made again meanwhile", () =>
    withFolder((disk) =>
      onSmallDisk(disk, async () => {
        const space = new DiskWatch(disk, 0, { error() {}, warn() {}, info() {} });
        await space.start();
        const reserve = path.join(disk, "reserve");
        assert.ok(fs.existsSync(reserve), "there is one");
        await space.withReserve(async () => assert.ok(fs.existsSync(reserve), "kept where there is room"));
        fillUpTo(disk, 0);
        await space.withReserve(async () => {
          assert.not.ok(fs.existsSync(reserve), "given up");
          fs.rmSync(path.join(disk, "filler"));
          await space.check();
          assert.not.ok(fs.existsSync(reserve), "not made again meanwhile");
        });
        await space.check();
        assert.ok(fs.existsSync(reserve), "made again");
        await space.stop();
      }),
    ));

  test("settings and records are deleted", () =>
    withFolder((disk) =>
      onSmallDisk(disk, async () => {
        const storage = leveldb({ path: path.join(disk, "data"), logger: { error() {}, warn() {}, info() {} } });
        await storage.settings.put("key", 1);
        await storage.records("kind").compareAndSet("key", undefined, 1);
        fillUpTo(disk, 0);
        assert.is(await storage.records("kind").compareAndSet("key", 1, undefined), true);
        fs.rmSync(path.join(disk, "filler"));
        await storage.close();
        const again = leveldb({ path: path.join(disk, "data"), logger: { error() {}, warn() {}, info() {} } });
        await again.ready();
        fillUpTo(disk, 0);
        assert.is(await again.settings.delete("key"), true);
        await again.close();
      }),
    ));

  for (const [index, deletion] of DELETIONS.entries()) {
    test(`${deletion.name}: nothing of it is left, whatever space there is`, async () => {
      // In the short tests one of the two, the other one on the next day.
      const some = FREE.filter((_, at) => IS_LONG || (at + index + SAMPLE_TURN) % 2 === 0);
      for (const free of some) assert.match(await play(deletion, 3_000, free * KIB), /^200 /);
    });

    details(`${deletion.name}, of more than the reserve can rewrite: the response tells what took effect`, async () => {
      for (const free of FREE) {
        const told = await play(deletion, 25_000, free * KIB);
        // Segments with what is deleted are written again; all else needs little.
        if (deletion.name !== "what a filter finds") assert.not.match(told, "nothing was deleted");
      }
    });
  }
}

test("this platform was asked what it can", () => {});

test.run();
