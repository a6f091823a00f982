import { suite } from "uvu";
import * as assert from "uvu/assert";
import { bucket, createTestServer, event, heartbeats } from "../../src/testing/index.js";
import { withTestServer } from "../harness.js";
import { codeOf } from "../refusals.js";

const test = suite("a test server that fails");

const { id, ...RECORD } = bucket();

test("writes succeed until it fails, and reads go on", () =>
  withTestServer({ fail: { after: 3, code: "STORAGE_FULL" } }, async (server) => {
    await server.buckets.create(id, RECORD);
    await server.events.insert(id, event());
    const [beat] = heartbeats({ every: "5s", for: "5s" });
    await server.heartbeat(id, beat ?? event(), "10s");
    const writes = [
      () => server.heartbeat(id, event(), "10s"),
      () => server.events.insert(id, event()),
      () => server.buckets.create("other", RECORD),
      () => server.buckets.delete(id),
      () => server.settings.put("key", 1),
      () => server.keys.add({ name: "key", scopes: ["read:*"] }),
    ];
    for (const write of writes) assert.is(await codeOf(write()), "STORAGE_FULL");
    const response = await server.fetch(`/api/0/buckets/${id}/heartbeat?pulsetime=10`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ timestamp: "2024-03-01T10:00:00Z", duration: 0, data: {} }),
    });
    assert.is(response.status, 507);
    assert.is((await server.events.read(id).toArray()).length > 0, true);
    await server.reset();
    await server.buckets.create(id, RECORD);
    assert.is(await codeOf(server.events.insert(id, event())), "done");
  }));

test("reads can fail as well, and it can recover", () =>
  withTestServer({}, async (server) => {
    await server.buckets.create(id, RECORD);
    server.fail({ reads: true });
    for (const read of [() => server.buckets.list(), () => server.events.read(id).toArray()]) {
      assert.is(await codeOf(read()), "STORAGE_FAILED");
    }
    assert.is((await server.fetch("/api/0/buckets/")).status, 503);
    server.fail(undefined);
    assert.is((await server.buckets.list()).length, 1);
    await server.heartbeat(id, event(), "10s");
  }));

test("without a logger, the wanted failures print nothing, and other errors do", async () => {
  const { error } = console;
  const lines: string[] = [];
  console.error = (line: unknown) => void lines.push(String(line).split("\n")[0] ?? "");
  const hooks = {
    beforeSetting() {
      throw new Error("a hook fails");
    },
  };
  try {
    await withTestServer({ fail: { code: "STORAGE_CORRUPT", reads: true }, hooks }, async (server) => {
      const headers = { "content-type": "application/json" };
      assert.is((await server.fetch("/api/0/buckets/")).status, 500);
      server.fail(undefined);
      await server.fetch("/api/0/settings/theme", { method: "POST", headers, body: "1" });
    });
  } finally {
    console.error = error;
  }
  assert.equal(lines, ["activity-server: Error: a hook fails"]);
});

test("a failure that does not exist is refused", () => {
  const refused = (fail: unknown) => {
    try {
      createTestServer({ fail: fail as never });
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };
  assert.is(refused(3), "fail must be an object such as { after: 3 }, got 3");
  assert.is(refused({ on: "heartbeat" }), "fail.on does not exist; use after, code and reads");
  assert.is(refused({ after: -1 }), "fail.after must be an integer of 0 or more, got -1");
  const codes = "STORAGE_FULL, STORAGE_FAILED, STORAGE_CORRUPT";
  assert.is(refused({ code: "VETOED" }), `fail.code must be one of ${codes}, got 'VETOED'`);
});

test.run();
