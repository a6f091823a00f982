// Requests that are repeated since a kill or a lost response hid that they were done; docs/guides/buckets.md,
// docs/guides/trash.md long: 600 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ActivityServer } from "../../src/index.js";
import { sendJson } from "../api/sending.js";
import { refusalOf } from "../refusals.js";
import { BUCKET, finish, onEach } from "../trash/grounds.js";

const test = suite("repeated changes of buckets");

const EVENTS = [{ timestamp: "2024-03-01T12:00:00Z", duration: { seconds: 5 } }] as const;

async function withBuckets(server: ActivityServer, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await server.buckets.create(id, BUCKET, EVENTS);
}

/** The same over HTTP, with the status. */
async function posted(server: ActivityServer, path: string, body: object = {}): Promise<string> {
  const response = await sendJson(server, "POST", `/api/0/${path}`, body);
  const { code, message } = (await response.json()) as { code?: string; message?: string };
  return response.status === 200 ? "done" : `${response.status} ${code}: ${message}`;
}

test("a rename that is repeated was done already", () =>
  onEach(async ({ open }) => {
    const server = open();
    await withBuckets(server, "a", "c");
    for (const [from, to, redirect] of [
      ["a", "b", true],
      ["c", "d", false],
    ] as const) {
      const { undo } = await server.identity.rename(from, { to, redirect });
      const done = `CONFLICT: the rename of '${from}' to '${to}' was done already (undo ID ${undo})`;
      assert.is(await refusalOf(server.identity.rename(from, { to, redirect })), done);
      assert.is(await refusalOf(server.identity.rename(from, { to, redirect, preview: true })), done);
      assert.is(await posted(server, `buckets/${from}/rename`, { to, redirect }), `409 ${done}`);
      assert.is(
        await refusalOf(server.identity.rename(from, { to: "other" })),
        `NO_SUCH_BUCKET: no bucket named '${from}'`,
      );
      await server.identity.undo(undo as string);
      assert.is(await posted(server, `buckets/${from}/rename`, { to, redirect }), "done");
    }
    assert.equal((await server.buckets.list()).map(({ id }) => id).sort(), ["b", "d"]);
    assert.is((await server.identity.undoable()).length, 2);
  }));

test("a rename was not done already if its bucket is there again, or another one has the new ID", () =>
  onEach(async ({ open }) => {
    const server = open();
    await withBuckets(server, "a");
    await server.identity.rename("a", { to: "b", redirect: false });
    await withBuckets(server, "a");
    assert.match(
      await refusalOf(server.identity.rename("a", { to: "b" })),
      /^CONFLICT: a bucket named 'b' already exists/,
    );
    for (const id of ["a", "b"]) await server.buckets.delete(id);
    assert.is(await refusalOf(server.identity.rename("a", { to: "b" })), "NO_SUCH_BUCKET: no bucket named 'a'");
    await withBuckets(server, "b");
    assert.is(await refusalOf(server.identity.rename("a", { to: "b" })), "NO_SUCH_BUCKET: no bucket named 'a'");
  }));

test("a rename of a host that is repeated was done already", () =>
  onEach(async ({ open }) => {
    const server = open();
    await withBuckets(server, "w_h", "other");
    const { undo } = await server.identity.renameHost("h", { to: "new", renameBuckets: true });
    const done = `CONFLICT: the rename of the hostname 'h' to 'new' was done already (undo ID ${undo})`;
    assert.is(await refusalOf(server.identity.renameHost("h", { to: "new", renameBuckets: true })), done);
    assert.is(await posted(server, "hosts/h/rename", { to: "new", rename_buckets: true }), `409 ${done}`);
    const never = "CONFLICT: no bucket has the hostname 'h'";
    assert.is(await refusalOf(server.identity.renameHost("h", { to: "new" })), never);
    assert.is(await refusalOf(server.identity.renameHost("h", { to: "other", renameBuckets: true })), never);
    await server.identity.setHostname("other", { hostname: "h" });
    assert.not.match(await refusalOf(server.identity.renameHost("h", { to: "new", preview: true })), /already/);
    assert.not.match(await refusalOf(server.identity.renameHost("gone", { to: "new" })), /already/);
    await server.identity.renameHost("h", { to: "plain" });
    assert.match(await refusalOf(server.identity.renameHost("h", { to: "plain" })), /was done already/);
    assert.is(await refusalOf(server.identity.renameHost("h", { to: "third" })), never);
  }));

test("a merge that is repeated was done already", () =>
  onEach(async ({ open }) => {
    const server = open();
    await withBuckets(server, "into", "a", "b", "c");
    for (const redirect of [true, false]) {
      const { undo } = await server.identity.merge("into", { from: ["a", "b"], redirect });
      const done = `CONFLICT: the merge into 'into' was done already (undo ID ${undo})`;
      assert.is(await refusalOf(server.identity.merge("into", { from: ["a", "b"], redirect })), done);
      assert.is(await refusalOf(server.identity.merge("into", { from: ["b", "a"], preview: true })), done);
      assert.is(await posted(server, "buckets/into/merge", { from: ["a", "b"], redirect }), `409 ${done}`);
      for (const [into, from] of [
        ["into", ["a", "c"]],
        ["into", ["a", "gone"]],
        ["c", ["a", "b"]],
      ] as const) {
        assert.not.match(await refusalOf(server.identity.merge(into, { from })), /already|^done/);
      }
      assert.is(await server.events.count("into"), 1);
      await server.identity.undo(undo as string);
    }
    assert.is((await server.identity.merge("into", { from: ["a", "b"] })).buckets.length, 3);
  }));

test("what can no longer be undone is known by its redirects", () =>
  onEach(async ({ open, clock }) => {
    const server = open({ trashDays: 0 });
    await withBuckets(server, "a", "c", "into", "x", "y");
    await server.identity.rename("a", { to: "b" });
    await server.identity.rename("c", { to: "d", redirect: false });
    await server.identity.merge("into", { from: ["x", "y"] });
    const how = "already, by an earlier rename or merge";
    assert.is(
      await posted(server, "buckets/into/merge", { from: ["x", "y"] }),
      `409 CONFLICT: 'x', 'y' redirect to 'into' ${how}`,
    );
    clock.advance("744h");
    assert.is(await refusalOf(server.identity.rename("a", { to: "b" })), `CONFLICT: 'a' redirects to 'b' ${how}`);
    assert.is(await refusalOf(server.identity.rename("c", { to: "d" })), "NO_SUCH_BUCKET: no bucket named 'c'");
    await server.buckets.delete("b");
    assert.is(await refusalOf(server.identity.rename("a", { to: "b" })), "NO_SUCH_BUCKET: no bucket named 'a'");
  }));

test("an undo and a restoration that are repeated say that they may have been done already", () =>
  onEach(async ({ open }) => {
    const server = open();
    await withBuckets(server, "a");
    const { undo } = await server.identity.rename("a", { to: "b" });
    assert.is(await posted(server, `undo/${undo}`), "done");
    const undone = `NO_SUCH_UNDO: no change with the undo ID '${undo}'; if something could, it was undone already`;
    assert.ok((await refusalOf(server.identity.undo(undo as string))).startsWith(undone));
    assert.ok((await posted(server, `undo/${undo}`)).startsWith(`404 ${undone}`));
    const { entry: entryId } = await server.buckets.delete("a");
    assert.is(await posted(server, `trash/${entryId}/restore`), "done");
    const restored = `NO_SUCH_ENTRY: the trash has no entry '${entryId}'; if it had one, it was restored already`;
    assert.ok((await refusalOf(server.trash.restore(entryId as string))).startsWith(restored));
    assert.ok((await posted(server, `trash/${entryId}/restore`)).startsWith(`404 ${restored}`));
    assert.is(await server.events.count("a"), 1);
  }));

test("the end of the grounds", finish);

test.run();
