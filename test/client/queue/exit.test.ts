// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connect } from "../../../src/client/index.js";
import { sampleOf } from "../../faults/sizes.js";
import { withServer } from "../../harness.js";
import { beats } from "./beats.js";
import { BUCKET_ID, inScene, type PlainEvent, PULSETIME, plainEvents, undisturbed } from "./scene.js";
import { startWatcher, type WatcherEnd, type Watching } from "./watching.js";

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

/** Sends SIGTERM to a watcher that goes on, while the server lets it wait. @returns how it ended, and what arrived */
async function interrupted(
  then: "loop" | "listen",
  open: (watcher: Watching) => unknown,
): Promise<{ end: WatcherEnd; events: PlainEvent[] }> {
  let letIn = (): void => {};
  let wait: Promise<void> | undefined;
  const hooks = { beforeHeartbeat: () => wait };
  return withServer({ hostname: "box", hooks }, async ({ server, url }) => {
    const watcher = startWatcher([url, "", "0", "1"], { WATCHER_FLUSH: "1", WATCHER_THEN: then });
    await watcher.line("done");
    wait = new Promise((resolve) => {
      letIn = resolve;
    });
    watcher.kill("SIGTERM");
    await watcher.match(/^after 20 is/m);
    letIn();
    await open(watcher);
    const end = await watcher.ended;
    return { end, events: await plainEvents(connect(server), BUCKET_ID) };
  });
}

/** The number of the last beat that a watcher has handed in. */
function lastOf({ lines }: WatcherEnd): number {
  return Number(
    lines
      .filter((line) => line.startsWith("after"))
      .at(-1)
      ?.split(" ")
      .at(-1),
  );
}

/** A beat is handed in before its line is written, and the last line may be lost with the process. */
async function arrivedUpTo(last: number, events: PlainEvent[]): Promise<void> {
  const wholes = await Promise.all([1, 2].map((more) => undisturbed(beats(last + more), PULSETIME)));
  assert.ok(
    wholes.some((whole) => JSON.stringify(whole) === JSON.stringify(events)),
    `all ${last + 1} beats`,
  );
}

test("with flushOnExit, heartbeats during the flush of a signal are taken and sent", async () => {
  if (process.platform === "win32") return;
  const { end, events } = await interrupted("loop", () => undefined);
  assert.equal([end.code, end.signal, end.stderr], [null, "SIGTERM", ""]);
  await arrivedUpTo(lastOf(end), events);
});

test("with flushOnExit, a queue takes heartbeats until a program that listens to the signal ends itself", async () => {
  if (process.platform === "win32") return;
  const { end } = await interrupted("listen", async (watcher) => {
    await watcher.match(/^after 100 is/m);
    watcher.kill("SIGUSR2");
  });
  // The beats that were taken last may be on their way, which is reported.
  assert.equal([end.code, end.signal, end.stderr.replace(/^closed with \d+ events? .*\n$/, "")], [3, null, ""]);
});

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
