// The comments of a quiet feed, and what the server checks with each.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { AbandonedError } from "../../src/errors.js";
import { feedHandlers } from "../../src/http/routes/feed.js";
import { serviceInMemory } from "../access/service.js";
import { HeldTimes } from "./held-times.js";

const test = suite("comments of the feed");

async function withChunks(
  recheck: (() => Promise<void>) | undefined,
  body: (chunks: AsyncIterator<unknown>, times: HeldTimes, readers: () => number) => Promise<void>,
): Promise<void> {
  const times = new HeldTimes();
  const { service, feed } = serviceInMemory({}, times);
  const request = { header: () => undefined, host: {}, recheck };
  const context = { service, query: new URLSearchParams() };
  const response = await feedHandlers.readFeed(request as never, context as never);
  const chunks = (response.body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  await chunks.next();
  await chunks.next();
  await body(chunks, times, () => feed.active?.hub.readers ?? 0);
  feed.close();
}

test("a comment with the cursor comes every 15 seconds", () =>
  withChunks(undefined, async (chunks, times) => {
    for (let count = 0; count < 3; count++) {
      const pulled = chunks.next();
      times.pass(15_000);
      assert.match(String((await pulled).value), /^:\nid: \w+-0\n\n$/);
    }
  }));

test("a feed that the app no longer allows ends with the next comment", () => {
  let isAllowed = true;
  const recheck = async (): Promise<void> => {
    if (!isAllowed) throw new Error("signed out");
  };
  return withChunks(recheck, async (chunks, times, readers) => {
    const first = chunks.next();
    times.pass(15_000);
    assert.match(String((await first).value), ":");
    assert.is(readers(), 1);
    isAllowed = false;
    const second = chunks.next().catch((error: unknown) => error);
    times.pass(15_000);
    assert.instance(await second, AbandonedError);
    assert.is(readers(), 0);
  });
});

test.run();
