// long: 600 s
import { setImmediate as immediate } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type ActivityServer, createActivityServer, micros, type WriteHooks } from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import type { TransactionView } from "../../src/storage/transaction.js";
import { sendJson } from "../api/sending.js";
import { atEachCall, Interposed } from "../care/interposed.js";
import { codeOf, refusalOf } from "../refusals.js";
import { BUCKET, eventsOf, finish, onEach, onMemory } from "./grounds.js";

const test = suite("deletion by range and filter");

const START = Date.UTC(2024, 2, 1, 9);
const MINUTE = 60_000;

function drafts(count: number, app = "editor") {
  return Array.from({ length: count }, (_, index) => ({
    timestamp: new Date(START + index * MINUTE),
    duration: { seconds: 60 },
    data: { app: index % 2 === 0 ? app : "browser", title: `page ${index}` },
  }));
}

test("a preview counts what a deletion then deletes, and one restoration brings all of it back", () =>
  onEach(async ({ open }) => {
    const server = open();
    await server.buckets.create("a", BUCKET, drafts(1000));
    await server.buckets.create("b", { ...BUCKET, hostname: "other" }, drafts(10));
    const [a, b] = [await eventsOf(server, "a"), await eventsOf(server, "b")];
    const wide = { filter: ["app=editor"] };
    const previewed = await server.events.deleteMatchingIn({ buckets: ["*"], ...wide, preview: true });
    assert.equal([previewed.count, previewed.entry, previewed.duration], [505, null, 505 * 60_000_000]);
    assert.equal(
      previewed.buckets.map(({ bucketId, count }) => [bucketId, count]),
      [
        ["a", 500],
        ["b", 5],
      ],
    );
    assert.equal([previewed.first, previewed.last], [START * 1000, (START + 999 * MINUTE) * 1000]);
    assert.equal(await eventsOf(server, "a"), a);
    const ofHost = await server.events.deleteMatchingIn({ hosts: ["other"], ...wide, preview: true });
    assert.is(ofHost.count, 5);

    const done = await server.events.deleteMatchingIn(wide);
    assert.is(done.count, 505);
    assert.equal(
      await eventsOf(server, "a"),
      a.filter(({ data }) => data["app"] === "browser"),
    );
    assert.equal(
      await eventsOf(server, "b"),
      b.filter(({ data }) => data["app"] === "browser"),
    );
    assert.is((await server.trash.list()).length, 1);
    await server.trash.restore(done.entry ?? "");
    assert.equal([await eventsOf(server, "a"), await eventsOf(server, "b")], [a, b]);
  }));

test("all tries of a deletion have the time of one query", async () => {
  const timeMillis = 200;
  let server: ActivityServer | undefined;
  const hooks: WriteHooks = {
    async beforeDeleteEvent({ bucketId, eventId }) {
      // Once for each try.
      if (eventId !== 1) return;
      const until = performance.now() + timeMillis / 4;
      while (performance.now() < until) await immediate();
      // Not approved, so the search starts again.
      await server?.events.insert(bucketId, { timestamp: micros(START * 1000), data: { app: "editor" } });
    },
  };
  server = createActivityServer({ storage: memory(), hooks, queryLimits: { timeMillis } });
  await server.buckets.create("a", BUCKET, drafts(1));
  assert.is(await codeOf(server.events.deleteMatching("a", { filter: ["app=editor"] })), "QUERY_TOO_LARGE");
  await server.close();
});

test("an invalid selection is refused even if its bucket does not exist", () =>
  onEach(async ({ open }) => {
    const server = open();
    const statusOf = async (body: object) =>
      (await sendJson(server, "POST", "/api/0/buckets/none/events/delete", body)).status;
    assert.is(await statusOf({}), 400);
    assert.is(await statusOf({ filter: ["app=editor"] }), 404);
  }));

test("a range means what overlaps it by more than an end, and beside key stands what it holds", () =>
  onEach(async ({ open }) => {
    const server = open();
    await server.buckets.create("a", BUCKET, drafts(10));
    const [start, end] = [new Date(START + 2 * MINUTE), new Date(START + 4.5 * MINUTE)];
    const inRange = await server.events.deleteMatching("a", { start, end });
    assert.equal([inRange.count, inRange.first], [3, (START + 2 * MINUTE) * 1000]);
    const equal = await server.events.deleteMatching("a", { key: "title", equals: "page 9" });
    assert.is(equal.count, 1);
    const matching = await server.events.deleteMatching("a", { key: "title", matches: "[01]$", permanent: true });
    assert.equal([matching.count, matching.entry], [2, null]);
    assert.equal(
      (await eventsOf(server, "a")).map(({ data }) => data["title"]),
      ["page 5", "page 6", "page 7", "page 8"],
    );
    assert.equal((await server.events.deleteMatching("a", { filter: ["app=none"] })).entry, null);
    assert.match(
      await refusalOf(server.events.deleteMatching("a", {})),
      "INVALID_INPUT: the deletion must have a start, end, key or filter",
    );
    assert.match(await refusalOf(server.events.deleteMatching("a", { key: "x" })), "INVALID_INPUT: key must");
    assert.match(
      await refusalOf(server.events.deleteMatching("a", { filter: ["title~/(/"] })),
      "INVALID_INPUT: filter",
    );
    assert.match(await refusalOf(server.events.deleteMatching("a", { stat: 1 } as object)), "unknown field 'stat'");
    assert.match(await refusalOf(server.events.deleteMatching("z", { start })), "NO_SUCH_BUCKET");
  }));

test("protected buckets refuse, and so does a hook that refuses one of the events", async () =>
  onMemory(async ({ open }) => {
    const hooks = {
      beforeDeleteEvent({ bucketId }: { readonly bucketId: string }) {
        if (bucketId === "kept") throw new Error("no");
      },
    };
    const server = open({ hooks });
    for (const id of ["a", "kept", "locked"]) await server.buckets.create(id, BUCKET, drafts(2));
    await server.buckets.setAccess("locked", "append-only");
    const send = (body: object) => sendJson(server, "POST", "/api/0/events/delete", body);
    assert.is((await send({ filter: ["app=editor"], buckets: ["a", "locked"] })).status, 403);
    assert.is((await send({ filter: ["app=none"], buckets: ["a", "locked"] })).status, 403);
    assert.match(await refusalOf(server.events.deleteMatchingIn({ buckets: ["a", "kept"], filter: ["page"] })), "no");
    assert.is((await eventsOf(server, "a")).length, 2);
    assert.is((await send({ filter: ["app=editor"], buckets: ["a"] })).status, 200);
    assert.is((await eventsOf(server, "a")).length, 1);
  }));

for (const [count, moves] of [
  [300, 1],
  [300, 140],
  [20, 1],
] as const) {
  test(`of ${count} events, ${moves} of them moved, only those go that meet the filter when they are deleted`, () =>
    onEach(async ({ open, storage }) => {
      const shared = storage();
      const interposed = new Interposed(shared);
      const [server, other] = [open({ storage: interposed.storage }), open({ storage: shared })];
      let turn = 0;
      await atEachCall(interposed, async (meanwhile) => {
        const bucketId = `bucket-${++turn}`;
        await server.buckets.create(bucketId, BUCKET, drafts(count));
        const events = await eventsOf(server, bucketId);
        const [changed, gone, ...rest] = events.filter(({ data }) => data["app"] === "editor");
        assert.ok(changed && gone);
        const moved = rest
          .slice(0, moves)
          .map((event) => ({ ...event, timestamp: micros(event.timestamp - 86_400_000_000) }));
        const mine = { ...changed, data: { app: "mine" } };
        const { result, isBehind } = await meanwhile(
          () => server.events.deleteMatching(bucketId, { filter: ["app=editor"] }),
          async () => {
            await other.events.insert(bucketId, [mine, ...moved]);
            await other.events.delete(bucketId, gone.id);
          },
        );
        assert.equal(
          result.buckets.map((each) => [each.bucketId, each.count]),
          [[bucketId, result.count]],
        );
        if (isBehind) return;
        const left = await eventsOf(server, bucketId);
        assert.equal(
          left.filter(({ data }) => data["app"] !== "browser"),
          [mine],
        );
        assert.is(result.count, count / 2 - 2);
        await server.trash.restore(result.entry ?? "");
        assert.is((await eventsOf(server, bucketId)).length, count - 1);
      });
    }));
}

test("a hook is asked about every event, also about those that come while it is asked", () =>
  onEach(async ({ open, storage }) => {
    const interposed = new Interposed(storage());
    let asked: number[] = [];
    const hooks = { beforeDeleteEvent: ({ eventId }: { readonly eventId: number }) => void asked.push(eventId) };
    const server = open({ storage: interposed.storage, hooks });
    let turn = 0;
    await atEachCall(interposed, async (meanwhile) => {
      const bucketId = `bucket-${++turn}`;
      await server.buckets.create(bucketId, BUCKET, drafts(20));
      asked = [];
      const { result, isBehind } = await meanwhile(
        () => server.events.deleteMatching(bucketId, { filter: ["app=editor"] }),
        () => interposed.storage.putEvents(bucketId, [{ timestamp: 1, duration: 1, data: { app: "editor" } }]),
      );
      const left = (await eventsOf(server, bucketId)).filter(({ data }) => data["app"] === "editor");
      assert.is(result.count, 11 - left.length);
      assert.is(new Set(asked).size, result.count);
      assert.ok(!isBehind || left.length === 1);
    });
    assert.ok(turn > 4);
  }));

type Transact = Required<Storage>["transact"];

test("the step that deletes searches a bucket again only if it has changed, and no longer than a query may take", () =>
  onEach(async ({ open, storage }) => {
    const inner = storage();
    let searches = 0;
    let beforeStep = async (): Promise<unknown> => undefined;
    const transact: Transact = async (bucketIds, plan) => {
      await beforeStep();
      return (inner.transact as Transact)(bucketIds, (view) => {
        const read: TransactionView["read"] = (bucketId, range) => {
          // What fills the trash reads from the first event that was found on.
          if (range?.order === "oldest" && range.start === undefined) searches++;
          return view.read(bucketId, range);
        };
        return plan({ ...view, read });
      });
    };
    const server = open({ storage: Object.assign(Object.create(inner), { transact }) });
    await server.buckets.create("a", BUCKET, drafts(20));
    const editor = { timestamp: new Date(START - MINUTE), duration: { seconds: 1 }, data: { app: "editor" } };
    assert.is((await server.events.deleteMatching("a", { filter: ["app=editor"] })).count, 10);
    assert.is(searches, 0);
    const change = () => inner.putEvents("a", [{ timestamp: 1, duration: 1, data: { app: "browser" } }]);
    beforeStep = change;
    assert.is((await server.events.deleteMatching("a", { filter: ["app=browser"] })).count, 11);
    assert.is(searches, 1);

    await server.events.insert("a", [editor]);
    const { now } = performance;
    beforeStep = async () => {
      await change();
      performance.now = () => now.call(performance) + 3_600_000;
    };
    try {
      const refused = await refusalOf(server.events.deleteMatching("a", { filter: ["app=editor"] }));
      assert.match(refused, "QUERY_TOO_LARGE: it took longer");
    } finally {
      performance.now = now;
    }
    beforeStep = async () => undefined;
    assert.is((await eventsOf(server, "a")).length, 2);
  }));

const RENAMED = "renamed";

test("a deletion follows a bucket that is renamed meanwhile, or finds none of its id", () =>
  onEach(async ({ open, storage }) => {
    const shared = storage();
    const interposed = new Interposed(shared);
    const [server, second] = [open({ storage: interposed.storage }), open({ storage: shared })];
    let turn = 0;
    for (const isWide of [true, false]) {
      await atEachCall(interposed, async (meanwhile) => {
        const [bucketId, other] = [`bucket-${++turn}`, `other-${turn}`];
        const hostname = `host-${turn}`;
        for (const id of [bucketId, other]) await server.buckets.create(id, { ...BUCKET, hostname }, drafts(20));
        const filter = { filter: ["app=editor"] };
        const { result, isBehind } = await meanwhile(
          () =>
            isWide
              ? server.events.deleteMatchingIn({ hosts: [hostname], ...filter })
              : server.events.deleteMatching(bucketId, filter).catch((error: unknown) => error as { code: string }),
          () => second.identity.rename(bucketId, { to: `${RENAMED}-${turn}` }),
        );
        const left = (await eventsOf(server, `${RENAMED}-${turn}`)).length;
        if ("code" in result) {
          assert.equal([result.code, left, isBehind], ["NO_SUCH_BUCKET", 20, false]);
          return;
        }
        const named = result.buckets.map((each) => each.bucketId).filter((id) => id !== other);
        assert.ok([bucketId, `${RENAMED}-${turn}`].includes(named[0] ?? ""));
        assert.is(left, 10);
        assert.equal([result.count, named.length], [isWide ? 20 : 10, 1]);
        assert.ok(result.buckets.every(({ count }) => count === 10));
      });
    }
  }));

test("an event is split in two, and moved to another bucket", () =>
  onEach(async ({ open }) => {
    const server = open();
    await server.buckets.create("a", BUCKET, drafts(2));
    await server.buckets.create("b", BUCKET);
    const [first, second] = await eventsOf(server, "a");
    assert.ok(first && second);
    const at = new Date(START + 20_000);
    const halves = await server.events.split("a", first.id, at);
    const [left, right] = halves;
    assert.equal(left, { ...first, duration: 20_000_000 });
    assert.equal(
      { ...right, id: 0 },
      { ...first, id: 0, timestamp: first.timestamp + 20_000_000, duration: 40_000_000 },
    );
    assert.equal(await eventsOf(server, "a"), [...halves, second]);
    assert.match(await refusalOf(server.events.split("a", first.id, new Date(START))), "INVALID_INPUT: at must be");
    assert.match(await refusalOf(server.events.split("a", 99_999, at)), "NO_SUCH_EVENT");

    const moved = await server.events.move("a", second.id, "b");
    assert.equal({ ...moved, id: second.id }, second);
    assert.equal(await eventsOf(server, "b"), [moved]);
    assert.equal(await eventsOf(server, "a"), halves);
    assert.match(await refusalOf(server.events.move("a", first.id, "nowhere")), "NO_SUCH_BUCKET");
    assert.match(await refusalOf(server.events.move("a", first.id, "a")), "INVALID_INPUT");
    assert.equal(await eventsOf(server, "a"), halves);
  }));

test("the database ends", finish);

test.run();
