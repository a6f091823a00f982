// Every value of a small storage is lost, swapped, cut or damaged at every place: never wrong data without a word.
// long: 300 s
import { isDeepStrictEqual as same } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { unstorage } from "../../adapters/unstorage/index.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { ActivityError } from "../../src/errors.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { FaultyStorage } from "./faulty-storage.js";

const test = suite("unstorage: damage");

type Items = Map<string, string>;

/** Two commits with segments, a log with two values, a setting. */
const ground: Promise<Items> = prepare();
const AFK = 520;

/** Of so many places one is tried: no multiple of four or seven, so that all kinds have their turn. */
const EVERY = sizeOf("EVERY_PLACE", { short: 3, long: 1 });

async function prepare(): Promise<Items> {
  const driver = new FaultyStorage();
  const storage = unstorage({ storage: driver });
  for (const id of ["window", "afk"]) await storage.createBucket(bucketOf(id));
  const drafts = Array.from({ length: AFK }, (_, index) => draftOf(index, 1));
  await storage.putEvents("afk", drafts);
  await storage.putEvents("window", drafts);
  for (let beat = 0; beat < 5; beat++) await storage.heartbeat("window", draftOf(10_000 + beat, 0, beat), 0);
  await storage.settings.put("long", "x".repeat(5_000));
  await storage.settings.put("key", 1);
  return new Map(driver.items);
}

interface Content {
  readonly window: readonly StoredEvent[];
  readonly afk: readonly StoredEvent[];
  readonly settings: ReadonlyMap<string, unknown>;
}

/** What a storage answers; `refused` when it does not. */
async function answerOf(items: Items): Promise<{ content: Content | "refused"; isReported: boolean }> {
  const storage = unstorage({ storage: new FaultyStorage(items), cacheBytes: 0 });
  try {
    const content = {
      window: await read(storage, "window", { order: "oldest" }),
      afk: await read(storage, "afk", { order: "oldest" }),
      settings: await storage.settings.list(),
    };
    return { content, isReported: (await storage.health?.())?.state === "degraded" };
  } catch (thrown) {
    assert.ok(ActivityError.is(thrown), String(thrown));
    assert.match(thrown.code, /STORAGE_(CORRUPT|TOO_NEW|UNUSABLE)/);
    return { content: "refused", isReported: true };
  } finally {
    await storage.close();
  }
}

const sound: Promise<Content> = ground.then(async (items) => (await answerOf(items)).content as Content);

/** @param mayBeCut whether the harm looks like what a crash leaves of the last write */
async function expectHonest(harm: (items: Items) => unknown, when: string, mayBeCut = false): Promise<string> {
  const whole = await sound;
  const items = new Map(await ground);
  harm(items);
  const { content, isReported } = await answerOf(items);
  const isSame = same(content, whole);
  assert.ok(isSame || isReported || mayBeCut, `${when}: data are missing without a word`);
  if (content === "refused") return "refused";
  if (isSame) return "whole";
  // Nothing that was never written.
  for (const bucket of ["window", "afk"] as const) {
    const known = new Set(whole[bucket].map((event) => JSON.stringify(event)));
    for (const event of content[bucket]) assert.ok(known.has(JSON.stringify(event)), `${when}: ${event.id}`);
  }
  return "reported";
}

function counted(outcomes: readonly string[]): string {
  const kinds = new Set(outcomes);
  return [...kinds].map((kind) => `${kind} ${outcomes.filter((each) => each === kind).length}`).join(", ");
}

/** The value of the log that was written last cannot be told from one that a crash has cut off. */
async function lastLog(): Promise<string> {
  const logs = [...(await ground)].filter(([key, value]) => key.includes("log-") && value.endsWith(",1]"));
  return logs.at(-1)?.[0] ?? "";
}

test("every value is lost once", async () => {
  const last = await lastLog();
  const outcomes: string[] = [];
  for (const key of (await ground).keys()) {
    outcomes.push(await expectHonest((items) => items.delete(key), `${key} lost`, key === last));
  }
  console.log(`values lost: ${counted(outcomes)}`);
});

test("every two values change places once", async () => {
  const keys = [...(await ground).keys()];
  const outcomes: string[] = [];
  for (const one of keys) {
    for (const other of keys.filter((each) => each > one)) {
      const swap = (items: Items): void => {
        const value = items.get(one) as string;
        items.set(one, items.get(other) as string).set(other, value);
      };
      outcomes.push(await expectHonest(swap, `${one} and ${other} swapped`));
    }
  }
  console.log(`values swapped: ${counted(outcomes)}`);
});

test("a character of every value changes, and every value is cut, at many places", async () => {
  const last = await lastLog();
  const outcomes: string[] = [];
  for (const [key, value] of await ground) {
    const step = Math.max(1, Math.floor(value.length / 25));
    for (let at = 0; at < value.length; at += EVERY * (at < 40 ? 1 : step)) {
      const letter = String.fromCharCode(value.charCodeAt(at) ^ (1 << (at % 7)));
      const flipped = value.slice(0, at) + letter + value.slice(at + 1);
      outcomes.push(await expectHonest((items) => items.set(key, flipped), `${key} flipped at ${at}`, key === last));
      if (at % 4 > 0) continue;
      const cut = value.slice(0, at);
      outcomes.push(await expectHonest((items) => items.set(key, cut), `${key} cut at ${at}`, key === last));
    }
  }
  console.log(`values flipped or cut: ${counted(outcomes)}`);
});

test.run();
