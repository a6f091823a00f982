// When it is in doubt whether LevelDB has a commit, it is closed and opened again: with all the room that there is.
import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ClassicLevel } from "classic-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DiskWatch } from "../../adapters/leveldb/disk-watch.js";
import { FolderStore } from "../../adapters/leveldb/folder-store.js";
import { messageOf } from "../../src/errors.js";
import { silentLogger } from "../../src/logger.js";
import { holdElsewhere, withFolder } from "./folder.js";

const test = suite("leveldb opened again");

const SEGMENT = { bucketNo: 1, segmentNo: 1, text: "entry", bytes: new Uint8Array([1, 2, 3]) };

/** What abstract-level calls and its types do not tell. */
const hidden = ClassicLevel.prototype as unknown as { _open(options: object): Promise<void> };

/** A store with a segment, of which opening the database fails so many times from now on. */
async function withStore(body: (store: FolderStore, folder: string, fail: (times: number) => void) => Promise<void>) {
  let failures = 0;
  class Tight extends ClassicLevel {
    async _open(options: object): Promise<void> {
      if (failures-- > 0) throw new Error("IO error: x: No space left on device");
      await hidden._open.call(this, options);
    }
  }
  await withFolder(async (folder) => {
    const store = new FolderStore({
      ...{ folder, durability: "process-crash", flushMillis: 1_000, minFreeBytes: 0, logger: silentLogger },
      engine: (location) => new Tight(location),
    });
    await store.open();
    await store.commit({
      ...{ number: 1, root: "root", records: new Map(), putSegments: [SEGMENT], deleteEntries: [], dropSegments: [] },
      entriesOf: () => [SEGMENT],
    });
    try {
      await body(store, folder, (times) => {
        failures = times;
      });
    } finally {
      await store.close();
    }
  });
}

/** The bytes of the segment. */
async function bytesIn(store: FolderStore): Promise<number[]> {
  return [...((await store.readSegment(SEGMENT)) ?? [])];
}

test("an opening that finds no space gets the reserve, and reads wait for it", () =>
  withStore(async (store, folder, fail) => {
    const reserve = path.join(folder, "reserve");
    assert.ok(existsSync(reserve));
    fail(1);
    const reads: Promise<number[]>[] = [];
    const recovered = store.recover();
    const isOver = recovered.then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([isOver, delay(1)]))) reads.push(bytesIn(store));
    assert.is(await recovered, 1);
    assert.not.ok(existsSync(reserve));
    for (const read of [...reads, bytesIn(store)]) assert.equal(await read, [1, 2, 3]);
  }));

test("with the reserve gone as well it is refused, until there is space", () =>
  withStore(async (store, _folder, fail) => {
    fail(2);
    const error = await store.recover().catch((thrown: unknown) => thrown);
    assert.match(messageOf(error), /no space/i);
    assert.is(await store.recover(), 1);
    assert.equal(await bytesIn(store), [1, 2, 3]);
  }));

test("no other process gets the folder while its database is closed and opened again", () =>
  withFolder(async (folder) => {
    const others: string[] = [];
    class Watched extends ClassicLevel {
      async close(): Promise<void> {
        await super.close();
        if (path.basename(this.location) !== "db") return;
        const other = await holdElsewhere(folder);
        others.push(other.opened);
        await other.leave();
      }
    }
    const store = new FolderStore({
      ...{ folder, durability: "process-crash", flushMillis: 1_000, minFreeBytes: 0, logger: silentLogger },
      engine: (location) => new Watched(location),
    });
    await store.open();
    await store.recover();
    assert.equal(others, ["STORAGE_LOCKED"]);
    await store.close();
    const next = await holdElsewhere(folder);
    await next.leave();
    assert.equal([...others, next.opened], ["STORAGE_LOCKED", "STORAGE_LOCKED", "open"]);
  }));

test("no reserve is made of the room that is needed", () =>
  withFolder(async (folder) => {
    const space = new DiskWatch(folder, 0, silentLogger);
    const reserve = path.join(folder, "reserve");
    await space.start();
    try {
      assert.ok(await space.release());
      await space.keepSpaceFree(async () => {
        await space.check();
        assert.not.ok(existsSync(reserve));
      });
      await space.check();
      assert.ok(existsSync(reserve));
    } finally {
      await space.stop();
    }
  }));

test.run();
