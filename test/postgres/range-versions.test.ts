// Versions of ranges: they change with every change of what a read of the range returns, and heartbeats of today leave
// those of past days.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, intOf, randomOf, read } from "../contract/case.js";
import { seedOf } from "../faults/sizes.js";
import { postgresGround } from "./ground.js";

const test = suite("postgres range versions");

const ground = await postgresGround();
const DAY = 86_400_000_000;
const FIRST = 19_000 * DAY;
const DAYS = 12;
const RANGES = Array.from({ length: DAYS }, (_, day) => ({ start: FIRST + day * DAY, end: FIRST + (day + 1) * DAY }));

if (ground === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const { newNamespace, open } = ground;

  async function versionsIn(storage: Storage): Promise<readonly (string | undefined)[]> {
    return (await storage.rangeVersions?.("window", RANGES)) as readonly (string | undefined)[];
  }

  async function eventsIn(storage: Storage): Promise<readonly string[]> {
    const found: string[] = [];
    for (const range of RANGES) found.push(JSON.stringify(await read(storage, "window", range)));
    return found;
  }

  test("heartbeats, and events of today, leave past days", async () => {
    const storage = open(newNamespace());
    await storage.createBucket(bucketOf("window"));
    const old = await storage.putEvents(
      "window",
      RANGES.map(({ start }) => draftOf(start + DAY / 2, 3600)),
    );
    const today = RANGES.at(-1)?.start as number;
    const before = await versionsIn(storage);
    const past = (versions: readonly unknown[]) => versions.slice(0, -2);
    for (let beat = 0; beat < 4; beat++) {
      await storage.heartbeat("window", draftOf(today + DAY / 2 + beat * 1_000_000, 0, "new"), 2_000_000);
      await storage.putEvents("window", [draftOf(today + (DAY * 3) / 4 + beat)]);
    }
    const after = await versionsIn(storage);
    assert.equal(past(after), past(before));
    assert.is.not(after.at(-1), before.at(-1));
    await storage.deleteEvents("window", [old[3]?.id as number]);
    const changed = (await versionsIn(storage)).map((version, day) => version !== after[day]);
    assert.ok(changed[3], "a deletion");
    assert.not.ok(changed[0] || changed[8], "days before and after");
    await storage.close();
  });

  test("random changes", async () => {
    const random = randomOf(seedOf("RANGES_SEED"));
    const storage = open(newNamespace());
    const pick = () => FIRST + intOf(random, 0, DAYS * 24) * (DAY / 24);
    const length = () => (intOf(random, 0, 9) === 0 ? DAY * intOf(random, 1, 3) : intOf(random, 0, 3) * 3_600_000_000);
    await storage.createBucket(bucketOf("window"));
    const known = RANGES.map(() => new Map<string, string>());
    let beat: number | undefined;
    for (let step = 0; step < 60; step++) {
      const stored = await read(storage, "window");
      const some = stored[intOf(random, 0, Math.max(stored.length - 1, 0))];
      const kind = intOf(random, 0, 4);
      // The second heartbeat extends the event of the first.
      const next = beat === undefined ? pick() : beat + 3_600_000_000;
      const isBeat = kind === 0 || beat !== undefined;
      beat = isBeat && beat === undefined ? next : undefined;
      if (isBeat) await storage.heartbeat("window", draftOf(next), 7_200_000_000);
      else if (kind === 1) await storage.putEvents("window", [draftOf(pick(), length()), draftOf(pick(), -1)]);
      else if (kind === 2 && some) await storage.putEvents("window", [{ ...some, ...draftOf(pick(), length(), step) }]);
      else if (kind === 3 && some) await storage.deleteEvents("window", [some.id]);
      else await storage.mergeEvents("window", [draftOf(pick(), length(), step)]);
      const [versions, events] = [await versionsIn(storage), await eventsIn(storage)];
      for (const [day, version] of versions.entries()) {
        const before = known[day]?.get(version as string);
        assert.is(events[day], before ?? events[day], `step ${step}, kind ${kind}: day ${day} at ${version}`);
        known[day]?.set(version as string, events[day] as string);
      }
    }
    await storage.close();
  });

  test.after(() => ground.finish());
}

test.run();
