// Clients that cannot be installed here, by the requests that they send.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { WireAnswer } from "../codec/socket.js";
import { withServer } from "../harness.js";
import { json } from "../http/client.js";

const test = suite("clients by their requests");

const FIREFOX = "moz-extension://6f0b1c0e-3c2b-4c36-9f0c-0d6f0a7d4a11";
const CHROME = "chrome-extension://nglaklhklhcoonedhgnpgddginnjdadi";

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

test("Vim: a zone without colon", () =>
  withServer({}, async ({ send }) => {
    const bucket = "/api/0/buckets/aw-watcher-vim_box";
    const creation = {
      name: "aw-watcher-vim_box",
      hostname: "box",
      client: "aw-watcher-vim",
      type: "app.editor.activity",
    };
    assert.is((await send("POST", bucket, creation)).status, 200);
    assert.is((await send("POST", bucket, creation)).status, 304);
    const beat = {
      duration: 0,
      timestamp: "2024-05-01T12:00:00+0200",
      data: { file: "a", language: "c", project: "p" },
    };
    const answer = json(await send("POST", `${bucket}/heartbeat?pulsetime=30`, beat)) as { timestamp: string };
    assert.is(answer.timestamp, "2024-05-01T10:00:00+00:00");
  }));

test("tmux: looks for the bucket, creates it after a 404, takes nothing but 200", () =>
  withServer({}, async ({ send }) => {
    const bucket = "/api/0/buckets/aw-watcher-tmux";
    assert.is((await send("GET", bucket)).status, 404);
    const creation = '{"client":"aw-watcher-tmux", "hostname":"box","type":"tmux.sessions"}';
    assert.is((await send("POST", bucket, creation)).status, 200);
    assert.is((await send("GET", bucket)).status, 200);
    const beat = '{"timestamp":"2024-05-01T12:00:00.123456+00:00","duration":0,"data":{"session_name":"0"}}';
    assert.is((await send("POST", `${bucket}/heartbeat?pulsetime=120.0`, beat)).status, 200);
  }));

for (const [browser, Origin] of Object.entries({ firefox: FIREFOX, chrome: CHROME })) {
  test(`the extension in ${browser}: preflight, creation, beats around a change of the tab`, () =>
    withServer({}, async ({ send }) => {
      const bucket = `/api/0/buckets/aw-watcher-web-${browser}_box`;
      const origin = { Origin };
      const allowed = (answer: WireAnswer) => assert.is(answer.headers["access-control-allow-origin"], Origin);
      const asking = { ...origin, "Access-Control-Request-Method": "POST" };
      for (const path of [bucket, `${bucket}/heartbeat?pulsetime=80`]) {
        const preflight = await send("OPTIONS", path, undefined, {
          ...asking,
          "Access-Control-Request-Headers": "content-type",
        });
        assert.is(preflight.status, 204);
        assert.match(String(preflight.headers["access-control-allow-methods"]), "POST");
        assert.is(preflight.headers["access-control-allow-headers"], "content-type");
        allowed(preflight);
      }
      const info = await send("GET", "/api/0/info", undefined, origin);
      assert.is((json(info) as { hostname: string }).hostname, "box");
      const creation = { client: "aw-client-web", type: "web.tab.current", hostname: "box" };
      const beat = (millis: number, tab: string) => {
        const timestamp = `2024-05-01T10:00:00.${String(millis).padStart(3, "0")}Z`;
        return send("POST", `${bucket}/heartbeat?pulsetime=80`, { data: { url: tab }, duration: 0, timestamp }, origin);
      };
      const lost = await beat(0, "a");
      assert.is(lost.status, 404);
      const answers = [info, lost];
      answers.push(await send("POST", bucket, creation, origin), await send("POST", bucket, creation, origin));
      assert.equal(
        answers.slice(2).map(({ status }) => status),
        [200, 304],
      );
      for (const [millis, tab] of [
        [100, "a"],
        [499, "a"],
        [500, "b"],
        [501, "b"],
        [501, "a"],
      ] as const) {
        answers.push(await beat(millis, tab));
      }
      answers.forEach(allowed);
      const events = json(await send("GET", `${bucket}/events`)) as { duration: number; data: { url: string } }[];
      assert.equal(
        events.map(({ duration, data }) => [data.url, duration]),
        [
          ["a", 0],
          ["b", 0.001],
          ["a", 0.399],
        ],
      );
      assert.is((await send("GET", `${bucket}/events`, undefined, origin)).status, 403);
    }));
}

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

test("the JavaScript client on fetch: question marks without parameters, deletion without a body", () =>
  withServer({}, async ({ send }) => {
    const bucket = "/api/0/buckets/b";
    await send("POST", bucket, { client: "c", type: "t", hostname: "h" });
    await send("POST", `${bucket}/events`, [{ timestamp: "2024-05-01T10:00:00.000Z", data: {} }]);
    const [event] = json(await send("GET", `${bucket}/events?`)) as { id: number }[];
    assert.is(json(await send("GET", `${bucket}/events/count?`)), 1);
    assert.is(json(await send("GET", `${bucket}/events/count?start=2025-01-01T00%3A00%3A00.000Z`)), 0);
    assert.equal(json(await send("DELETE", `${bucket}/events/${event?.id}`)), { success: true });
    assert.equal(json(await send("DELETE", `${bucket}?force=1`)), {});
    assert.is(json(await send("GET", "/api/0/settings/startOfDay")), null);
  }));

test.run();
