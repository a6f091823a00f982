import { suite } from "uvu";
import * as assert from "uvu/assert";
import { veto } from "../../src/index.js";
import { TEST_START } from "../../src/testing/index.js";
import { withTestServer } from "../harness.js";
import { codeOf, refusalOf } from "../refusals.js";

const test = suite("watchers in process");

const SECOND = 1_000_000;
const OPTIONS = {
  bucketId: "editor",
  bucket: { type: "app.editor.activity", client: "my-app", hostname: "!local" },
  pulsetime: "10s",
} as const;

test("heartbeats of the same data become one event, at the clock of the server", () =>
  withTestServer({}, async (server) => {
    const watcher = server.watcher<{ file: string }>(OPTIONS);
    assert.is(await watcher.current(), undefined);
    assert.equal(await server.buckets.list(), [], "nothing is created before the first heartbeat");
    for (const file of ["a", "a", "b"]) {
      await watcher.beat({ file });
      server.clock.advance("5s");
    }
    const events = await server.events.read<{ file: string }>("editor", { order: "oldest" }).toArray();
    assert.equal(
      events.map(({ timestamp, duration, data }) => [timestamp - TEST_START, duration, data.file]),
      [
        [0, 5 * SECOND, "a"],
        [10 * SECOND, 0, "b"],
      ],
    );
    assert.equal(await watcher.current(), events[1]);
    server.clock.advance("5s");
    assert.equal(await watcher.current(), events[1]);
    server.clock.advance("1ms");
    assert.is(await watcher.current(), undefined);
    const past = await watcher.beat({ file: "c" }, "2024-03-01T08:00:00Z");
    assert.is(past.timestamp, TEST_START - 3600 * SECOND);
    assert.is((await server.buckets.get("editor")).hostname, "test-host");
  }));

test("it creates its bucket again when that was deleted", () =>
  withTestServer({}, async (server) => {
    const watcher = server.watcher(OPTIONS);
    for (const options of [{}, { permanent: true }]) {
      await watcher.beat({ file: "a" });
      await server.buckets.delete("editor", options);
      assert.is(await watcher.current(), undefined);
      await Promise.all([1, 2, 3].map((file) => watcher.beat({ file })));
      const events = await server.events.read("editor", { order: "oldest" }).toArray();
      assert.equal(
        events.map(({ data }) => data["file"]),
        [1, 2, 3],
      );
    }
  }));

test("what refuses the heartbeat or the bucket refuses it, and the next one is tried anew", () => {
  let isOpen = false;
  const hooks = {
    beforeCreateBucket() {
      if (!isOpen) throw veto("not yet");
    },
  };
  return withTestServer({ hooks }, async (server) => {
    const watcher = server.watcher(OPTIONS);
    assert.equal(await Promise.all([1, 2].map(() => codeOf(watcher.beat({})))), ["VETOED", "VETOED"]);
    isOpen = true;
    assert.is(await codeOf(watcher.beat({})), "done");
    assert.is(await codeOf(watcher.beat([] as never)), "INVALID_INPUT");
    await server.close();
    assert.is(await codeOf(watcher.beat({})), "STORAGE_CLOSED");
  });
});

test("a wrong pulsetime is refused at once", () =>
  withTestServer({}, async (server) => {
    const refused = (async () => server.watcher({ ...OPTIONS, pulsetime: 10 as never }))();
    assert.match(await refusalOf(refused), /^INVALID_INPUT: pulsetime must be a duration with its unit/);
  }));

test.run();
