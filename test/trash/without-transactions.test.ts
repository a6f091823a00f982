import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { ActivityServer } from "../../src/index.js";
import { sendJson } from "../api/sending.js";
import { withServer } from "../harness.js";
import { codeOf } from "../refusals.js";
import { BUCKET } from "./grounds.js";

const test = suite("care on a storage without transactions");

const EVENTS = [0, 1, 2].map((minute) => ({
  timestamp: new Date(Date.UTC(2024, 2, 1, 9, minute)),
  duration: { seconds: 60 },
  data: { app: minute === 1 ? "browser" : "editor" },
}));
const EDITOR = { filter: ["app=editor"] };

async function served(work: (server: ActivityServer) => Promise<void>): Promise<void> {
  const { transact: _, ...storage } = memory();
  await withServer({ door: "process", storage }, async ({ server }) => {
    await server.buckets.create("a", BUCKET, EVENTS);
    await server.buckets.create("b", BUCKET, EVENTS);
    await work(server);
  });
}

function apps(server: ActivityServer, bucketId: string): Promise<unknown[]> {
  return server.events
    .read(bucketId)
    .toArray()
    .then((events) => events.map(({ data }) => data["app"]));
}

test("events of one bucket are deleted by filter, past the trash", () =>
  served(async (server) => {
    const told: string[] = [];
    server.on("change", ({ kind }) => told.push(kind));
    const { entry, count } = await server.events.deleteMatching("a", EDITOR);
    assert.equal([entry, count], [null, 2]);
    assert.equal(told, ["events-deleted"]);
    assert.equal(await apps(server, "a"), ["browser"]);
    assert.is((await server.events.deleteMatchingIn({ buckets: ["b"], ...EDITOR, permanent: true })).count, 2);
    assert.equal(await apps(server, "b"), ["browser"]);
  }));

test("deletions name no entry of the trash, for there is none", () =>
  served(async (server) => {
    const [first] = await server.events.read("a").toArray();
    assert.equal(await server.events.delete("a", first?.id as number), { entry: null });
    assert.is(await server.events.delete("a", first?.id as number), undefined);
    assert.equal(await server.buckets.delete("b"), { entry: null });
  }));

test("what takes more than one step is refused with 501, and nothing is changed", () =>
  served(async (server) => {
    const [first] = await server.events.read("a", { order: "oldest" }).toArray();
    const id = first?.id as number;
    for (const work of [
      () => server.events.deleteMatchingIn(EDITOR),
      () => server.events.deleteMatchingIn({ ...EDITOR, permanent: true }),
      () => server.events.split("a", id, new Date(Date.UTC(2024, 2, 1, 9, 0, 30))),
      () => server.events.move("a", id, "b"),
      () => server.identity.merge("a", { from: ["b"] }),
      () => server.identity.rename("a", { to: "c" }),
      () => server.privacy.apply({ rules: [{ when: { key: "app", equals: "editor" }, then: "drop" }] }),
    ]) {
      assert.is(await codeOf(work()), "STORAGE_UNSUPPORTED");
    }
    for (const bucketId of ["a", "b"]) assert.is((await apps(server, bucketId)).length, 3);
    await server.settings.put("retention_rules", [{ buckets: "a", keepDays: 1 }]);
    for (const [method, path, body] of [
      ["POST", "/api/0/events/delete", EDITOR],
      ["POST", "/api/0/retention/run", undefined],
    ] as const) {
      const answer = await sendJson(server, method, path, body);
      assert.is(answer.status, 501);
      assert.match(await answer.text(), /the storage 'memory' has no transactions/);
    }
  }));

test.run();
