// Undoing a merge after something else has happened; docs/guides/buckets.md#undo
// long: 600 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ActivityServer } from "../../src/index.js";
import { textOf } from "../client/failure-of.js";
import { refusalOf } from "../refusals.js";
import { BUCKET, finish, onEach } from "../trash/grounds.js";
import { event, idsAndSpans, line, lineOf, NOON, type Span, spans, spansIn } from "./spans.js";

const test = suite("undoing a merge");

async function idOf(server: ActivityServer, bucketId: string, app: string): Promise<number> {
  const found = (await idsAndSpans(server, bucketId)).find((each) => each[3] === app);
  return found?.[0] as number;
}

async function make(server: ActivityServer, buckets: Readonly<Record<string, string>>): Promise<void> {
  for (const [id, all] of Object.entries(buckets)) await server.buckets.create(id, BUCKET, spansIn(all).map(event));
}

async function lines(server: ActivityServer, ids: readonly string[]): Promise<string[]> {
  return Promise.all(ids.map((id) => line(server, id)));
}

test("a cut event comes back whole, however many events stand before it in the merged bucket", () =>
  onEach(async ({ open }) => {
    const server = open();
    const instants = Array.from({ length: 1600 }, (_, index): Span => [200 + index, 200 + index, "instant"]);
    await make(server, { into: "0..99990 a", from: `100..100000 long, ${lineOf(instants)}` });
    const before = await idsAndSpans(server, "from");
    const { undo } = await server.identity.merge("into", { from: ["from"], overlaps: "first-wins" });
    assert.match(await line(server, "into"), /, 99990..100000 long$/);
    assert.is((await server.identity.undo(undo as string)).kept, 0);
    assert.equal(await idsAndSpans(server, "from"), before);
    assert.is(await line(server, "into"), "0..99990 a");
  }));

test("an event goes back as it is now: moved in time, shortened, split, or longer", () =>
  onEach(async ({ open }) => {
    const server = open();
    const from = "0..300 moved, 1000..1300 shortened, 2000..2300 split, 3000..3300 longer, 4000..4300 untouched";
    for (const overlaps of ["keep-both", "cut-older", "first-wins"] as const) {
      // Each event of the other bucket is cut by 100 s where events are cut.
      const own = spansIn(from).map(([start, end, app]): Span => {
        return overlaps === "cut-older" ? [end - 100, end, `own ${app}`] : [start - 50, start + 100, `own ${app}`];
      });
      await make(server, { into: lineOf(own), from });
      const { undo } = await server.identity.merge("into", { from: ["from"], overlaps });
      const left = new Map((await idsAndSpans(server, "into")).map(([id, ...span]) => [span[2], [id, span] as const]));
      const change = async (app: string, [fromNow, to]: readonly [number, number]) => {
        const [id, [start, end]] = left.get(app) as readonly [number, Span];
        await server.events.insert("into", { ...event([start + fromNow, end + to, app]), id });
      };
      await change("moved", [7200, 7200]);
      await change("shortened", [0, -10]);
      await change("longer", [0, 700]);
      const [id, [start, end]] = left.get("split") as readonly [number, Span];
      await server.events.split("into", id, new Date(NOON + (start + 20) * 1000));
      assert.is((await server.identity.undo(undo as string)).kept, 0, overlaps);
      const now = (app: string) => left.get(app)?.[1] as Span;
      assert.equal(
        (await spans(server, "from")).sort((a, b) => a[2].localeCompare(b[2])),
        [
          [3000, now("longer")[1] + 700, "longer"],
          [now("moved")[0] + 7200, now("moved")[1] + 7200, "moved"],
          [now("shortened")[0], now("shortened")[1] - 10, "shortened"],
          [start, start + 20, "split"],
          [4000, 4300, "untouched"],
        ],
        overlaps,
      );
      const second: Span = [start + 20, end, "split"];
      assert.equal(
        (await spans(server, "into")).sort(),
        [...own, second].sort(),
        `${overlaps}: what is new stays where it is`,
      );
      for (const bucketId of ["into", "from"]) await server.buckets.delete(bucketId, { permanent: true });
    }
  }));

test("a cut event of the bucket itself gets its time back unless somebody has changed it since", () =>
  onEach(async ({ open }) => {
    const server = open();
    const own = ["untouched", "shortened", "moved", "longer"].map((app, index): Span => {
      return [1000 * index, 1000 * index + 300, app];
    });
    const from = lineOf(own.map(([start, , app]): Span => [start + 100, start + 200, `other ${app}`]));
    await make(server, { into: lineOf(own), from });
    const { undo } = await server.identity.merge("into", { from: ["from"], overlaps: "cut-older" });
    for (const [app, start, end] of [
      ["shortened", 1000, 1050],
      ["moved", 2050, 2100],
      ["longer", 3000, 3400],
    ] as const) {
      await server.events.insert("into", { ...event([start, end, app]), id: await idOf(server, "into", app) });
    }
    assert.is((await server.identity.undo(undo as string)).kept, 2);
    const after = "0..300 untouched, 1000..1050 shortened, 2050..2100 moved, 3000..3400 longer";
    assert.equal(await lines(server, ["into", "from"]), [after, from]);
  }));

test("an event that was moved to a third bucket stays there, and is in no other one", () =>
  onEach(async ({ open }) => {
    const server = open();
    await make(server, { into: "0..100 own", from: "50..150 a, 200..300 b, 400..500 c", third: "" });
    const { undo } = await server.identity.merge("into", { from: ["from"], overlaps: "cut-older" });
    for (const app of ["own", "a"]) {
      await server.events.move("into", await idOf(server, "into", app), "third");
    }
    const halved = await idOf(server, "into", "b");
    await server.events.split("into", halved, new Date(NOON + 250_000));
    await server.events.delete("into", halved);
    await server.events.delete("into", await idOf(server, "into", "c"));
    assert.is((await server.identity.undo(undo as string)).kept, 3);
    assert.equal(await lines(server, ["third", "into"]), ["0..50 own, 50..150 a", "250..300 b"]);
    assert.is(await line(server, "from"), "400..500 c", "a deleted one comes back");
  }));

test("an event that was moved out of a bucket of a bucket stays away after both undos", () =>
  onEach(async ({ open }) => {
    const server = open();
    await make(server, { a: "0..10 a", b: "20..30 b", c: "40..50 c", third: "" });
    const inner = await server.identity.merge("b", { from: ["a"] });
    const outer = await server.identity.merge("c", { from: ["b"] });
    await server.events.move("c", await idOf(server, "c", "a"), "third");
    assert.match(await refusalOf(server.identity.undo(inner.undo as string)), /^CONFLICT/);
    assert.is((await server.identity.undo(outer.undo as string)).kept, 1);
    assert.is((await server.identity.undo(inner.undo as string)).kept, 1);
    assert.equal(await lines(server, ["a", "b", "c", "third"]), ["", "20..30 b", "40..50 c", "0..10 a"]);
  }));

test("merges into one bucket are undone from the latest on", () =>
  onEach(async ({ open }) => {
    const server = open();
    const buckets = { a: "0..10 a, 100..200 a", b: "5..15 b", c: "7..30 c, 150..160 c" };
    await make(server, buckets);
    const first = await server.identity.merge("a", { from: ["b"], overlaps: "cut-older" });
    const second = await server.identity.merge("a", { from: ["c"], overlaps: "cut-older" });
    assert.match(await refusalOf(server.identity.undo(first.undo as string)), /^CONFLICT: .* undo that first/);
    await server.identity.undo(second.undo as string);
    await server.identity.undo(first.undo as string);
    assert.equal(await lines(server, Object.keys(buckets)), Object.values(buckets));
  }));

test("a bucket that was deleted and imported again is another one", () =>
  onEach(async ({ open }) => {
    const server = open();
    await make(server, { into: "0..10 a", from: "20..30 b", named: "40..50 x", private: "60..70 p" });
    const merged = await server.identity.merge("into", { from: ["from"], redirect: false });
    const renamed = await server.identity.rename("named", { to: "other", redirect: false });
    const rules = [{ when: { key: "app", equals: "p" }, then: "drop" }] as const;
    const applied = await server.privacy.apply({ rules, buckets: "private" });
    for (const permanent of [false, true]) {
      const document = await textOf(server.export());
      const ids = ["into", "other", "private"];
      for (const id of ids) await server.buckets.delete(id, { permanent });
      await server.import(document);
      for (const undo of [merged.undo, renamed.undo, applied.buckets[0]?.undo]) {
        assert.match(
          await refusalOf(server.identity.undo(undo as string)),
          /^CONFLICT: the bucket '.*' no longer exists, or/,
        );
      }
      assert.equal(await lines(server, ids), ["0..10 a, 20..30 b", "40..50 x", ""], `permanent: ${permanent}`);
    }
    assert.is((await server.identity.undoable()).length, 3, "an undo that was refused is still there");
  }));

test("a bucket that comes out of the trash is the one that it was", () =>
  onEach(async ({ open }) => {
    const server = open();
    await make(server, { into: "0..10 a", from: "20..30 b" });
    const { undo } = await server.identity.merge("into", { from: ["from"] });
    const { entry: entryId } = await server.buckets.delete("into");
    await server.trash.restore(entryId as string);
    await server.identity.rename("into", { to: "else" });
    await server.identity.rename("else", { to: "into" });
    await server.identity.undo(undo as string);
    assert.equal(await lines(server, ["into", "from"]), ["0..10 a", "20..30 b"]);
  }));

test("a bucket does not come back to an id at which a redirect begins", () =>
  onEach(async ({ open }) => {
    const server = open();
    const { merge, rename, undo, deleteRedirect } = server.identity;
    await make(server, { a: "0..10 a", from: "20..30 from", into: "" });
    const renamed = await rename("a", { to: "b" });
    const merged = await merge("into", { from: ["from"] });
    for (const [id, other] of [
      ["a", "c"],
      ["from", "d"],
    ] as const) {
      await deleteRedirect(id);
      await make(server, { [id]: `40..50 ${other}` });
      await rename(id, { to: other });
    }
    for (const done of [renamed, merged]) {
      assert.match(
        await refusalOf(undo(done.undo as string)),
        /^CONFLICT: '.*' is redirected to '.*'; delete that redirect/,
      );
    }
    assert.equal(await lines(server, ["a", "from"]), ["40..50 c", "40..50 d"]);
    for (const id of ["a", "from"]) await deleteRedirect(id);
    for (const done of [renamed, merged]) await undo(done.undo as string);
    assert.equal(await lines(server, ["a", "from"]), ["0..10 a", "20..30 from"]);
    assert.equal(await server.identity.redirects(), []);
  }));

test("a summary waits until a merge can no longer be undone, so that totals stay", () =>
  onEach(async ({ open, clock }) => {
    const server = open();
    const seconds = async (...ids: string[]) => {
      const all = (await Promise.all(ids.map((id) => spans(server, id)))).flat();
      return all.reduce((sum, [from, to]) => sum + to - from, 0);
    };
    clock.set(new Date(NOON));
    await make(server, { into: "0..600 a", from: "600..1200 a" });
    await server.settings.put("retention_rules", [{ buckets: "*", summarizeAfterDays: 1 }]);
    const { undo } = await server.identity.merge("into", { from: ["from"] });
    clock.advance("48h");
    assert.equal(await server.retention.preview(), []);
    assert.equal((await server.retention.run()).buckets, []);
    await server.identity.undo(undo as string);
    assert.equal([await seconds("into"), await seconds("from")], [600, 600]);
    await server.identity.merge("into", { from: ["from"] });
    const ids = (await idsAndSpans(server, "into")).map(([id]) => id);
    clock.advance("744h");
    const { buckets } = await server.retention.run();
    assert.equal(
      buckets.map(({ summarized, summaries }) => [summarized, summaries]),
      [[2, 1]],
    );
    const [[id, ...span] = []] = await idsAndSpans(server, "into");
    assert.equal(span, [0, 1200, "a"]);
    assert.not.ok(ids.includes(id as number), "a summary is a new event");
  }));

test("events that come out of the trash into a merged bucket are not taken for merged ones", () =>
  onEach(async ({ open }) => {
    const server = open();
    const from = Array.from({ length: 12 }, (_, index): Span => [100 * index, 100 * index + 50, `from ${index}`]);
    const other = Array.from({ length: 20 }, (_, index): Span => [100 * index, 100 * index + 50, `other ${index}`]);
    await make(server, { into: "-200..60 own, 20000..20010 own", from: lineOf(from), other: lineOf(other) });
    const entries: string[] = [];
    for (const [id] of await idsAndSpans(server, "other")) {
      entries.push((await server.events.delete("other", id))?.entry as string);
    }
    const before = [await idsAndSpans(server, "into"), await idsAndSpans(server, "from")];
    const { undo } = await server.identity.merge("into", { from: ["from"], overlaps: "first-wins" });
    // Their places are free, and one that was deleted comes back to its own.
    const deleted: string[] = [];
    for (const [id, , , app] of await idsAndSpans(server, "into")) {
      if (app !== "own") deleted.push((await server.events.delete("into", id))?.entry as string);
    }
    for (const entry of entries) await server.trash.restore(entry, { bucket: "into" });
    await server.trash.restore(deleted[3] as string);
    await server.identity.undo(undo as string);
    assert.equal(await idsAndSpans(server, "from"), before[1]);
    const now = await idsAndSpans(server, "into");
    assert.equal(
      now.filter(([, , , app]) => app === "own"),
      before[0] as unknown,
    );
    assert.equal(
      now.filter(([, , , app]) => app !== "own").map(([, ...span]) => span),
      other,
    );
  }));

test("a merge of an earlier version, which noted nothing, is undone where it cut nothing, and refused otherwise", () =>
  onEach(async ({ open, storage }) => {
    const shared = storage();
    const server = open({ storage: shared });
    for (const overlaps of ["keep-both", "cut-older"] as const) {
      await make(server, { into: "0..10 a", from: "5..15 b" });
      const { undo } = await server.identity.merge("into", { from: ["from"], overlaps });
      const undos = shared.records("undo");
      const record = (await undos.get(undo as string)) as { readonly steps: Record<string, never> };
      const { incarnation: _, notes: __, order: ___, ...steps } = record.steps;
      await undos.compareAndSet(undo as string, record, { ...record, steps });
      const answer = await refusalOf(server.identity.undo(undo as string));
      if (overlaps === "keep-both") assert.is(answer, "done");
      else
        assert.match(answer, /^CONFLICT: an earlier version merged these without notes about cut events; restore the/);
      assert.is(await line(server, "into"), overlaps === "keep-both" ? "0..10 a" : "0..5 a, 5..15 b");
      await server.buckets.delete("into", { permanent: true });
      await server.buckets.delete("from", { permanent: true }).catch(() => undefined);
    }
  }));

test("an event that a client stores under an id which a merge left out is a new one", () =>
  onEach(async ({ open }) => {
    const server = open();
    const from = "0..10 a, 20..30 b, 40..50 c";
    await make(server, { into: "20..30 b", from });
    const { undo } = await server.identity.merge("into", { from: ["from"] });
    const id = (await idOf(server, "into", "c")) - 1;
    await server.events.insert("into", { ...event([60, 70, "new"]), id });
    await server.identity.undo(undo as string);
    assert.equal(await lines(server, ["from", "into"]), [from, "20..30 b, 60..70 new"]);
  }));

test("nothing of a merge stays in the storage when its entry has left the trash", () =>
  onEach(async ({ open, storage }) => {
    const shared = storage();
    const server = open({ storage: shared });
    const own = Array.from({ length: 300 }, (_, index): Span => [100 * index, 100 * index + 60, "own"]);
    const from = own.map(([start, end]): Span => [start + 30, end + 30, "from"]);
    await make(server, { into: lineOf(own), from: lineOf(from) });
    await server.identity.merge("into", { from: ["from"], overlaps: "cut-older" });
    await server.trash.empty();
    assert.equal(
      (await shared.listBuckets()).map(({ id }) => id),
      ["into"],
    );
  }));

test("the end of the grounds", finish);

test.run();
