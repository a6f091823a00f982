import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import type { EventDraft } from "../../src/domain/event.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { FaultyDatabase } from "./faulty-database.js";
import { accepted, until } from "./until.js";

const test = suite("leveldb: faults of flushing");

/** What fails, and a key of the write that it is. */
const FAILING = { "the commit of a flush": "m!root", "the forcing of its log": "m!forced" };

for (const [what, key] of Object.entries(FAILING)) {
  test(`${what} fails: it is reported and made later, and all stays readable`, async () => {
    const database = new FaultyDatabase();
    const said: string[] = [];
    const note = (text: unknown): void => void said.push(String(text));
    const storage = leveldb({
      db: database,
      cacheBytes: 0,
      logger: { info: () => undefined, warn: note, error: note },
    });
    await storage.createBucket(bucketOf("window"));
    database.failKey(key);
    for (let at = 0; at < 1_500; at += 100) await storage.putEvents("window", span(100, at * 10, "kept"));
    const told = (): string => `failures: ${database.failed}; reported: ${said.join("; ")}`;
    await until(() => database.failed > 0, told);
    assert.is(await storage.countEvents("window"), 1_500);
    await until(() => said.some((text) => text.includes("cannot be written")), told);
    await until(async () => (await database.dump()).some(([name]) => name.startsWith("d!")), told);
    assert.is((await read(storage, "window")).length, 1_500);
    assert.is((await storage.health?.())?.state, "ok");
    await storage.close();
  });
}

function span(count: number, from: number, label: string): EventDraft[] {
  return Array.from({ length: count }, (_, index) => draftOf(from + index * 10, 1, label));
}

test("what is refused while a flush has it in hand is in no segment later", async () => {
  const database = new FaultyDatabase();
  const storage = leveldb({ db: database, cacheBytes: 0 });
  await storage.createBucket(bucketOf("window"));
  // So many at once become segments.
  await storage.putEvents("window", span(3_000, 0, "old"));
  // Late ones: to flush them, segments must be read.
  for (const from of [1, 2]) await storage.putEvents("window", span(500, from, "late"));
  const before = await storage.countEvents("window");
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isReading = false;
  database.gates.read = () => {
    isReading = true;
    return released;
  };
  database.gates.write = () =>
    until(
      () => isReading,
      () => "no flush reads segments",
    );
  database.failWrite(1, "refused");
  const [outcome] = await Promise.allSettled([storage.putEvents("window", span(300, 5, "refused"))]);
  assert.is(outcome.status, "rejected");
  assert.is(await storage.countEvents("window"), before);
  await accepted(() => storage.settings.put("recovered", true));
  const writes = database.writes;
  release();
  await until(
    () => database.writes > writes + 2,
    () => "the flush is not tried again",
  );
  await accepted(() => storage.heartbeat("window", draftOf(90_000), 0));
  assert.is(await storage.countEvents("window"), before + 1);
  await storage.close();
  const reopened = leveldb({ db: database });
  const labels = new Set((await read(reopened, "window")).map(({ data }) => data["label"]));
  assert.equal([...labels].sort(), ["a", "late", "old"]);
  await reopened.close();
});

test.run();
