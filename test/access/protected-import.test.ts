// A bucket that is protected while events are on their way to it: once that was answered, nothing more is added.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type ActivityServer, createActivityServer } from "../../src/index.js";
import { sendJson } from "../api/sending.js";
import { BUCKET } from "../trash/grounds.js";

const test = suite("events for buckets protected in the meantime");

const EVENTS = [{ timestamp: "2024-03-01T10:00:00Z", duration: 60, data: { app: "editor" } }];
const RECORD = { ...BUCKET, created: "2024-03-01T09:00:00Z", events: EVENTS };

for (const renamed of [false, true]) {
  test(`an import stops at a bucket that was made read-only${renamed ? " and renamed" : ""}`, async () => {
    const storage = memory();
    const mergeEvents = storage.mergeEvents.bind(storage);
    const server = createActivityServer({ storage });
    for (const id of ["first", "second"]) await server.buckets.create(id, BUCKET);
    let end = "second";
    storage.mergeEvents = async (bucketId, drafts) => {
      const stored = await mergeEvents(bucketId, drafts);
      if (bucketId !== "first") return stored;
      if (renamed) {
        end = "renamed";
        await server.identity.rename("second", { to: end });
      }
      await server.buckets.setAccess(end, "read-only");
      return stored;
    };
    const body = { buckets: { first: { ...RECORD, id: "first" }, second: { ...RECORD, id: "second" } } };
    assert.is((await sendJson(server, "POST", "/api/0/import", body)).status, 403);
    assert.equal([await server.events.count("first"), await server.events.count(end)], [1, 0]);
    await server.close();
  });
}

const EVENTS_PER_STEP = 2048;

const PROTECTIONS = {
  "a read-only bucket": (server: ActivityServer) => server.buckets.setAccess("first", "read-only"),
  "a privacy rule": (server: ActivityServer) =>
    server.settings.put("privacy_rules", [{ when: { key: "app", equals: "editor" }, then: "drop" }]),
};

for (const [name, protect] of Object.entries(PROTECTIONS)) {
  test(`${name} applies to the events of an import that follow the ones being stored`, async () => {
    const storage = memory();
    const mergeEvents = storage.mergeEvents.bind(storage);
    const server = createActivityServer({ storage });
    await server.buckets.create("first", BUCKET);
    let calls = 0;
    storage.mergeEvents = async (bucketId, drafts) => {
      const stored = await mergeEvents(bucketId, drafts);
      // The next events are prepared in this time.
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      if (++calls === 1) await protect(server);
      return stored;
    };
    const events = Array.from({ length: EVENTS_PER_STEP + 1 }, (_, index) => ({ ...EVENTS[0], duration: index }));
    const body = { buckets: { first: { ...RECORD, id: "first", events } } };
    await sendJson(server, "POST", "/api/0/import", body);
    assert.is(await server.events.count("first"), EVENTS_PER_STEP);
    await server.close();
  });
}

const SLOW_RULE = { when: { key: "title", matches: "^(a|b)*\\1(a|b)*\\2c$" }, then: "drop" };
// A pattern that takes several slices of time.
const SLOW_TITLE = "ab".repeat(20_000);

for (const [kind, path, body] of [
  ["events", "events", Array.from({ length: 5_000 }, (_, index) => ({ ...EVENTS[0], duration: index }))],
  ["a heartbeat", "heartbeat?pulsetime=0", { ...EVENTS[0], data: { app: "editor", title: SLOW_TITLE } }],
] as const) {
  for (const [name, protect] of Object.entries(PROTECTIONS)) {
    test(`${name} applies to ${kind} whose privacy rules take long`, async () => {
      const server = createActivityServer({ storage: memory() });
      await server.buckets.create("first", BUCKET);
      await server.settings.put("privacy_rules", [SLOW_RULE]);
      await sendJson(server, "POST", "/api/0/buckets/first/events", []);
      const inserting = sendJson(server, "POST", `/api/0/buckets/first/${path}`, body);
      await new Promise(setImmediate);
      await protect(server);
      const before = await server.events.count("first");
      await inserting;
      assert.is(await server.events.count("first"), before);
      await server.close();
    });
  }
}

test.run();
