import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ActivityServer } from "../../src/index.js";
import { sendJson } from "../api/sending.js";
import { refusalOf } from "../refusals.js";
import { BUCKET, eventsOf, onEach, onMemory } from "./grounds.js";

const test = suite("deletion by ids");

const START = Date.UTC(2024, 2, 1, 9);

function drafts(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    timestamp: new Date(START + index * 60_000),
    duration: { seconds: 60 },
    data: { app: `app ${index}` },
  }));
}

async function post(server: ActivityServer, bucketId: string, body: object) {
  const response = await sendJson(server, "POST", `/api/0/buckets/${bucketId}/events/delete`, body);
  const entry = response.headers.get("x-activity-trash-entry");
  return { status: response.status, body: await response.json(), entry };
}

test("deletes the events of a bucket that have one of the ids, and returns their count", () =>
  onEach(async ({ open }) => {
    const server = open();
    await server.buckets.create("a", BUCKET, drafts(300));
    await server.buckets.create("b", BUCKET, drafts(1));
    const [a, b] = [await eventsOf(server, "a"), await eventsOf(server, "b")];
    const [first, second, third] = a.map(({ id }) => id) as [number, number, number];
    const ofOther = b[0]?.id as number;
    const few = await post(server, "a", { ids: [first, third, first, ofOther, 1e9, 1e300, 0, -1] });
    assert.equal([few.status, few.body], [200, 2]);
    assert.equal(
      await eventsOf(server, "a"),
      a.filter(({ id }) => id !== first && id !== third),
    );
    assert.equal(await eventsOf(server, "b"), b);

    const many = await post(server, "a", { ids: a.map(({ id }) => id) });
    assert.equal([many.status, many.body], [200, 298]);
    assert.equal(await eventsOf(server, "a"), []);
    for (const { entry } of [few, many]) await server.trash.restore(entry ?? "");
    assert.equal(await eventsOf(server, "a"), a);

    const none = await post(server, "a", { ids: [1e9] });
    assert.equal([none.status, none.body, none.entry], [200, 0, null]);
    assert.equal((await post(server, "a", { ids: [] })).body, 0);
    const forGood = await post(server, "a", { ids: [second], permanent: true });
    assert.equal([forGood.body, forGood.entry], [1, null]);
    assert.equal(await server.events.deleteMany("a", [second, third]), {
      count: 1,
      entry: (await server.trash.list())[0]?.id,
    });
  }));

test("refuses what is not a list of integers, and what else selects events", () =>
  onMemory(async ({ open }) => {
    const server = open();
    await server.buckets.create("a", BUCKET, drafts(2));
    assert.is((await post(server, "a", { ids: [1.5] })).status, 400);
    for (const other of [{ start: "2024-03-01" }, { filter: ["app=x"] }, { preview: true }, { key: "app" }]) {
      const { status, body } = await post(server, "a", { ids: [1], ...other });
      assert.is(status, 400);
      assert.match((body as { message: string }).message, /unknown field/);
    }
    assert.is((await post(server, "z", { ids: [1] })).status, 404);
    assert.is((await post(server, "z", { ids: [] })).status, 404);
    assert.is((await eventsOf(server, "a")).length, 2);
  }));

test("a hook may refuse one of the events, and then none is deleted", () =>
  onMemory(async ({ open }) => {
    const asked: number[] = [];
    const hooks = {
      beforeDeleteEvent({ eventId }: { readonly eventId: number }) {
        asked.push(eventId);
        if (eventId === 2) throw new Error("no");
      },
    };
    const server = open({ hooks });
    await server.buckets.create("a", BUCKET, drafts(3));
    assert.match(await refusalOf(server.events.deleteMany("a", [1, 2, 3])), /no/);
    assert.is((await eventsOf(server, "a")).length, 3);
    assert.equal(asked, [1, 2]);
    assert.is((await post(server, "a", { ids: [3, 1, 1] })).body, 2);
    assert.equal(asked, [1, 2, 3, 1]);
  }));

test("tells listeners once that events were deleted", () =>
  onMemory(async ({ open }) => {
    const server = open();
    await server.buckets.create("a", BUCKET, drafts(3));
    const told: unknown[] = [];
    server.on("change", (notice) => told.push(notice));
    await server.events.deleteMany("a", [1, 3]);
    await server.events.deleteMany("a", [1, 3]);
    assert.equal(told, [{ kind: "events-deleted", bucketId: "a" }]);
  }));

test.run();
