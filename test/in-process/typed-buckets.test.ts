import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as remote from "../../src/client/index.js";
import { connect } from "../../src/client/index.js";
import {
  type AcceptedEvent,
  ActivityError,
  type ActivityEvent,
  type ActivityServer,
  bucket,
  defineBuckets,
  type JsonObject,
  type StandardResult,
  type StandardSchema,
} from "../../src/index.js";
import { withTestServer } from "../harness.js";
import { same } from "../types.js";

const test = suite("typed buckets");

interface Window {
  readonly app: string;
  readonly title: string;
}

interface Visit {
  readonly url: string;
}

interface StoredVisit extends Visit {
  readonly host: string;
}

function checkVisit(value: unknown): StandardResult<StoredVisit> {
  const { url } = (value ?? {}) as Partial<Visit>;
  if (typeof url !== "string") return { issues: [{ message: "expected a string", path: ["url"] }, { message: "x" }] };
  if (!URL.canParse(url)) return { issues: [{ message: "expected a URL", path: [{ key: "url" }] }] };
  return { value: { url, host: new URL(url).host } };
}

const visits = (isAsync: boolean): StandardSchema<Visit, StoredVisit> => ({
  "~standard": { version: 1, vendor: "test", validate: isAsync ? async (value) => checkVisit(value) : checkVisit },
});

const DEFINITIONS = {
  window: bucket<Window>("currentwindow"),
  web: bucket("web.tab.current", visits(false)),
  slow: bucket("web.tab.current", visits(true)),
  any: bucket("app.any"),
} as const;

const PLACE = { client: "my-app", hostname: "desk" };
const AT = "2024-03-01T10:00:00Z";

/** What the compiler knows. It is not called. */
export async function types(server: ActivityServer): Promise<void> {
  const { window, web, any } = defineBuckets(DEFINITIONS).of(server, PLACE);
  const beat = await window.heartbeat({ timestamp: AT, data: { app: "a", title: "b" } }, "60s");
  same<typeof beat, AcceptedEvent<Window>>();
  const stored = await web.insert([{ timestamp: AT, data: { url: "https://example.org" } }]);
  same<typeof stored, AcceptedEvent<StoredVisit>[]>();
  const read = await web.read({ limit: 1 }).toArray();
  same<typeof read, ActivityEvent<StoredVisit>[]>();
  const [untyped] = await any.read().toArray();
  same<typeof untyped, ActivityEvent<JsonObject> | undefined>();
  const list = await remote.defineBuckets(DEFINITIONS).of(connect(server), PLACE).web.list();
  same<typeof list, remote.ClientEvent<StoredVisit>[]>();
  // @ts-expect-error no title
  await window.insert({ timestamp: AT, data: { app: "a" } });
  // @ts-expect-error no data
  await window.heartbeat({ timestamp: AT }, "60s");
  // @ts-expect-error the validator adds the host
  await web.insert({ timestamp: AT, data: { url: 5 } });
}

test("definitions are bound to buckets with IDs of client, name and hostname, or of the app's own", () =>
  withTestServer({}, async (server) => {
    const { window, web } = defineBuckets(DEFINITIONS).of(server, PLACE);
    assert.is(window.id, "my-app-window_desk");
    assert.equal(await server.buckets.list(), []);
    assert.is(await window.create(), true);
    assert.is(await window.create(), false);
    const { type, client, hostname } = await server.buckets.get(window.id);
    assert.equal({ type, client, hostname }, { type: "currentwindow", ...PLACE });
    const id = (name: string): string => `aw-watcher-${name}_desk`;
    assert.is(defineBuckets(DEFINITIONS).of(server, { ...PLACE, id }).web.id, "aw-watcher-web_desk");
    await web.create();
    assert.is(await web.count(), 0);
  }));

for (const name of ["web", "slow"] as const) {
  test(`the validator of "${name}" checks data before it is stored, and what it returns is stored`, () =>
    withTestServer({}, async (server) => {
      const tabs = defineBuckets(DEFINITIONS).of(server, PLACE)[name];
      await tabs.create();
      const data = { url: "https://example.org/a" };
      const beat = await tabs.heartbeat({ timestamp: AT, data }, "60s");
      assert.equal(beat.data, { ...data, host: "example.org" });
      const later = { timestamp: "2024-03-01T11:00:00Z", data };
      assert.is((await tabs.insert(later)).data.host, "example.org");
      assert.is((await tabs.insert([later, later])).length, 2);
      assert.equal((await tabs.get(beat.id as number)).data, beat.data);
      assert.is(await tabs.count({ start: "2024-03-01T10:30:00Z" }), 3);
      assert.is((await tabs.read().toArray())[3]?.data.host, "example.org");

      const wrong = { timestamp: AT, data: { url: "no URL" } };
      const refusals = [tabs.heartbeat(wrong, "60s"), tabs.insert(wrong), tabs.insert([later, wrong])];
      for (const [index, refusal] of (await Promise.allSettled(refusals)).entries()) {
        assert.is(refusal.status, "rejected");
        const { reason } = refusal as PromiseRejectedResult;
        assert.ok(ActivityError.is(reason));
        assert.is(reason.code, "INVALID_INPUT");
        assert.is(reason.message, `data.url of event ${index === 2 ? 1 : 0} is invalid: expected a URL`);
      }
      assert.is(await tabs.count(), 4);
      const missing = await tabs.insert({ timestamp: AT } as never).catch(String);
      assert.match(String(missing), /data\.url of event 0 is invalid: expected a string$/);
    }));
}

test("heartbeats with a synchronous validator reach the storage in the order of the calls", () =>
  withTestServer({}, async (server) => {
    const { web } = defineBuckets(DEFINITIONS).of(server, PLACE);
    await web.create();
    const data = { url: "https://example.org" };
    const beats = Array.from({ length: 5 }, (_, second) =>
      web.heartbeat({ timestamp: `2024-03-01T10:00:0${second}Z`, data }, "60s"),
    );
    const other = server.heartbeat(web.id, { timestamp: "2024-03-01T10:00:05Z", data: { url: "" } }, "60s");
    const [first, last] = await Promise.all([beats[0], other, ...beats]);
    assert.ok((first?.id ?? 0) < (last.id ?? 0));
    assert.equal(
      (await web.read().toArray()).map(({ duration }) => duration as number),
      [0, 4_000_000],
    );
  }));

test("a client has the same buckets, with its own forms of events and errors", () =>
  withTestServer({}, async (server) => {
    const { web } = remote.defineBuckets(DEFINITIONS).of(connect(server), PLACE);
    assert.is(await web.create(), true);
    const data = { url: "https://example.org/a" };
    await web.insert({ timestamp: AT, data });
    const beat = await web.heartbeat({ timestamp: "2024-03-01T10:00:07.5Z", data }, 60);
    assert.is(beat.duration, 7.5);
    const [event] = await web.list({ limit: 1 });
    assert.equal(event?.data, { ...data, host: "example.org" });
    assert.is(await web.count(), 1);
    assert.is((await web.get(event?.id as number)).data.host, "example.org");
    const refused = await web.insert({ timestamp: AT, data: { url: "" } }).catch((thrown: unknown) => thrown);
    assert.ok(remote.isActivityClientError(refused));
    assert.is(refused.code, "INVALID_INPUT");
    assert.is(refused.message, "data.url of event 0 is invalid: expected a URL");
  }));

test.run();
