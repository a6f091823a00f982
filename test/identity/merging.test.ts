// Merging of buckets, and taking that back; docs/guides/buckets.md#merging
// long: 600 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { withServer } from "../harness.js";
import { refusalOf } from "../refusals.js";
import { BUCKET, finish, onEach } from "../trash/grounds.js";
import { event, ids, line, NOON, spansIn } from "./spans.js";

const test = suite("merging of buckets");

const INTO = "0..10 a, 20..30 b, 40..50 c";
const FROM = "5..15 f, 20..30 b, 42..48 g, 60..70 h";

/** What is left of both, and of each bucket the number of events, and of those that are equal, cut and covered. */
const POLICIES = [
  {
    overlaps: "keep-both",
    after: "0..10 a, 5..15 f, 20..30 b, 40..50 c, 42..48 g, 60..70 h",
    counts: ["into 3 0 0 0", "from 4 1 0 0"],
  },
  {
    overlaps: "cut-older",
    after: "0..5 a, 5..15 f, 20..30 b, 40..42 c, 42..48 g, 60..70 h",
    counts: ["into 3 0 2 0", "from 4 1 0 0"],
  },
  {
    overlaps: "first-wins",
    after: "0..10 a, 10..15 f, 20..30 b, 40..50 c, 60..70 h",
    counts: ["into 3 0 0 0", "from 4 1 1 1"],
  },
] as const;

test("each policy does what the preview says, once, and is undone exactly", () =>
  onEach(async ({ open }) => {
    const server = open();
    for (const { overlaps, after, counts } of POLICIES) {
      await server.buckets.create("into", BUCKET, spansIn(INTO).map(event));
      await server.buckets.create("from", { ...BUCKET, hostname: "other" }, spansIn(FROM).map(event));
      await server.buckets.setAccess("from", "append-only");
      const before = [await server.events.read("into").toArray(), await server.events.read("from").toArray()];
      const records = [await server.buckets.get("into"), await server.buckets.get("from")];
      const merging = { from: ["from"], overlaps };
      const { undo: none, ...preview } = await server.identity.merge("into", { ...merging, preview: true });
      assert.is(none, null);
      assert.equal(await ids(server), ["into", "from"]);
      const { undo, ...done } = await server.identity.merge("into", merging);
      assert.equal({ ...done, redirects: [] }, { ...preview, redirects: [] });
      assert.equal(
        done.buckets.map((each) => `${each.bucketId} ${each.events} ${each.equal} ${each.cut} ${each.covered}`),
        counts,
      );
      assert.is(await line(server, "into"), after, overlaps);
      assert.equal(await ids(server), ["into"]);
      assert.is(await server.events.count("from"), spansIn(after).length);
      assert.is((await server.identity.undo(undo as string)).kept, 0);
      assert.equal([await server.events.read("into").toArray(), await server.events.read("from").toArray()], before);
      assert.equal([await server.buckets.get("into"), await server.buckets.get("from")], records);
      assert.is(await server.buckets.getAccess("from"), "append-only");
      assert.equal([await server.identity.redirects(), await server.trash.list()], [[], []]);
      for (const id of ["into", "from"]) await server.buckets.delete(id, { permanent: true });
    }
  }));

test("heartbeats to both ids go on meanwhile: each is stored once", () =>
  onEach(async ({ open }) => {
    const server = open();
    const many = Array.from({ length: 3000 }, (_, index) => event([-9000 + 2 * index, -8999 + 2 * index, "x"]));
    await server.buckets.create("a", BUCKET, many);
    await server.buckets.create("b", BUCKET, many.slice(1000));
    const beats: Promise<unknown>[] = [];
    let second = 0;
    const beat = (bucketId: string) => {
      beats.push(server.heartbeat(bucketId, event([10 * ++second, 10 * second, `${second}`]), "1s"));
      return beats.at(-1);
    };
    for (const id of ["a", "b", "a", "b"]) beat(id);
    const merging = server.identity.merge("a", { from: ["b"] });
    for (let count = 0; count < 40; count++) {
      const sent = beat(count % 2 === 0 ? "a" : "b");
      if (count % 8 === 0) await sent;
    }
    const { undo } = await merging;
    for (const id of ["a", "b"]) beat(id);
    await Promise.all(beats);
    assert.is(await server.events.count("a"), 3000 + second);
    await server.identity.undo(undo as string);
    // What came to either since then stays where it is.
    assert.is((await server.events.count("a")) + (await server.events.count("b")), 5000 + second);
  }));

test("an id that a merging did not use is given to nobody else: what comes later stays where it is", () =>
  onEach(async ({ open }) => {
    const server = open();
    await server.buckets.create("into", BUCKET, spansIn(FROM).map(event));
    await server.buckets.create("from", BUCKET, spansIn(FROM).map(event));
    const before = await server.events.read("from").toArray();
    const { undo } = await server.identity.merge("into", { from: ["from"] });
    await server.events.insert("into", event([100, 110, "new"]));
    await server.heartbeat("from", event([200, 200, "newer"]), "1s");
    await server.identity.undo(undo as string);
    assert.equal(await server.events.read("from").toArray(), before);
    assert.is(await line(server, "into"), `${FROM}, 100..110 new, 200..200 newer`);
  }));

test("an undo that is impossible is refused, with what stands in the way; nothing is changed", () =>
  onEach(async ({ open }) => {
    const server = open();
    const merged = async (): Promise<string> => {
      for (const id of ["into", "from"]) await server.buckets.create(id, BUCKET, spansIn(FROM).map(event));
      return (await server.identity.merge("into", { from: ["from"], redirect: false })).undo as string;
    };
    const first = await merged();
    await server.buckets.create("from", BUCKET);
    assert.match(await refusalOf(server.identity.undo(first)), /^CONFLICT: a bucket named 'from' exists again/);
    await server.buckets.delete("from");
    await server.identity.rename("into", { to: "else", redirect: false });
    assert.match(await refusalOf(server.identity.undo(first)), /^CONFLICT: the bucket 'into' no longer exists/);
    await server.identity.rename("else", { to: "into", redirect: false });
    assert.ok((await server.identity.undoable()).some(({ id }) => id === first));
    await server.trash.empty();
    assert.match(await refusalOf(server.identity.undo(first)), /^CONFLICT: the trash no longer contains/);
    assert.not.ok(
      (await server.identity.undoable()).some(({ id }) => id === first),
      "what cannot be is not offered",
    );
    assert.is(await server.events.count("into"), 4);
  }));

test("a bucket that is taken out of the trash by itself can be reached again", () =>
  onEach(async ({ open }) => {
    const server = open();
    for (const id of ["into", "from"]) await server.buckets.create(id, BUCKET, spansIn(INTO).map(event));
    await server.identity.merge("into", { from: ["from"] });
    const [entry] = await server.trash.list();
    await server.trash.restore(entry?.id as string);
    await server.heartbeat("from", event([100, 100, "x"]), "1s");
    assert.equal([await server.events.count("into"), await server.events.count("from")], [3, 4]);
  }));

test("what cannot be merged is refused", () =>
  onEach(async ({ open }) => {
    const server = open();
    for (const id of ["a", "b", "c"]) await server.buckets.create(id, BUCKET);
    const { merge, rename } = server.identity;
    assert.match(await refusalOf(merge("a", { from: [] })), /^INVALID_INPUT: from must be/);
    assert.match(await refusalOf(merge("a", { from: ["a"] })), /^INVALID_INPUT: from must be/);
    assert.match(await refusalOf(merge("a", { from: ["b", "b"] })), /^INVALID_INPUT: from must/);
    assert.match(await refusalOf(merge("a", { from: ["none"] })), /^NO_SUCH_BUCKET/);
    assert.match(await refusalOf(merge("none", { from: ["a"] })), /^NO_SUCH_BUCKET/);
    await rename("c", { to: "d" });
    assert.match(await refusalOf(merge("a", { from: ["c"] })), /^CONFLICT: 'c' is redirected to 'd'/);
    await merge("a", { from: ["b", "d"] });
    const redirects = (await server.identity.redirects()).map(({ from, to }) => `${from} ${to}`);
    assert.equal(redirects.sort(), ["b a", "c a", "d a"]);
    assert.equal(await ids(server), ["a"]);
  }));

test("a merging says until when it can be undone: no longer than the trash keeps it", async () => {
  const day = 86_400_000_000;
  for (const [trashDays, length] of [
    [7, 7 * day],
    [90, 30 * day],
  ] as const) {
    await withServer({ door: "process", clock: () => NOON, trashDays }, async ({ server }) => {
      await server.buckets.create("into", BUCKET, spansIn(INTO).map(event));
      await server.buckets.create("from", BUCKET, spansIn(FROM).map(event));
      await server.identity.merge("into", { from: ["from"] });
      await server.privacy.apply({ rules: [{ when: { key: "app", equals: "a" }, then: "drop" }] });
      const undoable = await server.identity.undoable();
      assert.equal(
        undoable.map(({ time, expires }) => expires - time),
        [length, length],
      );
    });
  }
});

test("the end of the grounds", finish);

test.run();
