// Renaming of buckets and hosts, redirects and undo; docs/guides/buckets.md
// long: 600 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type ActivityServer, createActivityServer, type KeyScope } from "../../src/index.js";
import type { FakeClock } from "../../src/testing/index.js";
import { sendJson } from "../api/sending.js";
import { withServer } from "../harness.js";
import { codeOf, refusalOf } from "../refusals.js";
import { finish, onEach as onGrounds } from "../trash/grounds.js";
import { ids } from "./spans.js";

const test = suite("renaming of buckets and hosts");

const BUCKET = { type: "t", client: "c", hostname: "old" };
const NOON = Date.parse("2024-03-01T12:00:00Z");

type Open = () => ActivityServer;

function onEach(play: (open: Open, clock: FakeClock) => Promise<void>): Promise<void> {
  return onGrounds(({ open, clock }) => play(open, clock));
}

function beat(second: number, app = "a") {
  return { timestamp: new Date(NOON + second * 1000), data: { app } };
}

test("a renamed bucket keeps its events, ids, merge target, access and place; the old id leads to it", () =>
  onEach(async (open) => {
    const server = open();
    await server.buckets.create("w_old", BUCKET);
    await server.buckets.create("other", BUCKET);
    const first = await server.heartbeat("w_old", beat(0), "10s");
    await server.buckets.setAccess("w_old", "append-only");
    const done = await server.identity.rename("w_old", { to: "w_new" });
    assert.equal(done.buckets, [{ from: "w_old", to: "w_new", oldHostname: "old", hostname: "old", events: 1 }]);
    assert.equal(await ids(server), ["w_new", "other"]);
    assert.is(await server.buckets.getAccess("w_new"), "append-only");
    // The old id is heard as before: reports, reads, creation, programs.
    assert.is((await server.heartbeat("w_old", beat(5), "10s")).id, first.id);
    await server.events.insert("w_old", { ...beat(100), duration: "1s" });
    assert.is(await server.buckets.create("w_old", BUCKET), false);
    assert.is(await server.events.count("w_old"), 2);
    assert.is((await server.buckets.get("w_old")).id, "w_new");
    const query = 'RETURN = query_bucket("w_old");';
    const [found] = await server.query<object[]>({ timeperiods: ["2024-03-01/2024-03-02"], query });
    assert.is(found?.length, 2);
    // What deletes is meant for the bucket that is named.
    assert.is(await codeOf(server.buckets.delete("w_old")), "NO_SUCH_BUCKET");
    assert.is(await codeOf(server.events.delete("w_old", first.id as number)), "NO_SUCH_BUCKET");
    await server.close();
    const again = open();
    assert.is(await again.events.count("w_old"), 2);
    assert.equal(
      (await again.identity.redirects()).map(({ from, to, until }) => [from, to, until]),
      [["w_old", "w_new", null]],
    );
    await again.identity.deleteRedirect("w_old");
    assert.is(await codeOf(again.events.count("w_old")), "NO_SUCH_BUCKET");
    assert.is(await codeOf(again.identity.deleteRedirect("w_old")), "NO_SUCH_REDIRECT");
    await again.close();
  }));

test("heartbeats and renames at the same time: every beat is stored once, by whichever id it came", () =>
  onEach(async (open) => {
    const server = open();
    await server.buckets.create("a", BUCKET);
    const beats: Promise<unknown>[] = [];
    let second = 0;
    for (const to of ["b", "c", "a", "d"]) {
      const from = (await ids(server))[0] as string;
      for (let count = 0; count < 20; count++)
        beats.push(server.heartbeat("a", beat(10 * second++, `${second}`), "1s"));
      const renaming = server.identity.rename(from, { to });
      for (let count = 0; count < 20; count++) {
        beats.push(server.heartbeat(from, beat(10 * second++, `${second}`), "1s"));
        if (count % 5 === 0) await beats.at(-1);
      }
      await renaming;
    }
    await Promise.all(beats);
    assert.is(await server.events.count("d"), second);
    assert.equal(await ids(server), ["d"]);
  }));

test("a heartbeat finds a bucket that was renamed and has its id back before the beat is told that there was none", async () => {
  const storage = memory();
  const { heartbeat } = storage;
  await withServer({ door: "process", storage }, async ({ server }) => {
    await server.buckets.create("a", BUCKET);
    storage.heartbeat = async (...beating) => {
      storage.heartbeat = heartbeat;
      await server.identity.rename("a", { to: "b" });
      const [refusal] = await Promise.allSettled([heartbeat.apply(storage, beating)]);
      await server.identity.rename("b", { to: "a" });
      if (refusal.status === "rejected") throw refusal.reason;
      return refusal.value;
    };
    assert.is((await server.heartbeat("a", beat(0), "1s")).data["app"], "a");
    assert.is(await server.events.count("a"), 1);
    assert.is(await codeOf(server.heartbeat("c", beat(0), "1s")), "NO_SUCH_BUCKET");
  });
});

test("a host is renamed with all its buckets in one step, or not at all", () =>
  onEach(async (open) => {
    const server = open();
    for (const id of ["afk_old", "window_old", "web-old"]) await server.buckets.create(id, BUCKET);
    await server.buckets.create("afk_other", { ...BUCKET, hostname: "other" });
    await server.buckets.create("afk_taken", { ...BUCKET, hostname: "taken" });
    assert.is(await codeOf(server.identity.renameHost("old", { to: "taken", renameBuckets: true })), "CONFLICT");
    assert.is(await codeOf(server.identity.renameHost("nobody", { to: "x" })), "CONFLICT");
    assert.equal((await ids(server)).slice(0, 3), ["afk_old", "window_old", "web-old"]);
    const { undo: none, ...preview } = await server.identity.renameHost("old", {
      ...{ to: "new", renameBuckets: true, preview: true },
    });
    assert.equal([none, preview.buckets.length, preview.redirects.length], [null, 3, 2]);
    assert.equal((await ids(server)).slice(0, 3), ["afk_old", "window_old", "web-old"]);
    assert.equal([await server.identity.redirects(), await server.identity.undoable()], [[], []]);
    const { undo } = await server.identity.renameHost("old", { to: "new", renameBuckets: true });
    const now = (await server.buckets.list()).map(({ id, hostname }) => [id, hostname]);
    assert.equal(now.slice(0, 4), [
      ["afk_new", "new"],
      ["window_new", "new"],
      ["web-old", "new"],
      ["afk_other", "other"],
    ]);
    await server.identity.setHostname("web-old", { hostname: "changed since" });
    await server.identity.undo(undo as string);
    assert.equal(
      (await server.buckets.list()).slice(0, 3).map(({ id, hostname }) => [id, hostname]),
      [
        ["afk_old", "old"],
        ["window_old", "old"],
        ["web-old", "changed since"],
      ],
    );
    assert.equal(await server.identity.redirects(), []);
  }));

test("an undo gives a bucket its id back with all that came since; it is done once, and in turn", () =>
  onEach(async (open, clock) => {
    const server = open();
    await server.buckets.create("a", BUCKET);
    const first = await server.identity.rename("a", { to: "b" });
    await server.heartbeat("a", beat(0), "1s");
    clock.advance("1s");
    const second = await server.identity.rename("b", { to: "c" });
    await server.heartbeat("a", beat(10), "1s");
    await server.heartbeat("b", beat(20), "1s");
    assert.is(await codeOf(server.identity.undo(first.undo as string)), "CONFLICT");
    assert.equal(
      (await server.identity.undoable()).map(({ from, to }) => [...from, ...to]),
      [
        ["b", "c"],
        ["a", "b"],
      ],
    );
    await server.identity.undo(second.undo as string);
    assert.equal(await ids(server), ["b"]);
    await server.heartbeat("a", beat(30), "1s");
    await server.identity.undo(first.undo as string);
    assert.is(await server.events.count("a"), 4);
    assert.equal(await server.identity.redirects(), []);
    assert.is(await codeOf(server.identity.undo(first.undo as string)), "NO_SUCH_UNDO");
    const { undo } = await server.identity.rename("a", { to: "late" });
    clock.advance("744h");
    assert.is(await codeOf(server.identity.undo(undo as string)), "NO_SUCH_UNDO");
  }));

test("redirects follow buckets, end in time, and never make a circle", () =>
  onEach(async (open, clock) => {
    const server = open();
    await server.buckets.create("a", BUCKET, [beat(0)]);
    await server.buckets.create("x", BUCKET);
    await server.identity.rename("a", { to: "b", redirect: new Date(clock() + 3_600_000) });
    await server.identity.rename("b", { to: "c", redirect: false });
    assert.is(await server.events.count("a"), 1);
    assert.is(await codeOf(server.events.count("b")), "NO_SUCH_BUCKET");
    // Another bucket cannot take an id that leads away.
    assert.is(await codeOf(server.identity.rename("x", { to: "a" })), "CONFLICT");
    assert.is(await codeOf(server.identity.rename("x", { to: "c" })), "CONFLICT");
    await server.identity.rename("c", { to: "a" });
    assert.is(await server.events.count("a"), 1);
    assert.equal(
      (await server.identity.redirects()).map(({ from, to }) => [from, to]),
      [["c", "a"]],
    );
    await server.identity.rename("a", { to: "d", redirect: new Date(clock() + 1000) });
    assert.is(await server.events.count("a"), 1);
    clock.advance("2s");
    assert.is(await codeOf(server.events.count("a")), "NO_SUCH_BUCKET");
    await server.identity.rename("x", { to: "a" });
    assert.equal(await ids(server), ["d", "a"]);
  }));

test("a key reports under the old id as before; reading takes the right to read the bucket itself", () =>
  withServer({ door: "process", auth: "required" }, async ({ server }) => {
    await server.buckets.create("old", BUCKET, [beat(0)]);
    const keyFor = async (...scopes: KeyScope[]) =>
      (await server.keys.add({ name: `k${scopes.join().replace(/\W/g, "")}`, scopes })).key;
    const [append, read, both] = [await keyFor("append:old"), await keyFor("read:old"), await keyFor("read:*")];
    await server.identity.rename("old", { to: "new" });
    const ask = async (key: string, method: string, target: string, body?: unknown) => {
      return (await sendJson(server, method, `/api/0/${target}`, body, { authorization: `Bearer ${key}` })).status;
    };
    const event = { timestamp: "2024-03-01T12:01:00Z", data: {} };
    assert.is(await ask(append, "POST", "buckets/old/heartbeat?pulsetime=1", event), 200);
    assert.is(await ask(append, "POST", "buckets/old/events", event), 200);
    assert.is(await ask(append, "POST", "buckets/old", BUCKET), 304);
    assert.is(await ask(append, "POST", "buckets/old/events", { ...event, id: 1 }), 403);
    assert.is(await ask(append, "POST", "buckets/new/heartbeat?pulsetime=1", event), 403);
    assert.is(await ask(append, "POST", "buckets/new/rename", { to: "x" }), 403);
    const query = { timeperiods: ["2024-03-01/2024-03-02"], query: ['RETURN = query_bucket("old");'] };
    for (const target of ["buckets/old", "buckets/old/events", "buckets/old/events/count", "buckets/old/export"]) {
      assert.equal([await ask(read, "GET", target), await ask(both, "GET", target)], [404, 200], target);
    }
    assert.equal([await ask(read, "POST", "query", query), await ask(both, "POST", "query", query)], [400, 200]);
    await server.buckets.setAccess("new", "read-only");
    assert.is(await ask(append, "POST", "buckets/old/heartbeat?pulsetime=1", event), 403);
    assert.is(await server.events.count("new"), 3);
  }));

test("the notice of a heartbeat names the bucket that it was stored in", () =>
  withServer({ door: "process" }, async ({ server }) => {
    await server.buckets.create("old", BUCKET);
    await server.identity.rename("old", { to: "new" });
    const told: string[] = [];
    server.on("heartbeat", ({ bucketId }) => told.push(bucketId));
    server.on("change", (change) => told.push(`${change.kind} ${"bucketId" in change ? change.bucketId : ""}`));
    await server.heartbeat("old", beat(0), "1s");
    assert.equal(told, ["new", "events-written new"]);
  }));

test("a beat finds its bucket, however often that is renamed while the beat is under way", async () => {
  const storage = memory();
  const names = ["b", "c", "a", "d"];
  let at = "a";
  const { heartbeat } = storage;
  await withServer({ door: "process", storage }, async ({ server }) => {
    storage.heartbeat = async (...beating) => {
      const to = names.shift();
      if (to !== undefined) await server.identity.rename(at, { to });
      at = to ?? at;
      return heartbeat.apply(storage, beating);
    };
    await server.buckets.create("a", BUCKET);
    await server.heartbeat("a", beat(0), "1s");
    assert.is(await server.events.count("d"), 1);
    assert.equal(names, []);
  });
});

test("an import goes on in the bucket that is renamed while it is under way", async () => {
  const storage = memory();
  let calls = 0;
  const { mergeEvents } = storage;
  await withServer({ door: "process", storage }, async ({ server }) => {
    storage.mergeEvents = async (...merging) => {
      if (++calls === 2) await server.identity.rename("a", { to: "b" });
      return mergeEvents.apply(storage, merging);
    };
    const changes: string[] = [];
    server.on("change", (change) => changes.push(`${change.kind} ${"bucketId" in change ? change.bucketId : ""}`));
    const events = Array.from({ length: 5000 }, (_, index) => ({
      timestamp: new Date(NOON + index * 1000).toISOString(),
      duration: 1,
      data: { index },
    }));
    const document = { buckets: { a: { id: "a", type: "t", client: "c", hostname: "h", events } } };
    const { eventsImported, eventsKnown } = await server.import(document);
    assert.equal([eventsImported, eventsKnown, await ids(server)], [5000, 0, ["b"]]);
    assert.is(await server.events.count("b"), 5000);
    assert.is(changes.at(-1), "events-written b");
  });
});

test("what is named already, or by nobody, is refused", async () => {
  const { identity, buckets } = createActivityServer({ storage: memory() });
  await buckets.create("a", BUCKET);
  for (const [work, message] of [
    [identity.rename("a", { to: "a" }), /to must be/],
    [identity.setHostname("none", { hostname: "h" }), /no bucket named 'none'/],
    [identity.renameHost("old", { to: "old" }), /to must be/],
  ] as const) {
    assert.match(await refusalOf(work), message);
  }
});

test("the database ends", finish);

test.run();
