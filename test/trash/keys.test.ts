import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ActivityClient, createClient, isActivityClientError } from "../../src/client/index.js";
import type { KeyScope, WriteHooks } from "../../src/index.js";
import type { TestServer } from "../../src/testing/index.js";
import { withTestServer } from "../harness.js";

const test = suite("trash and keys");

const BUCKET = { type: "t", client: "c", hostname: "h" };
const EVENTS = [{ timestamp: "2024-03-01", duration: { seconds: 5 } }] as const;

type Body = (made: { readonly server: TestServer; readonly client: ActivityClient }) => Promise<void>;

/** Two deleted buckets, and a client with a key. */
function withKey(scopes: readonly KeyScope[], body: Body, hooks: WriteHooks = {}): Promise<void> {
  return withTestServer({ auth: "required", hooks }, async (server) => {
    for (const id of ["own", "other"]) {
      await server.buckets.create(id, BUCKET, EVENTS);
      await server.buckets.delete(id);
    }
    const { key } = await server.keys.add({ name: "k", scopes });
    const fetch: typeof globalThis.fetch = (input, init) => server.fetch(input as string, init);
    await body({ server, client: createClient({ url: "http://localhost", apiKey: key, fetch }) });
  });
}

async function idOf(server: TestServer, bucketId: string): Promise<string> {
  const entries = await server.trash.list();
  return entries.find(({ buckets }) => buckets.some((bucket) => bucket.bucketId === bucketId))?.id ?? "";
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const thrown: unknown = await work.catch((error: unknown) => error);
  return isActivityClientError(thrown) ? `${thrown.status} ${thrown.message}` : "no refusal";
}

test("a key sees, restores and deletes what it may write", () =>
  withKey(["write:own*"], async ({ server, client }) => {
    assert.equal(
      (await client.trash.list()).map(({ buckets }) => buckets.map(({ bucket_id }) => bucket_id)),
      [["own"]],
    );
    const [own, other] = [await idOf(server, "own"), await idOf(server, "other")];
    assert.match(await refusal(client.trash.restore(other)), /^404 .*the trash has no entry/);
    assert.match(await refusal(client.trash.delete(other)), /^404 .*the trash has no entry/);
    assert.match(await refusal(client.trash.restore(own, { bucket: "other" })), /^403 .*write:other/);
    assert.equal(await client.trash.restore(own), [{ bucket_id: "own", events: 1, created: true }]);
    await client.buckets.delete("own");
    assert.equal(await client.trash.empty(), { entries: 1, events: 1 });
    assert.equal(
      (await server.trash.list()).map(({ id }) => id),
      [other],
    );
  }));

test("keys that only read or append see none of it", () =>
  withKey(["read:*", "append:*"], async ({ server, client }) => {
    assert.equal(await client.trash.list(), []);
    assert.match(await refusal(client.trash.restore(await idOf(server, "own"))), "404");
    assert.equal(await client.trash.empty(), { entries: 0, events: 0 });
    assert.is((await server.trash.list()).length, 2);
  }));

test("the entry stands in a header, which pages of other origins may read; the body is that of other servers", () =>
  withTestServer({ cors: ["https://page.example"] }, async (server) => {
    await server.buckets.create("b", BUCKET, EVENTS);
    const [event] = await server.events.read("b").toArray();
    for (const [path, body] of [
      [`events/${event?.id}`, '{"success":true}'],
      ["?force=1", "{}"],
    ]) {
      const init = { method: "DELETE", headers: { origin: "https://page.example" } };
      const response = await server.fetch(`/api/0/buckets/b/${path}`.replace("/?", "?"), init);
      assert.is(await response.text(), body);
      assert.is(response.headers.get("access-control-expose-headers"), "x-activity-trash-entry");
      await server.trash.restore(response.headers.get("x-activity-trash-entry") ?? "");
      assert.equal(await server.events.read("b").toArray(), [event]);
    }
  }));

test("a deletion that a hook leads elsewhere names no entry to who may not restore it", async () => {
  const elsewhere = (bucketId: string) => (bucketId === "own-led" ? "secret" : bucketId);
  const hooks: WriteHooks = {
    beforeDeleteEvent: ({ bucketId, eventId }) => ({ bucketId: elsewhere(bucketId), eventId }),
    beforeDeleteBucket: ({ bucketId }) => ({ bucketId: elsewhere(bucketId) }),
  };
  const body: Body = async ({ server, client }) => {
    await server.buckets.create("own-led", BUCKET);
    await server.buckets.create("secret", BUCKET, EVENTS);
    const [event] = await server.events.read("secret").toArray();
    assert.equal(await client.events.delete("own-led", event?.id as number), { entry: null });
    assert.equal(await client.buckets.delete("own-led"), { entry: null });
    assert.is((await server.trash.list()).length, 4);
  };
  await withKey(["write:own*"], body, hooks);
});

test("what comes from a bucket that is protected under another id now is its operator's to delete for good", () =>
  withKey(["write:old"], async ({ server, client }) => {
    await server.buckets.create("old", BUCKET, [...EVENTS, ...EVENTS]);
    await server.events.deleteMatching("old", { end: "2024-03-02" });
    const entry = await idOf(server, "old");
    await server.identity.rename("old", { to: "new" });
    await server.buckets.setAccess("new", "append-only");
    assert.match(await refusal(client.trash.delete(entry)), /^403 .*'old' is append-only/);
    assert.match(await refusal(client.trash.empty()), /^403 .*'old' is append-only/);
    await server.trash.delete(entry);
  }));

test("what was protected when it was deleted is deleted for good by its operator alone", () =>
  withKey(["write:*"], async ({ server, client }) => {
    await server.buckets.create("safe", BUCKET, EVENTS);
    await server.buckets.setAccess("safe", "read-only");
    await server.buckets.delete("safe");
    const safe = await idOf(server, "safe");
    assert.match(await refusal(client.trash.delete(safe)), /^403 .*read-only/);
    assert.match(await refusal(client.trash.empty()), /^403 .*read-only/);
    await server.trash.delete(safe);
  }));

test("events of a bucket with another id now go back by the right to write that one", () =>
  withKey(["write:old"], async ({ server, client }) => {
    await server.buckets.create("old", BUCKET, [...EVENTS, ...EVENTS]);
    await server.events.deleteMatching("old", { end: "2024-03-02" });
    const entry = await idOf(server, "old");
    await server.identity.rename("old", { to: "new" });
    assert.match(
      await refusal(client.trash.restore(entry)),
      /^403 .*may not write to the bucket that this now belongs to/,
    );
    assert.is(await server.events.count("new"), 0);
  }));

test.run();
