// Two changes at once: what comes of them is what comes of one after the other. The second one is made before each call
// of the storage that the first one makes.
// long: 900 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type ActivityServer, createActivityServer } from "../../src/index.js";
import { BUCKET_ACCESS_KIND } from "../../src/service/access/bucket-access.js";
import type { Storage } from "../../src/storage/storage.js";
import { fakeClock } from "../../src/testing/index.js";
import { IS_LONG } from "../faults/sizes.js";
import { CHANGES, type Change, fill } from "./changes.js";
import { Interposed } from "./interposed.js";
import { MICROSECONDS, RANDOM_ID, stateOf } from "./stored-state.js";

const test = suite("changes that meet");

/** In the short tests each change meets every so many of the others, not the same ones. */
const EVERY = IS_LONG ? 1 : 36;

const GIVEN_OUT = /"(id|base|eventId)":\d+/g;
/** Refusals that tell as well as each other that a bucket is no longer there. */
const MISSING = /CONFLICT: .* is redirected to .*(?=")|NO_SUCH_BUCKET: .*(?=")/g;

/** What is stored in the end, and what both responses were. */
async function outcomeOf(storage: Storage, responses: readonly unknown[]): Promise<string> {
  const access = [...(await storage.records(BUCKET_ACCESS_KIND).list())];
  const text = JSON.stringify([await stateOf(storage), access, responses], undefined, 1);
  const known = text.replaceAll(RANDOM_ID, "#").replaceAll(GIVEN_OUT, "").replaceAll(MICROSECONDS, "");
  return known.replaceAll(MISSING, "missing");
}

async function responseOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return (await work) ?? null;
  } catch (thrown) {
    const { code, message } = thrown as { code?: string; message: string };
    return `${code}: ${message}`;
  }
}

interface Played {
  readonly outcome: string;
  /** Whether the second one was made. */
  readonly hasCome: boolean;
}

/** @param nth before which call of the first one the second one is made; 0: before it, infinity: after it */
async function play(first: Change, second: Change, nth: number): Promise<Played> {
  const storage = memory();
  const interposed = new Interposed(storage);
  const open = (own: Storage): ActivityServer => createActivityServer({ storage: own, clock: fakeClock() });
  const scene = await fill(open(storage));
  // Each has its own caches, as on two nodes.
  const [one, other] = [open(interposed.storage), open(storage)];
  let secondResponse: unknown;
  const meet = async (): Promise<void> => {
    secondResponse = await responseOf(second.run(other, scene));
  };
  if (nth === 0) await meet();
  else if (nth < Number.POSITIVE_INFINITY) interposed.before(nth, meet);
  const response = await responseOf(first.run(one, scene));
  const hasCome = interposed.end();
  if (nth === Number.POSITIVE_INFINITY) await meet();
  return { outcome: await outcomeOf(storage, [response, secondResponse]), hasCome };
}

/** @returns the calls before which the second one leads to something else */
async function failuresOf(first: Change, second: Change): Promise<string[]> {
  const before = await play(first, second, 0);
  const after = await play(first, second, Number.POSITIVE_INFINITY);
  const failures: string[] = [];
  for (let nth = 1; ; nth++) {
    const { outcome, hasCome } = await play(first, second, nth);
    if (!hasCome) return failures;
    if (outcome !== before.outcome && outcome !== after.outcome) failures.push(`${second.name} before call ${nth}`);
  }
}

for (const [index, first] of CHANGES.entries()) {
  if (first.isInSteps === true) continue;
  test(first.name, async () => {
    const others = CHANGES.filter(({ name }, at) => (at + index) % EVERY === 0 && !first.except?.includes(name));
    const failures: string[] = [];
    for (const second of others) failures.push(...(await failuresOf(first, second)));
    assert.equal(failures, []);
  });
}

test.run();
