// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connect } from "../../../src/client/index.js";
import { sampleOf } from "../../faults/sizes.js";
import { withServer } from "../../harness.js";
import { beats } from "./beats.js";
import { BUCKET_ID, inScene, type PlainEvent, PULSETIME, plainEvents, undisturbed } from "./scene.js";
import { startWatcher, type Watching } from "./watching.js";

const test = suite("heartbeat queue: the end of the process");

const COUNT = 20;

/** Runs a watcher without a file against a server, and gives what has arrived. */
async function arrived(
  env: Readonly<Record<string, string>>,
  end: (watcher: Watching) => unknown,
): Promise<PlainEvent[]> {
  return withServer({ hostname: "box" }, async ({ server, url }) => {
    const watcher = startWatcher([url, "", "0", String(COUNT)], env);
    await watcher.line("done");
    await end(watcher);
    return plainEvents(connect(server), BUCKET_ID);
  });
}

for (const signal of sampleOf(["SIGTERM", "SIGINT"] as const, 2)) {
  test(`with flushOnExit, ${signal} ends the process as ever, behind the last event`, async () => {
    if (process.platform === "win32") return;
    const events = await arrived({ WATCHER_FLUSH: "1" }, async (watcher) => {
      watcher.kill(signal);
      const { code, signal: how, stderr } = await watcher.ended;
      assert.equal([code, how, stderr], [null, signal, ""]);
    });
    assert.equal(events, await undisturbed(beats(COUNT), PULSETIME));
  });
}

test("with flushOnExit, a program that has nothing left to do sends its events", async () => {
  const events = await arrived({ WATCHER_FLUSH: "1", WATCHER_THEN: "exit" }, async (watcher) => {
    const { code, stderr } = await watcher.ended;
    assert.equal([code, stderr], [0, ""]);
  });
  assert.equal(events, await undisturbed(beats(COUNT), PULSETIME));
});

test("without it, a queue listens to nothing, and keeps no process that has nothing left to do", () =>
  inScene(async (scene) => {
    const listeners = (): number[] => ["SIGTERM", "SIGINT", "beforeExit"].map((name) => process.listenerCount(name));
    const before = listeners();
    scene.open();
    assert.equal(listeners(), before);
    const queues = [scene.open({ flushOnExit: true }), scene.open({ flushOnExit: true })];
    assert.equal(
      listeners(),
      before.map((count) => count + 1),
    );
    for (const queue of queues) await queue.close();
    assert.equal(listeners(), before);
    // The newest event still waits for its commit interval, which must not hold the process.
    await arrived({ WATCHER_THEN: "exit" }, async (watcher) => assert.is((await watcher.ended).code, 0));
  }));

test.run();
