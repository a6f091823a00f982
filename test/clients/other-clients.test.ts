// Clients that cannot be installed here, by the requests that they send.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { withServer } from "../harness.js";
import { json } from "../http/client.js";

const test = suite("clients by their requests");

test("the Rust client: doubled slashes, whole records with nulls, nanoseconds", () =>
  withServer({}, async ({ send }) => {
    const record = {
      bid: null,
      id: "aw-watcher-window_box",
      type: "currentwindow",
      client: "awatcher",
      hostname: "box",
      created: null,
      data: {},
      metadata: { start: null, end: null },
      events: null,
      last_updated: null,
    };
    const bucket = "//api/0/buckets/aw-watcher-window_box";
    assert.is((await send("POST", bucket, record)).status, 200);
    assert.is((await send("POST", bucket, record)).status, 304);
    const beat = (timestamp: string) => ({ id: null, timestamp, duration: 0.0, data: { app: "x" } });
    await send("POST", `${bucket}/heartbeat?pulsetime=60`, beat("2024-05-01T10:00:00.123456789Z"));
    const merged = json(
      await send("POST", `${bucket}/heartbeat?pulsetime=2.5`, beat("2024-05-01T10:00:01.987654321+00:00")),
    ) as { id: number };
    assert.equal(merged, { ...beat("2024-05-01T10:00:00.123456+00:00"), id: merged.id, duration: 1.864198 });
    assert.ok(Number.isSafeInteger(merged.id));
    assert.equal(json(await send("GET", `${bucket}/events?limit=1`)), [merged]);
    assert.is(json(await send("GET", `${bucket}/events/count`)), 1);
    const stored = json(await send("GET", bucket)) as Record<string, unknown>;
    for (const field of ["type", "client", "hostname", "created"]) assert.type(stored[field], "string");
    assert.match(String(stored["created"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
    assert.equal(Object.keys(json(await send("GET", "//api/0/buckets")) as object), ["aw-watcher-window_box"]);
    assert.equal(Object.keys(json(await send("GET", "//api/0/info")) as object).sort(), [
      "device_id",
      "hostname",
      "profile",
      "testing",
      "version",
    ]);
  }));

test("generated clients: records with every field, and none in the answer that they do not know", () =>
  withServer({}, async ({ send }) => {
    const bucket = "/api/0/buckets/aw-watcher-jetbrains_box";
    assert.is((await send("GET", bucket)).status, 404);
    const creation = {
      id: "aw-watcher-jetbrains_box",
      name: null,
      type: "app.editor.activity",
      client: "aw-watcher-jetbrains",
      hostname: "box",
      created: "2024-05-01T12:00:00.1234567+02:00",
      data: null,
      metadata: null,
      last_updated: null,
      events: null,
    };
    assert.is((await send("POST", bucket, creation)).status, 200);
    const { created, ...rest } = json(await send("GET", bucket)) as Record<string, unknown>;
    assert.is(created, "2024-05-01T10:00:00.123456+00:00");
    const { events, ...known } = creation;
    assert.is(events, null);
    const sent = { ...rest, created: creation.created };
    assert.equal(sent, { ...known, data: {}, metadata: { start: null, end: null } });
    const beat = '\uFEFF{"timestamp":"2024-05-01T12:00:03.1234567+02:00","duration":0,"data":{"file":"a"}}';
    assert.is((await send("POST", `${bucket}/heartbeat?pulsetime=20`, beat)).status, 200);
  }));

test.run();
