// Writes of other nodes over the same data in the feed.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { Storage } from "../../src/index.js";
import { type Change, type ChangePage, changeFeed, changesGone } from "../../src/storage/changes.js";
import { inTime, withServer } from "../harness.js";

const test = suite("other nodes in the feed");

test("writes of other nodes name their bucket, and missed ones reset the feed", () => {
  const pages: (ChangePage | Error)[] = [];
  let wake = (): void => {};
  const tell = (page: readonly Change[] | Error): void => {
    pages.push(page instanceof Error ? page : { changes: page, cursor: "next" });
    wake();
  };
  const storage: Storage = {
    ...memory(),
    changes: (after) =>
      changeFeed(
        {
          async page(cursor) {
            const page = pages.shift() ?? { changes: [], cursor: cursor ?? "now" };
            if (page instanceof Error) throw page;
            return page;
          },
          listen(callback) {
            wake = callback;
            return () => {};
          },
        },
        after,
      ),
  };
  return withServer({ storage, buckets: ["a"] }, async ({ server }) => {
    const feed = server.feed()[Symbol.asyncIterator]();
    const next = async (): Promise<object> => {
      const { cursor: _, ...message } = (await inTime(feed.next(), "the next message")).value ?? { cursor: "" };
      return message;
    };
    assert.equal(await next(), { type: "reset", reason: "start" });
    const elsewhere = true;
    tell([
      { kind: "events-written", bucketId: "a", elsewhere },
      { kind: "events-written", bucketId: "own", elsewhere: false },
      { kind: "bucket-created", bucketId: "b", elsewhere },
      { kind: "setting", key: "theme", elsewhere },
      { kind: "bucket-deleted", bucketId: "b", elsewhere },
    ]);
    assert.equal(await next(), { type: "events", action: "changed", bucket: "a" });
    assert.equal(await next(), { type: "bucket", action: "created", bucket: "b" });
    assert.equal(await next(), { type: "setting", key: "theme" });
    assert.equal(await next(), { type: "bucket", action: "deleted", bucket: "b" });
    await server.heartbeat("a", { timestamp: "2024-03-01T10:00:00Z", data: {} }, "1s");
    assert.equal(await next(), { type: "events", action: "changed", bucket: "a" });
    tell(changesGone());
    assert.equal(await next(), { type: "reset", reason: "gone" });
    await feed.return?.();
  });
});

test.run();
