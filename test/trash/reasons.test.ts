// What something was deleted for, as a code: pages show it in their own language.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseCause } from "../../src/service/trash/reasons.js";
import { createTestServer } from "../../src/testing/index.js";

const test = suite("reasons of the trash");

const BUCKET = { type: "t", client: "c", hostname: "h" };
const event = (n: number) => ({ timestamp: `2024-03-01T10:0${n}:00Z`, duration: "30s", data: { n: `${n}` } }) as const;

test("each deletion has its cause", async () => {
  await using server = createTestServer();
  const { buckets, events, trash } = server;
  await buckets.create("b", BUCKET, [0, 1, 2, 3, 4].map(event));
  const [first, second] = await events.read("b", { order: "oldest" }).toArray();
  await events.delete("b", first?.id ?? 0);
  await events.deleteMany("b", [second?.id ?? 0]);
  await events.deleteMatching("b", { filter: ["n=2"] });
  await events.deleteMatching("b", { start: "2024-03-01T10:04:00Z" });
  await buckets.delete("b");
  const causes = (await trash.list()).map(({ cause, filter }) => [cause, filter]);
  const sorted = causes.map(String).sort();
  assert.equal(sorted, ["bucket,", "events,", "events,", "events,", "filter,n=2"]);
});

test("entries of earlier versions have theirs, too, and other reasons none", () => {
  assert.equal(parseCause("the bucket was deleted"), { cause: "bucket" });
  assert.equal(parseCause("a range of time was deleted"), { cause: "events" });
  assert.equal(parseCause("deleted by a filter: app=Code title~x"), { cause: "filter", filter: "app=Code title~x" });
  assert.equal(parseCause("merged into 'b'"), {});
});

test.run();
