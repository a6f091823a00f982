import type { StoredEvent } from "../../src/domain/event.js";
import type { EventRange } from "../../src/storage/storage.js";
import { draftOf, idsOf, intOf, randomOf, read, type Scenario, type Stage, withBucket } from "./case.js";
import { holds, rejects, same, sameEvents } from "./check.js";

export const ranges: readonly Scenario[] = [
  { name: "events come newest first, or oldest first when asked; ties by id", play: playOrder },
  { name: "an event is in a range exactly when it overlaps or touches it", play: playGrid },
  { name: "a range may be open at either end", play: playOpenEnds },
  { name: "a limit takes the first events of the order asked for", play: playLimits },
  { name: "a limit of 0 reads nothing, and rejects for an unknown bucket", play: playLimitZero },
  { name: "an event that reaches beyond a range is read whole", play: playWhole },
  { name: "a long event is found however far back it began", play: playLong },
  { name: "long events are found by limit and order among many short ones", play: playLongLimits },
  { name: "an event made shorter no longer reaches into later ranges", play: playShortened },
  { name: "ranges over thousands of events, with equal times, answer as a plain search", play: playRandom },
];

async function playOrder(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const given = await storage.putEvents(
    "window",
    [20, 10, 20, 30, 10, 20, 0].map((at, index) => draftOf(at, index % 3, index)),
  );
  const brought = await storage.putEvents("window", [
    { ...draftOf(20, 9), id: 900 },
    { ...draftOf(10, 9), id: 800 },
  ]);
  const stored = [...given, ...brought].sort((one, other) => one.timestamp - other.timestamp || one.id - other.id);
  await stage.alsoReopened(async (reopened) => {
    const oldest = idsOf(await read(reopened, "window", { order: "oldest" }));
    same("readOrder", oldest, idsOf(stored), "ids, oldest first");
    const newest = [...oldest].reverse();
    same("readOrder", idsOf(await read(reopened, "window", { order: "newest" })), newest, "ids, newest first");
    same("readOrder", idsOf(await read(reopened, "window")), newest, "ids without an order");
    same("readOrder", idsOf(await read(reopened, "window", {})), newest, "ids of an empty range");
  });
}

/** Every start and length of a small grid against every range of it: all ways to touch, contain and miss. */
async function playGrid(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const drafts = [];
  for (let at = 0; at <= 6; at++) for (let length = -3; length <= 4; length++) drafts.push(draftOf(at, length));
  const stored = await storage.putEvents("window", drafts);
  await stage.alsoReopened(async (reopened) => {
    for (let start = -2; start <= 11; start++) {
      for (let end = start; end <= 11; end++) {
        const expected = stored.filter((event) => event.timestamp <= end && event.timestamp + event.duration >= start);
        const found = await read(reopened, "window", { start, end, order: "oldest" });
        sameEvents("bothEnds", found, expected, `range ${start} to ${end}`);
        same(
          "countEvents",
          await reopened.countEvents("window", { start, end }),
          expected.length,
          `${start} to ${end}`,
        );
      }
    }
  });
}

async function playOpenEnds(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await storage.putEvents("window", [draftOf(-10, 5), draftOf(0, 0), draftOf(3, 4), draftOf(9, -6)]);
  const [early, zero, middle, negative] = idsOf(stored) as [number, number, number, number];
  const table: [EventRange, number[]][] = [
    [{ start: -5 }, [early, zero, middle, negative]],
    [{ start: -4 }, [zero, middle, negative]],
    [{ start: 1 }, [middle, negative]],
    [{ start: 4 }, [middle]],
    [{ start: 8 }, []],
    [{ end: -11 }, []],
    [{ end: -10 }, [early]],
    [{ end: 0 }, [early, zero]],
    [{ end: 8 }, [early, zero, middle]],
    [{ end: 9 }, [early, zero, middle, negative]],
    [{ start: -8_520_336_000_000_000, end: 8_835_955_199_999_999 }, [early, zero, middle, negative]],
    [{ start: 3, end: 3 }, [middle]],
    [{ start: 0, end: 0 }, [zero]],
  ];
  await stage.alsoReopened(async (reopened) => {
    for (const [range, expected] of table) {
      const what = JSON.stringify(range);
      same("bothEnds", idsOf(await read(reopened, "window", { ...range, order: "oldest" })), expected, what);
      same("bothEnds", idsOf(await read(reopened, "window", range)), [...expected].reverse(), `${what}, newest first`);
      same("countEvents", await reopened.countEvents("window", range), expected.length, what);
    }
  });
}

async function playLimits(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await storage.putEvents(
    "window",
    Array.from({ length: 2_500 }, (_, index) => draftOf(index, 3)),
  );
  const part = stored.filter((event) => event.timestamp >= 1_197 && event.timestamp <= 2_300);
  await stage.alsoReopened(async (reopened) => {
    for (const limit of [0, 1, 2, 99, 1_000, 1_001, 1_104, 1_105, 2_499, 2_500, 2_501, 1e9, Number.MAX_SAFE_INTEGER]) {
      for (const order of ["oldest", "newest"] as const) {
        const all = order === "oldest" ? stored : [...stored].reverse();
        const some = order === "oldest" ? part : [...part].reverse();
        const what = `limit ${limit}, ${order}`;
        sameEvents("readLimit", await read(reopened, "window", { limit, order }), all.slice(0, limit), what);
        const range = { start: 1_200, end: 2_300, limit, order };
        sameEvents("readLimit", await read(reopened, "window", range), some.slice(0, limit), `${what}, in a range`);
      }
    }
  });
}

async function playLimitZero(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.putEvents("window", [draftOf(1)]);
  same("readLimit", (await read(storage, "window", { limit: 0 })).length, 0, "events read with limit 0");
  await rejects("noSuchBucket", "NO_SUCH_BUCKET", "limit 0", () => read(storage, "unknown", { limit: 0 }));
  await rejects("noSuchBucket", "NO_SUCH_BUCKET", "an empty range", () =>
    read(storage, "unknown", { start: 5, end: 5 }),
  );
}

async function playWhole(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await storage.putEvents("window", [draftOf(0, 100), draftOf(40, 100), draftOf(60, -30)]);
  await stage.alsoReopened(async (reopened) => {
    const found = await read(reopened, "window", { start: 25, end: 60, order: "oldest" });
    sameEvents("noValidation", found, stored, "events of a range that they go beyond");
  });
}

async function playLong(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const year = 31_557_600_000_000;
  const [long] = await storage.putEvents("window", [draftOf(0, 30 * year, "long")]);
  for (let slice = 0; slice < 6; slice++) {
    const short = Array.from({ length: 600 }, (_, index) => draftOf((slice * 600 + index) * 1_000_000_000, 1_000_000));
    await storage.putEvents("window", short);
  }
  await storage.putEvents("window", [draftOf(40 * year, 0, "late")]);
  await stage.alsoReopened(async (reopened) => {
    for (const start of [5_000_000_000_000, 29 * year, 30 * year]) {
      const found = await read(reopened, "window", { start, end: start + 1_000 });
      sameEvents("read", found, [long as StoredEvent], `a long event at ${start}`);
      same("countEvents", await reopened.countEvents("window", { start, end: start + 1_000 }), 1, `count at ${start}`);
      same("countEvents", await reopened.countEvents("window", { start }), 2, `count from ${start}`);
    }
    same("bothEnds", await reopened.countEvents("window", { start: 30 * year + 1 }), 1, "behind the long event");
  });
}

async function playLongLimits(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const drafts = Array.from({ length: 3_000 }, (_, index) => draftOf(index * 10, index % 500 === 0 ? 40_000 : 5));
  const stored = await storage.putEvents("window", drafts);
  await stage.alsoReopened(async (reopened) => {
    const expected = stored.filter((event) => event.timestamp <= 29_000 && event.timestamp + event.duration >= 28_000);
    for (const limit of [1, 5, 6, 7, 50, 1_000]) {
      const range = { start: 28_000, end: 29_000, limit };
      const oldest = await read(reopened, "window", { ...range, order: "oldest" });
      sameEvents("readLimit", oldest, expected.slice(0, limit), `oldest ${limit}`);
      const newest = await read(reopened, "window", range);
      sameEvents("readLimit", newest, [...expected].reverse().slice(0, limit), `newest ${limit}`);
    }
    same("countEvents", await reopened.countEvents("window", { start: 28_000, end: 29_000 }), expected.length, "count");
  });
}

async function playShortened(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const short = Array.from({ length: 2_000 }, (_, index) => draftOf(index * 10, 1));
  const stored = await storage.putEvents("window", [draftOf(0, 1_000_000, "long"), ...short]);
  await storage.putEvents("window", [{ ...draftOf(0, 5, "shortened"), id: stored[0]?.id ?? 0 }]);
  await stage.alsoReopened(async (reopened) => {
    same("putReplaces", await reopened.countEvents("window", { start: 500_000 }), 0, "events in a later range");
    same("bothEnds", await reopened.countEvents("window", { end: 5 }), 2, "events at its time");
    same("summaryEnd", (await reopened.summaries(["window"]))[0]?.end, 19_991, "end of the bucket");
  });
}

async function playRandom(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const random = randomOf(17);
  const stored: StoredEvent[] = [];
  for (let slice = 0; slice < 8; slice++) {
    const drafts = Array.from({ length: 500 }, () => {
      const length = random() < 0.02 ? intOf(random, 0, 20_000) : intOf(random, -20, 60);
      return draftOf(intOf(random, 0, 1_500) * 7, length, intOf(random, 1, 9));
    });
    stored.push(...(await storage.putEvents("window", drafts)));
  }
  stored.sort((a, b) => a.timestamp - b.timestamp || a.id - b.id);
  const queries = Array.from({ length: 120 }, () => {
    const start = intOf(random, -100, 11_000);
    return { start, end: start + intOf(random, 0, random() < 0.5 ? 30 : 6_000), limit: intOf(random, 1, 700) };
  });
  await stage.alsoReopened(async (reopened) => {
    for (const { start, end, limit } of queries) {
      const hit = stored.filter((event) => event.timestamp <= end && event.timestamp + event.duration >= start);
      const what = `${start} to ${end}`;
      same("countEvents", await reopened.countEvents("window", { start, end }), hit.length, `count of ${what}`);
      sameEvents("read", await read(reopened, "window", { start, end, order: "oldest" }), hit, `oldest of ${what}`);
      const newest = await read(reopened, "window", { start, end, limit });
      sameEvents("read", newest, hit.reverse().slice(0, limit), `newest ${limit} of ${what}`);
    }
    holds("countEvents", (await reopened.countEvents("window")) === stored.length, "count of all events");
  });
}
