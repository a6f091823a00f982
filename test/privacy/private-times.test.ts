// Nothing is merged across a private time; docs/guides/privacy.md#private-times
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { mergeHeartbeat } from "../../src/domain/heartbeat.js";
import { createActivityServer, micros, type Storage } from "../../src/index.js";
import { PrivateTimes } from "../../src/service/privacy/private-times.js";
import { withServer } from "../harness.js";
import { withRecords } from "../overridden-records.js";

const test = suite("private times");

const BUCKET = { type: "t", client: "c", hostname: "h" };
const RULES = [{ when: { key: "app", equals: "secret" }, then: "drop" }];
const SECOND = 1_000_000;

/** Beats by their second: `a5` an open one at 5 s, `x5` a private one; `|` = the server starts anew. */
async function spans(script: string, pulsetime = 60): Promise<string> {
  const storage = memory();
  // What a server closes is the storage; this one lives on.
  const lasting: Storage = { ...storage, settings: storage.settings, close: async () => {} };
  let server = createActivityServer({ storage: lasting });
  await server.buckets.create("b", BUCKET);
  await server.settings.put("privacy_rules", RULES);
  for (const step of script.split(" ")) {
    if (step === "|") {
      server = createActivityServer({ storage: lasting });
      continue;
    }
    const [, app, at, length = "0"] = /^([a-z])([\d.]+)(?:\+([\d.]+))?$/.exec(step) ?? [];
    const beat = {
      timestamp: micros(Number(at) * SECOND),
      duration: { seconds: Number(length) },
      data: { app: app === "x" ? "secret" : (app as string) },
    };
    const { id } = await server.heartbeat("b", beat, { seconds: pulsetime });
    assert.is(id === null, app === "x", step);
  }
  const events = await server.events.read("b", { order: "oldest" }).toArray();
  return events
    .map(({ timestamp, duration, data }) => `${data["app"]}${timestamp / SECOND}-${(timestamp + duration) / SECOND}`)
    .join(" ");
}

const CASES: readonly [script: string, left: string, pulsetime?: number][] = [
  ["a0 a5 a10", "a0-10"],
  ["a0 a5 x7 a10 a15", "a0-5 a10-15"],
  ["a0 x5 x6 x7 a8 a9", "a0-0 a8-9"],
  ["a0 | x5 | a8 a9", "a0-0 a8-9"],
  ["a0 x5 | a8 | a9", "a0-0 a8-9"],
  // The same instant: which came first is not known, so it stands alone.
  ["a0 a5 x5 a5 a6 a7", "a0-5 a5-5 a6-7"],
  // No gap at all is let pass, and still nothing goes on.
  ["a0+5 x5 a5 a6", "a0-5 a5-5 a6-6", 0],
  ["a0+5 a5+1 x6 a6+1 a7", "a0-6 a6-7", 0],
  // Late beats, before the private time and within it.
  ["a0 x10 a5 a12 a13", "a0-5 a12-13"],
  ["a0 x10 x20 a15 a25 a26", "a0-0 a15-15 a25-26"],
  ["a0 x10 x20 a15 | a25", "a0-0 a15-15 a25-25"],
  // A private beat that comes late itself.
  ["a0 a20 x10 a25", "a0-25"],
  ["a0 x10 a20 x5 a30", "a0-0 a20-30"],
  // An event that covered the private time already goes on.
  ["a0+30 x10 a31", "a0-31"],
  ["a0 x1 b2 x3 b4 x5 a6 a7", "a0-0 b2-2 b4-4 a6-7"],
];

for (const [script, left, pulsetime] of CASES) {
  test(script, async () => assert.is(await spans(script, pulsetime), left));
}

test("a run of dropped beats is kept once", async () => {
  let writes = 0;
  const storage = withRecords(memory(), ["privacy"], ({ compareAndSet }) => ({
    compareAndSet(...change) {
      writes++;
      return compareAndSet(...change);
    },
  }));
  await withServer({ door: "process", storage }, async ({ server }) => {
    await server.buckets.create("b", BUCKET);
    await server.settings.put("privacy_rules", RULES);
    for (let at = 0; at < 20; at++)
      await server.heartbeat("b", { timestamp: micros(at), data: { app: "secret" } }, "1s");
    assert.is(writes, 1);
    await server.buckets.delete("b");
    assert.is((await storage.records("privacy").list()).size, 0);
  });
});

test("after rules were removed, what was private still divides", () =>
  withServer({ door: "process" }, async ({ server }) => {
    await server.buckets.create("b", BUCKET);
    await server.settings.put("privacy_rules", RULES);
    for (const [timestamp, app] of [
      [0, "a"],
      [1, "secret"],
    ] as const)
      await server.heartbeat("b", { timestamp: micros(timestamp), data: { app } }, "60s");
    await server.settings.delete("privacy_rules");
    await server.heartbeat("b", { timestamp: micros(2), data: { app: "a" } }, "60s");
    assert.is(await server.events.count("b"), 2);
  }));

test("a gap that is let pass never leads across a private instant, and no shorter one than it has to", () => {
  for (let seed = 1; seed < 3000; seed++) {
    const [privateAt, start, length, at, pulsetime] = [7, 11, 13, 17, 19].map((factor) => (seed * factor * 31) % 23);
    const times = new PrivateTimes(memory());
    times.note("b", privateAt as number);
    const passed = times.limitPulsetime("b", at as number, pulsetime as number, new Map()).pulsetimeMicros;
    const target = { timestamp: start as number, duration: length as number, data: {} };
    const beat = { timestamp: micros(at as number), duration: 0, data: {} };
    const end = target.timestamp + target.duration;
    const crosses = end <= (privateAt as number) && (privateAt as number) <= beat.timestamp;
    const before = mergeHeartbeat(target, beat, pulsetime as number) !== undefined;
    assert.is(mergeHeartbeat(target, beat, passed) !== undefined, before && !crosses, JSON.stringify([seed]));
  }
});

test("a beat that is dropped for a bucket that does not exist leaves nothing behind", () =>
  withServer({ door: "process" }, async ({ server }) => {
    await server.settings.put("privacy_rules", RULES);
    const beat = (second: number, app: string) =>
      server.heartbeat("later", { timestamp: micros(second * SECOND), duration: 0, data: { app } }, { seconds: 60 });
    assert.is(await beat(5, "secret").catch(({ code }) => code), "NO_SUCH_BUCKET");
    await server.buckets.create("later", BUCKET);
    await beat(0, "a");
    await beat(10, "a");
    assert.is(await server.events.count("later"), 1);
  }));

test("what is taken back takes no later beat along", () => {
  const times = new PrivateTimes(memory());
  const takeBack = times.note("b", 1);
  times.note("b", 2);
  takeBack();
  assert.not.ok(times.isEmpty(new Map()));
  times.note("c", 1)();
  times.deleted("b");
  assert.ok(times.isEmpty(new Map()));
});

test.run();
