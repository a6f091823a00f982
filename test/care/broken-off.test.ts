// Long work on what is stored is broken off at each of its writes: no event is lost or doubled, and it can be repeated
// or taken back to the end.
// long: 900 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ActivityServer, createActivityServer } from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { fakeClock } from "../../src/testing/index.js";
import { awake } from "../adapters/unstorage-awake.js";
import { accepted } from "../adapters/until.js";
import { IS_LONG } from "../faults/sizes.js";
import { ENGINES, type EngineKind, type FailingEngine } from "./failing-engine.js";
import { fill, NUMBERS, OPERATIONS, type Operation, takeBack } from "./operations.js";
import { numbersIn, type StoredState, sameStates, stateOf } from "./stored-state.js";

const test = suite("care that is broken off");

/** In the short tests one write fails for each kind of failure, of the first ones in turn. */
const MOST = IS_LONG ? Number.POSITIVE_INFINITY : 1;
const STARTS = IS_LONG ? 1 : 2;

interface Opened {
  readonly server: ActivityServer;
  readonly storage: Storage;
}

function openOn(engine: FailingEngine, transacted?: () => Promise<unknown>): Opened {
  const opened = engine.open();
  const storage: Storage = {
    ...opened,
    async transact(...args) {
      const isDone = await opened.transact?.(...args);
      await transacted?.();
      return isDone === true;
    },
  };
  return { server: createActivityServer({ storage, clock: fakeClock() }), storage };
}

/** What an operation goes through where nothing fails. */
interface Course {
  /** What it begins with. */
  readonly engine: FailingEngine;
  /** What is stored before it, and behind each of its transactions. */
  readonly states: readonly StoredState[];
  /** What everybody sees when nothing was done, or all was taken back. */
  readonly original: readonly string[];
}

async function courseOf(kind: EngineKind, { before, run }: Operation): Promise<Course> {
  const engine = kind.make();
  const first = openOn(engine);
  await fill(first.server);
  const { shown: original } = await stateOf(first.storage);
  await before?.(first.server);
  await first.server.close();
  const states: StoredState[] = [];
  const note = async (): Promise<unknown> => states.push(await stateOf(second.storage));
  const second = openOn(await engine.copy(), note);
  await note();
  await run(second.server);
  await second.server.close();
  return { engine, states, original };
}

/** Demands that no event is lost, or stored twice where everybody or where the trash has it. */
function expectAllOnce({ shown, trash }: StoredState, what: string): void {
  const [seen, kept] = [numbersIn(shown), numbersIn(trash)];
  assert.is(new Set(seen).size, seen.length, `${what}: an event is there twice`);
  assert.is(new Set(kept).size, kept.length, `${what}: an event is in the trash twice`);
  assert.equal(
    [...new Set([...seen, ...kept])].sort((a, b) => a - b),
    NUMBERS,
    `${what}: an event is lost`,
  );
}

function placeIn(states: readonly StoredState[], state: StoredState): number {
  return states.findLastIndex((each) => sameStates(each, state));
}

interface Fault {
  readonly kind: EngineKind;
  readonly operation: Operation;
  readonly failure: string;
}

/** Lets the n-th write fail. @returns whether there was one */
async function playPoint({ kind, operation, failure }: Fault, course: Course, nth: number): Promise<boolean> {
  const { states, original } = course;
  const engine = await course.engine.copy();
  const before = openOn(engine);
  await before.server.settings.put("an opening", "has written what it has to");
  engine.failWrite(nth, failure);
  const isAnswered = await operation.run(before.server).then(
    () => true,
    () => false,
  );
  if (!isAnswered && kind.passing.includes(failure)) await accepted(() => operation.run(before.server), "repeated");
  const isReached = engine.hasFailed;
  const [next, another] = [await engine.copy(), await engine.copy()];
  engine.repair();
  await before.server.close();
  await expectTakenBack(another, original);
  const { server, storage } = openOn(next);
  try {
    const found = placeIn(states, await stateOf(storage));
    assert.ok(found >= 0, "what is found is no state between two transactions");
    if (isAnswered || kind.passing.includes(failure)) assert.is(found, states.length - 1, "what was answered is lost");
    await operation.run(server);
    assert.is(placeIn(states, await stateOf(storage)), states.length - 1, "it was not repeated to the end");
  } finally {
    await server.close();
  }
  await expectTakenBack(next, original);
  return isReached;
}

async function expectTakenBack(engine: FailingEngine, original: readonly string[]): Promise<void> {
  const { server, storage } = openOn(engine);
  try {
    await takeBack(server);
    assert.equal((await stateOf(storage)).shown, original, "it was not taken back to the end");
    assert.equal((await storage.verify()).problems, []);
  } finally {
    await server.close();
  }
}

/** @returns how many writes failed */
async function playAll(fault: Fault, course: Course, first: number): Promise<number> {
  let points = 0;
  for (let nth = first; points < MOST; nth++) {
    const what = `${fault.failure} at write ${nth}`;
    const isReached = await playPoint(fault, course, nth).catch((cause: Error) => {
      throw new Error(`${what}: ${cause.message}`, { cause });
    });
    if (!isReached) return points;
    points++;
  }
  return points;
}

for (const [at, kind] of ENGINES.entries()) {
  for (const [turn, operation] of OPERATIONS.entries()) {
    // In the short tests an operation is played on one of them; none has only what takes back, or does.
    if (!IS_LONG && (at + turn + (turn >> 1)) % 2 > 0) continue;
    test(`${kind.name}: ${operation.name}`, () =>
      awake(async () => {
        const course = await courseOf(kind, operation);
        for (const [index, state] of course.states.entries()) expectAllOnce(state, `transaction ${index}`);
        const last = course.states.at(-1);
        if (operation.takesBack) assert.equal(last?.shown, course.original, "nothing failed");
        // At once: most of the time passes with waiting.
        const plays = [...kind.passing, ...kind.ending].map(async (failure, index) => {
          const points = await playAll({ kind, operation, failure }, course, 1 + (index % STARTS));
          assert.ok(points > 0, `${failure}: no write failed`);
        });
        await Promise.all(plays);
      }));
  }
}

test.run();
