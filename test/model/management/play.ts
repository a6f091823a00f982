import * as assert from "uvu/assert";
import { type ActivityServer, createActivityServer } from "../../../src/index.js";
import { INCARNATIONS_KIND } from "../../../src/storage/records.js";
import { isInTrash } from "../../../src/storage/space.js";
import type { Storage } from "../../../src/storage/storage.js";
import { type FakeClock, fakeClock } from "../../../src/testing/index.js";
import { ACTS } from "./acts.js";
import { Chooser, START } from "./chooser.js";
import type { Ground } from "./grounds.js";
import { Model } from "./model.js";
import { type Bucket, type Event, inOrder, Refusal } from "./state.js";
import type { Step } from "./steps.js";

/** Plays steps on a server and on the model, and compares the two after each. @throws where they differ */
export async function play(steps: readonly Step[], ground: Ground): Promise<void> {
  const clock = fakeClock();
  clock.set(new Date(START));
  const model = new Model();
  const seen: Seen = new Map();
  const errors: unknown[] = [];
  const open = (): Running => {
    const storage = ground.open();
    const logger = { info() {}, warn() {}, error: (error: unknown) => errors.push(error) } as never;
    return { storage, server: createActivityServer({ storage, clock, hostname: "desk", logger }) };
  };
  let running = open();
  try {
    for (const [at, step] of steps.entries()) {
      try {
        if (step.kind === "restart" || step.kind === "kill") running = await again(running, step.kind, ground, open);
        else await act(running.server, model, clock, step);
        await compare(running.server, model, seen);
        assert.equal(errors, [], "something was logged as an error");
      } catch (cause) {
        const what = `step ${at + 1}, ${step.kind}`;
        throw new Error(`${what}: ${(cause as Error).message}${differenceIn(cause)}`, { cause });
      }
    }
    await expectClean(running, model, clock);
  } finally {
    await running.server.close();
  }
}

interface Running {
  readonly server: ActivityServer;
  readonly storage: Storage;
}

async function again(
  { server }: Running,
  kind: "restart" | "kill",
  ground: Ground,
  open: () => Running,
): Promise<Running> {
  if (kind === "kill") await ground.kill();
  await server.close();
  return open();
}

async function act(server: ActivityServer, model: Model, clock: FakeClock, step: Step): Promise<void> {
  const chooser = new Chooser(model, step.numbers);
  if (step.kind === "wait") {
    clock.advance(`${chooser.hours()}h`);
    // Times of deletions are up to microseconds after the clock's, so no wait may end exactly where something expires.
    clock.advance("1s");
    model.now = (clock() - START) / 1000;
    return;
  }
  if (step.kind === "restart" || step.kind === "kill") return;
  const planned = ACTS[step.kind](server, chooser);
  if (planned === undefined) return;
  let answer: unknown;
  let code = "done";
  try {
    answer = await planned.ask();
  } catch (thrown) {
    code = (thrown as { code?: string }).code ?? "";
    if (code === "") throw thrown;
  }
  // The model needs the answer for ids alone.
  let expected: unknown;
  try {
    expected = planned.expect(answer as never);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    assert.is(code, thrown.code, `${planned.what}: ${code}, but ${thrown.code} is expected`);
    return;
  }
  assert.is(code, "done", `${planned.what}: ${code}, but it should be done`);
  if (expected !== undefined) assert.equal(answer, expected, planned.what);
}

/** Ids that buckets have given out, by their `uid`. */
type Seen = Map<number, Set<number>>;

async function compare(server: ActivityServer, model: Model, seen: Seen): Promise<void> {
  const buckets = (await server.buckets.list()).map(({ id, hostname }) => `${id} of ${hostname}`);
  assert.equal(
    buckets.sort(),
    [...model.buckets.values()].map(({ id, hostname }) => `${id} of ${hostname}`).sort(),
    "buckets",
  );
  for (const bucket of model.buckets.values()) await compareEvents(server, bucket, seen);
  const redirects = (await server.identity.redirects()).map(({ from, to }) => `${from} to ${to}`);
  const inForce = [...model.redirects].filter(([, redirect]) => model.isInForce(redirect));
  assert.equal(redirects.sort(), inForce.map(([from, { to }]) => `${from} to ${to}`).sort(), "redirects");
  for (const [from] of inForce) assert.not.ok(model.buckets.has(from), `a redirect begins at the bucket ${from}`);
  const trash = (await server.trash.list()).map(({ id, events }) => `${id}: ${events}`);
  const kept = model.trash.filter(({ id }) => isKept(model, id));
  const counted = kept.map(({ id, items }) => `${id}: ${items.reduce((sum, { events }) => sum + events.length, 0)}`);
  assert.equal(trash.sort(), counted.sort(), "the trash");
  const undoable = (await server.identity.undoable()).map(({ id }) => id);
  assert.equal(
    undoable.sort(),
    model.undos
      .filter((undo) => model.canUndo(undo))
      .map(({ id }) => id)
      .sort(),
    "undos",
  );
}

function isKept(model: Model, entryId: string): boolean {
  try {
    return model.entry(entryId) !== undefined;
  } catch {
    return false;
  }
}

async function compareEvents(server: ActivityServer, bucket: Bucket, seen: Seen): Promise<void> {
  const events = await server.events.read(bucket.id, { order: "oldest" }).toArray();
  const actual = events.map(({ id, timestamp, duration, data }): Event => {
    return { id, at: timestamp / 1e6 - START / 1000, length: duration / 1e6, app: String(data["app"]) };
  });
  const ids = seen.get(bucket.uid) ?? new Set();
  seen.set(bucket.uid, ids);
  const known = new Set(bucket.events.flatMap(({ id }) => id ?? []));
  // Events without an id get that of an equal one that is not known yet.
  const news = actual.filter(({ id }) => !known.has(id as number));
  for (const event of bucket.events) {
    if (event.id !== undefined) continue;
    const index = news.findIndex((each) => textOf(each, false) === textOf(event, false));
    const [found] = index < 0 ? [] : news.splice(index, 1);
    if (found === undefined) continue;
    assert.not.ok(ids.has(found.id as number), `${bucket.id}: the id ${found.id} was given out twice`);
    event.id = found.id;
  }
  for (const { id } of actual) ids.add(id as number);
  const expected = inOrder(bucket.events).map((event) => textOf(event, true));
  assert.equal(
    actual.map((event) => textOf(event, true)),
    expected,
    `events of ${bucket.id}`,
  );
  assert.is(await server.events.count(bucket.id), expected.length, `the count of ${bucket.id}`);
}

function textOf({ id, at, length, app }: Event, withId: boolean): string {
  return `${withId ? `${id}: ` : ""}${at} to ${at + length} ${app}`;
}

/** Nothing is left of what is gone. */
async function expectClean({ server, storage }: Running, model: Model, clock: FakeClock): Promise<void> {
  // A deletion removes what has expired, once an hour.
  clock.advance("2h");
  await server.buckets.create(".last", { type: "t", client: "c", hostname: "x" });
  await server.buckets.delete(".last");
  await server.trash.empty();
  const buckets = await storage.listBuckets();
  assert.equal(buckets.map(({ id }) => id).filter(isInTrash), [], "buckets of the trash");
  const incarnations = [...(await storage.records(INCARNATIONS_KIND).list()).keys()];
  assert.equal(
    incarnations.filter((id) => !model.buckets.has(id)),
    [],
    "incarnations of buckets that are gone",
  );
  assert.equal((await storage.verify()).problems, []);
}

function differenceIn(cause: unknown): string {
  const { details } = cause as { details?: string };
  return details === undefined ? "" : `\n${details}`;
}
